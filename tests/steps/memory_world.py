"""The world in memory: one machine, its sessions and residents, and a clock that the world moves."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from steps.clockwork import Clockwork
from steps.ledger import Ledger, Trouble
from steps.observing import Observing
from steps.pretended_dialogs import Dialog
from steps.pretended_harness import PretendedHarness
from steps.pretended_machine import Machine
from steps.pretended_resident import PretendedResident
from tidings.adapters.memory.clock import SECOND_NS
from tidings.adapters.memory.transport import WrittenFrame
from tidings.domain.consent.arming import ArmWord
from tidings.domain.consent.desk import Barrier
from tidings.domain.consent.scope import ConsentScope
from tidings.domain.interaction.prompt_text import digests_in
from tidings.domain.messages.limits import DEFAULT_TTL_NS
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.receipt import MessageView
from tidings.domain.messages.send_outcome import Receipt, Refused, SendOutcome
from tidings.domain.messages.wishes import NO_WISHES, Wishes
from tidings.entrypoints.application import Application
from tidings.entrypoints.cli.desk import Call
from tidings.entrypoints.cli.pushing import is_no_receiver
from tidings.entrypoints.cli.sender import Sender, sender_of
from tidings.entrypoints.cli.sending import draft_of
from tidings.entrypoints.senders import stored_senders
from tidings.entrypoints.surroundings import place_of
from tidings.ports.agents import ActivationRow, RegistrationRow
from tidings.ports.errors import TidingsError
from tidings.ports.processes import ProcessBirth

TERMINAL = "/dev/pts/3"
HOUR_SECONDS = 3_600
MOMENT_SECONDS = 3.0


@dataclass(slots=True)
class MemoryWorld:
    """Everything is driven: nothing happens before time passes, not even a delivery."""

    ledger: Ledger
    machine: Machine = field(default_factory=Machine)
    harnesses: dict[str, PretendedHarness] = field(default_factory=dict[str, PretendedHarness])
    residents: dict[str, PretendedResident] = field(default_factory=dict[str, PretendedResident])
    replaced: dict[str, PretendedResident] = field(default_factory=dict[str, PretendedResident])
    marked_at_first_byte: list[str] = field(default_factory=list[str])
    outcome: SendOutcome | None = None
    receivers: int | None = None
    error: TidingsError | None = None
    app: Application = field(init=False)
    clockwork: Clockwork = field(init=False)
    observing: Observing = field(init=False)

    def __post_init__(self) -> None:
        self.app = self.machine.seen_by(self.machine.processes.self_pid())
        self.observing = Observing(self.app, self.ledger, self.machine.journal.entries)
        self.machine.witness.at_first_byte = self._witness
        self.clockwork = Clockwork(
            self.machine.clock, self.harnesses, self.replaced, self.residents
        )

    # Sessions and residents

    def start(self, *names: str) -> None:
        for name in names:
            self.begin(name)
            self.station(name)

    def begin(
        self,
        name: str,
        *,
        wants: str = "",
        folder: str = "",
        pid: int | None = None,
        resume: str = "",
    ) -> PretendedHarness:
        """A session without a resident; its client calls it ``wants``, else ``name``."""
        harness = PretendedHarness.start(
            self.machine,
            wants or name,
            folder=folder or f"/projects/{name}",
            pid=pid,
            resume=resume,
        )
        self.harnesses[name] = harness
        return harness

    def station(self, name: str) -> PretendedResident:
        """The session's resident comes, or another one in the place of the last."""
        resident = PretendedResident(self.machine, self.harnesses[name])
        resident.register()
        if name in self.residents:
            self.replaced[name] = self.residents[name]
        self.residents[name] = resident
        return resident

    def activation(self, name: str) -> ActivationRow:
        """The run behind the session ``name``."""
        row = self.app.admission.activation_of(self.harnesses[name].key)
        assert row is not None, f"{name} has no activation"
        return row

    def lease(self, name: str) -> RegistrationRow | None:
        """The registration behind the session, as stored."""
        return self.app.admission.registration_of(self.activation(name).activation_id)

    def is_listed(self, name: str) -> bool:
        """Whether the roster has a record of the session."""
        key = self.residents[name].owner.key
        return any(row.key == key for row in self.app.roster.list())

    # Consent

    def consent(self, name: str) -> ArmWord:
        """What the session's consent says now."""
        return self.app.desk.state(self.residents[name].owner.key).word

    def arm(
        self,
        name: str,
        *,
        senders: Sequence[str] = (),
        hours: int = 0,
        kinds: Sequence[str] = (),
        wake: bool = False,
    ) -> None:
        until_ns = self.machine.clock.now().wall_ns + hours * HOUR_SECONDS * SECOND_NS
        with self.trying(f"arm {name}"):
            heard = stored_senders(self.app, senders) or None
            scope = ConsentScope(
                senders=heard,
                kinds=tuple(kinds) or None,
                until_ns=until_ns if hours else None,
                wake=wake,
            )
            harness = self.harnesses[name]
            owner = self.residents[name].owner
            self.app.desk.arm(owner, cwd=harness.folder, scope=scope)
            self.machine.doorbell.ring(owner.key)

    def disarm(self, name: str) -> None:
        with self.trying(f"disarm {name}"):
            owner = self.residents[name].owner
            done = self.app.desk.disarm(owner, cwd=self.harnesses[name].folder)
            self.machine.doorbell.ring(owner.key)
            if done.barrier is Barrier.WRITE_UNDER_WAY:
                self.note(f"disarm {name}", "write-under-way", 6)

    # Messages

    def send(self, sender: str, target: str, text: str) -> None:
        self.post(self.call_from(sender), target, text)

    def post(
        self,
        call: Call,
        target: str,
        text: str,
        *,
        ttl_ns: int = DEFAULT_TTL_NS,
        ref: str = "",
        key: str = "",
    ) -> None:
        """The verb ``send`` as ``call`` makes it; what it says goes to the ledger."""
        with self.trying(f"send to {target}"):
            wishes = Wishes(supersede_key=key)
            self._mail(call, sender_of(call), target, text, ttl_ns=ttl_ns, ref=ref, wishes=wishes)

    def notify(self, call: Call, target: str, text: str, *, wake: bool) -> None:
        """The verb ``notify``."""
        with self.trying(f"send to {target}"):
            who = sender_of(call).noticing()
            self._mail(call, who, target, text, wishes=Wishes(wake=wake))

    def push_as_agent(self, name: str, target: str, text: str) -> None:
        """The verb ``push``, run by the model of ``name``."""
        call = self.call_from(name)
        with self.trying(f"send to {target}"):
            who = sender_of(call)._replace(kind=MessageKind.PUSH, client="agent")
            self._mail(call, who, target, text)

    def push_to_all(self, text: str, *, ref: str) -> None:
        """The verb ``push --all`` at a terminal; who it reached is in ``receivers``."""
        call = self.call_from_outside(tty=TERMINAL)
        with self.trying("push to all"):
            who = sender_of(call)
            outcomes = call.app.post_office.send_to_all(
                lambda run: draft_of(who, text, target=run, ttl_ns=DEFAULT_TTL_NS),
                call.app.audience(),
                ref=ref,
            )
            told = [one for one in outcomes if not is_no_receiver(one)]
            self.receivers = sum(isinstance(one, Receipt) for one in told)
            for one in told:
                self.met(one, "push to all")

    def _mail(
        self,
        call: Call,
        who: Sender,
        target: str,
        text: str,
        *,
        ttl_ns: int = DEFAULT_TTL_NS,
        ref: str = "",
        wishes: Wishes = NO_WISHES,
    ) -> None:
        draft = draft_of(
            who, text, target=call.app.admission.resolve(target), ttl_ns=ttl_ns, wishes=wishes
        )
        placed = replace(draft, place=place_of(who.source.cwd) if who.source else "")
        self.met(call.app.post_office.send(replace(placed, ref=ref or None)), f"send to {target}")

    def call_from(self, name: str) -> Call:
        """A command that the model of the session ``name`` runs in a shell."""
        shell = self.machine.kernel.spawn(parent_pid=self.harnesses[name].birth.pid, name="bash")
        return self._call(shell.pid, tty="")

    def call_from_outside(self, *, tty: str = "") -> Call:
        """A command from a terminal, or with an empty ``tty`` from a script."""
        return self._call(self.machine.kernel.spawn(name="bash").pid, tty=tty)

    def answer(self, name: str, text: str) -> None:
        self.write_answer(name, text, peer=self.harnesses[name].birth)

    def write_answer(self, name: str, text: str, *, peer: ProcessBirth) -> None:
        """A process writes to the reply address of the newest message that ``name`` read."""
        address = self.frames(name)[-1].partition('from="')[2].partition('"')[0]
        sockets = self.residents[name].sockets
        assert sockets.arrive(address, text, peer=peer), address
        self.residents[name].due_ns = 0

    def met(self, outcome: SendOutcome, what: str) -> None:
        """Keeps what a verb returned, and notes a refusal."""
        self.outcome = outcome
        if isinstance(outcome, Refused):
            self.note(what, outcome.reason, outcome.exit_code, outcome.text)

    # Dialogs and ends

    def open_dialog(self, name: str, dialog: Dialog) -> None:
        self.harnesses[name].open_dialog(dialog)

    def deny(self, name: str) -> None:
        self.harnesses[name].deny()

    def end(self, name: str) -> None:
        self.harnesses[name].end()

    # Looking

    def view(self, text: str = "") -> MessageView:
        return self.app.post_office.view(self.observing.ref_of(text))

    def frames(self, name: str) -> list[str]:
        """What the model of ``name`` was given, oldest first."""
        return self.harnesses[name].read

    def times_read(self, name: str, text: str) -> int:
        return sum(
            frame.count(f"| {text}{end}")
            for frame in self.frames(name)
            for end in ("\n", "</event>")
        )

    def comes_true(self, condition: Callable[[], object], what: str) -> None:
        assert condition(), f"not so: {what}"

    @contextmanager
    def trying(self, what: str) -> Generator[None, None, None]:
        """An error of the product ends the attempt and goes to the ledger."""
        self.outcome = self.error = None
        try:
            yield
        except TidingsError as error:
            self.error = error
            self.note(what, type(error).__name__, error.exit_code, error.text)

    def note(self, about: str, token: str, exit_code: int, text: str = "") -> None:
        """One trouble for the ledger."""
        self.ledger.note(Trouble(about=about, token=token, exit_code=exit_code, text=text))

    # Time

    def moment(self) -> None:
        """The little while that passes after each step, and a look at what came of it."""
        self.clockwork.live(MOMENT_SECONDS)
        self.observing.note_all()

    def _witness(self, frame: WrittenFrame) -> None:
        """At a first byte: which stored messages carry a hand-off mark and that frame's digest."""
        digests = digests_in(frame.content)
        marked = [one.row for one in self.observing.messages() if one.row.handoff_at_ns is not None]
        self.marked_at_first_byte += [row.ref for row in marked if row.frame_sha256 in digests]

    def _call(self, pid: int, *, tty: str) -> Call:
        app = self.machine.seen_by(pid)
        return Call(app=app, caller=app.callers.who({}, tty))
