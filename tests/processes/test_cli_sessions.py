"""``tidings session ...``, ``first-connect`` and ``trust`` as real processes (S 4, 9.6, 9.7, D9)."""

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.office import TIDINGS, Said, run
from support.owners import place_with
from support.terminals import at_a_terminal
from tidings.adapters.wire.published import (
    REGISTRY,
    TRUSTED,
    FirstConnect,
    Pruned,
    RegistryRow,
    ShownSession,
    Status,
    Trusted,
    Untrusted,
)
from tidings.domain.identity.owner import SessionOwner
from tidings.entrypoints.application import Application
from tidings.entrypoints.assembly import open_application
from tidings.ports.tokens import Provider, Verdict

NOTHING: Mapping[str, str] = {}
LEGACY = {"pid": 4_000_000, "cwd": "/old", "registered_at": "2026-08-18T10:00:00Z"}


@dataclass(frozen=True)
class Shell:
    """A home of its own, and the command in it."""

    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        return {"HOME": str(self.folder), "TIDINGS_HOME": str(self.folder / "state")}

    @property
    def app(self) -> Application:
        return open_application(self.environment)

    @property
    def records(self) -> Path:
        return self.folder / "state" / "sessions"

    def say(self, *words: str, cwd: Path | None = None, env: Mapping[str, str] = NOTHING) -> Said:
        environment = {**self.environment, **env}
        return run([*TIDINGS, *words], environment=environment, stdin=b"", cwd=cwd or self.folder)

    def operator(
        self, *words: str, cwd: Path | None = None, env: Mapping[str, str] = NOTHING
    ) -> Said:
        return run(
            at_a_terminal([*TIDINGS, *words]),
            environment={**self.environment, **env},
            stdin=b"",
            cwd=cwd or self.folder,
        )

    def register(
        self, *words: str, cwd: Path | None = None, env: Mapping[str, str] = NOTHING
    ) -> RegistryRow:
        said = self.say("session", "register", *words, "--json", cwd=cwd, env=env)
        assert (said.code, said.err) == (0, "")
        return RegistryRow.model_validate_json(said.out)

    def list(self, *words: str) -> list[RegistryRow]:
        said = self.say("session", "list", *words, "--json")
        assert (said.code, said.err) == (0, "")
        return REGISTRY.validate_json(said.out)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(folder=tmp_path)


@pytest.fixture
def sleeper() -> Iterator[int]:
    """A process that is nobody's ancestor here."""
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process.pid
        process.kill()


def me(**variables: str) -> dict[str, str]:
    """This process is above the command, so its claim is proved."""
    return {"CLAUDE_PID": str(os.getpid()), **variables}


def one_line(said: Said, code: int) -> str:
    assert (said.code, said.out, said.err.count("\n")) == (code, "", 1), said
    return said.err


