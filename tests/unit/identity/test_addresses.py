"""Addresses (D5)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tidings.domain.identity.addresses import (
    choose_address,
    is_address,
    near_names,
    to_address,
)


@pytest.mark.parametrize(
    ("wanted", "taken", "address"),
    [
        (["api"], [], "api"),
        (["api", "shop"], ["api"], "shop"),
        (["api", "shop"], ["api", "shop"], "shop-2"),
        (["shop"], ["shop", "shop-2"], "shop-3"),
        (["", "  ", "Mein Café!"], [], "mein-cafe"),
        (["日本"], [], "agent"),
        (["日本", "x"], [], "x"),
        ([], ["agent"], "agent-2"),
        (["-rf"], [], "rf"),
        (["agent:UID"], [], "agent-uid"),
        (["a" * 40], ["a" * 32], "a" * 30 + "-2"),
    ],
)
def test_the_first_free_name_wins(wanted: list[str], taken: list[str], address: str) -> None:
    assert choose_address(wanted, taken) == address


@settings(max_examples=50)
@given(st.lists(st.text(max_size=50), max_size=4), st.integers(0, 20))
def test_whatever_is_wanted_an_address_is_valid_and_free(wanted: list[str], others: int) -> None:
    taken: set[str] = set()
    for _ in range(others + 1):
        address = choose_address(wanted, taken)
        assert is_address(address)
        assert address not in taken
        taken.add(address)


@given(st.text(max_size=50))
@settings(max_examples=50)
def test_an_address_stays_as_it_is(text: str) -> None:
    address = to_address(text)
    assert address == "" or is_address(address)
    assert to_address(address) == address


@pytest.mark.parametrize("text", ["", "-a", "a-", "A", "a b", "a:b", "é", "a" * 33, "a\n"])
def test_what_is_no_address(text: str) -> None:
    assert not is_address(text)


def test_near_names_are_few_and_nearest_first() -> None:
    known = ["api", "front", "back", "apis", "frontend", "docs"]
    assert near_names("fornt", known) == ["front"]
    assert near_names("ap", known) == ["api", "apis"]
    assert near_names("front", ["frontend", "front-2", "front", "front-3"])[0] == "front"
    assert near_names("zzzzzz", known) == []
    assert near_names("", ["abcdef"]) == []
