"""The client's own SendMessage to a ``uds:`` address (H 3, H 10)."""

import asyncio
import json

from tidings.entrypoints.simulated.state import HarnessState, new_id
from tidings.ports.codec import Document

_SCHEME = "uds:"


async def send_native(state: HarnessState, address: str, text: str) -> str:
    """Writes one recorded-shape frame from this very process; returns why not, or nothing."""
    if not address.startswith(_SCHEME):
        return "no such peer"
    frame = json.dumps(_frame(state, text), ensure_ascii=False) + "\n"
    try:
        _reader, writer = await asyncio.open_unix_connection(address.removeprefix(_SCHEME))
        writer.write(frame.encode("utf-8", "replace"))
        await writer.drain()
        writer.close()
        await writer.wait_closed()
    except OSError as error:
        return error.strerror or "unreachable"
    return ""


def _frame(state: HarnessState, text: str) -> Document:
    own = f"{_SCHEME}{state.places.socket}"
    content = (
        f'<cross-session-message from="{own}" from-name="{state.name}" from-mode="prompting">\n'
        f"{text}\n</cross-session-message>"
    )
    return {
        "msgV": 1,
        "msg_id": new_id(),
        "type": "user",
        "message": {"role": "user", "content": content},
        "priority": "next",
        "from": own,
    }