class TestRegister:
    @pytest.mark.case("S7")
    @pytest.mark.parametrize("value", ["nope", " 5", "1_0", "\u0665", "-4", "0"])
    def test_a_malformed_variable_is_an_error_that_names_it(self, shell: Shell, value: str) -> None:
        said = shell.say("session", "register", env={"CLAUDE_PID": value})
        assert "CLAUDE_PID" in one_line(said, 2)
        assert not shell.records.exists()

    @pytest.mark.case("S36")
    def test_our_variables_win_and_one_file_results(self, shell: Shell, sleeper: int) -> None:
        row = shell.register(
            env={
                "TIDINGS_SESSION_PID": str(os.getpid()),
                "CLAUDE_PID": str(sleeper),
                "TIDINGS_SESSION_ID": "ours",
                "CLAUDE_CODE_SESSION_ID": "theirs",
            }
        )
        assert (row.session_pid, row.session_id) == (os.getpid(), "ours")
        assert row.session_pid_source == "TIDINGS_SESSION_PID"
        assert len(list(shell.records.iterdir())) == 1

    @pytest.mark.case("S76", "S97")
    def test_the_variable_names_it_before_the_runtime_does(self, shell: Shell) -> None:
        assert shell.register(env=me(TIDINGS_AGENT="wren", CLAUDECODE="1")).agent == "wren"

    @pytest.mark.case("S77")
    def test_the_option_names_it_and_an_empty_one_makes_it_anonymous(self, shell: Shell) -> None:
        assert shell.register("--agent", "kestrel", env=me(TIDINGS_AGENT="wren")).agent == "kestrel"
        assert shell.register("--agent", "", env=me(TIDINGS_AGENT="wren")).agent == ""

    @pytest.mark.case("S79", "S95", "S99")
    def test_with_no_name_from_anywhere_it_is_anonymous(self, shell: Shell) -> None:
        assert shell.register(env=me()).agent == ""
        assert shell.register(env=me(TIDINGS_AGENT="", CLAUDECODE="")).agent == ""

    @pytest.mark.case("S96")
    def test_inside_claude_code_the_label_is_that(self, shell: Shell) -> None:
        assert shell.register(env=me(CLAUDECODE="1")).agent == "claude-code"

    @pytest.mark.case("S101", "S102")
    def test_a_registered_label_wins_and_stays(self, shell: Shell) -> None:
        (shell.folder / ".tidings.toml").write_text('agent_name = "wren"\n')
        assert shell.register(env=me(TIDINGS_AGENT="owl")).agent == "wren"
        shell.register("--agent", "kestrel", env=me())
        assert shell.register(env=me(TIDINGS_AGENT="owl")).agent == "kestrel"

    def test_a_sibling_lends_no_label(self, shell: Shell, sleeper: int) -> None:
        named = str(sleeper)
        assert shell.register("--agent", "theirs", env={"CLAUDE_PID": named}).agent == "theirs"
        assert shell.register(env={"CLAUDE_PID": named}).agent == ""

    @pytest.mark.case("S80")
    def test_without_a_harness_it_is_keyed_on_the_caller(self, shell: Shell) -> None:
        row = shell.register()
        assert (row.session_pid_source, row.liveness) == ("self", Verdict.ALIVE)
        assert (row.cwd, row.session_pid_verified) == (os.path.realpath(shell.folder), True)

    @pytest.mark.case("S81")
    def test_the_clients_pid_and_session_id_are_in_the_row(self, shell: Shell) -> None:
        row = shell.register(env=me(CLAUDE_CODE_SESSION_ID="s-1"))
        assert (row.session_pid, row.session_id) == (os.getpid(), "s-1")
        assert Path(row.path).parent == shell.records

    @pytest.mark.case("S9", "S10")
    def test_a_socket_that_the_variable_names_is_recorded_with_its_identity(
        self, shell: Shell
    ) -> None:
        with (
            tempfile.TemporaryDirectory(dir="/tmp", prefix="td-") as folder,
            socket.socket(socket.AF_UNIX) as bound,
        ):
            path = f"{folder}/a.sock"
            bound.bind(path)
            row = shell.register(env=me(CLAUDE_CODE_MESSAGING_SOCKET=path))
            node = os.stat(path)
            owner = json.loads(Path(row.path).read_text())["owner"]
            assert row.messaging_socket_path == path
            assert owner["socket"] == {
                "path": path,
                "device": node.st_dev,
                "inode": node.st_ino,
                "mtime_ns": node.st_mtime_ns,
            }
            assert 0 not in (node.st_ino, node.st_mtime_ns)

    @pytest.mark.case("S11", "S40")
    def test_a_socket_that_is_not_there_is_not_recorded(self, shell: Shell) -> None:
        gone = str(shell.folder / "gone.sock")
        row = shell.register(env=me(CLAUDE_CODE_MESSAGING_SOCKET=gone))
        assert row.messaging_socket_path is None
        assert "socket" not in json.loads(Path(row.path).read_text())["owner"]

    @pytest.mark.case("S91")
    def test_its_confirmation_is_one_clean_line(self, shell: Shell) -> None:
        said = shell.say("session", "register", "--agent", "x\x1b[31m\ny", env=me())
        assert (said.code, said.out.count("\n"), said.err) == (0, 1, "")
        assert "\x1b" not in said.out
        assert "x?[31m?y" in said.out

    @pytest.mark.case("S92")
    def test_through_a_link_the_real_folder_is_stored(self, shell: Shell) -> None:
        (shell.folder / "real").mkdir()
        (shell.folder / "link").symlink_to(shell.folder / "real")
        row = shell.register(cwd=shell.folder / "link", env=me())
        assert row.cwd == os.path.realpath(shell.folder / "real")

    @pytest.mark.case("SX4")
    def test_a_process_that_is_gone_is_an_error_and_writes_nothing(self, shell: Shell) -> None:
        with subprocess.Popen(["true"]) as gone:
            pass
        said = shell.say("session", "register", env={"CLAUDE_PID": str(gone.pid)})
        assert str(gone.pid) in one_line(said, 7)
        assert not shell.records.exists()

    @pytest.mark.parametrize("kind", ["label", "session", "folder"])
    def test_what_could_not_be_read_back_is_refused_and_the_good_row_stays(
        self, shell: Shell, kind: str
    ) -> None:
        before = shell.register("--agent", "wren", env=me())
        words, env, cwd = ["session", "register"], me(), shell.folder
        match kind:
            case "label":
                words += ["--agent", "x" * 129]
            case "session":
                env = me(TIDINGS_SESSION_ID="x" * 257)
            case _:
                script = "import os,sys\nfor _ in range(22): os.mkdir('d'*200); os.chdir('d'*200)\n"
                script += "os.execv(sys.argv[1], sys.argv[1:])"
                command = [sys.executable, "-c", script, *TIDINGS, *words]
                said = run(command, environment={**shell.environment, **env}, stdin=b"", cwd=cwd)
                assert "cwd" in one_line(said, 2)
                assert shell.list() == [before]
                return
        one_line(shell.say(*words, env=env), 2)
        assert shell.list() == [before]

    @pytest.mark.case("SX18")
    def test_in_a_folder_that_was_removed_it_fails_while_arm_still_works(
        self, shell: Shell
    ) -> None:
        gone = shell.folder / "gone"
        gone.mkdir()
        shell.register(env=me())
        for verb, code in (("session register", 2), ("arm", 0)):
            line = f"rmdir {gone}; exec {' '.join(TIDINGS)} {verb}"
            gone.mkdir(exist_ok=True)
            said = run(
                ["sh", "-c", line], environment={**shell.environment, **me()}, stdin=b"", cwd=gone
            )
            assert said.code == code, said


