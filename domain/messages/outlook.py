"""What one look around a target found, outside the store (D16)."""

from tidings.domain.consent.arming import ArmState
from tidings.domain.interaction.freedom import Freedom
from tidings.ports.clock import Instant
from tidings.ports.tokens import Verdict
from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """Facts gathered right before a decision, under the delivery lock.

    ``idle_ns`` is how long the session has been idle without a break, 0 where that is not known.
    """

    now: Instant
    consent: ArmState
    freedom: Freedom
    owner: Verdict
    idle_ns: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """The ways that a session has at all, apart from what delays a message on them (D17).

    ``socket``: the client gave a socket and a token, and trusts this writer there. ``line``: the
    writer is the plugin's monitor, whose lines the model reads. ``takes_trial``: the client hands
    what comes in to its model, so a frame that is not seen speaks against its version.
    """

    socket: bool
    line: bool
    takes_trial: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """Who wants to hand a message over, and what it holds for that.

    ``generation`` is the registration it must still hold; None for a pull, which needs none.
    ``conversation_id`` is the conversation it would write to; None for a pull. ``ways`` None is a
    pull too. ``awaited`` names the questions whose answers a living process takes itself.
    ``may_write``: the client's socket has room for one more frame of this writer.
    """

    activation_id: str
    generation: str | None
    conversation_id: str | None
    ways: Ways | None
    awaited: frozenset[str] = frozenset()
    may_write: bool = True

    @property
    def pulls(self) -> bool:
        """Whether the target itself takes the message: then nothing waits for a turn."""
        return self.generation is None
