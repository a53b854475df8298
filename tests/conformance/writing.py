"""The product's own way to a real client: its frame, its transport, its adapters."""

from dataclasses import dataclass

from conformance.plain import text_of
from conformance.records import PublishedSession
from conformance.world import World
from tidings.adapters.processes.native import native_processes
from tidings.adapters.sockets.lstat_nodes import LstatSocketNodes
from tidings.adapters.transports.harness_socket import HarnessSocketTransport
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.messages.frame import Frame
from tidings.domain.messages.frame_text import frame_content, frame_digest, frame_text
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.provenance import Proof
from tidings.ports.codec import Document
from tidings.ports.processes import ProcessSeen
from tidings.ports.sockets import SocketNode
from tidings.ports.transport import Endpoint, WriteFact

NOWHERE = "uds:/tmp/td-nobody/m.sock"
SENT_AT_NS = 1_796_000_000_000_000_000
HOUR_NS = 3_600_000_000_000
AWKWARD = '\n  indented, "quoted", <b>tagged</b> & an ä'


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A message as the product frames it; ``letter`` makes its reference differ from all others."""

    body: str
    letter: str
    address: str = NOWHERE

    @property
    def ref(self) -> str:
        """The reference in the frame's first line."""
        return f"m{self.letter * 28}"

    @property
    def text(self) -> str:
        """What stands between the wrapper's lines: the part that our evidence digests (D18)."""
        return frame_text(self._frame())

    @property
    def content(self) -> str:
        """The text in the wrapper by which the client knows a sender (H 3)."""
        return frame_content(self._frame())

    def facts(self) -> Document:
        """For the test: what was written, and by what our hook will know it again."""
        return {"ref": self.ref, "content": self.content, "digest": frame_digest(self._frame())}

    def _frame(self) -> Frame:
        text = self.body + AWKWARD
        return Frame(
            message_ref=self.ref,
            conversation_ref=self.ref,
            reply_to="",
            kind=MessageKind.AGENT,
            client="",
            source_agent="api-agent",
            target_agent="target-agent",
            provider="claude",
            target_provider="claude",
            address="api",
            place="shop:main",
            proof=Proof.ANCESTRY,
            accepted_at_ns=SENT_AT_NS,
            deadline_ns=SENT_AT_NS + 2 * HOUR_NS,
            answer_address=self.address,
            shown=text,
            payload_bytes=len(text.encode()),
        )


class Writer:
    """Writes frames to the client of one world."""

    def __init__(self, world: World, session: PublishedSession) -> None:
        self._world = world
        self._session = session
        self._processes = native_processes(state_folder=str(world.home))
        self._sockets = LstatSocketNodes()
        self._transport = HarnessSocketTransport(
            processes=self._processes, sockets=self._sockets, codec=JsonCodec()
        )

    def write(self, sample: Sample, *, session_id: str = "") -> WriteFact:
        """One write to the conversation of the session, or to ``session_id`` in its stead."""
        return self._transport.write(self._endpoint(session_id), sample.content, lambda: True)

    def _endpoint(self, session_id: str) -> Endpoint:
        node = self._sockets.look(self._session.socket_path)
        process = self._processes.look(self._session.pid)
        assert isinstance(node, SocketNode), node
        assert isinstance(process, ProcessSeen), process
        return Endpoint(
            node=node,
            owner=process.birth,
            session_id=session_id or self._session.session_id,
            token=self._token(),
        )

    def _token(self) -> str:
        """The token that the client gave to its hooks."""
        tokens = (
            text_of(call.environment.get("CLAUDE_CODE_MESSAGING_TOKEN"))
            for call in self._world.hook_calls()
        )
        return next(token for token in tokens if token)