class TestList:
    @pytest.fixture
    def three(self, shell: Shell, sleeper: int) -> Iterator[Shell]:
        """Two that live and one that died, in the order of their registration."""
        with subprocess.Popen(["sleep", "600"]) as gone:
            shell.register("--agent", "gone", env={"CLAUDE_PID": str(gone.pid)})
            gone.kill()
        record = next(shell.records.iterdir())
        kept = record.read_bytes()
        shell.register("--agent", "wren", env={"CLAUDE_PID": str(sleeper)})
        shell.register("--agent", "owl", env=me())
        record.write_bytes(kept)
        yield shell

    @pytest.mark.case("S82")
    def test_the_plain_list_shows_the_living_newest_first(self, three: Shell) -> None:
        assert [row.agent for row in three.list()] == ["owl", "wren"]
        assert {row.liveness for row in three.list()} == {Verdict.ALIVE}
        assert [row.agent for row in three.list("--all")] == ["owl", "wren", "gone"]

    @pytest.mark.case("S84")
    def test_a_label_is_matched_exactly(self, three: Shell) -> None:
        assert [row.agent for row in three.list("--agent", "owl")] == ["owl"]
        assert three.list("--agent", "ow") == []

    @pytest.mark.case("S85")
    def test_a_folder_is_matched_by_what_it_is(self, three: Shell) -> None:
        elsewhere = three.folder / "elsewhere"
        elsewhere.mkdir()
        (three.folder / "link").symlink_to(elsewhere)
        three.register("--agent", "owl", cwd=elsewhere, env=me())
        for spelling in (elsewhere, f"{elsewhere}/", three.folder / "link"):
            assert [row.agent for row in three.list("--cwd", str(spelling))] == ["owl"]
        assert len(three.list("--cwd", "")) == 2

    def test_a_folder_that_is_no_utf8_is_matched_in_the_spelling_of_its_row(
        self, shell: Shell
    ) -> None:
        odd = Path(os.fsdecode(os.fsencode(shell.folder) + b"/caf\xff"))
        odd.mkdir()
        row = shell.register(cwd=odd, env=me())
        assert row.cwd == os.path.realpath(shell.folder) + "/caf?"
        said = shell.say("session", "list", "--cwd", ".", "--json", cwd=odd)
        assert [found.key for found in REGISTRY.validate_json(said.out)] == [row.key]

    @pytest.mark.case("S86")
    def test_where_nothing_matches_it_is_an_empty_array(self, shell: Shell) -> None:
        said = shell.say("session", "list", "--json")
        assert (said.code, said.out) == (0, "[]\n")
        assert shell.say("session", "list").out.startswith("no sessions are registered")
        assert not shell.records.exists()

    @pytest.mark.case("S87")
    def test_a_legacy_row_is_marked_and_shows_no_label(self, three: Shell) -> None:
        (three.records / "4000000.json").write_text(json.dumps({**LEGACY, "agent": "x"}))
        lines = three.say("session", "list", "--all").out.splitlines()
        assert lines[0].split() == ["AGENT", "PID", "STATE", "CWD", "REGISTERED"]
        (legacy,) = [line.split() for line in lines if "(legacy)" in line]
        assert legacy[:2] == ["-", "4000000"]
        assert legacy[3:] == ["(legacy)", "/old", "2026-08-18T10:00:00Z"]
        assert legacy[2] in ("dead", "unknown"), "as far as this machine's namespaces can tell"
        living = {**LEGACY, "pid": os.getpid(), "agent": "x"}
        (three.records / "4000000.json").unlink()
        (three.records / f"{os.getpid()}.json").write_text(json.dumps(living))
        lines = three.say("session", "list").out.splitlines()
        (legacy,) = [line.split() for line in lines if "(legacy)" in line]
        assert legacy[:4] == ["-", str(os.getpid()), "unknown", "(legacy)"]

    @pytest.mark.case("S89")
    def test_the_empty_label_matches_the_anonymous_row_alone(self, shell: Shell) -> None:
        shell.register(env=me())
        (shell.records / "4000000.json").write_text(json.dumps(LEGACY))
        (shell.records / "41-0123abcd.json").write_text("{broken")
        assert [row.session_pid for row in shell.list("--agent", "")] == [os.getpid()]
        assert len(shell.list("--all")) == 3

    @pytest.mark.case("S90")
    def test_a_hostile_label_moves_no_cursor_and_adds_no_line(self, shell: Shell) -> None:
        shell.register("--agent", "x\x1b[2J\ny\u202e", env=me())
        said = shell.say("session", "list")
        assert len(said.out.splitlines()) == 2
        assert "x?[2J?y?" in said.out
        assert "\x1b" not in said.out

    @pytest.mark.case("S94")
    def test_a_pid_that_is_no_ancestor_is_marked(self, shell: Shell, sleeper: int) -> None:
        shell.register(env={"CLAUDE_PID": str(sleeper)})
        assert "alive (unverified pid)" in shell.say("session", "list").out
        assert shell.list()[0].session_pid_verified is False


