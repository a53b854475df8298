"""Claude's own record of a running session, read strictly: ``sessions/<pid>.json`` (H 3).

The format is internal to the client and may change in any release, so whatever does not read as
known reads as nothing.
"""

import os
from collections.abc import Mapping

from tidings.adapters.harnesses.claude_files import NO_LINK, read_regular
from tidings.domain.documents import Fields, FieldWrong
from tidings.ports.codec import Codec, DocumentUnreadable, Value
from tidings.ports.values import dataclass

LARGEST_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeRecord:
    """What a session says of itself. ``start_ticks`` is the kernel start it claims, or empty."""

    pid: int
    session_id: str
    name: str
    cwd: str
    socket_path: str
    version: str
    start_ticks: str
    status: str
    waiting_for: str


class RecordUnreadable(Exception):
    """No record, or none that reads as known; the text says why."""


def config_folder(environment: Mapping[str, str]) -> str:
    """``$CLAUDE_CONFIG_DIR``, else ``$HOME/.claude``; empty where neither is an absolute path."""
    chosen = environment.get("CLAUDE_CONFIG_DIR", "")
    if os.path.isabs(chosen):
        return chosen
    home = environment.get("HOME", "")
    return os.path.join(home, ".claude") if os.path.isabs(home) else ""


def read_record(folder: str, pid: int, codec: Codec) -> ClaudeRecord:
    """The record of ``pid`` below the configuration ``folder``. Raises ``RecordUnreadable``."""
    if not folder:
        raise RecordUnreadable("there is no home in which the client would keep records")
    try:
        data = read_regular(
            os.path.join(folder, "sessions", f"{pid}.json"),
            flags=NO_LINK,
            largest_bytes=LARGEST_BYTES,
        )
        record = _parse(Fields(document=codec.decode(data)))
    except OSError as error:
        raise RecordUnreadable((error.strerror or str(error)).lower()) from error
    except (DocumentUnreadable, FieldWrong) as error:
        raise RecordUnreadable(str(error)) from error
    if record.pid != pid:
        raise RecordUnreadable("the record names another process")
    return record


def _parse(fields: Fields) -> ClaudeRecord:
    return ClaudeRecord(
        pid=fields.integer("pid", least=1),
        session_id=fields.text("sessionId"),
        name=fields.text("name", default=""),
        cwd=fields.text("cwd", default=""),
        socket_path=fields.text("messagingSocketPath", default=""),
        version=fields.text("version", default=""),
        start_ticks=_number_or_text(fields.document.get("procStart")),
        status=fields.text("status", default=""),
        waiting_for=fields.text("waitingFor", default=""),
    )


def _number_or_text(value: Value) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
