"""The frames a native SendMessage writes, in the recorded shapes (H 3, H 10)."""

import json
import socket


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


def write_native(address: str, text: str) -> bool:
    """Writes one answer at ``uds:PATH``; False where nothing listens."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        try:
            connection.connect(address.removeprefix("uds:"))
        except OSError:
            return False
        connection.sendall(native_frame(text))
    return True
