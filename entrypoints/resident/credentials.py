"""The harness's messaging credentials: taken out of the environment first, kept in memory only.

Between two images of the resident they travel through an anonymous pipe (``image``), so that
neither argv nor the environment ever shows them (R 2.3, M 5.1).
"""

import re
from collections.abc import MutableMapping

from tidings.ports.codec import Document
from tidings.ports.values import dataclass

SECRET_KEYS = ("CLAUDE_CODE_MESSAGING_SOCKET", "CLAUDE_CODE_MESSAGING_TOKEN")
LONGEST_TOKEN = 4096
"""Bytes (R 2.2 step 10)."""

AGENT_VERSION = re.compile(r"claude-code_(\d+)-(\d+)-(\d+)", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """What the harness gave its child. ``command`` is the client's own executable, or empty."""

    harness_pid: int
    conversation_id: str
    socket_path: str
    token: str
    client_version: str
    command: str

    def to_document(self) -> Document:
        """All of it, secrets too: for the pipe between two images and for nothing else."""
        return {
            "harness_pid": self.harness_pid,
            "conversation_id": self.conversation_id,
            "socket_path": self.socket_path,
            "token": self.token,
            "client_version": self.client_version,
            "command": self.command,
        }


def take_credentials(environment: MutableMapping[str, str]) -> Credentials:
    """Reads them and removes the two secrets from ``environment``; malformed ones become empty."""
    taken = {key: environment.pop(key, "") for key in SECRET_KEYS}
    token = taken["CLAUDE_CODE_MESSAGING_TOKEN"]
    pid = environment.get("CLAUDE_PID", "")
    return Credentials(
        harness_pid=int(pid) if pid.isascii() and pid.isdecimal() else 0,
        conversation_id=environment.get("CLAUDE_CODE_SESSION_ID", ""),
        socket_path=taken["CLAUDE_CODE_MESSAGING_SOCKET"],
        token=token if _usable(token) else "",
        client_version=_version(environment.get("AI_AGENT", "")),
        command=environment.get("CLAUDE_CODE_EXECPATH", ""),
    )


def _usable(token: str) -> bool:
    return len(token.encode()) <= LONGEST_TOKEN and not any(mark in token for mark in "\r\n\0")


def _version(agent: str) -> str:
    """``claude-code_2-1-332_agent`` names the version (H 9)."""
    found = AGENT_VERSION.match(agent)
    return ".".join(found.groups()) if found else ""
