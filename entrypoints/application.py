"""The wired application: services over ports, each made when it is first asked for."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from tidings.ports.errors import NotRunning, StateUnreadable, StoreLocked, StoreMalformed
from tidings.ports.tokens import Provider, Ring, Verdict

if TYPE_CHECKING:
    from tidings.domain.consent.defaults import ConsentDefaults
    from tidings.domain.consent.desk import ConsentDesk
    from tidings.domain.consent.reading import ConsentReader
    from tidings.domain.consent.trust import TrustDesk
    from tidings.domain.identity.caller import CallerDesk
    from tidings.domain.identity.owner import SessionOwner
    from tidings.domain.identity.probe import OwnerProbe
    from tidings.domain.interaction.observer import Observer
    from tidings.domain.messages.browsing import Browser
    from tidings.domain.messages.dispatcher import Dispatcher
    from tidings.domain.messages.inbox import Inbox
    from tidings.domain.messages.post_office import PostOffice
    from tidings.domain.messages.room import StoreLimits
    from tidings.domain.messages.settler import Settler
    from tidings.domain.registration.admission import Admission
    from tidings.domain.sessions.roster import Roster
    from tidings.ports.agents import ActivationRow
    from tidings.ports.approvals import Approvals
    from tidings.ports.clock import Clock
    from tidings.ports.codec import Codec
    from tidings.ports.consent import ConsentMarks
    from tidings.ports.doorbell import Doorbell
    from tidings.ports.harness_status import HarnessStatus
    from tidings.ports.ids import Ids
    from tidings.ports.inbound import HarnessInbound
    from tidings.ports.journal import Journal
    from tidings.ports.locks import Locks
    from tidings.ports.messages import MessageStore
    from tidings.ports.presence import HarnessPresence
    from tidings.ports.processes import Processes
    from tidings.ports.replies import ReplySockets
    from tidings.ports.sessions import SessionRecords
    from tidings.ports.settings import Settings
    from tidings.ports.sockets import SocketNodes
    from tidings.ports.spool import EventSpool
    from tidings.ports.transcripts import Transcripts
    from tidings.ports.transport import LineTransport, Transport


class Ports(Protocol):
    """One of each. ``assembly`` has the real ones and the in-memory twins."""

    @property
    def codec(self) -> Codec: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def ids(self) -> Ids: ...
    @property
    def processes(self) -> Processes: ...
    @property
    def sockets(self) -> SocketNodes: ...
    @property
    def records(self) -> SessionRecords: ...
    @property
    def marks(self) -> ConsentMarks: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def approvals(self) -> Approvals: ...
    @property
    def locks(self) -> Locks: ...
    @property
    def spool(self) -> EventSpool: ...
    @property
    def doorbell(self) -> Doorbell: ...
    @property
    def journal(self) -> Journal: ...
    @property
    def status(self) -> HarnessStatus: ...
    @property
    def presence(self) -> HarnessPresence: ...
    @property
    def inbound(self) -> HarnessInbound: ...
    @property
    def transcripts(self) -> Transcripts: ...
    @property
    def store(self) -> MessageStore: ...
    @property
    def transport(self) -> Transport: ...


class _TransportSizes:
    """The transport's word on sizes; it is loaded only where a frame has to be sized."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def size(self, content: str) -> int:
        return self._ports.transport.size(content)

    def limit(self) -> int:
        return self._ports.transport.limit()


