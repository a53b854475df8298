"""What keeps Claude Code from running the user's hooks at all: a switch of the user's, or of whoever
manages the machine."""

import os
import sys
from collections.abc import Iterator

from tidings.ports.codec import Codec, DocumentUnreadable, ReadOnlyDocument

OFF = "disableAllHooks"
MANAGED_ONLY = "allowManagedHooksOnly"
MANAGED_FOLDER = (
    "/Library/Application Support/ClaudeCode" if sys.platform == "darwin" else "/etc/claude-code"
)
"""Where the client looks for settings that outweigh the user's."""

LARGEST_BYTES = 4 * 1024 * 1024


class ClaudePolicy:
    """``folder`` is that of the managed settings (absolute)."""

    def __init__(self, *, codec: Codec, folder: str = MANAGED_FOLDER) -> None:
        self._codec = codec
        self._folder = folder

    def why_no_hooks(self, path: str, text: str) -> str:
        """What switches hooks off, in a few words, given the user's settings at ``path``; empty
        where nothing does. A managed file that cannot be read says nothing."""
        if self._codec.decode(text.encode()).get(OFF) is True:
            return f"{OFF} is set in {path}"
        for managed, document in self._managed():
            for key in (OFF, MANAGED_ONLY):
                if document.get(key) is True:
                    return f"{key} is set in {managed}"
        return ""

    def _managed(self) -> Iterator[tuple[str, ReadOnlyDocument]]:
        """The managed file, and those dropped in beside it."""
        beside = os.path.join(self._folder, "managed-settings.d")
        try:
            dropped = [os.path.join(beside, name) for name in sorted(os.listdir(beside))]
        except OSError:
            dropped = []
        first = os.path.join(self._folder, "managed-settings.json")
        for path in (first, *(one for one in dropped if one.endswith(".json"))):
            try:
                with open(path, "rb") as stream:
                    yield path, self._codec.decode(stream.read(LARGEST_BYTES))
            except (OSError, DocumentUnreadable):
                continue