class TestShow:
    def test_it_shows_the_row_and_each_signal(self, shell: Shell) -> None:
        row = shell.register(env=me())
        for name in (row.key, f"session:{row.key}", str(os.getpid())):
            said = shell.say("session", "show", name, "--json")
            shown = ShownSession.model_validate_json(said.out)
            assert (shown.key, [one.signal for one in shown.signals]) == (row.key, ["process"])
        assert "process: alive" in shell.say("session", "show", row.key).out

    def test_an_unknown_one_is_code_three(self, shell: Shell) -> None:
        for name in ("41-0123abcd", "session:41-0123abcd", "41", "nobody"):
            one_line(shell.say("session", "show", name), 3)

    def test_a_pid_that_two_records_name_is_code_four(self, shell: Shell) -> None:
        row = shell.register(env=me())
        app = shell.app
        here = app.probe.capture(os.getpid(), socket_path=None)
        there = SessionOwner(
            birth=here.birth, place=place_with(here.place, machine_id="other"), socket=None
        )
        app.roster.register(
            there, provider=Provider.CLAUDE, session_id="", label="", cwd="/", name=""
        )
        said = one_line(shell.say("session", "show", str(os.getpid())), 4)
        assert row.key in said
        assert there.key in said


class TestPrune:
    @pytest.fixture
    def garbage(self, shell: Shell) -> Path:
        shell.register(env=me())
        path = shell.records / "41-0123abcd.json"
        path.write_text("{broken")
        return path

    @pytest.mark.case("S74")
    def test_without_a_bound_the_dead_go_and_garbage_stays(
        self, shell: Shell, garbage: Path
    ) -> None:
        with subprocess.Popen(["sleep", "600"]) as gone:
            owner = shell.app.probe.capture(gone.pid, socket_path=None)
            shell.app.roster.register(
                owner, provider=Provider.CLAUDE, session_id="", label="", cwd="/", name=""
            )
            gone.kill()
        report = Pruned.model_validate_json(shell.say("session", "prune", "--json").out)
        assert (report.dead_removed, report.unknown_removed, report.kept) == (1, 0, 2)
        assert [row.session_pid for row in report.removed] == [gone.pid]
        assert garbage.exists()

    @pytest.mark.case("S75")
    def test_the_smallest_bound_takes_what_is_unknown(self, shell: Shell, garbage: Path) -> None:
        said = shell.say("session", "prune", "--older-than", "1ns", "--json")
        report = Pruned.model_validate_json(said.out)
        assert (report.dead_removed, report.unknown_removed, report.kept) == (0, 1, 1)
        assert not garbage.exists()

    @pytest.mark.parametrize(
        ("age", "goes"), [("0", False), ("-1h", False), ("200h", False), ("1.5us", True)]
    )
    def test_an_age_is_written_as_go_writes_it(
        self, shell: Shell, garbage: Path, age: str, goes: bool
    ) -> None:
        assert shell.say("session", "prune", f"--older-than={age}").code == 0
        assert garbage.exists() is not goes

    @pytest.mark.parametrize("age", ["", "soon", "5", "1d", "h", "1h 5m", "\u0661h"])
    def test_another_spelling_is_a_usage_error_and_takes_nothing(
        self, shell: Shell, garbage: Path, age: str
    ) -> None:
        one_line(shell.say("session", "prune", f"--older-than={age}"), 2)
        assert garbage.exists()


