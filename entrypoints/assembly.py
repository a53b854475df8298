"""The one place that chooses: a typed function per port, and one that builds the application.

Imports sit inside the functions so that a verb loads only what it uses ("start-up cost is
architecture"). The container names these functions and nothing else; hot verbs call them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar, cast

from tidings.entrypoints.places import Places, find_places, find_settings_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tidings.adapters.transports.reply_sockets import ReplySocketFolder
    from tidings.entrypoints.application import Application
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
    from tidings.ports.processes import ProcessBirth, Processes
    from tidings.ports.sessions import SessionRecords
    from tidings.ports.settings import Settings
    from tidings.ports.sockets import SocketNodes
    from tidings.ports.spool import EventSpool
    from tidings.ports.transcripts import Transcripts
    from tidings.ports.transport import LineTransport, Transport

T = TypeVar("T")


def codec() -> Codec:
    """JSON as the product writes it."""
    from tidings.adapters.wire.json_codec import JsonCodec

    return JsonCodec()


def processes(places: Places) -> Processes:
    """The kernel's word on processes, by the platform's best way."""
    from tidings.adapters.processes.native import native_processes

    return native_processes(state_folder=places.state)


def clock(processes: Processes) -> Clock:
    """The system's clocks."""
    from tidings.adapters.clocks.system import SystemClock

    return SystemClock(boot_id=processes.place().boot_id)


def ids() -> Ids:
    """The system's randomness."""
    from tidings.adapters.clocks.system import SystemIds

    return SystemIds()


def sockets() -> SocketNodes:
    """The file system's word on socket nodes."""
    from tidings.adapters.sockets.lstat_nodes import LstatSocketNodes

    return LstatSocketNodes()


def session_records(places: Places, codec: Codec) -> SessionRecords:
    """``sessions/``."""
    from tidings.adapters.files.session_records import FileSessionRecords

    return FileSessionRecords(os.path.join(places.state, "sessions"), codec=codec)


def consent_marks(places: Places, codec: Codec) -> ConsentMarks:
    """``consent/``."""
    from tidings.adapters.files.consent_marks import FileConsentMarks

    return FileConsentMarks(os.path.join(places.state, "consent"), codec=codec)


def settings(environment: Mapping[str, str]) -> Settings:
    """The repository's and the user's TOML files."""
    from tidings.adapters.files.settings_files import TomlSettings

    return TomlSettings(personal_file=find_settings_file(environment))


def approvals(places: Places, codec: Codec) -> Approvals:
    """``approvals.json``."""
    from tidings.adapters.files.approvals import FileApprovals

    return FileApprovals(os.path.join(places.state, "approvals.json"), codec=codec)


def locks(places: Places) -> Locks:
    """``locks/``: ``fcntl`` where the platform has it, portalocker on the same files elsewhere."""
    folder = os.path.join(places.state, "locks")
    if os.name == "posix":
        from tidings.adapters.locks.fcntl_locks import FcntlLocks

        return FcntlLocks(folder)
    from tidings.adapters.locks.portalocker_locks import PortalockerLocks

    return PortalockerLocks(folder)


def events_folder(places: Places) -> str:
    """``events/``: the spools, and the bells beside them."""
    return os.path.join(places.state, "events")


def spool(places: Places) -> EventSpool:
    """``events/``."""
    from tidings.adapters.files.event_spool import FileEventSpool

    return FileEventSpool(events_folder(places))


def doorbell(places: Places) -> Doorbell:
    """The bells beside the spools."""
    from tidings.adapters.files.doorbells import FifoDoorbell

    return FifoDoorbell(events_folder(places))


def journal(places: Places, codec: Codec, clock: Clock) -> Journal:
    """``journal.jsonl``."""
    from tidings.adapters.files.journal import FileJournal

    return FileJournal(os.path.join(places.state, "journal.jsonl"), codec=codec, clock=clock)


def store(places: Places, codec: Codec) -> MessageStore:
    """``tidings.db``."""
    from tidings.adapters.sqlite.store import SqliteMessageStore

    return SqliteMessageStore(os.path.join(places.state, "tidings.db"), codec=codec)


def presence(environment: Mapping[str, str], codec: Codec) -> HarnessPresence:
    """The client's own registry."""
    from tidings.adapters.harnesses.claude_presence import ClaudePresence
    from tidings.adapters.harnesses.claude_record import config_folder

    return ClaudePresence(folder=config_folder(environment), codec=codec)


def status(environment: Mapping[str, str], codec: Codec) -> HarnessStatus:
    """The client's published status; its command is the executable that the client names."""
    from tidings.adapters.harnesses.claude_record import config_folder
    from tidings.adapters.harnesses.claude_status import ClaudeStatus

    command = environment.get("CLAUDE_CODE_EXECPATH") or "claude"
    return ClaudeStatus(
        folder=config_folder(environment),
        codec=codec,
        command=(command,),
        environment=environment,
    )


