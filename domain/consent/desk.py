"""Reading and changing consent (D6 to D8, S 4.4 to 4.9)."""

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from enum import StrEnum
from typing import TYPE_CHECKING

from tidings.domain.consent.arming import ArmState, ArmWord
from tidings.domain.consent.change import Change, armed_mark, disarmed_mark, reset_mark
from tidings.domain.consent.mark import (
    ConsentMark,
    MarkState,
    MarkWrong,
    NoMark,
    ParsedMark,
    highest_generation,
    parse_mark,
    resolve,
)
from tidings.domain.consent.reading import ConsentReader
from tidings.domain.consent.reaping import MarkReaper
from tidings.domain.consent.scope import ConsentScope
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.identity.probe import OwnerProbe
from tidings.ports.clock import Clock
from tidings.ports.consent import ConsentMarks, MarkFact, MarkMissing, MarkPair, MarkUnreadable
from tidings.ports.errors import (
    LockTimeout,
    OwnerUnprovable,
    StateUnreadable,
    StateUnwritable,
    UsageError,
)
from tidings.ports.locks import Locks
from tidings.ports.tokens import LockKind, Verdict
from tidings.ports.values import dataclass, replace

if TYPE_CHECKING:
    from tidings.domain.consent.opt_in import OptIn

CONSENT_WAIT_SECONDS = 2.0
BARRIER_WAIT_SECONDS = 3.0
_DISARM_TRIES = 3
_LIVING_WORDS = frozenset({ArmWord.ARMED, ArmWord.DISARMED})


class Barrier(StrEnum):
    """Whether the delivery lock was passed after an OFF was written (D8)."""

    PASSED = "passed"
    WRITE_UNDER_WAY = "write-under-way"


@dataclass(frozen=True, slots=True, kw_only=True)
class Disarmed:
    """The OFF holds. ``passed``: no delivery begins and none is under way."""

    generation: int
    barrier: Barrier
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reset:
    """Whether there was a word to take back."""

    removed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _WrittenOff:
    """An OFF on disk, and whether it was written under the consent lock."""

    generation: int
    path: str
    under_lock: bool


