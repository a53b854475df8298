"""Exit codes and one-line errors of the command (design page 1, D35), each in a real process."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.office import TIDINGS, Said, run
from support.terminals import at_a_terminal
from support.waiting import until
from tidings import Member, Tidings
from tidings.adapters.locks.fcntl_locks import FcntlLocks
from tidings.adapters.wire.published import Disarmed, Error, Message
from tidings.domain.messages.frame import Frame
from tidings.entrypoints.assembly import open_application
from tidings.ports.errors import NotFound
from tidings.ports.tokens import LockKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """A state folder with ``api`` in it: this very process, armed for everybody."""

    folder: Path
    tidings: Tidings
    api: Member

    @property
    def environment(self) -> dict[str, str]:
        return {"HOME": str(self.folder), "TIDINGS_HOME": str(self.folder / "state")}

    def say(self, *words: str | bytes, stdin: bytes = b"", cwd: Path | None = None) -> Said:
        return run(
            [*TIDINGS, *words], environment=self.environment, stdin=stdin, cwd=cwd or self.folder
        )

    def operator(self, *words: str) -> Said:
        """As a person calls it."""
        return run(
            at_a_terminal([*TIDINGS, *words]),
            environment=self.environment,
            stdin=b"",
            cwd=self.folder,
        )

    def shell(self, line: str) -> Said:
        """``T`` in the line stands for the command."""
        words = ["sh", "-c", line.replace("T ", f"{' '.join(TIDINGS)} ")]
        return run(words, environment=self.environment, stdin=b"", cwd=self.folder)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Tidings.open(str(tmp_path / "state")) as tidings:
        api = tidings.join("api")
        api.arm()
        yield Desk(folder=tmp_path, tidings=tidings, api=api)


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Desk]:
    """A home in which nothing was ever stored."""
    tidings = Tidings.in_memory()
    yield Desk(folder=tmp_path, tidings=tidings, api=tidings.join("api"))
    assert list(tmp_path.iterdir()) == [], "nothing may be created"


def one_line(said: Said, code: int) -> str:
    """The error of a command that failed with ``code`` and printed nothing else."""
    assert (said.code, said.out, said.err.count("\n")) == (code, "", 1), said
    assert said.err.startswith("tidings: ")
    return said.err


@pytest.mark.parametrize(
    "words",
    [
        ("sned",),
        ("send",),
        ("send", "api", "--no-such-option", "--", "x"),
        ("send", "api", "--ttl", "soon", "--", "x"),
        ("send", "api", "--wait", "later", "--", "x"),
        ("send", "api", "--wait", "seen", "--timeout", "never", "--", "x"),
        ("send", "api", "--file", "missing"),
        ("send", "api", "--file", ".", "--", "x"),
        ("ls", "extra"),
        ("show",),
        ("arm", "api", "--for", "soon"),
        ("monitor", "--now"),
    ],
)
def test_wrong_words_are_code_two_before_anything_is_looked_up(
    bare: Desk, words: tuple[str, ...]
) -> None:
    one_line(bare.say(*words), 2)


def test_an_unknown_verb_names_the_near_one(bare: Desk) -> None:
    assert "did you mean send?" in one_line(bare.say("sned"), 2)


def test_a_target_that_nobody_knows_is_code_three_and_creates_nothing(bare: Desk) -> None:
    for verb in (
        ("send", "ape", "--", "hello"),
        ("arm", "ape"),
        ("disarm", "ape"),
        ("status", "ape"),
    ):
        one_line(bare.say(*verb), 3)
    one_line(bare.say("show", "mabcdefg"), 3)
    assert bare.say("ls", "--json").out == "[]\n"


def test_a_target_that_nobody_knows_is_answered_with_near_names(desk: Desk) -> None:
    said = desk.say("send", "ape", "--json", "--", "hello")
    error = Error.model_validate_json(said.err)
    assert (said.code, error.near, said.out) == (3, ["api"], "")
    assert "did you mean api?" in one_line(desk.say("send", "ape", "--", "--json"), 3)


def test_a_short_ref_that_fits_two_messages_is_code_four(desk: Desk) -> None:
    for ref in ("build-1", "build-2"):
        assert desk.say("send", "api", "--ref", ref, "--", ref).code == 0
    said = desk.say("show", "build", "--json")
    error = Error.model_validate_json(said.err)
    assert (said.code, error.candidates) == (4, ["build-1", "build-2"])


def test_without_consent_it_is_code_five_and_nothing_is_kept(desk: Desk) -> None:
    desk.api.disarm()
    said = desk.say("send", "api", "--ref", "build-1", "--", "hello")
    assert (said.code, said.err) == (5, "")
    assert said.out.startswith("refused  target-not-armed: ")
    with pytest.raises(NotFound):
        desk.tidings.show("build-1")


def test_a_wait_that_ends_is_code_six(desk: Desk) -> None:
    said = desk.say("send", "api", "--wait", "seen", "--timeout", "1s", "--json", "--", "hello")
    assert (said.code, Message.model_validate_json(said.out).state) == (6, "held")


def test_a_wait_that_ends_says_so_and_how_to_go_on(desk: Desk) -> None:
    said = desk.say("send", "api", "--wait", "seen", "--timeout", "1s", "--", "hello")
    short = said.out.split()[0]
    last = said.out.splitlines()[-1]
    assert (said.code, said.err) == (6, "")
    assert last.startswith("  not seen after 1s: the wait ended, the message lives on")
    assert f"`tidings show {short}`" in last


def test_a_lock_that_stays_taken_is_code_six_and_a_no_is_written_all_the_same(desk: Desk) -> None:
    app = open_application(desk.environment)
    key = app.admission.resolve("api").session_key
    locks = FcntlLocks(str(desk.folder / "state" / "locks"))
    with locks.hold(LockKind.CONSENT, key, wait_seconds=0):
        one_line(desk.operator("arm", "api"), 6)
    with locks.hold(LockKind.DELIVERY, key, wait_seconds=0):
        said = desk.say("disarm", "api", "--json")
    disarmed = Disarmed.model_validate_json(said.out)
    assert (said.code, disarmed.barrier) == (6, "write-under-way")
    assert desk.say("send", "api", "--", "hello").code == 5


@pytest.mark.case("M94")
def test_a_store_that_is_none_is_code_seven_and_is_left_alone(desk: Desk) -> None:
    database = desk.folder / "state" / "tidings.db"
    for side in desk.folder.glob("state/tidings.db-*"):
        side.unlink()
    database.write_bytes(b"garbage" * 1000)
    for verb in (("ls",), ("send", "api", "--", "x"), ("show", "mabcdefg"), ("arm", "api")):
        assert "tidings.db" in one_line(desk.say(*verb), 7)
    assert database.read_bytes() == b"garbage" * 1000
    database.unlink()
    database.mkdir()
    for verb in (("ls",), ("send", "api", "--", "x")):
        assert "tidings.db" in one_line(desk.say(*verb), 7)
    database.rmdir()


def test_a_locked_store_is_code_seven_and_never_means_no_such_message(desk: Desk) -> None:
    holder = sqlite3.connect(desk.folder / "state" / "tidings.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        one_line(desk.say("send", "api", "--ref", "build-1", "--", "hello"), 7)
    finally:
        holder.execute("ROLLBACK")
        holder.close()
    with pytest.raises(NotFound):
        desk.tidings.show("build-1")


def test_without_a_home_there_is_no_state_and_that_is_code_seven(tmp_path: Path) -> None:
    said = run([*TIDINGS, "ls"], environment={}, stdin=b"", cwd=tmp_path)
    assert "TIDINGS_HOME" in one_line(said, 7)
    silent = run([*TIDINGS, "should-arm"], environment={}, stdin=b"", cwd=tmp_path)
    assert (silent.code, silent.out, silent.err) == (1, "", "")


def test_a_state_folder_that_is_relative_or_a_file_is_never_a_folder_without_sessions(
    tmp_path: Path,
) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    for verb in (["ls"], ["whoami"], ["show", "mabcdefg"], ["send", "api", "--", "x"], ["arm"]):
        for home, code in (("here", 2), (str(file), 7), (f"{file}/below", 7)):
            said = run(
                [*TIDINGS, *verb], environment={"TIDINGS_HOME": home}, stdin=b"", cwd=tmp_path
            )
            assert "TIDINGS_HOME" in one_line(said, code)
    assert file.read_text() == "mine"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


@pytest.mark.case("R99")
def test_a_monitor_that_is_started_by_hand_registers_nothing(bare: Desk) -> None:
    assert "no child of a harness" in one_line(bare.say("monitor"), 7)
    by_claim = run(
        [*TIDINGS, "monitor"],
        environment={
            **bare.environment,
            "CLAUDE_PID": "1",
            "CLAUDE_CODE_SESSION_ID": "c",
            "CLAUDE_CODE_MESSAGING_TOKEN": "s3cret",
        },
        stdin=b"",
        cwd=bare.folder,
    )
    assert "s3cret" not in one_line(by_claim, 7)


def test_a_write_with_an_unknown_end_is_code_eight_also_when_asked_again(desk: Desk) -> None:
    words = ("send", "api", "--ref", "build-1", "--json", "--", "hello")
    assert desk.say(*words).code == 0
    app = open_application(desk.environment)
    run_id = app.admission.resolve("api").activation_id

    def die(frame: Frame) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        app.inbox.pull(run_id, die)
    app.inbox.pull(run_id, die)
    said = desk.say(*words)
    message = Message.model_validate_json(said.out)
    assert (said.code, message.exit_code, message.outcome_unknown) == (8, 8, True)
    assert "do not resend" in desk.say("show", "build-1").out
    assert desk.say("show", "build-1").code == 0


@pytest.mark.case("M111")
def test_who_has_left_is_code_nine_and_a_retry_is_still_answered(desk: Desk) -> None:
    words = ("send", "api", "--ref", "build-1", "--", "hello")
    assert desk.say(*words).code == 0
    desk.api.leave()
    assert "ls --all" in one_line(desk.say("send", "api", "--", "hello"), 9)
    again, once_more = desk.say(*words), desk.say(*words)
    assert (again.code, again.err) == (1, "")
    assert again.out == once_more.out
    assert "stale" in again.out
    assert desk.say("ls").out.startswith("no agents; `tidings session list`")
    ended = desk.say("ls", "--all").out.splitlines()[1]
    assert ended.startswith("api ")
    assert re.search(r"  ended \d+s ago  ", ended)


@pytest.mark.parametrize("shown", [False, True])
def test_a_fault_of_ours_is_code_seventy_in_one_line(bare: Desk, shown: bool) -> None:
    program = """
