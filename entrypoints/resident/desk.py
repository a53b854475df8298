"""One resident's work, pass by pass: each is bounded, and none sleeps."""

from tidings.domain.consent.arming import ArmState, ArmWord
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.interaction.state import InteractionState
from tidings.domain.messages.dispatcher import DeliveryPost
from tidings.domain.messages.open_answers import OpenNow
from tidings.domain.messages.outcomes import (
    Delivered,
    Held,
    LeaseLost,
    Nothing,
    Settled,
    StepOutcome,
)
from tidings.domain.messages.outlook import Ways
from tidings.domain.messages.ways import ways_of
from tidings.entrypoints.application import Application
from tidings.entrypoints.resident.answers import NativeAnswers
from tidings.entrypoints.resident.credentials import Credentials
from tidings.entrypoints.resident.departed import end_departed
from tidings.entrypoints.resident.quiet import Sign
from tidings.entrypoints.resident.registering import socket_moved
from tidings.ports.agents import ActivationRow
from tidings.ports.errors import NotRunning
from tidings.ports.processes import ProcessBirth
from tidings.ports.replies import ReplyListener
from tidings.ports.sockets import SocketNode
from tidings.ports.transport import Endpoint, LineTransport
from tidings.ports.values import replace

QUIET_SECONDS = 30.0
WAITING_SECONDS = 2.0
DIALOG_SECONDS = 0.5
"""The floors under the bell (D13): nothing waits, something waits, a dialog may just have closed
(the two looks of D24 are at least half a second apart)."""

MOST_AT_ONCE = 32
"""Messages handed off in one pass, so that answers and ends get their turn."""


class LeaseGone(Exception):
    """Somebody else is the resident of this activation by now, or it has ended."""


class SocketMoved(Exception):
    """The harness's socket is another node than the recorded one; its session is to be settled anew."""


