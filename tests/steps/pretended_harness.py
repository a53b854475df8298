"""A client in memory: its process, its socket, its hooks, its dialogs, and a model that reads."""

from collections.abc import Callable
from dataclasses import dataclass, field

from steps.pretended_dialogs import EVENTS, Dialog
from steps.pretended_machine import Machine
from tidings.adapters.memory.transport import MemoryLineTransport
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.identity.probe import OwnerProbe
from tidings.domain.interaction.condense import condense
from tidings.entrypoints.hook import line_of
from tidings.ports.codec import Document, Value
from tidings.ports.presence import HarnessSighting
from tidings.ports.processes import ProcessBirth, ProcessFact
from tidings.ports.sockets import SocketNode
from tidings.ports.tokens import Provider, Ring, StatusWord

TICK_NS = 10_000_000
HOOK_SECONDS = 0.05
"""How long a hook takes on this machine."""


@dataclass(slots=True, kw_only=True)
class PretendedHarness:
    """One session. ``is_deaf``: its socket takes frames and its model never sees them (H 3)."""

    machine: Machine
    name: str
    folder: str
    conversation: str
    birth: ProcessBirth
    node: SocketNode
    is_deaf: bool = False
    version: str = "2.1.332"
    line: MemoryLineTransport = field(default_factory=MemoryLineTransport)
    publishes: bool = True
    read: list[str] = field(default_factory=list[str])
    dialogs: list[Dialog] = field(default_factory=list[Dialog])
    _taken: int = 0
    _lines_taken: int = 0
    _hidden: ProcessFact | None = None

    @classmethod
    def start(
        cls, machine: Machine, name: str, *, folder: str, pid: int | None = None, resume: str = ""
    ) -> "PretendedHarness":
        """A new process with its socket bound, its registry written, its status published."""
        birth = machine.kernel.spawn(pid, name="claude")
        node = machine.sockets.bind(f"/sockets/{birth.pid}.sock")
        machine.transport.listen(node, birth)
        harness = cls(
            machine=machine,
            name=name,
            folder=folder,
            conversation=resume or f"conversation-{name}-{birth.start}",
            birth=birth,
            node=node,
        )
        harness._taken = len(machine.transport.written)
        harness.register()
        harness.publish(StatusWord.IDLE)
        return harness

    @property
    def owner(self) -> SessionOwner:
        """The process and socket as a resident would find them."""
        probe = OwnerProbe(processes=self.machine.processes, sockets=self.machine.sockets)
        return probe.capture(self.birth.pid, socket_path=self.node.path)

    @property
    def key(self) -> str:
        """The session key."""
        return SessionOwner(birth=self.birth, place=self.machine.processes.place(), socket=None).key

    @property
    def texts_read(self) -> list[str]:
        """The lines of message text that its model was given, in order."""
        lines = "\n".join(self.read).splitlines()
        return [line.removeprefix("| ") for line in lines if line.startswith("| ")]

    def register(self) -> None:
        """The client's own registry names the session."""
        self.machine.presence.publish(
            HarnessSighting(
                pid=self.birth.pid,
                provider=Provider.CLAUDE,
                session_id=self.conversation,
                name=self.name,
                cwd=self.folder,
                socket_path=self.node.path,
                version=self.version,
                start_ticks=self.birth.start.rpartition(":")[2],
            )
        )

    def publish(self, word: StatusWord, what: str = "") -> None:
        """The client's status, unless it publishes none."""
        if not self.publishes:
            self.machine.status.withdraw(self.birth.pid)
            return
        self.machine.status.publish(
            self.birth.pid, word, waiting_for=what, session_id=self.conversation
        )

    def hook(self, event: str, **fields: Value) -> None:
        """Runs our hook for ``event``: the real condensing, the spool, the bell."""
        payload: Document = {"session_id": self.conversation, "hook_event_name": event, **fields}
        now = self.machine.clock.now()
        started_at_ns = now.boottime_ns // TICK_NS * TICK_NS
        record = condense("claude", payload, started_at_ns=started_at_ns, at_ns=now.wall_ns)
        self.machine.clock.advance(HOOK_SECONDS)
        if record is not None:
            self.machine.spool.append(self.key, line_of(record))
            self.machine.doorbell.ring(self.key, why=Ring.EVENT)

    def open_dialog(self, dialog: Dialog) -> None:
        """The client asks its operator, and publishes that it waits."""
        openings, _closing, fields = EVENTS[dialog]
        for event in openings:
            self.hook(event, **fields)
        self.dialogs.append(dialog)
        self.publish(StatusWord.WAITING, dialog)

    def allow(self) -> None:
        """The operator says yes: the tool runs, then the turn ends."""
        dialog = self.dialogs.pop()
        _openings, closing, fields = EVENTS[dialog]
        self.publish(StatusWord.BUSY)
        self.hook(closing, **fields)
        self.end_turn()

    def deny(self) -> None:
        """The operator says no: no hook tells of it (H 9), only the published status."""
        self.dialogs.clear()
        self.publish(StatusWord.IDLE)

    def end_turn(self) -> None:
        """The main agent stops; a dialog of a subagent stays where it is (H 11)."""
        self.hook("Stop")
        self.publish(StatusWord.WAITING if self.dialogs else StatusWord.IDLE)

    def take_up(self) -> bool:
        """The client hands what arrived at its socket to the model; False where nothing did."""
        arrived = self.machine.transport.written[self._taken :]
        self._taken += len(arrived)
        mine = [frame.content for frame in arrived if frame.endpoint.owner == self.birth]
        read = [*([] if self.is_deaf else mine), *self._printed()]
        if read:
            self.prompt("\n".join(read))
        return bool(read)

    def _printed(self) -> list[str]:
        """What the plugin's monitor printed since the last look, as the client tells of it (H 4)."""
        lines = self.line.lines[self._lines_taken :]
        self._lines_taken += len(lines)
        events = "\n".join(lines)
        return [f"<task-notification>\n<event>{events}</event>\n"] if lines else []

    def prompt(self, text: str) -> None:
        """One turn on ``text``."""
        self.publish(StatusWord.BUSY)
        self.read.append(text)
        self.hook("UserPromptSubmit", prompt=text)
        self.end_turn()

    def clear(self) -> None:
        """``/clear``: another conversation in the same process."""
        self.hook("SessionEnd", reason="clear")
        self.conversation += "-cleared"
        self.register()
        self.publish(StatusWord.IDLE)
        self.hook("SessionStart", source="clear")

    def bind_anew(self, bind: Callable[[str], SocketNode]) -> None:
        """The socket at the same path is another one from now on."""
        self.node = bind(self.node.path)
        self.machine.transport.listen(self.node, self.birth)

    def hide(self) -> None:
        """The kernel tells nothing of the process, until ``show``."""
        self._hidden = self.machine.processes.look(self.birth.pid)
        self.machine.kernel.become_unreadable(self.birth.pid)

    def show(self) -> None:
        """The kernel tells again what it told before ``hide``."""
        assert self._hidden is not None, "it was not hidden"
        self.machine.kernel.table[self.birth.pid] = self._hidden

    def end(self) -> None:
        """SIGKILL: the process is gone, registry and socket stay behind."""
        self.machine.kernel.exit(self.birth.pid)
