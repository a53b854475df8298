"""Reading consent: both files of a mark, its owner's life, and the state they mean together."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tidings.domain.consent.arming import ArmState, arm_state, has_no_word, with_default
from tidings.domain.consent.mark import ConsentMark, ParsedMark, resolve
from tidings.domain.identity.owner import OwnerLiveness, SessionOwner, both
from tidings.domain.identity.probe import OwnerProbe
from tidings.ports.clock import Clock, Instant
from tidings.ports.consent import ConsentMarks

if TYPE_CHECKING:
    from tidings.domain.consent.opt_in import OptIn


class ConsentReader:
    """Pure reads: no lock is taken and nothing is reaped.

    ``default_of`` tells the opt-in of a session; it is asked only where nobody said anything.
    ``registered`` tells the owner in its session record, which may know a socket that the mark
    does not: a grant counts while both prove themselves, so that no two verbs disagree.
    """

    def __init__(
        self,
        *,
        marks: ConsentMarks,
        clock: Clock,
        probe: OwnerProbe,
        default_of: "Callable[[str], OptIn]",
        registered: "Callable[[str], SessionOwner | None]",
    ) -> None:
        self._marks = marks
        self._clock = clock
        self._probe = probe
        self._default_of = default_of
        self._registered = registered

    def state(self, key: str) -> ArmState:
        """The consent of the session ``key`` now."""
        mark = self.mark(key)
        state = self.state_of(mark)
        return with_default(state, self._default_of(key)) if has_no_word(mark) else state

    def state_of(self, mark: ParsedMark) -> ArmState:
        """The consent that a mark by itself means now."""
        return arm_state(mark, self.liveness(mark), now=self.now())

    def mark(self, key: str) -> ParsedMark:
        """What both files of ``key`` say together."""
        return resolve(key, self._marks.read(key))

    def liveness(self, mark: ParsedMark) -> OwnerLiveness | None:
        """The one judgement of the mark's owner; None where no mark names one."""
        if not isinstance(mark, ConsentMark):
            return None
        liveness = self._probe.judge(mark.owner)
        registered = self._registered(mark.owner.key)
        if registered is None or registered == mark.owner:
            return liveness
        return both(liveness, self._probe.judge(registered))

    def now(self) -> Instant:
        """All clocks, read at once."""
        return self._clock.now()