import sys, types
broken = types.ModuleType("broken")
def run(words):
    raise RuntimeError("a fault\\x1b[31m\\nof ours")
broken.run = run
sys.modules["tidings.entrypoints.cli.ls"] = broken
from tidings.entrypoints.cli.main import main
raise SystemExit(main(["ls"]))
"""
    environment = {**bare.environment, **({"TIDINGS_DEBUG": "1"} if shown else {})}
    said = run(
        [sys.executable, "-I", "-c", program], environment=environment, stdin=b"", cwd=bare.folder
    )
    if shown:
        assert "Traceback" in said.err
    else:
        assert "RuntimeError: a fault?[31m?of ours" in one_line(said, 70)


def test_a_broken_installation_is_code_seventy_and_should_arm_stays_silent(bare: Desk) -> None:
    program = """
import sys
sys.modules["tidings.entrypoints.assembly"] = None
from tidings.entrypoints.cli.main import main
raise SystemExit(main([sys.argv[1]]))
"""

    def say(verb: str) -> Said:
        command = [sys.executable, "-I", "-c", program, verb]
        return run(command, environment=bare.environment, stdin=b"", cwd=bare.folder)

    assert "internal error: ModuleNotFoundError" in one_line(say("ls"), 70)
    silent = say("should-arm")
    assert (silent.code, silent.out, silent.err) == (1, "", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_wait_is_code_130_and_the_message_lives_on(
    desk: Desk, number: signal.Signals
) -> None:
    with subprocess.Popen(
        [*TIDINGS, "send", "api", "--ref", "build-1", "--wait", "seen", "--", "hello"],
        env={"PATH": os.environ["PATH"], **desk.environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as waiting:
        until(lambda: stored(desk, "build-1"), what="the message in the store")
        waiting.send_signal(number)
        out, err = waiting.communicate(timeout=10)
    said = b"tidings: interrupted: build is held (awaiting-pull) "
    assert (waiting.returncode, out) == (130, b"")
    assert err.startswith(said)
    assert b"`tidings show build`" in err
    assert desk.tidings.show("build-1").state == "held"


def stored(desk: Desk, ref: str) -> bool:
    try:
        return bool(desk.tidings.show(ref).ref)
    except NotFound:
        return False


@pytest.mark.parametrize("words", ["--help", "--version", "ls --json", "whoami", "ls --all"])
def test_a_reader_that_went_away_ends_it_quietly(desk: Desk, words: str) -> None:
    # The reader is gone before the first byte: ``sleep`` would only make that likely.
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [*TIDINGS, *words.split()],
            env={"PATH": os.environ["PATH"], **desk.environment},
            stdin=subprocess.DEVNULL,
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
            timeout=30,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_error_keeps_its_code_where_nobody_reads_it(desk: Desk) -> None:
    assert desk.shell("T send ape -- hello 2>&-").code == 3
    assert desk.shell("T send ape -- hello 2>&- >&- <&-").code == 3
    assert desk.shell("exec 3>&1; (T send ape -- x 2>&1 >&3 3>&-; echo $? >&3) | true").out == "3\n"


def test_closed_streams_never_turn_into_files_of_ours(desk: Desk) -> None:
    said = desk.shell("T send api --ref build-1 -- hello >&- 2>&- <&-")
    assert (said.code, said.out, said.err) == (0, "", "")
    assert desk.tidings.show("build-1").state == "held"
    for file in (desk.folder / "state").rglob("*"):
        if file.is_file() and not file.name.startswith("tidings.db"):
            assert b"build-1  held" not in file.read_bytes(), file
    assert desk.shell("T ls >&-").err == ""


def test_a_full_disk_behind_standard_output_is_no_traceback(desk: Desk) -> None:
    said = desk.shell("T ls >/dev/full")
    assert said.code == 70
    assert said.err == "tidings: the output could not be written: No space left on device\n"


def test_a_working_folder_that_is_gone_does_not_matter(desk: Desk) -> None:
    said = desk.shell("mkdir gone && cd gone && rmdir ../gone && T send api --json -- hello")
    assert (said.code, Message.model_validate_json(said.out).state) == (0, "held")


def test_help_shows_every_verb_and_only_daily_ones_first(bare: Desk) -> None:
    daily, everything = bare.say("--help"), bare.say("--help", "--all")
    assert (daily.code, daily.err, everything.code) == (0, "", 0)
    assert "tidings send TARGET" in daily.out
    assert "tidings monitor" not in daily.out
    assert "tidings monitor" in everything.out
    one = bare.say("send", "--help")
    assert (one.code, one.out.splitlines()[0][:26]) == (0, "usage: tidings send TARGET")
    assert bare.say().out == daily.out
    assert bare.say("--version").out.startswith("tidings ")


def test_json_says_json_in_its_errors_only_when_the_option_is_given(desk: Desk) -> None:
    said = desk.say("send", "ape", "--", "use", "--json", "next", "time")
    with pytest.raises(json.JSONDecodeError):
        json.loads(said.err)
