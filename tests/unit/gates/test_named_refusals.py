"""No refusal is anonymous, no reason is unknown, and nobody but the library makes operator input (M 1.6, 9).

Each audit also proves that it looked at enough, so that none of them can pass by seeing nothing.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import pytest

from support.project import ROOT, product_files
from tidings.domain.messages.reasons import CATALOGUE, EVENT_NAMES, Stage

FEWEST_FILES = 100

REASONED: Mapping[str, int | str] = {
    "refused": 0,
    "Hold": "reason",
    "Settle": "reason",
    "NotAllowed": "reason",
}
"""Who takes a reason, and where: the first word, or a keyword."""

CLASSED = {"EnvelopeFault": "token", "ReplyRefusal": "fault"}
"""Who takes a member of a closed set."""

MAKES_OPERATORS = "entrypoints/embedding/operator.py"
MAKERS = frozenset({"Draft", "Origin", "origin_of"})

JUDGES_OPERATORS = frozenset(
    {
        "domain/messages/authority.py",
        "domain/messages/envelope.py",
        "domain/messages/frame_json.py",
        "domain/messages/frame_text.py",
        "domain/messages/origin.py",
        "domain/messages/permission.py",
        "domain/messages/reply.py",
    }
)
"""Where the kind is asked for, and nothing is made of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call in the product."""

    place: str
    name: str
    node: ast.Call

    def argument(self, at: int | str) -> ast.expr | None:
        """A positional argument by its number, or a keyword's by its name."""
        if isinstance(at, int):
            return self.node.args[at] if at < len(self.node.args) else None
        return next((one.value for one in self.node.keywords if one.arg == at), None)


@cache
def trees() -> dict[str, ast.Module]:
    found = {
        path.as_posix(): ast.parse((ROOT / path).read_text(encoding="utf-8"))
        for path in product_files()
    }
    assert len(found) > FEWEST_FILES, "the audit looked at too few files to mean anything"
    return found


def calls(name: str, among: Mapping[str, ast.Module] | None = None) -> Iterator[Call]:
    for place, tree in (among or trees()).items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == name:
                yield Call(place=f"{place}:{node.lineno}", name=name, node=node)


def test_an_anonymous_refusal_would_be_seen() -> None:
    planted = {"planted.py": ast.parse("x = refused(detail='d')\ny = receipt.refused('pacing')")}
    first, second = calls("refused", planted)
    assert (first.place, first.argument(0)) == ("planted.py:1", None)
    assert literal(second.argument(0)) == "pacing"


def test_an_operator_made_elsewhere_would_be_seen() -> None:
    planted = ast.parse("Draft(kind=MessageKind.OPERATOR)")
    assert list(operators("planted.py", planted)) == ["planted.py:1"]


def literal(node: ast.expr | None) -> str | None:
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return str(node.value) if is_text and isinstance(node, ast.Constant) else None


@pytest.mark.case("M222", "M19")
@pytest.mark.parametrize("name", REASONED)
def test_every_refusal_hold_and_end_gives_a_reason_that_the_catalogue_has(name: str) -> None:
    seen = list(calls(name))
    assert len(seen) >= 5, f"the audit saw too few calls of {name}"
    for call in seen:
        reason = call.argument(REASONED[name])
        assert reason is not None, f"{call.place} gives no reason"
        word = literal(reason)
        if word is not None and name != "NotAllowed":
            assert word in CATALOGUE, f"{call.place} gives {word!r}, which nobody knows"
        assert word != "", call.place


@pytest.mark.case("M222", "M19")
@pytest.mark.parametrize("name", CLASSED)
def test_every_fault_names_its_class(name: str) -> None:
    seen = list(calls(name))
    assert len(seen) >= 4, f"the audit saw too few calls of {name}"
    for call in seen:
        assert call.argument(CLASSED[name]) is not None, f"{call.place} is a fault without a class"


def test_refusals_are_made_in_one_place_with_the_words_of_the_catalogue() -> None:
    assert {call.place.split(":")[0] for call in calls("Refused")} == {"domain/messages/receipt.py"}


def test_holds_and_ends_have_reasons_of_their_own_stage() -> None:
    stages = {"Hold": {Stage.HELD}, "Settle": set(Stage) - {Stage.HELD, Stage.REFUSAL}}
    for name, allowed in stages.items():
        words = [literal(call.argument("reason")) for call in calls(name)]
        for word in filter(None, words):
            assert CATALOGUE[word].stage in allowed, word


def test_every_event_that_is_written_has_a_name_that_an_integrity_check_knows() -> None:
    written = [call for call in calls("EventRow") if call.place.startswith("domain/")]
    names = [name for call in written if (name := event_name(call)) is not None]
    assert len(names) >= 7, "the audit saw too few events"
    assert set(names) <= EVENT_NAMES


def event_name(call: Call) -> str | None:
    """A literal, or a constant of the same file; None for a state, which is in the set anyway."""
    node = call.argument("name")
    if not isinstance(node, ast.Name):
        return literal(node)
    tree = trees()[call.place.partition(":")[0]]
    assigned = [one for one in tree.body if isinstance(one, ast.AnnAssign)]
    return next(literal(one.value) for one in assigned if ast.unparse(one.target) == node.id)


@pytest.mark.case("M200")
def test_every_reason_of_the_catalogue_can_be_given() -> None:
    texts = {
        node.value
        for place, tree in trees().items()
        if not place.endswith("reason_table.py")
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    prefixes = {text.partition(":")[0] for text in texts}
    assert set(CATALOGUE) - texts - prefixes == set()


def operators(place: str, tree: ast.Module) -> Iterator[str]:
    """Each mention of the kind, with its place."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "MessageKind.OPERATOR":
            yield f"{place}:{node.lineno}"


@pytest.mark.case("M222")
def test_only_the_library_makes_operator_input() -> None:
    made = {
        call.place.split(":")[0]
        for maker in MAKERS
        for call in calls(maker)
        if "MessageKind.OPERATOR" in ast.unparse(call.node) and "/testing/" not in call.place
    }
    assert made == {MAKES_OPERATORS}
    mentioned = {
        mention.split(":")[0]
        for place, tree in trees().items()
        for mention in operators(place, tree)
    }
    outside_of_tests = {place for place in mentioned if "/testing/" not in place}
    assert outside_of_tests - JUDGES_OPERATORS == {MAKES_OPERATORS}
    assert outside_of_tests >= JUDGES_OPERATORS, "a listed file does not judge any more"


@pytest.mark.case("M222")
def test_no_client_of_an_operator_is_known_by_name() -> None:
    """A name proves nothing, so none is special: no product code spells the ancestor's."""
    spelled = [
        f"{place}:{node.lineno}"
        for place, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if node.value == "web"
    ]
    assert spelled == []


def test_no_verb_and_no_option_makes_operator_input() -> None:
    verbs = {place: tree for place, tree in trees().items() if place.startswith("entrypoints/cli")}
    assert len(verbs) > 20
    assert [text for place, tree in verbs.items() for text in operators(place, tree)] == []