class ConsentDesk:
    """The one desk for consent. Every state it tells was judged by the one probe."""

    def __init__(
        self,
        *,
        marks: ConsentMarks,
        locks: Locks,
        clock: Clock,
        probe: OwnerProbe,
        default_of: "Callable[[str], OptIn]",
        registered: "Callable[[str], SessionOwner | None]",
    ) -> None:
        self._marks = marks
        self._locks = locks
        self._probe = probe
        self._reader = ConsentReader(
            marks=marks,
            clock=clock,
            probe=probe,
            default_of=default_of,
            registered=registered,
        )
        self._reaper = MarkReaper(marks=marks, locks=locks, reader=self._reader)

    def state(self, key: str) -> ArmState:
        """The consent of the session ``key`` now. A pure read: no lock, nothing is reaped."""
        return self._reader.state(key)

    def arm(self, owner: SessionOwner, *, cwd: str, scope: ConsentScope) -> ArmState:
        """Writes an ON for ``owner``, reads it back and returns what is in force.

        Raises ``OwnerUnprovable`` for an owner that is not proven alive, ``UsageError`` for what
        would not read back as a mark (nothing is written, the mark before it stays),
        ``StateUnreadable`` where the present mark cannot be read or the ON did not hold,
        ``LockTimeout`` after 2 s, ``StateUnwritable``.
        """
        self._require_alive(owner)
        with self._consent_lock(owner.key):
            before = self._read(owner.key)
            if isinstance(before, MarkWrong):
                raise _unreadable(before)
            mark = armed_mark(before, self._change(owner, cwd), scope)
            _require_readable(mark)
            self._marks.write(owner.key, mark.to_document())
        self.tidy()
        return _held(self.state(owner.key))

    def disarm(self, owner_or_key: SessionOwner | str, *, cwd: str) -> Disarmed:
        """Writes an OFF that holds, then waits until no delivery is under way (at most 3 s).

        With the consent lock taken by somebody else for 2 s, or the main file not to be written,
        the OFF goes to the emergency file; on a full disk it goes into the file of the ON.
        A bare key needs a readable mark, which names the owner; else ``OwnerUnprovable``. Raises
        ``StateUnwritable``, and ``StateUnreadable`` where arms kept overtaking it.
        """
        owner = self._owner_of(owner_or_key)
        for _ in range(_DISARM_TRIES):
            written = self._write_off(self._change(owner, cwd))
            if self._holds(owner.key, written):
                barrier = self._pass_barrier(owner.key)
                self.tidy()
                return Disarmed(generation=written.generation, barrier=barrier, path=written.path)
        raise StateUnreadable("the OFF did not hold: the session was armed again meanwhile")

    def reset(self, owner: SessionOwner) -> Reset:
        """Takes back whatever was said, readable or not; the generation is raised, not forgotten.

        Raises ``LockTimeout`` after 2 s, ``StateUnwritable``.
        """
        with self._consent_lock(owner.key):
            pair = self._marks.read(owner.key)
            before = resolve(owner.key, pair)
            if isinstance(before, NoMark):
                return Reset(removed=False)
            self._replace(pair, before, self._change(owner, cwd=""))
        self.tidy()
        was_reset = isinstance(before, ConsentMark) and before.state is MarkState.NONE
        return Reset(removed=not was_reset)

    def first_connect(self, owner: SessionOwner) -> bool:
        """Whether this is the session's first connection; notes that it was greeted.

        Without a living word it says yes and keeps nothing: to greet twice is better than never
        (S 4.9). Raises ``LockTimeout`` after 2 s, ``StateUnwritable``.
        """
        with self._consent_lock(owner.key):
            mark = self._read(owner.key)
            word = self._reader.state_of(mark).word
            if not isinstance(mark, ConsentMark) or word not in _LIVING_WORDS:
                return True
            if not mark.booted:
                self._marks.write(owner.key, replace(mark, booted=True).to_document())
            return not mark.booted

    def reap(self) -> tuple[str, ...]:
        """Removes the marks of processes that are proven gone, each under its own lock.

        One whose lock is taken for 0.1 s is left for the next time. Raises ``StateUnwritable``.
        """
        return self._reaper.reap()

    def tidy(self) -> None:
        """The dead go with any change (D7); one that cannot be removed is no fault of this one."""
        with suppress(StateUnreadable):
            self._reaper.reap()

    def _write_off(self, change: Change) -> "_WrittenOff":
        key = change.owner.key
        try:
            with self._consent_lock(key):
                return self._off_in_main(change)
        except (LockTimeout, StateUnwritable):
            # A no must not wait for a hung process, nor for a lock or a main file that cannot be
            # written. Readers take the higher generation of both files, so no writer that read
            # before this moment can put an ON above it.
            mark = self._next_off(change)
            path = self._marks.write_off(key, mark.to_document())
            return _WrittenOff(generation=mark.generation, path=path, under_lock=False)

    def _off_in_main(self, change: Change) -> "_WrittenOff":
        """On a full disk there is no room for a new file, so the OFF goes into that of the ON.

        Only under the lock: over a file that somebody is about to replace it would be lost.
        """
        key = change.owner.key
        mark = self._next_off(change)
        try:
            path = self._marks.write(key, mark.to_document())
        except StateUnwritable:
            path = self._marks.write_over(key, mark.to_document())
        return _WrittenOff(generation=mark.generation, path=path, under_lock=True)

    def _next_off(self, change: Change) -> ConsentMark:
        """An OFF above everything that either file readably states, whatever the other one is."""
        key = change.owner.key
        pair = self._marks.read(key)
        mark = disarmed_mark(resolve(key, pair), change)
        above = highest_generation(key, pair) + 1
        return mark if mark.generation >= above else replace(mark, generation=above)

    def _pass_barrier(self, key: str) -> Barrier:
        """Whoever delivers holds the delivery lock and reads consent under it (D8, D16)."""
        try:
            with self._locks.hold(LockKind.DELIVERY, key, wait_seconds=BARRIER_WAIT_SECONDS):
                return Barrier.PASSED
        except LockTimeout:
            return Barrier.WRITE_UNDER_WAY

    def _replace(self, pair: MarkPair, before: ParsedMark, change: Change) -> None:
        """Takes the word back. Where a file cannot be read, an OFF above all that can goes into the
        main file first: whoever is stopped in between has not widened anything (P3).

        The emergency file is another's: a disarm writes it without the lock, so it is never written
        here. One that cannot be read is taken away; one that turns out to be a fresh OFF is obeyed.
        """
        key, mark = change.owner.key, reset_mark(before, change)
        if isinstance(before, MarkWrong):
            above = max(mark.generation, highest_generation(key, pair) + 1)
            off = replace(disarmed_mark(NoMark(), change), generation=above)
            self._marks.write(key, off.to_document())
            if isinstance(pair.off, MarkUnreadable):
                self._obey(key, self._marks.take_off(key), off)
            elif (latest := self._marks.read(key).off) != pair.off:
                self._obey(key, latest, off)
            mark = replace(mark, generation=above + 1)
        self._marks.write(key, mark.to_document())

    def _obey(self, key: str, fact: MarkFact, off: ConsentMark) -> None:
        """Raises ``StateUnreadable`` where a disarm came between: its OFF stands, in the main file."""
        found = resolve(key, MarkPair(main=fact, off=MarkMissing()))
        if isinstance(found, ConsentMark):
            above = max(found.generation, off.generation) + 1
            self._marks.write(key, replace(off, generation=above).to_document())
            raise StateUnreadable(
                "not reset: the session was disarmed meanwhile",
                next_step="`tidings reset` again, if you mean it",
            )

    def _holds(self, key: str, written: "_WrittenOff") -> bool:
        """Whether the OFF is in force. One that was written without the lock must be the very one
        that counts: another's may be a step of a reset, which goes on from there."""
        match self._read(key):
            case MarkWrong():
                return True
            case ConsentMark(state=MarkState.OFF) as found:
                return written.under_lock or found.generation == written.generation
            case _:
                return False

    def _owner_of(self, owner_or_key: SessionOwner | str) -> SessionOwner:
        if isinstance(owner_or_key, SessionOwner):
            return owner_or_key
        mark = self._read(owner_or_key)
        if isinstance(mark, ConsentMark):
            return mark.owner
        raise OwnerUnprovable(f"whose session {owner_or_key} is cannot be read from its mark")

    def _require_alive(self, owner: SessionOwner) -> None:
        liveness = self._probe.judge(owner)
        if liveness.verdict is not Verdict.ALIVE:
            raise OwnerUnprovable(f"not armed: its owner is not proven alive ({liveness.why})")

    def _read(self, key: str) -> ParsedMark:
        return self._reader.mark(key)

    def _change(self, owner: SessionOwner, cwd: str) -> Change:
        return Change(owner=owner, cwd=cwd, now=self._reader.now())

    def _consent_lock(self, key: str) -> AbstractContextManager[None]:
        return self._locks.hold(LockKind.CONSENT, key, wait_seconds=CONSENT_WAIT_SECONDS)


def _require_readable(mark: ConsentMark) -> None:
    parsed = parse_mark(mark.to_document())
    if isinstance(parsed, MarkWrong):
        raise UsageError(
            f"not armed, the mark would not be readable: {parsed.why}",
            next_step="use shorter words, or a folder with a shorter path",
        )


def _unreadable(wrong: MarkWrong) -> StateUnreadable:
    return StateUnreadable(
        f"not armed: the consent mark cannot be trusted ({wrong.why})",
        next_step="`tidings reset` takes it back",
    )


def _held(state: ArmState) -> ArmState:
    match state.word:
        case ArmWord.ARMED:
            return state
        case ArmWord.UNVERIFIABLE:
            raise OwnerUnprovable(f"not armed: {state.why}")
        case _:
            raise StateUnreadable(f"the ON did not hold: {state.why}")
