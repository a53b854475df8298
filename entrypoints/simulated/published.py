"""What a session publishes of itself: its record, its key, and how the two end (H 3)."""

import json
import os

from tidings.entrypoints.simulated.environment import entrypoint_of
from tidings.entrypoints.simulated.files import remove, write_whole
from tidings.entrypoints.simulated.kernel import pid_domain
from tidings.entrypoints.simulated.options import SessionKind
from tidings.entrypoints.simulated.state import HarnessState, now_ms
from tidings.ports.codec import Document
from tidings.ports.tokens import StatusWord

SHELL = "shell"
"""What the real client's record says between turns beside a monitor (2.1.332, conformance)."""


class PublishedRecord:
    """``sessions/<pid>.json`` (0644 in a 0700 folder), replaced whole at every change."""

    def __init__(self, state: HarnessState) -> None:
        self._state = state
        self.status = StatusWord.IDLE
        self.waiting_for = ""

    def open(self) -> None:
        """Makes the folder and the key file, and publishes for the first time."""
        places = self._state.places
        os.makedirs(places.sessions, mode=0o700, exist_ok=True)
        key = {
            "peerToken": self._state.token,
            "procStart": self._state.proc_start,
            "pidDomain": pid_domain(),
        }
        write_whole(places.key_file, json.dumps(key), mode=0o600)
        self.publish(StatusWord.IDLE)

    def publish(self, status: StatusWord, waiting_for: str = "") -> None:
        """Says ``status``; ``waiting_for`` is written only while a dialog is open."""
        self.status, self.waiting_for = status, waiting_for
        text = json.dumps(self._document(), ensure_ascii=False)
        write_whole(self._state.places.record, text, mode=0o644)

    def withdraw(self) -> None:
        """Takes record and key away, as an orderly end does (a SIGKILL leaves them, H 2)."""
        remove(self._state.places.record)
        remove(self._state.places.key_file)

    def _word(self) -> str:
        """Between turns a session with a live plugin monitor says ``shell``, not ``idle``."""
        between_turns = self.status is StatusWord.IDLE
        return SHELL if between_turns and self._state.has_monitor else self.status.value

    def _document(self) -> Document:
        state = self._state
        document: Document = {
            "pid": state.pid,
            "sessionId": state.session_id,
            "cwd": state.options.cwd,
            "startedAt": state.started_at_ms,
            "procStart": state.proc_start,
            "version": state.options.version,
            "peerProtocol": 1,
            "peerFeatures": ["notify_idle", "reply_across_default_dirs", "artifact_yield"],
            "kind": "bg" if state.options.kind is SessionKind.BACKGROUND else "interactive",
            "entrypoint": entrypoint_of(state.options.kind),
            "pidDomain": pid_domain(),
            "messagingSocketPath": state.places.socket,
            "name": state.name,
            "nameSource": "user" if state.options.name else "derived",
            "nameSince": state.started_at_ms,
            "updatedAt": now_ms(),
            "status": self._word(),
            "statusUpdatedAt": now_ms(),
        }
        if self.waiting_for:
            document["waitingFor"] = self.waiting_for
        return document
