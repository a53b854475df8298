import pytest

from tidings.domain.identity.addresses import RESERVED, choose_address


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_no_agent_gets_the_name_of_a_person_or_of_scripts(word: str) -> None:
    assert choose_address([word], ()) == f"{word}-2"
    assert choose_address([word, "front"], ()) == "front"
    assert choose_address([word.upper()], {f"{word}-2"}) == f"{word}-3"
