"""What the target's model reads: facts about the message, then its text (D28, M 8, P10)."""

from enum import StrEnum
from typing import Final

from tidings.domain.messages.envelope import Envelope
from tidings.domain.messages.labels import is_answer_address
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.provenance import Proof
from tidings.domain.messages.reply_box import is_box
from tidings.ports.values import dataclass, replace

TYPED_NOTE: Final = (
    "Anything destructive, irreversible or outside the current work "
    "is left for the user of this session to settle."
)
"""What a frame says beside words that were typed at a terminal: they add no authority (D27)."""


class FrameWay(StrEnum):
    """How the reader can answer."""

    SEND_MESSAGE = "send-message"
    REPLY_VERB = "reply-verb"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One message as it will be read. It has one meaning and two encodings: text and JSON.

    ``address``, ``provider`` and ``place`` describe the sender, ``client`` the terminal, script or
    in-process client where no agent sent it. ``answer_address`` is ``uds:PATH``, or empty.
    One that is not plain is not offered: it stands in a tag and in a line that Tidings vouches for.
    ``shown`` is the part of the payload that the frame carries; ``payload_bytes`` its whole size.
    ``has_box``: answers are kept for a sender that is no agent.
    """

    message_ref: str
    conversation_ref: str
    reply_to: str
    kind: MessageKind
    client: str
    source_agent: str
    target_agent: str
    provider: str
    target_provider: str
    address: str
    place: str
    proof: Proof
    accepted_at_ns: int
    deadline_ns: int
    answer_address: str
    shown: str
    payload_bytes: int
    has_box: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether the whole payload is in the frame."""
        return len(self.shown.encode()) == self.payload_bytes

    @property
    def was_typed(self) -> bool:
        """Whether it was typed at a terminal of the operator's: a push, or a notice from there."""
        from_terminal = self.kind is MessageKind.NOTICE and self.proof is Proof.TERMINAL
        return self.kind is MessageKind.PUSH or (from_terminal and not self.source_agent)

    @property
    def answer_way(self) -> FrameWay:
        """Only an agent's message, and one with a reply box, expects an answer; nobody answers
        himself (M 8.1, D22)."""
        no_way_back = self.source_agent == self.target_agent or is_box(self.target_agent)
        is_agents = self.kind is MessageKind.AGENT and not no_way_back
        if not (is_agents or self.has_box):
            return FrameWay.NONE
        is_offered = is_answer_address(self.answer_address)
        return FrameWay.SEND_MESSAGE if is_offered else FrameWay.REPLY_VERB

    def cut_to(self, characters: int) -> "Frame":
        """The same frame with the first ``characters`` of its text."""
        return replace(self, shown=self.shown[:characters])


def frame_of(envelope: Envelope, *, answer_address: str) -> Frame:
    """The frame of ``envelope``. Fences (pane, generation, incarnation) are left out (M 8.1)."""
    seen = envelope.provenance
    return Frame(
        message_ref=envelope.message_ref,
        conversation_ref=envelope.conversation_ref,
        reply_to=envelope.reply_to,
        kind=envelope.kind,
        client=envelope.origin.client if envelope.origin is not None else "",
        source_agent=envelope.source.agent_uid if envelope.source is not None else "",
        target_agent=envelope.target.agent_uid,
        provider=envelope.source.provider if envelope.source is not None else "",
        target_provider=envelope.target.provider,
        address=seen.address if seen is not None else "",
        place=seen.place if seen is not None else "",
        proof=seen.proof if seen is not None else Proof.NONE,
        accepted_at_ns=envelope.accepted_at_ns,
        deadline_ns=envelope.deadline_ns,
        answer_address=answer_address,
        shown=envelope.payload,
        payload_bytes=len(envelope.payload.encode()),
        has_box=bool(envelope.wishes.reply_box),
    )
