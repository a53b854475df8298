"""The two lines that a harness's inbox takes, and the one line it answers with (M 5.4, H 3, H 10).

Both transports of this shape, the real one and its twin in memory, build with this module, so a
size judged at acceptance is the size that goes on the wire.
"""

import re

from tidings.ports.codec import Codec, Document, DocumentUnreadable
from tidings.ports.transport import Endpoint
from tidings.ports.values import dataclass

TOKEN_MAX_BYTES = 4096
SIZED_TOKEN = "t" * 48
SIZED_SESSION = "s" * 36
"""M 3.3 sizes with a token of 48 bytes; the client's conversation ids are UUIDs of 36."""

INVALID_AUTH = "provider-frame-invalid-auth"
INVALID_CONTENT = "provider-frame-invalid-content"
BUILD_FAILED = "provider-frame-build-failed"

_ATTRIBUTE = r'\s+[A-Za-z][\w-]*="[^"]*"'
_WRAPPED = re.compile(
    rf"\s*<cross-session-message(?:{_ATTRIBUTE})*\s*>(?P<inner>.*)</cross-session-message>\s*",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Bytes ready for one write: an auth line and one user line."""

    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameFault:
    """Why no frame can be made; ``reason`` is the catalogue's token and holds no text of anybody."""

    reason: str


def build_frame(
    codec: Codec, endpoint: Endpoint, content: str, *, limit_bytes: int
) -> Frame | FrameFault:
    """The frame for ``endpoint``, or the first fault: token, content, building, and size last.

    The client would take a frame without a token (H 3); we say who we are or nothing. A frame
    without a conversation is never built: the client could not drop it after ``/clear`` (D1).
    """
    if not _is_token(endpoint.token):
        return FrameFault(reason=INVALID_AUTH)
    if not _is_content(content):
        return FrameFault(reason=INVALID_CONTENT)
    if not endpoint.session_id:
        return FrameFault(reason=BUILD_FAILED)
    try:
        data = _encode(codec, endpoint.token, endpoint.session_id, content)
    except ValueError:
        return FrameFault(reason=BUILD_FAILED)
    return Frame(data=data) if len(data) <= limit_bytes else _too_large(len(data), limit_bytes)


def frame_size(codec: Codec, content: str) -> int:
    """Bytes on the wire for ``content`` with the assumed token and conversation (M 3.3).

    Raises ``ValueError`` where the content cannot be encoded at all.
    """
    return len(_encode(codec, SIZED_TOKEN, SIZED_SESSION, content))


def read_answer(codec: Codec, line: bytes) -> str | None:
    """The text of a native user frame without its wrapper; None for anything else (H 3, H 10)."""
    try:
        frame = codec.decode(line)
    except DocumentUnreadable:
        return None
    message = frame.get("message") if frame.get("type") == "user" else None
    content = message.get("content") if isinstance(message, dict) else None
    return unwrap(content) if isinstance(content, str) else None


def unwrap(content: str) -> str:
    """The inside of one ``<cross-session-message>`` block, stripped; other text is only stripped."""
    wrapped = _WRAPPED.fullmatch(content)
    return (wrapped["inner"] if wrapped else content).strip()


def _is_token(token: str) -> bool:
    length = _utf8_length(token)
    return length is not None and 0 < length <= TOKEN_MAX_BYTES and not set(token) & set("\r\n\0")


def _is_content(content: str) -> bool:
    return bool(content) and _utf8_length(content) is not None and "\0" not in content


def _utf8_length(text: str) -> int | None:
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        return None


def _encode(codec: Codec, token: str, session_id: str, content: str) -> bytes:
    auth: Document = {"type": "auth", "token": token}
    user: Document = {
        "type": "user",
        "message": {"role": "user", "content": content},
        "session_id": session_id,
    }
    return b"".join(codec.encode(line) + b"\n" for line in (auth, user))


def _too_large(frame_bytes: int, limit_bytes: int) -> FrameFault:
    reason = f"provider-frame-too-large: frameBytes={frame_bytes} limitBytes={limit_bytes}"
    return FrameFault(reason=reason)
