"""Our light value classes behave as the standard library's do, which type checkers take them for."""

import copy
import dataclasses
import pickle
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from support.project import ROOT
from tidings.ports import value_classes
from tidings.ports.processes import ProcessBirth

Make = Callable[..., Any]


def family(make: Make, field: Make) -> dict[str, Any]:
    """The same classes, made by one or the other."""

    @make(frozen=True, slots=True, kw_only=True)
    class Frozen:
        """Named only."""

        word: ClassVar[str] = "w"
        name: str
        size: int = 3
        secret: str = field(repr=False, default="")
        note: str = field(compare=False, default="n")

        @property
        def twice(self) -> int:
            return self.size * 2

    @make(slots=True)
    class Open:
        first: int
        rest: list[int] = field(default_factory=list)
        total: int = field(init=False)

        def __post_init__(self) -> None:
            self.total = self.first + sum(self.rest)

    @make(frozen=True, slots=True, order=True, kw_only=True)
    class Ordered:
        at: int
        name: str

    @make(frozen=True, slots=True, kw_only=True)
    class Nothing:
        pass

    @make(slots=True, kw_only=True, eq=False)
    class Single:
        name: str

    return {one.__name__: one for one in (Frozen, Open, Ordered, Nothing, Single)}


OURS = family(value_classes.dataclass, value_classes.field)
STANDARD = family(dataclasses.dataclass, dataclasses.field)


def outcome(act: Callable[[dict[str, Any]], object], classes: dict[str, Any]) -> object:
    """What ``act`` gives, in words that do not name the class's place; or the error's kind."""
    try:
        return repr(act(classes))
    except (TypeError, AttributeError) as error:
        return type(error)


ACTS: dict[str, Callable[[dict[str, Any]], object]] = {
    "shown": lambda c: c["Frozen"](name="a", secret="s"),
    "defaults": lambda c: c["Frozen"](name="a").twice,
    "class variable": lambda c: c["Frozen"].word,
    "missing": lambda c: c["Frozen"](size=1),
    "unknown": lambda c: c["Frozen"](name="a", colour=1),
    "unknown in a missing one's place": lambda c: c["Nothing"](name="a"),
    "positional where named": lambda c: c["Frozen"]("a"),
    "positional": lambda c: c["Open"](1, [2, 3]),
    "both ways": lambda c: c["Open"](1, first=2),
    "too many": lambda c: c["Open"](1, [], 3),
    "own default each": lambda c: c["Open"](1).rest is c["Open"](1).rest,
    "not init": lambda c: c["Open"](first=1, total=2),
    "equal": lambda c: c["Frozen"](name="a", note="x") == c["Frozen"](name="a", note="y"),
    "unequal": lambda c: c["Frozen"](name="a") == c["Frozen"](name="b"),
    "another class": lambda c: c["Ordered"](at=1, name="a") == c["Nothing"](),
    "hash": lambda c: len({c["Frozen"](name="a"), c["Frozen"](name="a"), c["Nothing"]()}),
    "unhashable": lambda c: hash(c["Open"](1)),
    "by identity": lambda c: c["Single"](name="a") == c["Single"](name="a"),
    "order": lambda c: sorted([c["Ordered"](at=2, name="a"), c["Ordered"](at=1, name="b")]),
    "no order": lambda c: c["Frozen"](name="a") < c["Frozen"](name="b"),
    "order of others": lambda c: c["Ordered"](at=1, name="a") < 3,
    "frozen": lambda c: setattr(c["Frozen"](name="a"), "name", "b"),
    "frozen against deletion": lambda c: delattr(c["Frozen"](name="a"), "name"),
    "slots": lambda c: setattr(c["Open"](1), "other", 1),
    "nothing": lambda c: c["Nothing"](),
    "copied": lambda c: copy.deepcopy(c["Frozen"](name="a")),
    "match names": lambda c: (c["Open"].__match_args__, c["Frozen"].__match_args__),
    "replaced by the standard": lambda c: dataclasses.replace(c["Frozen"](name="a"), size=4),
    "replaced by ours": lambda c: value_classes.replace(c["Frozen"](name="a"), size=4),
    "replaced with nonsense": lambda c: value_classes.replace(c["Frozen"](name="a"), x=4),
    "replaced and completed anew": lambda c: value_classes.replace(c["Open"](1, [2]), first=5),
    "as a dict": lambda c: dataclasses.asdict(c["Frozen"](name="a")),
    "its fields": lambda c: [(f.name, f.type, f.init) for f in dataclasses.fields(c["Frozen"])],
}


@pytest.mark.parametrize("name", ACTS)
def test_a_light_class_does_what_the_standard_one_does(name: str) -> None:
    act = ACTS[name]
    assert outcome(act, OURS) == outcome(act, STANDARD)


@pytest.mark.parametrize("name", ACTS)
def test_a_class_that_is_made_often_still_does_the_same(name: str) -> None:
    ours = family(value_classes.dataclass, value_classes.field)
    for _ in range(value_classes.OFTEN + 1):
        ours["Frozen"](name="a")
        ours["Open"](1)
        ours["Ordered"](at=1, name="a")
        ours["Nothing"]()
        ours["Single"](name="a")
    act = ACTS[name]
    assert outcome(act, ours) == outcome(act, STANDARD)


def test_a_frozen_value_can_be_pickled() -> None:
    birth = ProcessBirth(pid=7, uid=1000, start="linux:boot:1")
    assert pickle.loads(pickle.dumps(birth)) == birth


def test_no_module_of_a_verb_makes_its_classes_the_slow_way() -> None:
    rooms = [ROOT / room for room in ("domain", "ports", "adapters", "entrypoints")]
    files = [file for room in rooms for file in room.rglob("*.py")]
    slow = {
        str(file.relative_to(ROOT))
        for file in files
        if any(line.startswith("from dataclasses") for line in file.read_text().splitlines())
    }
    assert len(files) > 200
    # Stay-at-home programs and suites, which need what only the standard module has.
    assert slow == {
        "entrypoints/resident/image.py",
        "entrypoints/simulated/script.py",
        "entrypoints/testing/processes_contract.py",
    }
