"""The status that Claude publishes: its record as a glance, its own command as the word (D24, H 11)."""

import json
import os
from collections.abc import Callable, Mapping, Sequence

from tidings.adapters.harnesses.claude_record import RecordUnreadable, read_record
from tidings.adapters.wire.kernel_facts import FactMalformed, boottime_ns, read_stat
from tidings.ports.codec import Codec, Value
from tidings.ports.harness_status import StatusFact, StatusSeen, StatusUnreadable
from tidings.ports.tokens import StatusWord

CONFIRM_SECONDS = 5.0
LARGEST_ANSWER = 1024 * 1024
INHERITED = ("CLAUDECODE", "CLAUDE_PID", "CLAUDE_CODE_", "AI_AGENT")
"""Variables that a client started from inside another one must not see (H 0): the session's name,
its messaging token and socket."""


def kernel_start_ticks(pid: int) -> str:
    """The start of ``pid`` in the words of the client's record; empty where the kernel says none."""
    try:
        (_name, _state, _parent, _tasks, ticks), _uid = read_stat(pid)
    except (OSError, FactMalformed):
        return ""
    return str(ticks)


class NoAnswer(Exception):
    """The client's command could not be run, failed, or took too long."""


class ClaudeStatus:
    """``folder`` is the client's configuration folder, ``command`` what runs the client.

    The command gets ``environment`` without the variables of any session.
    """

    def __init__(
        self,
        *,
        folder: str,
        codec: Codec,
        command: Sequence[str] = ("claude",),
        environment: Mapping[str, str] | None = None,
        start_ticks: Callable[[int], str] = kernel_start_ticks,
        confirm_seconds: float = CONFIRM_SECONDS,
    ) -> None:
        self._folder = folder
        self._codec = codec
        self._command = tuple(command)
        self._environment = without_session(os.environ if environment is None else environment)
        self._start_ticks = start_ticks
        self._confirm_seconds = confirm_seconds

    def glance(self, pid: int) -> StatusFact:
        """The record's status, believed only while the kernel knows the process it names."""
        begun = boottime_ns()
        try:
            record = read_record(self._folder, pid, self._codec)
        except RecordUnreadable as error:
            return StatusUnreadable(why=str(error))
        if not record.start_ticks or record.start_ticks != self._start_ticks(pid):
            return StatusUnreadable(why="the record is of an earlier process")
        return _fact(record.status, record.waiting_for, record.session_id, begun)

    def confirm(self, pid: int) -> StatusFact:
        """What ``agents --json`` says of ``pid``; the command is ended after 5 s."""
        begun = boottime_ns()
        try:
            listed = _agents(self._run())
        except (NoAnswer, ValueError, RecursionError) as error:
            return StatusUnreadable(why=f"agents --json gave no list ({type(error).__name__})")
        row = next((row for row in listed if row.get("pid") == pid), None)
        if row is None:
            return StatusUnreadable(why="agents --json does not list the process")
        word, what, session = (_text(row, name) for name in ("status", "waitingFor", "sessionId"))
        return _fact(word, what, session, begun)

    def _run(self) -> bytes:
        """What the command prints. Raises ``NoAnswer``."""
        import subprocess  # not for a glance, which every verb that judges takes

        try:
            done = subprocess.run(
                [*self._command, "agents", "--json"],
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=self._confirm_seconds,
                check=True,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise NoAnswer from error
        return done.stdout


def _agents(answer: bytes) -> list[dict[str, Value]]:
    """The rows of the answer. Raises ``ValueError`` for anything that is no list of objects."""
    if len(answer) > LARGEST_ANSWER:
        raise ValueError("more than 1 MiB")
    rows: Value = json.loads(answer)
    if isinstance(rows, list):
        return [row for row in rows if isinstance(row, dict)]
    raise ValueError("no list")


BETWEEN_TURNS = "shell"
"""What the record of a session with a live plugin monitor says instead of ``idle``: no turn runs and
no dialog is open (Claude Code 2.1.332, pinned by the conformance tests)."""


def _fact(word: str, waiting_for: str, session_id: str, begun: int) -> StatusFact:
    word = StatusWord.IDLE if word == BETWEEN_TURNS else word
    try:
        status = StatusWord(word)
    except ValueError:
        return StatusUnreadable(why="the status is a word we do not know")
    return StatusSeen(word=status, waiting_for=waiting_for, session_id=session_id, begun=begun)


def _text(row: Mapping[str, Value], name: str) -> str:
    value = row.get(name)
    return value if isinstance(value, str) else ""


def without_session(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of a client that is to know nothing of the session around us."""
    return {name: value for name, value in environment.items() if not name.startswith(INHERITED)}