class TestGroup:
    def test_the_group_alone_explains_itself_and_an_unknown_word_is_an_error(
        self, shell: Shell
    ) -> None:
        for words in (("session",), ("session", "--help"), ("help", "session")):
            said = shell.say(*words)
            assert (said.code, said.err) == (0, "")
            assert "tidings session prune" in said.out
        assert "session list" in one_line(shell.say("session", "lst"), 2)

    def test_the_verbs_of_consent_answer_in_the_group_too(self, shell: Shell) -> None:
        shell.register(env=me())
        for words, code in (
            (("arm",), 0),
            (("should-arm",), 0),
            (("status",), 0),
            (("disarm",), 0),
            (("reset",), 0),
        ):
            said = shell.say("session", *words, env=me())
            assert said.code == code, said

    def test_positional_arguments_are_refused(self, shell: Shell) -> None:
        for verb in ("register", "list", "prune"):
            one_line(shell.say("session", verb, "x"), 2)


class TestConsent:
    @pytest.mark.case("S135")
    def test_nobody_arms_the_command_itself(self, shell: Shell) -> None:
        one_line(shell.operator("arm"), 2)
        assert not (shell.folder / "state" / "consent").exists()

    def test_a_script_that_is_not_in_the_session_widens_nothing(
        self, shell: Shell, sleeper: int
    ) -> None:
        key = shell.register(env={"CLAUDE_PID": str(sleeper)}).key
        for verb in ("arm", "reset"):
            said = shell.say(verb, f"session:{key}", "--json")
            assert (said.code, said.error["reason"]) == (5, "operator-needed")
        assert shell.say("disarm", f"session:{key}").code == 0
        assert shell.operator("arm", f"session:{key}").code == 0

    @pytest.mark.parametrize(
        "trace", ["CLAUDE_PID", "CLAUDECODE", "CODEX_THREAD_ID", "TIDINGS_SESSION_PID"]
    )
    def test_a_shell_that_lost_its_harness_widens_nothing_even_at_a_terminal(
        self, shell: Shell, sleeper: int, trace: str
    ) -> None:
        key = shell.register(env={"CLAUDE_PID": str(sleeper)}).key
        said = shell.operator("arm", f"session:{key}", "--json", env={trace: str(sleeper)})
        assert (said.code, said.error["reason"]) == (5, "caller-unclear")
        assert f"`env -u {trace} tidings ...`" in said.error["next_step"]
        assert shell.operator("arm", f"session:{key}").code == 0

    def test_a_process_above_arms_itself(self, shell: Shell) -> None:
        key = shell.register(env=me()).key
        assert shell.say("arm", env=me()).code == 0
        assert shell.say("arm", f"session:{key}", env=me()).code == 0

    def test_first_connect_says_first_once(self, shell: Shell) -> None:
        shell.register(env=me())
        unarmed = [shell.say("first-connect", env=me()).out for _ in range(2)]
        assert unarmed == ["first\n", "first\n"]
        shell.say("arm", env=me())
        said = [shell.say("first-connect", "--json", env=me()).out for _ in range(2)]
        firsts = [FirstConnect.model_validate_json(text).first_connect for text in said]
        assert firsts == [True, False]
        assert shell.say("session", "first-connect", env=me()).out == "again\n"


