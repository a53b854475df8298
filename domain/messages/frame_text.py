"""The text encoding of a frame, for interactive sessions (design page 1, D27, D28).

Every field of a label is made plain here, where it is written: whoever stored it may have been
another version, or an embedder.
"""

from typing import assert_never

from tidings.domain.identity.digest import sha256
from tidings.domain.messages.frame import TYPED_NOTE, Frame, FrameWay
from tidings.domain.messages.instants import to_clock_text
from tidings.domain.messages.labels import plain_field, plain_place, plain_ref
from tidings.domain.messages.limits import LINE_UNITS
from tidings.domain.messages.neutralize import OPENING, body_lines
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.provenance import proof_text

WRAPPER = "cross-session-message"
"""The client's own wrapper: it names the sender to the user and says who did not type this (H 3)."""

BODY_PREFIX = "| "


def frame_text(frame: Frame) -> str:
    """The lines between the wrapper's lines. Every line of the message's own text is prefixed."""
    body = [f"{BODY_PREFIX}{line}" for line in body_lines(frame.shown)]
    lines = [_who(frame), _when(frame), *body, *_cut(frame), *_end(frame)]
    return "\n".join(lines)


def frame_content(frame: Frame) -> str:
    """What goes to Claude's socket: the text in the client's wrapper, an answer address if any."""
    source = f' from="{frame.answer_address}"' if frame.answer_way is FrameWay.SEND_MESSAGE else ""
    return f'<{WRAPPER}{source} from-name="{_name(frame)}">\n{frame_text(frame)}\n</{WRAPPER}>'


def frame_line(frame: Frame) -> str:
    """The whole frame on one line for a monitor to print (D17); empty where it is more than that.

    The client ends what it shows of a line with a closing tag, so none is left in one.
    """
    if len(frame.shown) > LINE_UNITS or not frame.is_whole:
        return ""  # before all of a long text is looked through, at every look of a resident
    body = body_lines(frame.shown)
    if len(body) != 1:
        return ""
    label = "; ".join([_who(frame), _when(frame), *_end(frame)])
    line = f"{label} {BODY_PREFIX}{body[0]}".replace("</", f"{OPENING}/")
    return line if utf16_units(line) <= LINE_UNITS else ""


def utf16_units(text: str) -> int:
    """The length of ``text`` as the client counts it (H 11)."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def frame_digest(frame: Frame) -> str:
    """SHA-256 hex of the text without white space at its ends: what a hook can find again (D18)."""
    return text_digest(frame_text(frame))


def text_digest(text: str) -> str:
    """The same of any text that was written, such as a line."""
    return sha256(text.strip().encode()).hexdigest()


def _who(frame: Frame) -> str:
    ref, proof = _ref(frame.message_ref), proof_text(frame.proof)
    client = plain_field(frame.client)
    match frame.kind:
        case MessageKind.AGENT:
            return f"tidings {ref} from {_sender(frame)}{_in_answer(frame)}, {proof}"
        case MessageKind.PUSH:
            return f"tidings {ref} typed at the operator's terminal {client} with Tidings; {proof}"
        case MessageKind.OPERATOR:
            return f"tidings {ref} through the Tidings client {client}; the person was not verified"
        case MessageKind.AUTOMATION:
            return f"tidings {ref} from a script ({client}), not proved: no agent, no terminal"
        case MessageKind.NOTICE if frame.source_agent:
            return f"tidings {ref}, a notice from {_sender(frame)}, {proof}"
        case MessageKind.NOTICE if frame.was_typed:
            where = f"typed at the operator's terminal {client} with Tidings"
            return f"tidings {ref}, a notice {where}; {proof}"
        case MessageKind.NOTICE:
            return f"tidings {ref}, a notice from a script ({client}), not proved"
        case _:
            assert_never(frame.kind)


def _when(frame: Frame) -> str:
    sent = f"sent {to_clock_text(frame.accepted_at_ns)} UTC"
    if frame.answer_way is FrameWay.NONE:
        return sent
    day = to_clock_text(frame.accepted_at_ns)[:11]
    until = to_clock_text(frame.deadline_ns).removeprefix(day)
    return f"{sent}; an answer is useful until {until} UTC"


def _cut(frame: Frame) -> list[str]:
    if frame.is_whole:
        return []
    shown_bytes = len(frame.shown.encode())
    ref = _ref(frame.message_ref)
    return [f"{shown_bytes} of {frame.payload_bytes} bytes shown; the whole: tidings show {ref}"]


def _end(frame: Frame) -> list[str]:
    note = [TYPED_NOTE] if frame.was_typed else []
    match frame.answer_way:
        case FrameWay.SEND_MESSAGE:
            return [*note, f'to answer: SendMessage to "{frame.answer_address}"']
        case FrameWay.REPLY_VERB:
            return [*note, f"to answer: tidings reply {_ref(frame.message_ref)} -- TEXT"]
        case FrameWay.NONE:
            return note
        case _:
            assert_never(frame.answer_way)


def _name(frame: Frame) -> str:
    if frame.was_typed or frame.kind is MessageKind.OPERATOR:
        return f"tidings {plain_field(frame.client)}"
    return plain_field(frame.address or frame.client)


def _sender(frame: Frame) -> str:
    project, _, branch = frame.place.partition(":")
    about = [plain_field(frame.provider), plain_place(project, branch)]
    return f"{plain_field(frame.address)} ({', '.join(filter(None, about))})"


def _in_answer(frame: Frame) -> str:
    return f" in answer to {_ref(frame.reply_to)}" if frame.reply_to else ""


def _ref(ref: str) -> str:
    return plain_ref(ref)
