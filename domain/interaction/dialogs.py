"""Which dialogs a harness shows its operator: the set, and how racing events order (D23).

Hooks race, so the order in which their records arrive proves nothing. Each carries the instant at
which the kernel started its process; the set is what those events give in *that* order, whatever
the order of arrival. Events of one instant (kernel starts are 10 ms ticks) close first, so that an
opening stands on a tie.
"""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import assert_never

from tidings.domain.documents import Fields, FieldWrong
from tidings.ports.codec import Document, Value
from tidings.ports.values import dataclass

MOST_MARKS = 128
"""Marks kept. Older ones are folded into what they left open; a hook that comes later still than
128 others can then open (which holds) but is no longer closed by a close that was folded away."""


class Act(IntEnum):
    """What a mark does; the numbers are the order on a tie, and are on disk."""

    CLOSE_ALL = 0
    CLOSE_AGENT = 1
    CLOSE_KEY = 2
    OPEN_ONCE = 3
    """Opens unless the same key is open: a question's two events are one dialog."""
    OPEN = 4
    OPEN_UNNAMED = 5
    """Opens only an empty set: it is a notice of a dialog that may have its own event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogKey:
    """``agent`` empty is the main agent. ``what`` is a tool, a server or a fixed word."""

    agent: str = ""
    what: str = ""
    detail: str = ""


UNNAMED = DialogKey(what="a dialog")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One opening or close. ``at_ns`` orders (boot clock); ``seen_at_ns`` is the observation's wall time."""

    at_ns: int
    act: Act
    key: DialogKey = UNNAMED
    seen_at_ns: int = 0

    def to_value(self) -> Value:
        """The mark as a row of plain values."""
        key = self.key
        return [self.at_ns, int(self.act), key.agent, key.what, key.detail, self.seen_at_ns]


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogSet:
    """The marks that still matter, in order, and what they leave open."""

    marks: tuple[Mark, ...] = ()

    @property
    def open(self) -> tuple[Mark, ...]:
        """The openings that stand."""
        return tuple(_replay(self.marks))

    def with_marks(self, new: Iterable[Mark]) -> "DialogSet":
        """The set after ``new`` as well; the same for every order in which marks come."""
        return DialogSet(marks=_compact(_in_order((*self.marks, *new))))

    @property
    def newest_opening_ns(self) -> int:
        """When the newest dialog that is open was opened; 0 for an empty set."""
        return max((mark.at_ns for mark in self.open), default=0)

    def to_document(self) -> Document:
        """For the store; ``parse_dialogs`` reads it back."""
        return {"marks": [mark.to_value() for mark in self.marks]}


NO_DIALOGS = DialogSet()


def parse_dialogs(fields: Fields) -> DialogSet:
    """The set in a stored document. Raises ``FieldWrong``."""
    rows = fields.document.get("marks")
    if not isinstance(rows, list):
        raise FieldWrong("marks is not a list")
    return DialogSet(marks=tuple(_in_order(map(_parse_mark, rows))))


def _in_order(marks: Iterable[Mark]) -> list[Mark]:
    """By kernel start, then as ``Act`` says, then by all the rest, so that no order is by chance."""
    return sorted(marks, key=_rank)


def _rank(mark: Mark) -> tuple[int, int, str, str, str, int]:
    key = mark.key
    return (mark.at_ns, int(mark.act), key.agent, key.what, key.detail, mark.seen_at_ns)


def _parse_mark(row: Value) -> Mark:
    match row:
        case [int(at_ns), int(act), str(agent), str(what), str(detail), int(seen_at_ns)]:
            key = DialogKey(agent=agent, what=what, detail=detail)
            return Mark(at_ns=at_ns, act=_parse_act(act), key=key, seen_at_ns=seen_at_ns)
        case _:
            raise FieldWrong("a mark is not a row of six values")


def _parse_act(number: int) -> Act:
    try:
        return Act(number)
    except ValueError:
        raise FieldWrong(f"a mark of act {number}, which is not known here") from None


def _replay(marks: Iterable[Mark]) -> list[Mark]:
    live: list[Mark] = []
    for mark in marks:
        live = _apply(live, mark)
    return live


def _apply(live: list[Mark], mark: Mark) -> list[Mark]:
    match mark.act:
        case Act.CLOSE_ALL:
            return []
        case Act.CLOSE_AGENT:
            return [other for other in live if other.key.agent != mark.key.agent]
        case Act.CLOSE_KEY:
            return _close_one(live, mark.key)
        case Act.OPEN_ONCE:
            return live if any(other.key == mark.key for other in live) else [*live, mark]
        case Act.OPEN:
            return [*live, mark]
        case Act.OPEN_UNNAMED:
            return live or [mark]
        case _:
            assert_never(mark.act)


def _close_one(live: Sequence[Mark], key: DialogKey) -> list[Mark]:
    """Takes the oldest of its key, and any unnamed one where the main agent closes something."""
    left = list(live)
    first = next((other for other in left if other.key == key), None)
    if first is not None:
        left.remove(first)
    if key.agent:
        return left
    return [other for other in left if other.act is not Act.OPEN_UNNAMED]


def _compact(marks: Sequence[Mark]) -> tuple[Mark, ...]:
    """Drops what can no longer change any answer, then folds the oldest beyond ``MOST_MARKS``.

    A close of everything outlives all before it, and the end of a main turn all of the main agent's
    before it (the unnamed one is the main agent's). The end of a *subagent* does not: whether a
    notice found the set empty depends on what that agent had open then.
    """
    ended = max((mark.at_ns for mark in marks if mark.act is Act.CLOSE_ALL), default=-1)
    turned = max((mark.at_ns for mark in marks if _ends_main_turn(mark)), default=-1)
    kept = [
        mark
        for mark in marks
        if mark.at_ns >= ended
        and (mark.at_ns >= turned or mark.key.agent or mark.act is Act.CLOSE_ALL)
    ]
    surplus = max(len(kept) - MOST_MARKS, 0)
    return (*_replay(kept[:surplus]), *kept[surplus:])


def _ends_main_turn(mark: Mark) -> bool:
    return mark.act is Act.CLOSE_AGENT and not mark.key.agent
