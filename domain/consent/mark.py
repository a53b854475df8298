"""The consent mark: a grant on disk, and the one strict parser that every reader uses (D6, D7)."""

from enum import StrEnum
from typing import TypeAlias, assert_never

from tidings.domain.consent.scope import EVERYTHING, ConsentScope
from tidings.domain.documents import Fields, FieldWrong, without_empty
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.identity.owner_document import owner_to_document, read_owner
from tidings.ports.clock import Instant
from tidings.ports.codec import Document, ReadOnlyDocument
from tidings.ports.consent import MarkFact, MarkMissing, MarkPair, MarkRead, MarkUnreadable
from tidings.ports.values import dataclass

MARK_FORM = 1


class MarkState(StrEnum):
    """What a mark says: ``none`` is what a reset leaves, so that the generation lives on."""

    ON = "on"
    OFF = "off"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentMark:
    """One session's word. ``generation`` (1 and up) is raised by disarm, reset and an arm over an
    OFF, so that nothing accepted before one of them is freed after it. ``booted`` tells that the
    first connection was greeted. ``started_at_ns`` (wall), ``boot_id`` and ``boottime_ns`` are the
    clocks when it was written."""

    state: MarkState
    scope: ConsentScope
    generation: int
    owner: SessionOwner
    booted: bool
    cwd: str
    started_at_ns: int
    boot_id: str = ""
    boottime_ns: int = 0

    def ends_at_ns(self, now: Instant) -> int | None:
        """The wall instant at which its time is over, as the clocks stand now; None for no end.

        Within the boot it was written in, elapsed time decides and a wall clock that is set has no
        say; across boots the wall clock does (D32).
        """
        until_ns = self.scope.until_ns
        if until_ns is None or not self.boot_id or self.boot_id != now.boot_id:
            return until_ns
        elapsed_ns = max(0, now.boottime_ns - self.boottime_ns)
        return now.wall_ns + (until_ns - self.started_at_ns) - elapsed_ns

    def to_document(self) -> Document:
        """The mark as it is stored."""
        return {
            "v": MARK_FORM,
            "state": str(self.state),
            "generation": self.generation,
            **without_empty(
                {"scope": self.scope.to_document() or None, "booted": self.booted, "cwd": self.cwd}
            ),
            "owner": owner_to_document(self.owner),
            "started_at_ns": self.started_at_ns,
            **without_empty({"boot_id": self.boot_id}),
            "boottime_ns": self.boottime_ns,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class NoMark:
    """Neither file is there: nothing was ever said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkWrong:
    """A file is there that cannot be read or makes no sense; that means no."""

    why: str


ParsedMark: TypeAlias = ConsentMark | NoMark | MarkWrong


def parse_mark(document: ReadOnlyDocument) -> ConsentMark | MarkWrong:
    """The mark in ``document``: every field has its type and bounds, or the whole is wrong."""
    try:
        return _read(Fields(document=document))
    except FieldWrong as wrong:
        return MarkWrong(why=str(wrong))


def resolve(key: str, pair: MarkPair) -> ParsedMark:
    """What both files of ``key`` say together (D7): the higher generation, OFF on a tie.

    One that is unreadable, or that belongs to another session (D2), makes the whole wrong. The
    emergency file can only say OFF.
    """
    main, off = _parse(key, pair.main), _parse(key, pair.off)
    match main, off:
        case (MarkWrong(), _):
            return main
        case (_, MarkWrong()):
            return off
        case (_, ConsentMark()) if off.state is not MarkState.OFF:
            return MarkWrong(why="the emergency file says something else than off")
        case (ConsentMark(), ConsentMark()):
            return main if _outranks(main, off) else off
        case (NoMark(), _):
            return off
        case _:
            return main


def highest_generation(key: str, pair: MarkPair) -> int:
    """The highest generation that either file of ``key`` readably states; 0 where neither does."""
    marks = (_parse(key, fact) for fact in (pair.main, pair.off))
    return max((mark.generation for mark in marks if isinstance(mark, ConsentMark)), default=0)


def _outranks(main: ConsentMark, off: ConsentMark) -> bool:
    if main.generation == off.generation:
        return main.state is MarkState.OFF
    return main.generation > off.generation


def _parse(key: str, fact: MarkFact) -> ParsedMark:
    match fact:
        case MarkMissing():
            return NoMark()
        case MarkUnreadable():
            return MarkWrong(why=fact.why)
        case MarkRead():
            return _own(key, parse_mark(fact.document))
        case _:
            assert_never(fact)


def _own(key: str, mark: ConsentMark | MarkWrong) -> ConsentMark | MarkWrong:
    if isinstance(mark, ConsentMark) and mark.owner.key != key:
        return MarkWrong(why="it belongs to another session")
    return mark


def _read(fields: Fields) -> ConsentMark:
    fields.version(MARK_FORM)
    scope = fields.optional_section("scope")
    return ConsentMark(
        state=_state(fields),
        scope=EVERYTHING if scope is None else ConsentScope.read(scope),
        generation=fields.integer("generation", least=1),
        owner=read_owner(fields.section("owner")),
        booted=fields.flag("booted"),
        cwd=fields.text("cwd", default=""),
        started_at_ns=fields.integer("started_at_ns", least=1),
        boot_id=fields.text("boot_id", default=""),
        boottime_ns=fields.optional_integer("boottime_ns", least=0) or 0,
    )


def _state(fields: Fields) -> MarkState:
    try:
        return MarkState(fields.text("state"))
    except ValueError:
        raise FieldWrong("state is neither on, off nor none") from None
