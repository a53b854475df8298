"""What decides while nobody armed or disarmed: the repository proposes, its user may refuse (D9).

The table is S 5.1: both must leave it on, the user's yes alone enables nothing, and whatever
cannot be read counts as no.
"""

from tidings.domain.documents import Fields, FieldWrong
from tidings.ports.settings import SettingsAbsent, SettingsFact, SettingsRead, SettingsWrong
from tidings.ports.values import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class OptIn:
    """Whether a session without a word of its own hears, and what each side said.

    ``proposed``: the repository says yes. ``vetoed``: the user says no. ``settings_wrong``: the
    user's file cannot be read, so it may hold a veto. ``awaits_approval``: the user wants to
    approve each opt-in, and this one is not (or was changed since). ``why`` is one line.
    """

    is_on: bool
    why: str
    proposed: bool = False
    vetoed: bool = False
    settings_wrong: bool = False
    awaits_approval: bool = False
    path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Personal:
    """The user's own rules. ``auto_arm`` None: no opinion."""

    auto_arm: bool | None = None
    require_approval: bool = False
    is_wrong: bool = False
    why: str = ""


NO_OPT_IN = OptIn(is_on=False, why="no repository opted in")


def decide_opt_in(repository: SettingsFact, personal: SettingsFact, *, is_approved: bool) -> OptIn:
    """The row of S 5.1, with the approval of D9 where the user demands one.

    ``is_approved``: the operator approved exactly this file, by path and digest.
    """
    proposal = _proposal(repository)
    rules = _rules(personal)
    said = replace(
        proposal,
        is_on=False,
        vetoed=rules.auto_arm is False,
        settings_wrong=rules.is_wrong,
    )
    if rules.is_wrong:
        return replace(said, why=rules.why)
    if not proposal.proposed:
        return said
    if said.vetoed:
        return replace(said, why="your own settings say no: [push] auto_arm = false")
    if rules.require_approval and not is_approved:
        return replace(said, awaits_approval=True, why="it is not approved: `tidings trust`")
    return replace(said, is_on=True)


def declared_label(repository: SettingsFact) -> str:
    """The ``agent_name`` of a repository's file; empty where it names none (S 1.8)."""
    if not isinstance(repository, SettingsRead):
        return ""
    try:
        return Fields(document=repository.document).text("agent_name", default="")
    except FieldWrong:
        return ""


def _proposal(fact: SettingsFact) -> OptIn:
    match fact:
        case SettingsRead(path=path):
            try:
                says_yes = _push(fact).flag("auto_arm")
            except FieldWrong as wrong:
                return replace(NO_OPT_IN, path=path, why=f"{path}: {wrong}")
            why = f"{path} says [push] auto_arm = true" if says_yes else NO_OPT_IN.why
            return replace(NO_OPT_IN, path=path, proposed=says_yes, why=why)
        case SettingsWrong(path=path, why=why):
            return replace(NO_OPT_IN, path=path, why=f"{path} does not count: {why}")
        case SettingsAbsent():
            return NO_OPT_IN


def _rules(fact: SettingsFact) -> _Personal:
    match fact:
        case SettingsRead():
            return _read_rules(fact)
        case SettingsWrong(path=path, why=why):
            return _Personal(is_wrong=True, why=f"your settings cannot be read ({path}: {why})")
        case SettingsAbsent():
            return _Personal()


def _read_rules(fact: SettingsRead) -> _Personal:
    try:
        push = _push(fact)
        return _Personal(
            auto_arm=push.flag("auto_arm") if "auto_arm" in push.document else None,
            require_approval=push.flag("require_approval"),
        )
    except FieldWrong as wrong:
        return _Personal(is_wrong=True, why=f"your settings cannot be read ({fact.path}: {wrong})")


def _push(fact: SettingsRead) -> Fields:
    table = Fields(document=fact.document).optional_section("push")
    return table if table is not None else Fields(document={})
