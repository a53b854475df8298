"""A whole post in memory: two sessions, one of them with a resident's post, and every knob."""

from collections.abc import Callable
from dataclasses import dataclass, field

from support.opt_in import nobody_opted_in, nobody_registered
from tidings.adapters.memory.clock import ManualClock, SeededIds
from tidings.adapters.memory.consent_marks import MemoryConsentMarks
from tidings.adapters.memory.doorbell import MemoryDoorbell
from tidings.adapters.memory.locks import MemoryLocks
from tidings.adapters.memory.messages import MemoryMessageStore
from tidings.adapters.memory.processes import HOME, MemoryKernel, MemoryProcesses
from tidings.adapters.memory.replies import MemoryReplySockets
from tidings.adapters.memory.sockets import MemorySocketNodes
from tidings.adapters.memory.transport import MemoryLineTransport, MemoryTransport
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.consent.desk import ConsentDesk
from tidings.domain.consent.opt_in import OptIn
from tidings.domain.consent.scope import ConsentScope
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.identity.probe import OwnerProbe
from tidings.domain.interaction.freedom import AwaitsOperator, Free, Freedom
from tidings.domain.interaction.prompts import PromptSeen
from tidings.domain.messages.dispatcher import DeliveryPost, Dispatcher
from tidings.domain.messages.drafts import Draft
from tidings.domain.messages.evidence import note_prompts
from tidings.domain.messages.inbox import Inbox
from tidings.domain.messages.limits import DEFAULT_TTL_NS
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.outlook import Ways
from tidings.domain.messages.post_office import PostOffice
from tidings.domain.messages.provenance import Proof
from tidings.domain.messages.room import StoreLimits
from tidings.domain.messages.send_outcome import Receipt, SendOutcome
from tidings.domain.messages.wishes import NO_WISHES, Wishes
from tidings.ports.agents import ActivationRow, RegistrationRow
from tidings.ports.messages import MessageRow, MessageStore, StoreTransaction
from tidings.ports.tokens import Provider
from tidings.ports.transport import Endpoint, WriteFact

DIALOG = AwaitsOperator(why="a permission dialog is open")
IDLE = Free(idle=True)
GENERATION = "generation-1"


@dataclass(slots=True)
class ScriptedFreedom:
    """What the observer would say."""

    now: Freedom = IDLE

    def freedom(self, session_key: str, owner_pid: int) -> Freedom:
        return self.now

    def glimpse(self, session_key: str, owner_pid: int) -> Freedom:
        return self.now


class WatchedTransport(MemoryTransport):
    """The transport in memory, with a look at the moment of a write.

    ``before_write`` runs once when the next write begins, ``before_ask[n]`` right before the
    fence is asked for the nth time in all.
    """

    def __init__(self) -> None:
        super().__init__(codec=JsonCodec())
        self.before_write: Callable[[], None] = _nothing
        self.before_ask: dict[int, Callable[[], None]] = {}
        self.asked = 0

    def write(self, endpoint: Endpoint, content: str, fence: Callable[[], bool]) -> WriteFact:
        act, self.before_write = self.before_write, _nothing
        act()

        def watched() -> bool:
            self.asked += 1
            self.before_ask.get(self.asked, _nothing)()
            return fence()

        return super().write(endpoint, content, watched)


def endpoint_of(post: DeliveryPost) -> Endpoint:
    """The socket of a post that has one."""
    assert post.endpoint is not None
    return post.endpoint


def _nothing() -> None:
    """The default of a watch."""


