"""A resident in memory: the production desk, driven by the pretended machine's clock and bells."""

from enum import StrEnum

from steps.pretended_harness import PretendedHarness
from steps.pretended_machine import Machine, ResidentKilled
from tidings.adapters.memory.clock import SECOND_NS
from tidings.adapters.memory.replies import MemoryReplySockets
from tidings.domain.consent.arming import ArmWord
from tidings.domain.registration.claim import Claimed, ClaimOutcome
from tidings.entrypoints.application import Application
from tidings.entrypoints.resident.credentials import Credentials
from tidings.entrypoints.resident.desk import WAITING_SECONDS, LeaseGone, ResidentDesk, SocketMoved
from tidings.entrypoints.resident.dormant import LOOK_SECONDS
from tidings.entrypoints.resident.registering import claim_lease, settle_session, socket_moved
from tidings.ports.errors import LockTimeout, StateUnreadable
from tidings.ports.tokens import Ring, Verdict


class Life(StrEnum):
    """Where a resident is. ``fenced``: it found that it holds the lease no more."""

    DORMANT = "dormant"
    AWAKE = "awake"
    FENCED = "fenced"
    GONE = "gone"


class NoSign:
    """No shell of a pretended client looks for a quiet sign."""

    def show(self) -> bool:
        return False

    def hide(self) -> None:
        pass


class PretendedResident:
    """One resident of one harness. It is driven: it neither sleeps nor loops over time.

    ``is_hung``: the process does not get to run, and knows nothing of it. The resident lock, which
    keeps two of them apart, is left out on purpose: the fence has to hold where a lock was lost.
    """

    def __init__(self, machine: Machine, harness: PretendedHarness) -> None:
        self.birth = machine.kernel.spawn(parent_pid=harness.birth.pid, name="tidings")
        self.app: Application = machine.seen_by(self.birth.pid)
        self.owner = harness.owner
        self.sockets = MemoryReplySockets(folder=f"/replies/{self.birth.pid}")
        self.bell = machine.doorbell.listen(self.owner.key)
        self.life = Life.DORMANT
        self.is_hung = False
        self.due_ns = 0
        self.generation = ""
        self._machine = machine
        self._line = harness.line
        self._credentials = Credentials(
            harness_pid=harness.birth.pid,
            conversation_id=harness.conversation,
            socket_path=harness.node.path,
            token="secret",
            client_version=harness.version,
            command="",
        )
        self._desk: ResidentDesk | None = None

    def register(self) -> None:
        """Arrives: record, agent and lease, as the resident's first image does it."""
        activation = settle_session(self.app, self.owner, self._credentials, {})
        outcome = claim_lease(self.app, activation, self._credentials)
        assert isinstance(outcome, Claimed), outcome
        self.generation = outcome.row.generation
        business = self.app.post_office.business(activation.agent_uid)
        self.life = Life.AWAKE if business.waiting or business.asked else Life.DORMANT

    def claim_after(self, observed_prior: str) -> ClaimOutcome:
        """Claims the lease upon a look at the registration that may be old by now."""
        activation = self.app.admission.activation_of(self.owner.key)
        assert activation is not None, "nobody registered the session before"
        return self.app.admission.claim(
            activation,
            resident=self.birth,
            observed_prior=observed_prior,
            client_version=self._credentials.client_version,
        )

    @property
    def runs(self) -> bool:
        """Whether it would do anything at all."""
        return self.life in (Life.DORMANT, Life.AWAKE) and not self.is_hung

    def is_due(self) -> bool:
        """Whether its bell rang or its time has come."""
        return self.runs and (bool(self.bell.rang) or self._now_ns() >= self.due_ns)

    def work(self) -> None:
        """What one wake-up does."""
        rang = self.bell.drain()
        over = self.app.probe.alive_birth(self.owner.birth, self.owner.place) is Verdict.DEAD
        if self.life is Life.DORMANT and not (over or Ring.LETTER in rang or self._is_armed()):
            if socket_moved(self.app, self.owner, self._credentials):
                self._settle_anew()
            self._rest(LOOK_SECONDS)
            return
        desk = self._awake()
        if desk is None:
            self.die()
        elif over:
            desk.finish()
            self.die()
        else:
            self._look(desk)

    def leave(self) -> None:
        """It was told to end: it gives its lease back, if it still has it."""
        desk = self._awake()
        if desk is not None:
            desk.leave()
        self.die()

    def die(self) -> None:
        """Its process is gone; what it stored stays as it is."""
        self._machine.kernel.exit(self.birth.pid)
        self.sockets.close_all()
        self.bell.close()
        self.life = Life.GONE

    def _look(self, desk: ResidentDesk) -> None:
        try:
            pause = desk.look()
        except (StateUnreadable, LockTimeout):
            pause = WAITING_SECONDS
        except SocketMoved:
            self._settle_anew()
            self.due_ns = self._now_ns()
            return
        except LeaseGone:
            self.life = Life.FENCED
            self.bell.close()
            return
        except ResidentKilled:
            self.die()
            return
        if pause is None:
            self.life, self._desk = Life.DORMANT, None
            self.sockets.close_all()
        self._rest(LOOK_SECONDS if pause is None else pause)

    def _settle_anew(self) -> None:
        """The harness's socket is another node: it arrives once more, with what is there now."""
        self.owner = self.app.probe.capture(
            self.owner.birth.pid, socket_path=self._credentials.socket_path
        )
        self._desk = None
        self.sockets.close_all()
        self.register()

    def _awake(self) -> ResidentDesk | None:
        """Its desk, made anew after every dormancy; None where its activation has ended."""
        activation = self.app.admission.activation_of(self.owner.key)
        if self._desk is None and activation is not None:
            self._desk = ResidentDesk(
                app=self.app,
                owner=self.owner,
                activation=activation,
                generation=self.generation,
                resident=self.birth,
                credentials=self._credentials,
                is_helper=False,
                sockets=self.sockets,
                quiet=NoSign(),
                line=self._line,
            )
        self.life = Life.AWAKE
        return self._desk

    def _is_armed(self) -> bool:
        return self.app.desk.state(self.owner.key).word is ArmWord.ARMED

    def _rest(self, seconds: float) -> None:
        self.due_ns = self._now_ns() + round(seconds * SECOND_NS)

    def _now_ns(self) -> int:
        return self._machine.clock.now().boottime_ns
