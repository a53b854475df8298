"""Whether a session hears: the state of its consent, and the two decisions taken on it (D6, S 5)."""

from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias, assert_never

from tidings.domain.consent.change import FIRST_GENERATION
from tidings.domain.consent.mark import ConsentMark, MarkState, MarkWrong, NoMark, ParsedMark
from tidings.domain.consent.scope import EVERYTHING, ConsentScope
from tidings.domain.identity.owner import NOT_LOOKED_AT, OwnerLiveness
from tidings.ports.clock import Instant
from tidings.ports.tokens import Verdict
from tidings.ports.values import dataclass, replace

if TYPE_CHECKING:
    from tidings.domain.consent.opt_in import OptIn


class ArmWord(StrEnum):
    """What the session's own mark says (S 5.2). ``none`` alone leaves the decision to the repository's
    opt-in; ``unverifiable`` keeps the mark and grants nothing."""

    ARMED = "armed"
    DISARMED = "disarmed"
    NONE = "none"
    ERROR = "error"
    UNVERIFIABLE = "unverifiable"


class ConsentReason(StrEnum):
    """Why consent says no: not given, or not to be trusted (unreadable, or of an unproved owner)."""

    NOT_ARMED = "target-not-armed"
    UNREADABLE = "consent-unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmState:
    """The consent of one session at one moment.

    ``generation`` 0 means that it cannot be read. ``by_default``: nothing was said and the
    repository's opt-in counts, so the session hears (S 5.3).
    """

    word: ArmWord
    scope: ConsentScope
    generation: int
    why: str
    by_default: bool = False

    @property
    def is_open(self) -> bool:
        """Whether more than answers is heard: what S 5.3 announces."""
        return self.word is ArmWord.ARMED or self.by_default

    @property
    def may_be_woken(self) -> bool:
        """Whether a notice may start a turn here; an opt-in never says that (design page 1)."""
        return self.word is ArmWord.ARMED and self.scope.wake


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentRequest:
    """Who wants to be heard, with what. ``sender_agent`` None: no agent of ours (push, script)."""

    sender_agent: str | None
    sender_address: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted:
    """Consent says yes, under this generation; the hand-off requires the same one (SX15)."""

    generation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Denied:
    """Consent says no; ``text`` is one line for the sender."""

    reason: ConsentReason
    text: str


CLOCKS_AGREE_NS = 1_000_000_000
"""Two clocks are never read in one moment, and a clock that is tuned drifts."""

Consent: TypeAlias = Granted | Denied


def arm_state(mark: ParsedMark, liveness: OwnerLiveness | None, *, now: Instant) -> ArmState:
    """The state that ``mark`` means while its owner is as ``liveness`` says.

    ``now``: the clocks by which a grant's end is judged; its scope tells the end in wall time.
    """
    match mark:
        case NoMark():
            return _state(ArmWord.NONE, FIRST_GENERATION, "nobody armed or disarmed it")
        case MarkWrong():
            return _state(ArmWord.ERROR, 0, f"its consent mark cannot be trusted: {mark.why}")
        case ConsentMark():
            return _state_of_mark(mark, liveness or NOT_LOOKED_AT, now)
        case _:
            assert_never(mark)


def has_no_word(mark: ParsedMark) -> bool:
    """Whether the default decides: nothing was ever said, or it was reset (S 5.2).

    A grant whose time is over is a word: a narrow one must not end in a wide one.
    """
    return isinstance(mark, NoMark) or (
        isinstance(mark, ConsentMark) and mark.state is MarkState.NONE
    )


def with_default(state: ArmState, opt_in: "OptIn") -> ArmState:
    """The state of a session without a word of its own, under its repository's opt-in."""
    if not opt_in.is_on:
        return state
    return replace(state, by_default=True, why=opt_in.why)


