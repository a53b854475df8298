"""Permission modes of a client, and what they mean for a frame from outside (D12, H 3, H 9)."""

from typing import Final

OPEN_MODES: Final = frozenset(("default", "acceptEdits", "plan", "auto", "dontAsk"))
"""Modes, as payloads name them, in which Claude Code gives its model a frame of whatever process of
its user. In ``bypassPermissions`` only a live child's frame gets there, and any other waits on the
screen for the operator. Each was measured with 2.1.332, pinned in tests/conformance; a mode that
is not named here was not."""