class TestTakingBack:
    """What was granted can always be taken back by its key, whatever else is broken (P3)."""

    @pytest.fixture
    def armed(self, shell: Shell, sleeper: int) -> Shell:
        shell.register(env={"CLAUDE_PID": str(sleeper)})
        assert shell.operator("arm", f"session:{shell.list()[0].key}").code == 0
        return shell

    @pytest.mark.parametrize("broken", ["record", "no record", "store", "record and store"])
    @pytest.mark.parametrize("verb", ["disarm", "reset"])
    def test_by_its_key(self, armed: Shell, broken: str, verb: str) -> None:
        key = armed.list()[0].key
        record = armed.records / f"{key}.json"
        if broken == "no record":
            record.unlink()
        elif "record" in broken:
            record.write_text("x")
        if "store" in broken:
            for side in (armed.folder / "state").glob("tidings.db*"):
                side.unlink()
            (armed.folder / "state" / "tidings.db").write_bytes(b"garbage" * 1000)
        assert armed.app.desk.state(key).is_open
        said = armed.operator(verb, f"session:{key}")
        assert (said.code, said.err) == (0, "")
        assert not armed.app.desk.state(key).is_open

    def test_from_inside_a_session_whose_record_does_not_read(self, shell: Shell) -> None:
        key = shell.register(env=me()).key
        shell.say("arm", env=me())
        (shell.records / f"{key}.json").write_text("x")
        assert shell.app.desk.state(key).is_open
        assert shell.say("disarm", env=me()).code == 0
        assert not shell.app.desk.state(key).is_open


