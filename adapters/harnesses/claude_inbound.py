"""``crossSessionInbound`` in the settings of Claude Code: files that we only read (H 3)."""

import os
from typing import Final

from tidings.adapters.harnesses.claude_files import NO_WAIT, read_regular
from tidings.ports.codec import Codec, DocumentUnreadable
from tidings.ports.inbound import InboundPolicy

NAME: Final = "crossSessionInbound"
LARGEST_BYTES: Final = 4 * 1024 * 1024
MANAGED: Final = "/etc/claude-code/managed-settings.json"
_WORDS: Final = (InboundPolicy.ACCEPT, InboundPolicy.HOLD, InboundPolicy.REFUSE)


class ClaudeInbound:
    """``folder`` is the client's configuration folder, ``managed`` the machine's own file.

    The machine's file counts before the repository's two, and those before the user's.
    """

    def __init__(self, folder: str, *, codec: Codec, managed: str = MANAGED) -> None:
        self._folder = folder
        self._codec = codec
        self._managed = managed

    def policy(self, cwd: str) -> InboundPolicy:
        """The first file that says something counts; one that does not read may have said no."""
        own = os.path.join(cwd, ".claude")
        paths = (
            self._managed,
            os.path.join(own, "settings.local.json"),
            os.path.join(own, "settings.json"),
            os.path.join(self._folder, "settings.json"),
        )
        for path in paths:
            said = self._said(path)
            if said is not InboundPolicy.UNSET:
                return said
        return InboundPolicy.UNSET

    def _said(self, path: str) -> InboundPolicy:
        try:
            word = self._codec.decode(_text_of(path)).get(NAME)
        except FileNotFoundError:
            return InboundPolicy.UNSET
        except (OSError, DocumentUnreadable):
            return InboundPolicy.UNKNOWN
        if word is None:
            return InboundPolicy.UNSET
        return next((one for one in _WORDS if one == word), InboundPolicy.UNKNOWN)


def _text_of(path: str) -> bytes:
    """Links are followed, as the client does."""
    return read_regular(path, flags=NO_WAIT, largest_bytes=LARGEST_BYTES)
