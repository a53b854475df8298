"""How a mark follows from the one before it (D6, D7). Pure: read under the lock, then written."""

from typing import TypeAlias

from tidings.domain.consent.mark import ConsentMark, MarkState, MarkWrong, NoMark, ParsedMark
from tidings.domain.consent.scope import EVERYTHING, ConsentScope
from tidings.domain.documents import LONGEST_TEXT_BYTES
from tidings.domain.identity.owner import OwnerLiveness, SessionOwner
from tidings.ports.clock import Instant
from tidings.ports.values import dataclass, replace

FIRST_GENERATION = 1
"""The generation before anybody withdrew anything, with or without a mark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a verb wants to say: for whom, from where, and when."""

    owner: SessionOwner
    cwd: str
    now: Instant


def armed_mark(before: ConsentMark | NoMark, change: Change, scope: ConsentScope) -> ConsentMark:
    """An ON. Only over an OFF does it raise the generation: what an older grant let in stays in."""
    return _mark(MarkState.ON, _arming_generation(before), before, change, scope)


def disarmed_mark(before: ParsedMark, change: Change) -> ConsentMark:
    """An OFF, one generation above everything that was read."""
    return _mark(MarkState.OFF, raised(before, change.now.wall_ns), before, change, EVERYTHING)


def reset_mark(before: ParsedMark, change: Change) -> ConsentMark:
    """No word, with the counter raised: the default decides again, and nothing old is freed."""
    mark = _mark(MarkState.NONE, raised(before, change.now.wall_ns), before, change, EVERYTHING)
    return replace(mark, booted=False)


def raised(before: ParsedMark, now_ns: int) -> int:
    """The next generation. A counter that cannot be read goes on from the wall clock, in
    nanoseconds: that is above any that was counted up to."""
    match before:
        case ConsentMark():
            return before.generation + 1
        case NoMark():
            return FIRST_GENERATION + 1
        case MarkWrong():
            return max(now_ns, FIRST_GENERATION)


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """The mark counts, or may count, or is not ours to judge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlink:
    """Nobody will ever ask for the mark again."""


Reaping: TypeAlias = Keep | Unlink


def decide_reaping(mark: ParsedMark, liveness: OwnerLiveness | None) -> Reaping:
    """What reaping does with ``mark`` while its owner is as ``liveness`` says (D7).

    Any mark goes with its process, and only with it. An ON whose socket alone is dead counts no
    more; but it is still what was said: without it a repository's opt-in would decide, and with a
    counter begun anew an old message could find its generation again (SX15).
    """
    if not isinstance(mark, ConsentMark) or liveness is None:
        return Keep()
    return Unlink() if liveness.process_is_dead else Keep()


def _arming_generation(before: ConsentMark | NoMark) -> int:
    match before:
        case NoMark():
            return FIRST_GENERATION
        case ConsentMark(state=MarkState.OFF):
            return before.generation + 1
        case ConsentMark():
            return before.generation


def _mark(
    state: MarkState, generation: int, before: ParsedMark, change: Change, scope: ConsentScope
) -> ConsentMark:
    return ConsentMark(
        state=state,
        scope=scope,
        generation=generation,
        owner=change.owner,
        booted=isinstance(before, ConsentMark) and before.booted,
        cwd=_storable(change.cwd),
        started_at_ns=change.now.wall_ns,
        boot_id=change.now.boot_id,
        boottime_ns=change.now.boottime_ns,
    )


def _storable(cwd: str) -> str:
    """Where the verb ran is told for people; a folder too long to be told stops no OFF."""
    return cwd if len(cwd.encode(errors="replace")) <= LONGEST_TEXT_BYTES else ""