class TestCommonAncestor:
    """Everybody has ancestors that are no harness (P1)."""

    def test_who_registered_one_is_not_everybody(self, shell: Shell, sleeper: int) -> None:
        key = shell.register(env={"CLAUDE_PID": str(sleeper)}).key
        shell.register(env={"TIDINGS_SESSION_PID": str(os.getpid())})
        said = shell.operator("arm", f"session:{key}")
        assert (said.code, said.err) == (0, "")
        assert shell.say("disarm", f"session:{key}").code == 0
        assert "terminal" in shell.operator("whoami", "--json").out

    def test_who_carries_its_variable_is_inside(self, shell: Shell, sleeper: int) -> None:
        key = shell.register(env={"CLAUDE_PID": str(sleeper)}).key
        own = {"TIDINGS_SESSION_PID": str(os.getpid())}
        shell.register(env=own)
        said = shell.operator("arm", f"session:{key}", "--json", env=own)
        assert (said.code, said.error["reason"]) == (5, "arm-not-yours")

    def test_a_refresh_changes_neither_provider_nor_source(self, shell: Shell) -> None:
        own = {"TIDINGS_SESSION_PID": str(os.getpid())}
        rows = [shell.register(env=own) for _ in range(2)]
        assert {row.provider for row in rows} == {Provider.PROCESS}
        assert {row.session_pid_source for row in rows} == {"TIDINGS_SESSION_PID"}

    def test_a_variable_that_names_another_is_told_of(self, shell: Shell, sleeper: int) -> None:
        own = {"CLAUDE_PID": str(os.getpid())}
        shell.register(env=own)
        both = {**own, "TIDINGS_SESSION_PID": str(sleeper)}
        said = shell.say("status", env=both)
        assert said.code == 0
        assert "TIDINGS_SESSION_PID names another process and was ignored" in said.err


class TestVerbsAgree:
    def test_ls_names_what_is_registered_without_an_agent(self, shell: Shell) -> None:
        assert shell.say("ls").out.startswith("no sessions: ")
        shell.register(env=me())
        assert shell.say("ls").out == (
            "no agents; `tidings session list` shows what else is registered (1)\n"
        )
        assert "a session without an agent" in shell.say("whoami", env=me()).out

    def test_should_arm_asks_the_session_that_arm_armed(self, shell: Shell, sleeper: int) -> None:
        named = {"CLAUDE_PID": str(os.getpid())}
        assert shell.say("arm", env=named).code == 0
        assert shell.say("should-arm", env=named).code == 0
        assert shell.say("should-arm").code == 1

    def test_a_socket_that_died_after_a_refresh_ends_the_grant_for_all(
        self, shell: Shell, tmp_path: Path
    ) -> None:
        shell.register(env=me())
        assert shell.say("arm", env=me()).code == 0
        path = tmp_path / "m.sock"
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(str(path))
            shell.register(env=me(CLAUDE_CODE_MESSAGING_SOCKET=str(path)))
            assert shell.say("should-arm", env=me()).code == 0
        path.unlink()
        assert shell.list() == []
        assert shell.say("should-arm", env=me()).code == 1
        status = Status.model_validate_json(shell.say("status", "--json", env=me()).out)
        assert (status.liveness, status.announced_armed) == (Verdict.DEAD, False)

    def test_without_a_home_nobody_knows_of_no_veto(self, shell: Shell) -> None:
        (shell.folder / ".tidings.toml").write_text("[push]\nauto_arm = true\n")
        shell.register(env=me())
        assert shell.say("should-arm", env=me()).code == 0
        for home in ("", "home"):
            assert shell.say("should-arm", env=me(HOME=home)).code == 1
            told = shell.say("status", "--why", env=me(HOME=home)).out
            assert "no home directory says where" in told


