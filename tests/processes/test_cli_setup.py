"""``tidings setup`` in a home of its own, beside a client that writes the same file."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from support.office import ON_A_TERMINAL, TIDINGS, Said, run
from tidings.adapters.wire.published import SetUp
from tidings.domain.setup.pieces import EVENTS, RULES

CLIENT = Path(__file__).parents[1] / "support" / "pretended_client.py"
SETTINGS = (
    '{\n    "z": 1.50,\n    "model":   "opus",\n    "permissions": {"allow": ["Bash(ls:*)"]}\n}\n'
)
PARALLEL = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """A home with a client on its PATH and a settings file in its folder."""

    folder: Path

    @property
    def settings(self) -> Path:
        return self.folder / ".claude" / "settings.json"

    @property
    def environment(self) -> dict[str, str]:
        path = f"{self.folder / 'bin'}:/usr/bin:/bin"
        return {"HOME": str(self.folder), "PATH": path}

    def setup(self, *words: str, **environment: str) -> Said:
        given = {**self.environment, **environment}
        return run([*TIDINGS, "setup", *words], environment=given, stdin=b"", cwd=self.folder)

    def asked(self, answer: bytes) -> Said:
        """On a terminal, where ``answer`` is typed."""
        return run(
            [sys.executable, "-c", ON_A_TERMINAL, *TIDINGS, "setup"],
            environment=self.environment,
            stdin=answer,
            cwd=self.folder,
        )

    def installs(self) -> int:
        """How often the client installed something."""
        log = self.folder / ".claude" / "calls.log"
        return log.read_text().count("install tidings@tidings") if log.is_file() else 0

    def files(self) -> set[str]:
        """All files of the home."""
        return {str(path.relative_to(self.folder)) for path in self.folder.rglob("*")}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    (tmp_path / "bin").mkdir()
    (tmp_path / ".claude").mkdir()
    client = tmp_path / "bin" / "claude"
    client.write_text(f'#!/bin/sh\nexec {sys.executable} -I {CLIENT} "$@"\n')
    client.chmod(0o755)
    found = Home(folder=tmp_path)
    found.settings.write_text(SETTINGS)
    return found


def done(said: Said) -> Any:
    """The object that a call printed which ended with 0."""
    assert said.code == 0, said
    return json.loads(SetUp.model_validate_json(said.out).model_dump_json())


def refused(home: Home, said: Said, code: int, *words: str) -> None:
    """It ended with ``code`` and one line that says all ``words``."""
    assert (said.code, said.err.count("\n")) == (code, 1), said
    assert all(word in said.err for word in words), said.err
    assert home.installs() == 0


def test_it_adds_shows_the_difference_and_removes_without_a_trace(home: Home) -> None:
    added = done(home.setup("--yes", "--json"))
    assert (added["changed"], added["hook_works"], added["plugin_listed"]) == (True, True, True)
    assert Path(added["backup"]).read_text() == SETTINGS
    document = json.loads(home.settings.read_text())
    assert set(document["hooks"]) == set(EVENTS)
    assert document["permissions"]["allow"] == ["Bash(ls:*)", *RULES]
    assert list(document)[:3] == ["z", "model", "permissions"]
    assert home.settings.read_text().startswith('{\n    "z": 1.50,\n    "model":   "opus",\n')

    removed = done(home.setup("--remove", "--yes", "--json"))
    assert (removed["action"], removed["changed"]) == ("remove", True)
    assert home.settings.read_text() == SETTINGS
    assert not (home.folder / ".local/state/tidings/claude-plugin").exists()
    assert done(home.setup("--remove", "--yes", "--json"))["changed"] is False


def test_the_second_time_changes_no_byte(home: Home) -> None:
    home.setup("--yes")
    before, files = home.settings.read_bytes(), home.files()
    again = done(home.setup("--yes", "--json"))
    assert (again["changed"], again["diff"]) == (False, [])
    assert (home.settings.read_bytes(), home.files()) == (before, files)
    assert home.installs() == 1


def test_a_dry_run_shows_all_of_it_and_changes_nothing(home: Home) -> None:
    before = home.files()
    said = home.setup("--dry-run")
    assert said.code == 0
    assert "+" in said.out and "$ claude plugin install tidings@tidings" in said.out
    assert (home.files(), home.settings.read_text()) == (before, SETTINGS)


def test_a_dry_run_of_the_removal_shows_what_would_go(home: Home) -> None:
    home.setup("--yes")
    before = home.settings.read_bytes()
    said = home.setup("--remove", "--dry-run")
    assert said.code == 0 and "$ claude plugin uninstall tidings@tidings" in said.out
    assert (home.settings.read_bytes(), home.installs()) == (before, 1)


@pytest.mark.timeout(300)
def test_twenty_at_once_come_to_what_one_comes_to(home: Home) -> None:
    started = [
        subprocess.Popen(
            [*TIDINGS, "setup", "--yes"],
            env={"LANG": "C.UTF-8", **home.environment},
            cwd=home.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for _ in range(PARALLEL)
    ]
    ended = [(one.communicate(timeout=250)[1], one.returncode) for one in started]
    assert ended == [(b"", 0)] * PARALLEL
    together = home.settings.read_bytes()
    assert home.installs() == 1
    assert not list(home.settings.parent.glob("*.tmp"))
    home.setup("--remove", "--yes")
    assert home.settings.read_text() == SETTINGS
    home.setup("--yes")
    assert home.settings.read_bytes() == together


def test_removal_after_somebody_else_wrote_takes_only_what_was_added(home: Home) -> None:
    home.setup("--yes")
    changed = home.settings.read_text().replace('"opus"', '"haiku"').replace("1.50", "1.5000")
    home.settings.write_text(changed)
    assert home.setup("--remove", "--yes").code == 0
    assert home.settings.read_text() == SETTINGS.replace('"opus"', '"haiku"').replace(
        "1.50", "1.5000"
    )


def test_what_the_user_had_before_is_the_users(home: Home) -> None:
    own = '{"permissions": {"allow": ["Bash(tidings send:*)"]}}'
    home.settings.write_text(own)
    home.setup("--yes")
    home.settings.write_text(home.settings.read_text().replace("{", '{"new": 1, ', 1))
    home.setup("--remove", "--yes")
    assert home.settings.read_text() == own.replace("{", '{"new": 1, ', 1)


def test_a_lost_memory_still_removes_what_is_ours_by_its_name(home: Home) -> None:
    home.setup("--yes")
    for kept in (home.folder / ".local/state/tidings/setup").rglob("*.json"):
        kept.unlink()
    assert home.setup("--remove", "--yes").code == 0
    document = json.loads(home.settings.read_text())
    assert list(document) == ["z", "model", "permissions"]


def test_no_file_before_is_no_file_after(home: Home) -> None:
    home.settings.unlink()
    assert home.setup("--yes").code == 0
    assert home.setup("--remove", "--yes").code == 0
    assert not home.settings.exists()


def test_a_link_is_followed_and_stays_a_link(home: Home) -> None:
    real = home.folder / "dotfiles" / "claude.json"
    real.parent.mkdir()
    home.settings.rename(real)
    real.chmod(0o644)
    home.settings.symlink_to(real)
    assert home.setup("--yes").code == 0
    assert "tidings" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o644
    assert home.setup("--remove", "--yes").code == 0
    assert home.settings.is_symlink() and real.read_text() == SETTINGS


@pytest.mark.parametrize(
    "text",
    ["", "// a comment\n{}", '{"a": 1, "a": 2}', "[]", "\ufeff{}", '{"hooks": []}'],
    ids=["empty", "comment", "twice", "list", "mark", "shape"],
)
def test_a_file_that_does_not_read_is_named_and_left_alone(home: Home, text: str) -> None:
    home.settings.write_text(text)
    for option in ("--yes", "--dry-run"):
        refused(home, home.setup(option), 7, "nothing was changed", "mend it")
    assert home.settings.read_text() == text


def test_a_read_only_file_is_left_alone(home: Home) -> None:
    home.settings.chmod(0o444)
    refused(home, home.setup("--yes"), 7, "read-only", "chmod u+w", "nothing was changed")
    assert home.settings.read_text() == SETTINGS


def test_a_link_that_leads_nowhere_is_left_alone(home: Home) -> None:
    home.settings.unlink()
    home.settings.symlink_to(home.folder / "gone.json")
    refused(home, home.setup("--yes"), 7, "leads nowhere", "nothing was changed")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_link_to_a_file_of_somebody_else_is_left_alone(home: Home) -> None:
    real = home.folder / "theirs.json"
    home.settings.rename(real)
    os.chown(real, 12345, -1)
    home.settings.symlink_to(real)
    refused(home, home.setup("--yes"), 7, "belongs to somebody else", "nothing was changed")


def test_without_the_clients_folder_or_the_client_it_says_what_to_do(home: Home) -> None:
    refused(
        home, home.setup("--yes", CLAUDE_CONFIG_DIR="/nowhere/at/all"), 2, "start `claude` once"
    )
    refused(home, home.setup("--yes", CLAUDE_CONFIG_DIR="here"), 2, "not an absolute path")
    (home.folder / "bin" / "claude").unlink()
    refused(home, home.setup("--yes"), 3, "no `claude` on the PATH", "nothing was changed")
    assert home.settings.read_text() == SETTINGS


@pytest.mark.parametrize("command", ["marketplace", "install"])
def test_a_client_that_fails_leaves_the_settings_as_they_were(home: Home, command: str) -> None:
    said = home.setup("--yes", FAILS=command)
    assert said.code == 7
    assert f"`claude plugin {command}" in said.err and "it is not to be" in said.err
    assert home.settings.read_text() == SETTINGS
    assert home.setup("--yes").code == 0


def test_a_removal_that_fails_half_way_is_finished_by_the_next_one(home: Home) -> None:
    home.setup("--yes")
    before = home.settings.read_bytes()
    assert home.setup("--remove", "--yes", FAILS="uninstall").code == 7
    assert home.settings.read_bytes() == before
    assert home.setup("--remove", "--yes").code == 0
    assert home.settings.read_text() == SETTINGS


@pytest.mark.parametrize("command", ["marketplace", "install"])
def test_one_that_is_killed_when_the_client_had_written_loses_no_byte(
    home: Home, command: str
) -> None:
    assert home.setup("--yes", KILLS=command).code == -9
    assert home.settings.read_text() != SETTINGS, "the client wrote it anew"
    assert home.setup("--yes").code == 0
    assert home.setup("--remove", "--yes").code == 0
    assert home.settings.read_text() == SETTINGS


def test_a_removal_before_anything_else_undoes_a_setup_that_was_killed(home: Home) -> None:
    assert home.setup("--yes", KILLS="install").code == -9
    assert home.setup("--remove", "--yes").code == 0
    assert home.settings.read_text() == SETTINGS


def test_a_removal_that_is_killed_when_the_client_had_written_is_finished_by_the_next_one(
    home: Home,
) -> None:
    home.setup("--yes")
    assert home.setup("--remove", "--yes", KILLS="uninstall").code == -9
    assert home.setup("--remove", "--yes").code == 0
    assert home.settings.read_text() == SETTINGS


def test_what_was_written_by_hand_after_a_kill_is_kept(home: Home) -> None:
    home.setup("--yes", KILLS="install")
    home.settings.write_text(home.settings.read_text().replace('"opus"', '"haiku"'))
    home.setup("--remove", "--yes")
    assert '"haiku"' in home.settings.read_text()


def test_a_file_that_is_nearly_too_large_takes_no_longer_than_a_person_waits(home: Home) -> None:
    large = json.dumps({"companyAnnouncements": ["x" * 3_900_000]})
    home.settings.write_text(large)
    assert home.setup("--yes").code == 0, "within the patience of this test's helper"
    assert home.setup("--remove", "--yes").code == 0
    assert home.settings.read_text() == large


def test_a_difference_with_tabs_is_readable(home: Home) -> None:
    home.settings.write_text('{\n\t"model": "opus"\n}\n')
    said = home.setup("--dry-run")
    assert "?" not in said.out and '+    "hooks": {' in said.out


def test_the_question_is_asked_once_and_only_a_yes_is_one(home: Home) -> None:
    no = home.asked(b"\n")
    assert no.code == 1 and no.out.count("Do this? [y/N]") == 1
    assert home.settings.read_text() == SETTINGS
    yes = home.asked(b"y\n")
    assert yes.code == 0 and "Tidings is in Claude Code" in yes.out
    assert yes.out.count("@@") == 2, "one difference"


def test_a_script_that_did_not_agree_is_told_how(home: Home) -> None:
    refused(home, home.setup(), 2, "--dry-run", "--yes")
    refused(home, home.setup("--json"), 2, "--dry-run", "--yes")
    assert home.settings.read_text() == SETTINGS


def test_another_installation_takes_the_place_of_the_earlier_one(home: Home) -> None:
    other = home.folder / "other"
    other.symlink_to(sys.prefix, target_is_directory=True)
    python = str(other / "bin" / "python")
    home.setup("--yes")
    words = [python, "-I", "-m", "tidings", "setup", "--yes"]
    assert run(words, environment=home.environment, stdin=b"", cwd=home.folder).code == 0
    text = home.settings.read_text()
    assert sys.executable not in text
    assert text.count(f" {python} -I -m tidings.entrypoints.hook claude") == len(EVENTS)
    assert home.setup("--remove", "--yes").code == 0
    assert home.settings.read_text() == SETTINGS


def test_hooks_whose_path_was_edited_by_hand_are_still_ours(home: Home) -> None:
    home.setup("--yes")
    home.settings.write_text(home.settings.read_text().replace(sys.executable, "/old/python"))
    assert home.setup("--yes").code == 0
    text = home.settings.read_text()
    assert "/old/python" not in text
    assert text.count("tidings.entrypoints.hook claude") == len(EVENTS)
    home.setup("--remove", "--yes")
    assert home.settings.read_text() == SETTINGS


def test_a_user_who_switched_hooks_off_is_warned_and_told_where(home: Home) -> None:
    assert done(home.setup("--dry-run", "--json"))["hooks_off"] is None
    home.settings.write_text('{"disableAllHooks": true}')
    said = home.setup("--yes")
    assert said.code == 0
    assert (
        f"warning: the client runs no hooks: disableAllHooks is set in {home.settings}" in said.out
    )
    assert "disableAllHooks" in done(home.setup("--dry-run", "--json"))["hooks_off"]
    assert "warning" not in home.setup("--remove", "--yes").out


def test_a_state_folder_of_this_shell_only_is_warned_of(home: Home) -> None:
    elsewhere = str(home.folder / "throwaway")
    assert "warning" not in home.setup("--dry-run").out
    said = home.setup("--dry-run", TIDINGS_HOME=elsewhere)
    assert f"warning: TIDINGS_HOME is {elsewhere} here, and the plugin lies in there" in said.out
    assert "warning" not in home.setup("--remove", "--yes", TIDINGS_HOME=elsewhere).out