def inbound(environment: Mapping[str, str], codec: Codec) -> HarnessInbound:
    """The client's own settings for what comes in."""
    from tidings.adapters.harnesses.claude_inbound import ClaudeInbound
    from tidings.adapters.harnesses.claude_record import config_folder

    return ClaudeInbound(config_folder(environment), codec=codec)


def transcripts() -> Transcripts:
    """Transcript files."""
    from tidings.adapters.harnesses.transcript_files import TranscriptFiles

    return TranscriptFiles()


def transport(processes: Processes, sockets: SocketNodes, codec: Codec) -> Transport:
    """The harness's messaging socket; it also sizes frames at acceptance."""
    from tidings.adapters.transports.harness_socket import HarnessSocketTransport

    return HarnessSocketTransport(processes=processes, sockets=sockets, codec=codec)


def monitor_line() -> LineTransport:
    """This process's standard output, which the harness reads where it is its plugin's monitor."""
    from tidings.adapters.transports.monitor_line import MonitorLineTransport

    return MonitorLineTransport()


def reply_sockets(
    places: Places, codec: Codec, processes: Processes, *, owner: ProcessBirth
) -> ReplySocketFolder:
    """The sockets at which a session's own harness answers; ``owner`` is its process."""
    from tidings.adapters.transports.peer_starts import PeerStarts
    from tidings.adapters.transports.reply_sockets import ReplySocketFolder

    starts = PeerStarts(processes, known=owner)
    return ReplySocketFolder(folder=places.runtime, codec=codec, starts=starts)


def sweep_reply_sockets(places: Places) -> int:
    """Removes the sockets that dead residents left; how many."""
    from tidings.adapters.transports.deserted_nodes import sweep_folder

    return sweep_folder(places.runtime)


class SystemPorts:
    """The real machine, made port by port when first asked for: no verb pays for another's ports."""

    def __init__(self, places: Places, environment: Mapping[str, str]) -> None:
        self.places = places
        self._environment = environment
        self._made: dict[str, object] = {}

    def _once(self, name: str, make: Callable[[], T]) -> T:
        if name not in self._made:
            self._made[name] = make()
        return cast("T", self._made[name])

    @property
    def codec(self) -> Codec:
        return self._once("codec", codec)

    @property
    def processes(self) -> Processes:
        return self._once("processes", lambda: processes(self.places))

    @property
    def clock(self) -> Clock:
        return self._once("clock", lambda: clock(self.processes))

    @property
    def ids(self) -> Ids:
        return self._once("ids", ids)

    @property
    def sockets(self) -> SocketNodes:
        return self._once("sockets", sockets)

    @property
    def records(self) -> SessionRecords:
        return self._once("records", lambda: session_records(self.places, self.codec))

    @property
    def marks(self) -> ConsentMarks:
        return self._once("marks", lambda: consent_marks(self.places, self.codec))

    @property
    def settings(self) -> Settings:
        return self._once("settings", lambda: settings(self._environment))

    @property
    def approvals(self) -> Approvals:
        return self._once("approvals", lambda: approvals(self.places, self.codec))

    @property
    def locks(self) -> Locks:
        return self._once("locks", lambda: locks(self.places))

    @property
    def spool(self) -> EventSpool:
        return self._once("spool", lambda: spool(self.places))

    @property
    def doorbell(self) -> Doorbell:
        return self._once("doorbell", lambda: doorbell(self.places))

    @property
    def journal(self) -> Journal:
        return self._once("journal", lambda: journal(self.places, self.codec, self.clock))

    @property
    def status(self) -> HarnessStatus:
        return self._once("status", lambda: status(self._environment, self.codec))

    @property
    def presence(self) -> HarnessPresence:
        return self._once("presence", lambda: presence(self._environment, self.codec))

    @property
    def inbound(self) -> HarnessInbound:
        return self._once("inbound", lambda: inbound(self._environment, self.codec))

    @property
    def transcripts(self) -> Transcripts:
        return self._once("transcripts", transcripts)

    @property
    def store(self) -> MessageStore:
        return self._once("store", lambda: store(self.places, self.codec))

    @property
    def transport(self) -> Transport:
        return self._once("transport", lambda: transport(self.processes, self.sockets, self.codec))


def open_application(environment: Mapping[str, str], *, home: str | None = None) -> Application:
    """The application over the real machine. Creates nothing before something is written."""
    from tidings.entrypoints.application import Application

    return Application(SystemPorts(find_places(environment, home=home), environment))
