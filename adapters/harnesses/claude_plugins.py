"""Plugins of Claude Code, by the client's own commands (H 9), and a look at our hook command."""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence

from tidings.adapters.harnesses.claude_status import without_session
from tidings.ports.codec import Value
from tidings.ports.errors import StateUnreadable, StateUnwritable

COMMAND_SECONDS = 60.0
HOOK_SECONDS = 5.0
LONGEST_TOLD = 200
INSTALLED_BESIDE = ".claude/local/claude"
"""Where the client lies below the home if it installed itself, without being on the PATH."""


def find_client(environment: Mapping[str, str]) -> str | None:
    """The client's program on the PATH, or where it installs itself."""
    found = shutil.which("claude", path=environment.get("PATH") or os.defpath)
    home = environment.get("HOME", "")
    if found or not os.path.isabs(home):
        return found
    return shutil.which(os.path.join(home, INSTALLED_BESIDE))


class ClaudePlugins:
    """``program`` is the client, run with ``environment`` without the variables of any session."""

    def __init__(self, program: str, *, environment: Mapping[str, str]) -> None:
        self.program = program
        self._environment = without_session(environment)

    def has(self, plugin: str) -> bool:
        """Whether the plugin is installed and enabled. Raises ``StateUnreadable``."""
        return any(
            row.get("id") == plugin and row.get("enabled") is True
            for row in self._rows("plugin", "list", "--json")
        )

    def knows_marketplace(self, name: str) -> bool:
        """Whether the marketplace is known. Raises ``StateUnreadable``."""
        rows = self._rows("plugin", "marketplace", "list", "--json")
        return any(row.get("name") == name for row in rows)

    def install(self, plugin: str, *, folder: str) -> None:
        """Adds the marketplace in ``folder`` and installs from it. Raises ``StateUnwritable``."""
        self._do("plugin", "marketplace", "add", folder)
        self._do("plugin", "install", plugin)

    def uninstall(self, plugin: str, *, marketplace: str) -> None:
        """Takes both away, as far as they are there. Raises ``StateUnwritable``."""
        if self.has(plugin):
            self._do("plugin", "uninstall", plugin)
        if self.knows_marketplace(marketplace):
            self._do("plugin", "marketplace", "remove", marketplace)

    def _do(self, *words: str) -> None:
        done = self._run(words)
        if done.returncode != 0:
            told = " ".join((done.stderr or done.stdout).split())[:LONGEST_TOLD]
            raise StateUnwritable(
                f"`claude {' '.join(words)}` ended with {done.returncode}: {told}",
                next_step="run that command by itself to see more",
            )

    def _rows(self, *words: str) -> list[dict[str, Value]]:
        done = self._run(words)
        try:
            rows: Value = json.loads(done.stdout) if done.returncode == 0 else None
        except (ValueError, RecursionError):
            rows = None
        if isinstance(rows, list):
            return [row for row in rows if isinstance(row, dict)]
        raise StateUnreadable(
            f"`claude {' '.join(words)}` gave no list",
            next_step="run that command by itself; an older client may need an update",
        )

    def _run(self, words: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        try:
            return subprocess.run(
                [self.program, *words],
                env=self._environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=COMMAND_SECONDS,
                check=False,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise StateUnreadable(
                f"{self.program} could not be run ({type(error).__name__})",
                next_step="`claude --version` should work first",
            ) from error


def hook_fault(command: str, *, environment: Mapping[str, str]) -> str:
    """What speaks against ``command`` as a hook, by running it once as the client does; or nothing.

    No session is around it, so it keeps nothing; it must end with 0 and say nothing.
    """
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            env=without_session(environment),
            input=b'{"hook_event_name": "Stop", "session_id": "setup"}',
            capture_output=True,
            timeout=HOOK_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return f"it could not be run ({type(error).__name__})"
    if done.returncode != 0:
        return f"it ended with {done.returncode}"
    return "it printed something" if done.stdout or done.stderr else ""