@dataclass(slots=True)
class Bench:
    """``api`` and ``front`` run; ``api`` is armed and has a resident; everything else is a knob."""

    kernel: MemoryKernel = field(default_factory=MemoryKernel)
    clock: ManualClock = field(default_factory=ManualClock)
    store: MessageStore = field(default_factory=MemoryMessageStore)
    locks: MemoryLocks = field(default_factory=MemoryLocks)
    marks: MemoryConsentMarks = field(default_factory=MemoryConsentMarks)
    nodes: MemorySocketNodes = field(default_factory=MemorySocketNodes)
    bells: MemoryDoorbell = field(default_factory=MemoryDoorbell)
    sockets: MemoryReplySockets = field(default_factory=MemoryReplySockets)
    freedom: ScriptedFreedom = field(default_factory=ScriptedFreedom)
    transport: WatchedTransport = field(default_factory=WatchedTransport)
    line: MemoryLineTransport = field(default_factory=MemoryLineTransport)
    limits: StoreLimits = field(default_factory=StoreLimits)
    default_of: Callable[[str], OptIn] = nobody_opted_in
    probe: OwnerProbe = field(init=False)
    desk: ConsentDesk = field(init=False)
    office: PostOffice = field(init=False)
    dispatcher: Dispatcher = field(init=False)
    inbox: Inbox = field(init=False)
    api: ActivationRow = field(init=False)
    front: ActivationRow = field(init=False)
    post: DeliveryPost = field(init=False)

    def __post_init__(self) -> None:
        processes = MemoryProcesses(self.kernel)
        self.probe = OwnerProbe(processes=processes, sockets=self.nodes)
        self.desk = ConsentDesk(
            marks=self.marks,
            locks=self.locks,
            clock=self.clock,
            probe=self.probe,
            default_of=self.default_of,
            registered=nobody_registered,
        )
        self.office = PostOffice(
            store=self.store,
            consent=self.desk,
            clock=self.clock,
            ids=SeededIds(),
            doorbell=self.bells,
            sizer=self.transport,
            probe=self.probe,
            limits=lambda: self.limits,
        )
        self.dispatcher = self.new_dispatcher()
        self.inbox = Inbox(
            store=self.store,
            consent=self.desk,
            probe=self.probe,
            locks=self.locks,
            clock=self.clock,
        )
        self.api = self.run("api")
        self.front = self.run("front")
        self.post = self.take_post(self.api)
        self.arm(self.api)

    def new_dispatcher(self, *, has_line: bool = True) -> Dispatcher:
        """A dispatcher as another resident's process would have it."""
        return Dispatcher(
            store=self.store,
            consent=self.desk,
            observer=self.freedom,
            probe=self.probe,
            locks=self.locks,
            clock=self.clock,
            transport=self.transport,
            line=self.line if has_line else None,
            reply_sockets=self.sockets,
        )

    def run(self, name: str, *, provider: Provider = Provider.CLAUDE) -> ActivationRow:
        """A new process becomes a run of the agent ``name``."""
        birth = self.kernel.spawn()
        owner = SessionOwner(birth=birth, place=HOME, socket=None)
        row = ActivationRow(
            activation_id=f"activation-{birth.pid}",
            agent_uid=f"agent-{name}",
            session_key=owner.key,
            provider=str(provider),
            owner=birth,
            place=HOME,
            conversation_id=f"conversation-{name}",
            address=name,
            label=name,
            cwd=f"/home/dev/{name}",
            started_at_ns=self.clock.now().wall_ns,
            ended_at_ns=None,
            end_reason="",
        )
        self.put(row)
        return row

    def put(self, *rows: ActivationRow) -> None:
        """Writes activations."""

        def work(tx: StoreTransaction) -> None:
            for row in rows:
                tx.put_activation(row)

        self.store.transact(work, wait_seconds=0)

    def take_post(
        self,
        row: ActivationRow,
        generation: str = GENERATION,
        *,
        listens: bool = True,
        version: str = "2.1.332",
        ways: Ways = Ways(socket=True, line=True),  # noqa: B008  a value, never changed
    ) -> DeliveryPost:
        """A resident claims the lease of ``row`` and listens at its bell."""
        lease = RegistrationRow(
            activation_id=row.activation_id,
            generation=generation,
            conversation_id=row.conversation_id,
            resident=self.kernel.spawn(),
            ready=True,
            client_version=version,
            claimed_at_ns=self.clock.now().wall_ns,
        )
        self.store.transact(lambda tx: tx.put_registration(lease), wait_seconds=0)
        if listens:
            self.bells.listen(row.session_key)
        node = self.nodes.bind(f"/cc-socks/{row.owner.pid}.sock")
        self.transport.listen(node, row.owner)
        endpoint = Endpoint(
            node=node, owner=row.owner, session_id=row.conversation_id, token="t" * 48
        )
        return DeliveryPost(
            activation_id=row.activation_id,
            generation=generation,
            conversation_id=row.conversation_id,
            endpoint=endpoint,
            ways=ways,
        )

    def arm(self, row: ActivationRow, scope: ConsentScope | None = None) -> None:
        """The session agrees to hear."""
        owner = SessionOwner(birth=row.owner, place=row.place, socket=None)
        self.desk.arm(owner, cwd=row.cwd, scope=scope or ConsentScope())

    def disarm(self, row: ActivationRow) -> None:
        """The session takes its consent back."""
        self.desk.disarm(row.session_key, cwd=row.cwd)

    def draft(
        self,
        text: str = "the API changed",
        *,
        kind: MessageKind = MessageKind.AGENT,
        source: ActivationRow | None = None,
        target: ActivationRow | None = None,
        ref: str | None = None,
        ttl_ns: int = DEFAULT_TTL_NS,
        allow_self: bool = False,
        wishes: Wishes = NO_WISHES,
    ) -> Draft:
        """From ``front`` (or, for other kinds, from nobody) to ``api``."""
        sender = source or (self.front if kind is MessageKind.AGENT else None)
        return Draft(
            source=sender,
            target=target or self.api,
            kind=kind,
            text=text,
            proof=Proof.ANCESTRY if sender else Proof.NONE,
            client="" if kind is MessageKind.AGENT else "console",
            place="shop:main",
            ttl_ns=ttl_ns,
            ref=ref,
            allow_self=allow_self,
            wishes=wishes,
        )

    def send(
        self,
        text: str = "the API changed",
        *,
        kind: MessageKind = MessageKind.AGENT,
        target: ActivationRow | None = None,
        ref: str | None = None,
        ttl_ns: int = DEFAULT_TTL_NS,
        wishes: Wishes = NO_WISHES,
    ) -> Receipt:
        """Sends and expects acceptance."""
        draft = self.draft(text, kind=kind, target=target, ref=ref, ttl_ns=ttl_ns, wishes=wishes)
        return accepted(self.office.send(draft))

    def see(self, ref: str) -> None:
        """The harness puts what was written of ``ref`` before its model, and its hook tells so."""
        row = self.row(ref)
        assert row.frame_sha256 is not None
        prompts = [PromptSeen(refs=(ref,), digests=(row.frame_sha256,))]
        at_ns = self.clock.now().wall_ns

        def work(tx: StoreTransaction) -> None:
            target = tx.activation(row.target_activation)
            assert target is not None
            note_prompts(tx, session_key=target.session_key, prompts=prompts, at_ns=at_ns)

        self.store.transact(work, wait_seconds=0)

    def row(self, ref: str) -> MessageRow:
        """The row as it is stored."""
        row = self.store.view(lambda tx: tx.message(ref))
        assert row is not None, ref
        return row

    def state(self, ref: str) -> tuple[str, str]:
        """State and reason as stored."""
        row = self.row(ref)
        return row.state, row.reason

    def texts(self) -> list[str]:
        """The bodies of the frames that were written, in order."""
        return [
            "\n".join(
                line.removeprefix("| ")
                for line in frame.content.splitlines()
                if line.startswith("| ")
            )
            for frame in self.transport.written
        ]


def accepted(outcome: SendOutcome) -> Receipt:
    """The receipt; anything else fails the test with the refusal."""
    assert isinstance(outcome, Receipt), outcome
    return outcome
