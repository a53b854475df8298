"""Where a simulated harness keeps its files: the client's own layout below one home (H 2, H 3)."""

import hashlib
import os
import re

from tidings.ports.values import dataclass

_NOT_IN_A_FOLDER_NAME = re.compile(r"[^A-Za-z0-9]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Paths of one process; ``socket_base`` is where ``cc-socks`` lies."""

    home: str
    cwd: str
    socket_base: str
    pid: int

    @property
    def settings(self) -> str:
        return os.path.join(self.home, ".claude", "settings.json")

    @property
    def all_settings(self) -> tuple[str, ...]:
        """The repository's own two files come before the user's."""
        own = os.path.join(self.cwd, ".claude")
        names = ("settings.local.json", "settings.json")
        return (*(os.path.join(own, name) for name in names), self.settings)

    @property
    def sessions(self) -> str:
        return sessions_folder(self.home)

    @property
    def record(self) -> str:
        return os.path.join(self.sessions, f"{self.pid}.json")

    @property
    def key_file(self) -> str:
        digest = hashlib.sha256(self.socket.encode()).hexdigest()
        return os.path.join(self.sessions, f"{self.pid}.{digest}.key")

    @property
    def sockets(self) -> str:
        return os.path.join(self.socket_base, "cc-socks")

    @property
    def socket(self) -> str:
        return os.path.join(self.sockets, f"{self.pid}.sock")

    @property
    def command(self) -> str:
        return os.path.join(self.home, "bin", "claude")

    @property
    def plugin(self) -> str:
        return os.path.join(self.home, ".claude", "plugins", "tidings")

    @property
    def model_requests(self) -> str:
        return os.path.join(self.home, f"model-requests-{self.pid}.jsonl")

    @property
    def hook_events(self) -> str:
        return os.path.join(self.home, f"hook-events-{self.pid}.jsonl")

    @property
    def commands(self) -> str:
        return os.path.join(self.home, f"commands-{self.pid}.jsonl")

    def transcript(self, session_id: str) -> str:
        """The conversation's file; it appears with its first line."""
        project = _NOT_IN_A_FOLDER_NAME.sub("-", self.cwd)
        return os.path.join(self.home, ".claude", "projects", project, f"{session_id}.jsonl")


def sessions_folder(home: str) -> str:
    """Where every session of one home publishes itself."""
    return os.path.join(home, ".claude", "sessions")
