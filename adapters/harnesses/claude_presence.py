"""Recognising a Claude session by the client's own registry (H 3)."""

from tidings.adapters.harnesses.claude_record import RecordUnreadable, read_record
from tidings.ports.codec import Codec
from tidings.ports.presence import HarnessSighting
from tidings.ports.tokens import Provider


class ClaudePresence:
    """Reads ``sessions/<pid>.json`` below the client's configuration ``folder``."""

    def __init__(self, *, folder: str, codec: Codec) -> None:
        self._folder = folder
        self._codec = codec

    def at(self, pid: int) -> HarnessSighting | None:
        """What the client declares for ``pid``. Whether it is still that process, others judge."""
        try:
            record = read_record(self._folder, pid, self._codec)
        except RecordUnreadable:
            return None
        return HarnessSighting(
            pid=record.pid,
            provider=Provider.CLAUDE,
            session_id=record.session_id,
            name=record.name,
            cwd=record.cwd,
            socket_path=record.socket_path,
            version=record.version,
            start_ticks=record.start_ticks,
        )
