"""The frames a native SendMessage writes, in the recorded shapes (H 3, H 10)."""

import json
import os
import socket

from tidings.adapters.processes.native import native_processes
from tidings.adapters.transports.peer_starts import PeerStarts
from tidings.adapters.transports.reply_sockets import ReplySocketFolder
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.ports.processes import ProcessBirth, ProcessSeen


def native_frame(text: str) -> bytes:
    content = (
        '<cross-session-message from="uds:/tmp/cc-socks/7.sock" from-name="api"'
        f' from-mode="prompting">\n{text}\n</cross-session-message>'
    )
    frame = {
        "msgV": 1,
        "msg_id": "558b83dd-0000-4000-8000-000000000000",
        "type": "user",
        "message": {"role": "user", "content": content},
        "priority": "next",
        "from": "uds:/tmp/cc-socks/7.sock",
        "hop-chain": ["558b83dd"],
    }
    return json.dumps(frame).encode() + b"\n"


def control_frame() -> bytes:
    frame = {"type": "control", "action": "notify_when_idle", "from": "uds:/x", "msgV": 1}
    return json.dumps(frame).encode() + b"\n"


def birth_of(pid: int, *, state: str = "") -> ProcessBirth | None:
    """A process as the kernel shows it; None where it is not (in that ``state``)."""
    fact = native_processes(state_folder="/tmp").look(pid)
    seen = isinstance(fact, ProcessSeen) and state in ("", fact.state)
    return fact.birth if isinstance(fact, ProcessSeen) and seen else None


def birth_here() -> ProcessBirth:
    """This process."""
    birth = birth_of(os.getpid())
    assert birth is not None
    return birth


def reply_folder(folder: str, *, owner: ProcessBirth | None = None) -> ReplySocketFolder:
    """Real reply sockets in ``folder`` for a session whose process is ``owner``."""
    starts = PeerStarts(native_processes(state_folder=folder), known=owner)
    return ReplySocketFolder(folder=folder, codec=JsonCodec(), starts=starts)


def write_native(address: str, text: str) -> bool:
    """Writes one answer at ``uds:PATH``; False where nothing listens."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        try:
            connection.connect(address.removeprefix("uds:"))
        except OSError:
            return False
        connection.sendall(native_frame(text))
    return True