class Application:
    """Every service of the core over one set of ports. Making it opens and creates nothing.

    ``limits`` is how much the store keeps; None means as the user's own file says (D31).
    """

    def __init__(self, ports: Ports, *, limits: StoreLimits | None = None) -> None:
        self.ports = ports
        self._limits = limits

    @cached_property
    def probe(self) -> OwnerProbe:
        """The one liveness function."""
        from tidings.domain.identity.probe import OwnerProbe

        return OwnerProbe(processes=self.ports.processes, sockets=self.ports.sockets)

    @cached_property
    def callers(self) -> CallerDesk:
        """Who calls."""
        from tidings.domain.identity.caller import CallerDesk

        return CallerDesk(
            processes=self.ports.processes,
            presence=self.ports.presence,
            records=self.ports.records,
            probe=self.probe,
        )

    @cached_property
    def roster(self) -> Roster:
        """Presence."""
        from tidings.domain.sessions.roster import Roster

        return Roster(
            records=self.ports.records,
            locks=self.ports.locks,
            clock=self.ports.clock,
            probe=self.probe,
        )

    @cached_property
    def desk(self) -> ConsentDesk:
        """Consent."""
        from tidings.domain.consent.desk import ConsentDesk

        return ConsentDesk(
            marks=self.ports.marks,
            locks=self.ports.locks,
            clock=self.ports.clock,
            probe=self.probe,
            default_of=lambda key: self.defaults.of_session(key),
            registered=self._registered_owner,
        )

    @cached_property
    def consent(self) -> ConsentReader:
        """Consent for who only asks: what the desk reads with, without what it changes with."""
        from tidings.domain.consent.reading import ConsentReader

        return ConsentReader(
            marks=self.ports.marks,
            clock=self.ports.clock,
            probe=self.probe,
            default_of=lambda key: self.defaults.of_session(key),
            registered=self._registered_owner,
        )

    def _registered_owner(self, key: str) -> SessionOwner | None:
        from tidings.domain.identity.owner_document import registered_owner

        return registered_owner(self.ports.records, key)

    @cached_property
    def defaults(self) -> ConsentDefaults:
        """What decides while a session has no word of its own."""
        from tidings.domain.consent.defaults import ConsentDefaults

        return ConsentDefaults(
            records=self.ports.records,
            settings=self.ports.settings,
            approvals=self.ports.approvals,
            probe=self.probe,
        )

    @cached_property
    def trust(self) -> TrustDesk:
        """Approvals of repositories' opt-ins."""
        from tidings.domain.consent.trust import TrustDesk

        return TrustDesk(
            settings=self.ports.settings,
            approvals=self.ports.approvals,
            locks=self.ports.locks,
            clock=self.ports.clock,
        )

    @cached_property
    def admission(self) -> Admission:
        """Agents, activations and registrations."""
        from tidings.domain.registration.admission import Admission

        return Admission(
            store=self.ports.store,
            records=self.ports.records,
            clock=self.ports.clock,
            ids=self.ports.ids,
            probe=self.probe,
        )

    @cached_property
    def observer(self) -> Observer:
        """What sessions tell of themselves, and whether they are free to hear."""
        from tidings.domain.interaction.observer import Observer
        from tidings.domain.messages.evidence import note_prompts

        return Observer(
            store=self.ports.store,
            spool=self.ports.spool,
            status=self.ports.status,
            transcripts=self.ports.transcripts,
            codec=self.ports.codec,
            on_prompts=note_prompts,
        )

    @cached_property
    def post_office(self) -> PostOffice:
        """Acceptance, views and ends of messages."""
        from tidings.domain.messages.post_office import PostOffice

        return PostOffice(
            store=self.ports.store,
            consent=self.desk,
            clock=self.ports.clock,
            ids=self.ports.ids,
            doorbell=self.ports.doorbell,
            sizer=_TransportSizes(self.ports),
            probe=self.probe,
            limits=lambda: self.limits,
        )

    @cached_property
    def limits(self) -> StoreLimits:
        """How much the store keeps: as told, else as the user's file says. Read once, unlike
        consent. Raises ``StateUnreadable`` where that file is wrong."""
        from tidings.domain.messages.store_settings import store_limits

        return self._limits or store_limits(self.ports.settings.personal())

    @cached_property
    def inbox(self) -> Inbox:
        """Pull, for agents without a push channel."""
        from tidings.domain.messages.inbox import Inbox

        return Inbox(
            store=self.ports.store,
            consent=self.desk,
            probe=self.probe,
            locks=self.ports.locks,
            clock=self.ports.clock,
        )

    @cached_property
    def browser(self) -> Browser:
        """Lists, threads and the stream of events."""
        from tidings.domain.messages.browsing import Browser

        return Browser(store=self.ports.store, clock=self.ports.clock)

    @cached_property
    def settler(self) -> Settler:
        """Ends by hand what a dead writer left."""
        from tidings.domain.messages.settler import Settler

        return Settler(store=self.ports.store, locks=self.ports.locks, clock=self.ports.clock)

    def settle(self, agent_uid: str) -> tuple[str, ...]:
        """Ends every message of one target (an agent or a box) that has no way left: its run or
        its time is over, its consent is withdrawn, its writer is gone. The refs that ended.

        Raises ``LockTimeout`` where a write to the target goes on for more than 3 s.
        """
        self.admission.end_dead(agent_uid)
        ended = [
            *self.post_office.settle_due(agent_uid),
            *self.post_office.withdraw(agent_uid),
        ]
        for run in self.admission.open_activations():
            if run.agent_uid == agent_uid:
                ended += self.settler.settle_lost(run)
        return tuple(ended)

    def target_of(self, target: str, *, ref: str | None) -> ActivationRow:
        """The session that a message to ``target`` is meant for, in its present conversation.

        A ``ref`` that is stored is a retry: it is answered from the store even where its target
        has ended since (D20). Raises what ``Admission.resolve`` raises.
        """
        try:
            return self.up_to_date(self.admission.resolve(target))
        except NotRunning:
            run = self.admission.last_run(target) if ref else None
            if run is None or not self._is_known(ref or ""):
                raise
            return run

    def audience(self, *, but: str | None = None) -> tuple[ActivationRow, ...]:
        """Every session of this user and host that is proved to live, each in its present
        conversation; without the agent ``but`` that speaks itself (D34).

        Whether one hears is not judged here. Raises what reading the store raises.
        """
        living = [one.activation for one in self.admission.living() if one.verdict is Verdict.ALIVE]
        present: list[ActivationRow] = []
        for run in living:
            with suppress(NotRunning):
                present += [self.up_to_date(run)] if run.agent_uid != but else []
        return tuple(present)

    def _is_known(self, ref: str) -> bool:
        """Whether the ref names a message that is stored, or one that left."""
        return self.ports.store.view(
            lambda tx: tx.message(ref) is not None or tx.history(ref) is not None
        )

    def up_to_date(self, activation: ActivationRow) -> ActivationRow:
        """The activation in the conversation that its hooks told of last.

        A dormant resident looks at no events, so whoever judges a route follows ``/clear`` itself
        (D1, D11). Raises ``NotRunning`` where the run has ended meanwhile.
        """
        if activation.provider == Provider.PROCESS:
            return activation  # a library process has no hooks and no conversation to leave
        told = self.conversation_of(activation.session_key)
        if told in ("", activation.conversation_id):
            return activation
        return self.admission.follow(activation.activation_id, told)

    def conversation_of(self, session_key: str) -> str:
        """The conversation that the session's hooks told of last; empty where they told nothing
        that can be read: doubt about a spool holds messages, it does not lose them here."""
        try:
            return self.observer.state(session_key).conversation_id
        except (StoreLocked, StoreMalformed):
            raise
        except StateUnreadable:
            return ""

    def lets_outsiders_in(self, session_key: str) -> bool:
        """Whether the session's client, in the permission mode that its hooks told last, gives its
        model the frames of a helper; where they told nothing that can be read, it does not (D12)."""
        try:
            return self.observer.state(session_key).lets_outsiders_in
        except (StoreLocked, StoreMalformed):
            raise
        except StateUnreadable:
            return False

    def withdrawn(self, activation: ActivationRow) -> None:
        """What follows a change of consent: its resident looks, and what it no longer covers ends.

        The change itself holds already; a store that is locked leaves the ends to the next look.
        """
        self.ports.doorbell.ring(activation.session_key)
        with suppress(StateUnreadable):
            self.post_office.withdraw(activation.agent_uid)
        self.asker_changed(activation.agent_uid)

    def asker_changed(self, agent_uid: str) -> None:
        """Rings where answers to this agent are awaited: perhaps none would be taken any more, and
        then the sockets for them close. A store that is locked leaves that to their next look."""
        with suppress(StateUnreadable):
            for key in self.post_office.asked_sessions(agent_uid):
                self.ports.doorbell.ring(key, why=Ring.EVENT)

    def dispatcher(
        self, reply_sockets: ReplySockets, *, line: LineTransport | None = None
    ) -> Dispatcher:
        """The one that hands off, for a resident with ``reply_sockets`` of its own, and with a
        ``line`` where its harness reads what it prints."""
        from tidings.domain.messages.dispatcher import Dispatcher

        return Dispatcher(
            store=self.ports.store,
            consent=self.desk,
            observer=self.observer,
            probe=self.probe,
            locks=self.ports.locks,
            clock=self.ports.clock,
            transport=self.ports.transport,
            line=line,
            reply_sockets=reply_sockets,
        )
