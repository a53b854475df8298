"""The opt-in of a repository, its user's veto, and the approval that the user may demand (S 5.1, D9)."""

import pytest

from tidings.domain.consent.opt_in import OptIn, decide_opt_in, declared_label
from tidings.ports.codec import Document, Value
from tidings.ports.settings import SettingsAbsent, SettingsFact, SettingsRead, SettingsWrong

ABSENT = SettingsAbsent()


def repository(document: Document) -> SettingsRead:
    return SettingsRead(path="/shop/.tidings.toml", digest="d1", document=document)


def personal(**push: Value) -> SettingsRead:
    return SettingsRead(path="/me/config.toml", digest="d2", document={"push": push})


YES = repository({"push": {"auto_arm": True}})
NO = repository({"push": {"auto_arm": False}})
BROKEN = SettingsWrong(path="/shop/.tidings.toml", why="no toml")
BROKEN_OWN = SettingsWrong(path="/me/config.toml", why="no toml")

TABLE = [
    (NO, ABSENT, (False, False, False, False)),
    (ABSENT, ABSENT, (False, False, False, False)),
    (repository({}), ABSENT, (False, False, False, False)),
    (NO, personal(auto_arm=True), (False, False, False, False)),
    (ABSENT, personal(auto_arm=True), (False, False, False, False)),
    (NO, personal(auto_arm=False), (False, False, True, False)),
    (YES, ABSENT, (True, True, False, False)),
    (YES, personal(), (True, True, False, False)),
    (YES, personal(auto_arm=True), (True, True, False, False)),
    (YES, personal(auto_arm=False), (False, True, True, False)),
    (BROKEN, ABSENT, (False, False, False, False)),
    (BROKEN, personal(auto_arm=True), (False, False, False, False)),
    (YES, BROKEN_OWN, (False, True, False, True)),
    (NO, BROKEN_OWN, (False, False, False, True)),
    (YES, personal(auto_arm="no"), (False, True, False, True)),
    (YES, personal(require_approval="no"), (False, True, False, True)),
    (repository({"push": {"auto_arm": "yes"}}), ABSENT, (False, False, False, False)),
    (repository({"push": "yes"}), ABSENT, (False, False, False, False)),
]


def flags(said: OptIn) -> tuple[bool, bool, bool, bool]:
    """on, proposed by the repository, vetoed by the user, the user's file cannot be read."""
    return (said.is_on, said.proposed, said.vetoed, said.settings_wrong)


@pytest.mark.case("S136", "S140")
@pytest.mark.parametrize(("proposal", "own", "expected"), TABLE)
def test_each_row_of_the_table(
    proposal: SettingsFact, own: SettingsFact, expected: tuple[bool, bool, bool, bool]
) -> None:
    said = decide_opt_in(proposal, own, is_approved=False)
    assert flags(said) == expected
    assert said.why


def test_where_the_user_approves_each_only_an_approved_one_counts() -> None:
    demanding = personal(require_approval=True)
    refused = decide_opt_in(YES, demanding, is_approved=False)
    assert (refused.is_on, refused.awaits_approval) == (False, True)
    assert "tidings trust" in refused.why
    allowed = decide_opt_in(YES, demanding, is_approved=True)
    assert (allowed.is_on, allowed.awaits_approval) == (True, False)


def test_an_approval_outweighs_no_veto() -> None:
    vetoing = personal(require_approval=True, auto_arm=False)
    assert decide_opt_in(YES, vetoing, is_approved=True).is_on is False


def test_an_approval_proposes_nothing_by_itself() -> None:
    for proposal in (NO, ABSENT, BROKEN):
        assert (
            decide_opt_in(proposal, personal(require_approval=True), is_approved=True).is_on
            is False
        )


@pytest.mark.parametrize(
    ("fact", "label"),
    [
        (repository({"agent_name": "wren"}), "wren"),
        (repository({}), ""),
        (repository({"agent_name": 7}), ""),
        (BROKEN, ""),
        (ABSENT, ""),
    ],
)
def test_the_label_that_a_repository_declares(fact: SettingsFact, label: str) -> None:
    assert declared_label(fact) == label