class ResidentDesk:
    """The services of one session, applied to what waits for it."""

    def __init__(
        self,
        *,
        app: Application,
        owner: SessionOwner,
        activation: ActivationRow,
        generation: str,
        resident: ProcessBirth,
        credentials: Credentials,
        is_helper: bool,
        sockets: ReplyListener,
        quiet: Sign,
        line: LineTransport,
    ) -> None:
        self._app = app
        self._owner = owner
        self._activation = activation
        self._generation = generation
        self._resident = resident
        self._credentials = credentials
        self._is_monitor = not is_helper
        self._lets_outsiders_in = False
        self._quiet = quiet
        self._answers = NativeAnswers(app=app, owner=owner, sockets=sockets)
        self._dispatcher = app.dispatcher(sockets, line=line if self._is_monitor else None)
        self._last_consent: ArmState | None = None

    def look(self) -> float | None:
        """One pass: hear, take answers in, end what is over, hand off what may go.

        The seconds until the next look at most; None when nothing is left to be awake for. Raises
        ``LeaseGone``, ``SocketMoved``, and the store's errors when it stays locked: then simply look again.
        """
        self._answers.hear()
        if socket_moved(self._app, self._owner, self._credentials):
            raise SocketMoved
        self._hear()
        self._answers.post(self._activation)
        self._end_what_is_over()
        outcome = self._hand_off()
        answers = self._dispatcher.tend_answers(self._activation.activation_id)
        return self._pace(outcome, answers)

    def rest(self) -> None:
        """Closes the sockets once the store has every answer, so that another image may follow.

        Raises the store's errors; then look again, and every socket opens once more.
        """
        self._answers.post(self._activation)
        self._answers.close()
        self._answers.post(self._activation)

    def leave(self) -> None:
        """Closes the sockets, stores what came, gives the lease back; the session itself goes on."""
        self._quiet.hide()
        self._answers.close()
        self._answers.post_last(self._activation)
        self._app.admission.clear(
            self._activation.activation_id, generation=self._generation, resident=self._resident
        )

    def finish(self) -> None:
        """The harness is gone: its run has ended, and what waited for it ends as stale."""
        self.leave()
        self._app.observer.fold(self._owner.key)
        self._app.admission.end(self._activation.activation_id, reason="process-gone")
        self._app.post_office.settle_due(self._activation.agent_uid)
        self._app.asker_changed(self._activation.agent_uid)
        self._app.ports.journal.write("session.gone", session=self._owner.key)

    def _hear(self) -> None:
        """Folds the spool; a new conversation in the same process is followed (``/clear``, D1).

        Whether the harness would give our frames to its model is told there too: a live child's
        it always does, a helper's only in some permission modes (D12).
        """
        state = self._folded()
        self._lets_outsiders_in = state.lets_outsiders_in
        if state.conversation_id in ("", self._activation.conversation_id):
            return
        try:
            self._activation = self._app.admission.follow(
                self._activation.activation_id, state.conversation_id
            )
        except NotRunning as error:
            raise LeaseGone from error
        self._app.asker_changed(self._activation.agent_uid)

    def _folded(self) -> InteractionState:
        state = self._app.observer.fold(self._owner.key)
        if state.dialogs.open or not self._quiet.show():
            return state
        state = self._app.observer.fold(self._owner.key)
        if state.dialogs.open:
            self._quiet.hide()
        return state

    def _end_what_is_over(self) -> None:
        end_departed(self._app)
        self._app.post_office.settle_due(self._activation.agent_uid)
        consent = self._app.desk.state(self._owner.key)
        if consent.word is ArmWord.NONE and self._waits_for_socket():
            return  # A client that ends closes its socket first, and that is nobody's withdrawal.
        if not consent.is_open or consent != self._last_consent:
            self._app.post_office.withdraw(self._activation.agent_uid)
        self._last_consent = consent

    def _hand_off(self) -> StepOutcome:
        if self._waits_for_socket():
            self._app.post_office.hold_back(self._activation.agent_uid)
            return Nothing()
        post = DeliveryPost(
            activation_id=self._activation.activation_id,
            generation=self._generation,
            conversation_id=self._activation.conversation_id,
            endpoint=self._endpoint(),
            ways=self._ways(),
        )
        outcome: StepOutcome = Nothing()
        for _ in range(MOST_AT_ONCE):
            outcome = self._dispatcher.step(post)
            if not isinstance(outcome, Delivered | Settled):
                break
        if isinstance(outcome, LeaseLost):
            raise LeaseGone
        return outcome

    def _waits_for_socket(self) -> bool:
        """A socket that the client named and that is not there comes, or has just gone."""
        return bool(self._credentials.socket_path) and self._endpoint() is None

    def _ways(self) -> Ways:
        """A client that gave no socket, or no token for it, will not do so later."""
        return ways_of(
            has_socket=bool(self._credentials.socket_path and self._credentials.token),
            is_monitor=self._is_monitor,
            lets_outsiders_in=self._lets_outsiders_in,
            inbound=self._app.ports.inbound.policy(self._activation.cwd),
        )

    def _endpoint(self) -> Endpoint | None:
        """The harness's socket if it is still the very node that was recorded at arrival."""
        recorded = self._owner.socket
        if recorded is None:
            return None
        node = self._app.ports.sockets.look(recorded.path)
        if not isinstance(node, SocketNode):
            return None
        same = replace(
            node, device=recorded.device, inode=recorded.inode, mtime_ns=recorded.mtime_ns
        )
        return Endpoint(
            node=same,
            owner=self._owner.birth,
            session_id=self._activation.conversation_id,
            token=self._credentials.token,
        )

    def _pace(self, outcome: StepOutcome, answers: OpenNow) -> float | None:
        business = self._app.post_office.business(self._activation.agent_uid)
        if isinstance(outcome, Held) and outcome.reason == "target-awaiting-operator":
            return DIALOG_SECONDS
        quiet = min(QUIET_SECONDS, answers.seconds)
        if _waits_for_a_ring(outcome) and not business.unproved:
            return quiet
        if business.waiting or business.unproved or not isinstance(outcome, Nothing):
            return WAITING_SECONDS
        hears = self._app.desk.state(self._owner.key).is_open
        return quiet if hears or answers.count or business.asked else None


def _waits_for_a_ring(outcome: StepOutcome) -> bool:
    """Whether only notices wait, for a message that will ring when it comes."""
    return isinstance(outcome, Held) and outcome.reason == "awaiting-turn"
