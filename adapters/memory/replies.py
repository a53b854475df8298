"""Reply sockets in memory: addresses without files, and answers that a test lets arrive."""

from collections import deque
from collections.abc import Sequence

from tidings.ports.processes import ProcessBirth
from tidings.ports.replies import BrokenAnswer, NativeAnswer


class MemoryReplySockets:
    """``arrive`` plays the harness: it reaches an open address, and no other."""

    def __init__(self, *, folder: str = "/memory") -> None:
        self._folder = folder
        self._open: dict[str, str] = {}
        self._arrived: deque[NativeAnswer] = deque()

    def address(self, ref: str) -> str:
        return self._open.setdefault(ref, f"uds:{self._folder}/{ref}.sock")

    def close(self, ref: str) -> None:
        self._open.pop(ref, None)

    def close_all(self, *, wait_seconds: float = 0.0) -> None:
        for ref in list(self._open):
            self.close(ref)

    def filenos(self) -> Sequence[int]:
        return []

    def accept_ready(self) -> Sequence[NativeAnswer]:
        ready = list(self._arrived)
        self._arrived.clear()
        return ready

    def take_broken(self) -> Sequence[BrokenAnswer]:
        return []

    def arrive(self, address: str, text: str, *, peer: ProcessBirth) -> bool:
        """One native frame of ``peer`` at ``address``; False where nothing listens there."""
        for ref, opened in self._open.items():
            if opened == address:
                self._arrived.append(
                    NativeAnswer(
                        ref=ref,
                        peer_pid=peer.pid,
                        peer_uid=peer.uid,
                        peer_start=peer.start,
                        text=text.strip(),
                    )
                )
                return True
        return False
