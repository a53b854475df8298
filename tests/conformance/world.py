"""A throwaway home for one real client: its answers, hooks, plugin, and what it tells of itself."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from conformance.clients import Client
from conformance.records import HookCall, PublishedSession, read_hook_calls, read_session
from conformance.terminal import ENTER, Terminal
from support.waiting import until
from tidings.ports.codec import Document, Value

KEY = "sk-ant-dummy-key-000000000000000000000000"
KEY_ENDING = KEY[-20:]
RECORDER = Path(__file__).with_name("hook_recorder.py")
HOOK_SECONDS = 30
START_SECONDS = 20.0
TURN_SECONDS = 15.0
LOG_CHARACTERS = 1500

BETWEEN_TURNS = ("idle", "shell")
"""``shell``: idle, but a plugin monitor or another background command of the session runs."""

EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "PostToolUseFailure",
    "PermissionDenied",
    "Elicitation",
    "ElicitationResult",
    "Notification",
    "SubagentStop",
    "Stop",
    "StopFailure",
    "SessionEnd",
)


class World:
    """One home below ``folder``, with a project that is trusted and a model at ``model_url``."""

    def __init__(self, folder: Path, *, model_url: str) -> None:
        self.home = folder
        self.project = folder / "proj"
        self._hook_log = folder / "hooks.jsonl"
        for name, mode in (("proj", 0o755), ("tmp", 0o700), ("run", 0o700), (".claude", 0o700)):
            (folder / name).mkdir(parents=True, mode=mode)
        self.environment = _environment(folder, model_url)
        self._settings: Document = {}
        self._trusted = [self.project]
        self._answer_first_dialogs()
        self.use_hooks()

    def _answer_first_dialogs(self) -> None:
        _write(
            self.home / ".claude.json",
            {
                "hasCompletedOnboarding": True,
                "theme": "dark",
                "customApiKeyResponses": {"approved": [KEY_ENDING], "rejected": []},
                "projects": {str(one): {"hasTrustDialogAccepted": True} for one in self._trusted},
            },
        )

    def use_hooks(self, *commands: str) -> None:
        """Sets the user's hooks for every event: ours that records it, then ``commands``."""
        recorder = f"exec {sys.executable} -I {RECORDER} {self._hook_log}"
        entries: list[Value] = [_hook(command) for command in (recorder, *commands)]
        self._set("hooks", {event: [{"hooks": entries}] for event in EVENTS})

    def allow(self, *rules: str) -> None:
        """Sets the tool calls that the user allows without being asked."""
        self._set("permissions", {"allow": [*rules]})

    def take_in(self, word: str) -> None:
        """Sets what the client does with messages at its socket (H 3)."""
        self._set("crossSessionInbound", word)

    @property
    def settings_file(self) -> Path:
        """The user's settings of the client."""
        return self.home / ".claude" / "settings.json"

    def bypass_permissions(self) -> None:
        """Lets the permission mode that asks nothing begin without a dialog of its own (H 1)."""
        self._set("skipDangerousModePermissionPrompt", True)
        self.environment["IS_SANDBOX"] = "1"

    def use_program(self, client: Client) -> None:
        """Puts the client on the PATH, and what this test runs with off it."""
        own = str(Path(sys.executable).parent)
        folders = [one for one in self.environment["PATH"].split(os.pathsep) if one != own]
        folders = [str(client.program.parent), *folders]
        self.environment["PATH"] = os.pathsep.join(folders)

    def _set(self, key: str, value: Value) -> None:
        self._settings[key] = value
        _write(self.settings_file, self._settings)

    def make_plugin(self, name: str, *, monitor_command: str) -> Path:
        """A plugin folder whose one monitor runs ``monitor_command`` (H 4)."""
        plugin = self.home / f"plugin-{name}"
        manifest: Document = {"name": name, "version": "0.0.1", "description": name}
        monitor: Document = {"name": "gate", "command": monitor_command, "description": name}
        _write(plugin / ".claude-plugin" / "plugin.json", manifest)
        _write(plugin / "monitors" / "monitors.json", [monitor])
        return plugin

    def serve(self, name: str, *command: str) -> Path:
        """The client's configuration of one MCP server that runs ``command``."""
        path = self.home / f"server-{name}.json"
        run: Document = {"command": command[0], "args": [*command[1:]]}
        _write(path, {"mcpServers": {name: run}})
        return path

    def launch(
        self, client: Client, *arguments: str, folder: Path | None = None, mode: str = "manual"
    ) -> Terminal:
        """The client on a terminal in ``folder``, or in the project, in permission mode ``mode``."""
        argv = [str(client.program), "--permission-mode", mode, *arguments]
        return Terminal(argv, folder=folder or self.project, environment=self.environment)

    def checkout(self, name: str, *, branch: str) -> Path:
        """A trusted folder called ``name`` with ``branch`` checked out, whatever they contain."""
        folder = self.home / name
        head = folder / ".git" / "HEAD"
        head.parent.mkdir(parents=True)
        head.write_text(f"ref: refs/heads/{branch}\n", encoding="utf-8")
        self._trusted.append(folder)
        self._answer_first_dialogs()
        return folder

    def run(
        self, argv: Sequence[str], *, folder: Path | None = None, timeout: float = 20.0
    ) -> subprocess.CompletedProcess[str]:
        """A command in ``folder``, or in the project, without a terminal, to its end."""
        return subprocess.run(
            argv,
            check=False,
            cwd=folder or self.project,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
        )

    def hook_calls(self) -> list[HookCall]:
        """What the recording hook was told so far, in the order of its lines."""
        return read_hook_calls(self._hook_log)

    def events(self) -> list[Value]:
        """The names of those calls."""
        return [call.event for call in self.hook_calls()]

    def count(self, event: str) -> int:
        """How often ``event`` was told."""
        return sum(call.event == event for call in self.hook_calls())

    def prompts(self) -> list[Value]:
        """The text of every prompt that was told."""
        return [call.prompt for call in self.hook_calls() if call.event == "UserPromptSubmit"]

    def session(self, pid: int) -> PublishedSession | None:
        """The session that the client with ``pid`` publishes, if it does."""
        return read_session(self.home / ".claude" / "sessions" / f"{pid}.json")

    def status(self, pid: int) -> str:
        """The published status of ``pid``; empty where none is published."""
        session = self.session(pid)
        return session.status if session else ""

    def is_between_turns(self, pid: int) -> bool:
        """Whether the client publishes that no turn runs and no dialog is open."""
        return self.status(pid) in BETWEEN_TURNS

    def idle_session(self, terminal: Terminal, *, after: int = 0) -> PublishedSession:
        """Waits until the client on ``terminal`` started, published a socket, and is idle.

        Its start is looked for behind the first ``after`` hook calls: an earlier process may have
        had its number.
        A client that ended instead is an ``AssertionError`` at once.
        """

        def ready() -> PublishedSession | None:
            code = terminal.exit_code()
            assert code is None, f"the client ended with {code}"
            session = self.session(terminal.pid)
            if session is None or not session.socket_path or not self._told_start(session, after):
                return None
            return session if self.is_between_turns(terminal.pid) else None

        session = until(ready, timeout=START_SECONDS, what="a started and idle session")
        assert session is not None
        return session

    def _told_start(self, session: PublishedSession, after: int) -> bool:
        """Whether the hook of this very process was told of the conversation's start."""
        wanted = (str(session.pid), session.session_id)
        return wanted in (
            (call.environment.get("CLAUDE_PID"), call.payload.get("session_id"))
            for call in self.hook_calls()[after:]
            if call.event == "SessionStart"
        )

    def ask(self, terminal: Terminal, text: str) -> None:
        """Types a prompt into the client on ``terminal`` and waits until it was taken."""
        before = self.count("UserPromptSubmit")
        terminal.type(text)
        terminal.press_until(
            ENTER, lambda: self.count("UserPromptSubmit") > before, what="the typed prompt"
        )

    def turn_over(self, pid: int, *, turns: int) -> None:
        """Waits until ``turns`` turns in all have stopped and the client is idle again."""
        until(lambda: self.count("Stop") >= turns, timeout=TURN_SECONDS, what=f"{turns} turns")
        self.wait_between_turns(pid)

    def wait_between_turns(self, pid: int) -> None:
        """Waits until ``is_between_turns``."""
        until(lambda: self.is_between_turns(pid), timeout=TURN_SECONDS, what=f"{pid} between turns")

    def log(self, name: str) -> Path:
        """A file for what a program of this world says; its end is part of a failure report."""
        return self.home / f"{name}.log"

    def tails(self) -> str:
        """The newest hook calls and the ends of all logs, for a failure report."""
        calls = [f"{call.event} {str(call.payload)[:300]}" for call in self.hook_calls()[-12:]]
        logs = [
            f"--- {path.name}\n{path.read_text(errors='replace')[-LOG_CHARACTERS:]}"
            for path in sorted(self.home.glob("*.log"))
        ]
        return "\n".join([*calls, *logs])


def _environment(home: Path, model_url: str) -> dict[str, str]:
    """Nothing is inherited but the PATH: a client inside a client would take over (H 0)."""
    return {
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "SHELL": "/bin/sh",
        "TMPDIR": str(home / "tmp"),
        "XDG_RUNTIME_DIR": str(home / "run"),
        "ANTHROPIC_BASE_URL": model_url,
        "ANTHROPIC_API_KEY": KEY,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_ERROR_REPORTING": "1",
    }


def _hook(command: str) -> Document:
    return {"type": "command", "command": command, "timeout": HOOK_SECONDS}


def _write(path: Path, content: Value) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