def decide_consent(state: ArmState, request: ConsentRequest, *, now_ns: int) -> Consent:
    """Whether ``request`` is heard. ``now_ns``: wall instant, so a grant ends by itself."""
    match state.word:
        case ArmWord.ARMED:
            return _within_scope(state, request, now_ns)
        case ArmWord.NONE if state.by_default:
            return Granted(generation=state.generation)
        case ArmWord.DISARMED | ArmWord.NONE:
            return _denied(ConsentReason.NOT_ARMED, state)
        case ArmWord.ERROR | ArmWord.UNVERIFIABLE:
            return _denied(ConsentReason.UNREADABLE, state)
        case _:
            assert_never(state.word)


def decide_answer_consent(state: ArmState) -> Consent:
    """Whether an answer to a message of this session is heard: asking agreed to it, so only a
    plain no, or a mark that cannot be read or proved, refuses (D6)."""
    match state.word:
        case ArmWord.ARMED | ArmWord.NONE:
            return Granted(generation=state.generation)
        case ArmWord.DISARMED:
            return _denied(ConsentReason.NOT_ARMED, state)
        case ArmWord.ERROR | ArmWord.UNVERIFIABLE:
            return _denied(ConsentReason.UNREADABLE, state)
        case _:
            assert_never(state.word)


def deciding_verdict(mark: ConsentMark, liveness: OwnerLiveness) -> Verdict:
    """The verdict that counts for this mark: an ON needs every signal, an OFF outlives its socket
    and falls only with its process (D7)."""
    if mark.state is MarkState.ON or liveness.verdict is Verdict.ALIVE:
        return liveness.verdict
    process = [s.verdict for s in liveness.signals if s.name == "process"]
    return process[0] if process else liveness.verdict


def _state_of_mark(mark: ConsentMark, liveness: OwnerLiveness, now: Instant) -> ArmState:
    if mark.state is MarkState.NONE:
        return _state(ArmWord.NONE, mark.generation, "it was reset")
    match deciding_verdict(mark, liveness):
        case Verdict.DEAD:
            return _state(ArmWord.NONE, mark.generation, f"its owner ended ({liveness.why})")
        case Verdict.UNKNOWN:
            return _state(ArmWord.UNVERIFIABLE, mark.generation, liveness.why)
        case Verdict.ALIVE:
            return _said(mark, now)


def _said(mark: ConsentMark, now: Instant) -> ArmState:
    if mark.state is MarkState.OFF:
        return _state(ArmWord.DISARMED, mark.generation, "it was disarmed")
    scope = _scope_now(mark, now)
    if scope.is_over(now.wall_ns):
        return _state(ArmWord.NONE, mark.generation, "the time it was armed for is over")
    return ArmState(word=ArmWord.ARMED, scope=scope, generation=mark.generation, why="it was armed")


def _scope_now(mark: ConsentMark, now: Instant) -> ConsentScope:
    """The scope as stored while both clocks agree, else with its end moved to where it is now."""
    ends_at_ns, said_ns = mark.ends_at_ns(now), mark.scope.until_ns
    if ends_at_ns is None or said_ns is None or abs(ends_at_ns - said_ns) < CLOCKS_AGREE_NS:
        return mark.scope
    return replace(mark.scope, until_ns=ends_at_ns)


def _within_scope(state: ArmState, request: ConsentRequest, now_ns: int) -> Consent:
    scope = state.scope
    if scope.is_over(now_ns):
        return _not_armed("the time that the session was armed for is over")
    if not scope.hears(request.sender_agent, request.sender_address):
        return _not_armed("the session is armed, but not for this sender")
    if not scope.allows_kind(request.kind):
        return _not_armed(f"the session is armed, but not for messages of kind {request.kind}")
    return Granted(generation=state.generation)


def _not_armed(text: str) -> Denied:
    return Denied(reason=ConsentReason.NOT_ARMED, text=text)


def _denied(reason: ConsentReason, state: ArmState) -> Denied:
    return Denied(reason=reason, text=f"the session does not hear: {state.why}")


def _state(word: ArmWord, generation: int, why: str) -> ArmState:
    return ArmState(word=word, scope=EVERYTHING, generation=generation, why=why)