class TestOptIn:
    """What files alone say of a session: nobody armed or disarmed it."""

    @pytest.mark.case("S137", "S139", "S141")
    def test_a_repository_that_opts_in_arms_its_sessions_and_a_plain_one_none(
        self, shell: Shell
    ) -> None:
        shop, plain = shell.folder / "shop", shell.folder / "plain"
        for folder in (shop, plain):
            folder.mkdir()
        (shop / ".tidings.toml").write_text("[push]\nauto_arm = true\n")
        assert not (shell.folder / ".config").exists()
        for folder, hears in ((plain, False), (shop, True)):
            shell.register(cwd=folder, env=me())
            assert shell.say("should-arm", env=me()).code == (0 if hears else 1)
            said = shell.say("status", "--json", env=me())
            status = Status.model_validate_json(said.out)
            assert (status.auto_arm, status.auto_arm_repo) == (hears, hears)
            assert (status.announced_armed, status.local_armed) == (hears, False)
            assert (status.auto_arm_user_veto, status.auto_arm_config_error) == (False, False)


class TestTrust:
    """The session is the sleeper: nobody's ancestor, so the command is outside of it."""

    @pytest.fixture
    def demanding(self, shell: Shell, sleeper: int) -> Shell:
        (shell.folder / ".tidings.toml").write_text("[push]\nauto_arm = true\n")
        config = shell.folder / ".config" / "tidings" / "config.toml"
        config.parent.mkdir(parents=True)
        config.write_text("[push]\nrequire_approval = true\n")
        shell.register(env={"CLAUDE_PID": str(sleeper)})
        return shell

    def session(self, shell: Shell) -> str:
        return f"session:{shell.list()[0].key}"

    def status(self, shell: Shell) -> Status:
        said = shell.say("status", self.session(shell), "--json")
        return Status.model_validate_json(said.out)

    def test_an_opt_in_counts_once_it_is_approved(self, demanding: Shell) -> None:
        before = self.status(demanding)
        assert (before.auto_arm, before.auto_arm_repo) == (False, True)
        assert (before.auto_arm_awaits_approval, before.announced_armed) == (True, False)
        trusted = Trusted.model_validate_json(demanding.operator("trust", "--json").out)
        assert trusted.path == os.path.realpath(demanding.folder / ".tidings.toml")
        after = self.status(demanding)
        assert (after.auto_arm, after.announced_armed, after.local_armed) == (True, True, False)
        assert TRUSTED.validate_json(demanding.say("trust", "--list", "--json").out) == [trusted]
        removed = demanding.say("trust", "--remove", "--json")
        assert Untrusted.model_validate_json(removed.out).path == trusted.path
        assert self.status(demanding).announced_armed is False

    def test_it_is_the_operators(self, demanding: Shell) -> None:
        said = demanding.say("trust", "--json")
        assert (said.code, said.error["reason"]) == (5, "operator-needed")
        said = demanding.operator("trust", "--json", env=me())
        assert (said.code, said.error["reason"]) == (5, "caller-unclear")
        assert demanding.say("trust", "--list").out == "nothing is approved\n"

    def test_without_a_file_it_is_code_three(self, shell: Shell) -> None:
        one_line(shell.operator("trust"), 3)

    @pytest.mark.case("SX20")
    def test_status_shows_an_explicit_arm_beside_the_veto(self, demanding: Shell) -> None:
        config = demanding.folder / ".config" / "tidings" / "config.toml"
        config.write_text("[push]\nauto_arm = false\n")
        assert demanding.operator("arm", self.session(demanding)).code == 0
        status = self.status(demanding)
        assert (status.local_armed, status.announced_armed) == (True, True)
        assert (status.auto_arm_user_veto, status.auto_arm) == (True, False)
        told = demanding.say("status", self.session(demanding), "--why").out
        assert "by default: no, your own settings say no" in told

    @pytest.mark.case("S140")
    def test_settings_that_cannot_be_read_are_a_no_that_is_told(self, demanding: Shell) -> None:
        config = demanding.folder / ".config" / "tidings" / "config.toml"
        config.write_text("[push\n")
        status = self.status(demanding)
        assert (status.auto_arm, status.auto_arm_config_error) == (False, True)
        demanding.register(env=me())
        assert demanding.say("should-arm", env=me()).code == 1
        config.unlink()
        assert demanding.say("should-arm", env=me()).code == 0
