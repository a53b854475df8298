"""Reading consent: both files of a mark, its owner's life, and the state they mean together."""

from tidings.domain.consent.arming import ArmState, arm_state
from tidings.domain.consent.mark import ConsentMark, ParsedMark, resolve
from tidings.domain.identity.owner import OwnerLiveness
from tidings.domain.identity.probe import OwnerProbe
from tidings.ports.clock import Clock
from tidings.ports.consent import ConsentMarks


class ConsentReader:
    """Pure reads: no lock is taken and nothing is reaped."""

    def __init__(self, *, marks: ConsentMarks, clock: Clock, probe: OwnerProbe) -> None:
        self._marks = marks
        self._clock = clock
        self._probe = probe

    def state(self, key: str) -> ArmState:
        """The consent of the session ``key`` now."""
        return self.state_of(self.mark(key))

    def state_of(self, mark: ParsedMark) -> ArmState:
        """The consent that a mark means now."""
        return arm_state(mark, self.liveness(mark), now_ns=self.now_ns())

    def mark(self, key: str) -> ParsedMark:
        """What both files of ``key`` say together."""
        return resolve(key, self._marks.read(key))

    def liveness(self, mark: ParsedMark) -> OwnerLiveness | None:
        """The one judgement of the mark's owner; None where no mark names one."""
        return self._probe.judge(mark.owner) if isinstance(mark, ConsentMark) else None

    def now_ns(self) -> int:
        """The wall clock, in nanoseconds."""
        return self._clock.now().wall_ns
