"""SIGKILL at every step of every verb of consent, and in the middle of a crowd (P3, D6 to D8).

The sessions of these tests are in a repository that opted in: whatever loses its word is heard, so
a kill that widened anything would show.
"""

import contextlib
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from processes.consent_worker import Bench
from processes.kill_points import NARROW, opted_in, roster_of
from tidings.domain.consent.arming import ArmState, ArmWord
from tidings.domain.consent.scope import EVERYTHING
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.sessions.record import SessionRecord
from tidings.ports.tokens import Verdict

pytestmark = pytest.mark.xdist_group("consent-kills")
PROGRAM = Path(__file__).with_name("kill_points.py")
FEWEST_STEPS = 12


class Killer:
    """The program that runs verbs in children and kills them."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def tell(self, verb: str, pid: int, last: int) -> None:
        """Asks for one verb, to be killed at its step ``last`` (0: not at all)."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{verb} {pid} {last}\n")
        self._process.stdin.flush()

    def said(self) -> str:
        """The next answer."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def run(self, verb: str, pid: int, last: int = 0) -> str:
        self.tell(verb, pid, last)
        return self.said()


@contextlib.contextmanager
def killer(state: Path) -> Generator[Killer, None, None]:
    with subprocess.Popen(
        [sys.executable, str(PROGRAM), str(state)],
        env={**os.environ, "PYTHONPATH": str(PROGRAM.parents[1])},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        one = Killer(process)
        assert one.said() == "ready"
        yield one
        assert process.stdin is not None
        process.stdin.close()
    assert process.returncode == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What was said before, the verb, and the words of before and after. ``between``: words that
    hear nothing and that a killed withdrawal may leave."""

    verb: str
    before: tuple[str, ...] = ()
    spoiled: str = ""
    old: ArmWord
    new: ArmWord
    between: tuple[ArmWord, ...] = ()

    @property
    def name(self) -> str:
        return "-".join((self.verb, "after", *(self.before or ("nothing",)), self.spoiled))


NONE, ON, OFF, ERROR = ArmWord.NONE, ArmWord.ARMED, ArmWord.DISARMED, ArmWord.ERROR
SCENES = [
    Scene(verb="arm", old=NONE, new=ON),
    Scene(verb="arm", before=("disarm",), old=OFF, new=ON),
    Scene(verb="arm_narrowly", before=("arm",), old=ON, new=ON),
    Scene(verb="disarm", old=NONE, new=OFF),
    Scene(verb="disarm", before=("arm",), old=ON, new=OFF),
    Scene(verb="disarm", before=("arm_narrowly",), spoiled=".off.json", old=ERROR, new=ERROR),
    Scene(verb="disarm_beside_a_hung_writer", before=("arm",), old=ON, new=OFF),
    Scene(verb="disarm_on_a_full_disk", before=("arm",), old=ON, new=OFF, between=(ERROR,)),
    Scene(verb="reset", before=("disarm",), old=OFF, new=NONE),
    Scene(verb="reset", before=("arm_narrowly",), old=ON, new=NONE),
    Scene(verb="reset", before=("arm",), spoiled=".json", old=ERROR, new=NONE, between=(OFF,)),
    Scene(verb="reset", before=("arm",), spoiled=".off.json", old=ERROR, new=NONE, between=(OFF,)),
    Scene(verb="first_connect", before=("arm",), old=ON, new=ON),
    Scene(verb="first_connect", before=("disarm_beside_a_hung_writer",), old=OFF, new=OFF),
]


def look(state: Path, key: str) -> ArmState:
    """What a process that was not there before reads."""
    return Bench(str(state), default_of=opted_in).desk.state(key)


def files(state: Path) -> list[str]:
    return sorted(os.listdir(state / "consent")) if (state / "consent").is_dir() else []


def drafts(state: Path) -> list[str]:
    return [name for name in files(state) if name.startswith(".")]


def own(state: Path) -> SessionOwner:
    """This very process as a session."""
    return Bench(str(state)).probe.capture(os.getpid(), socket_path=None)


def prepare(state: Path, scene: Scene, key: str, one: Killer) -> None:
    """Leaves the folder as it is before the verb."""
    shutil.rmtree(state)
    state.mkdir()
    for verb in scene.before:
        assert one.run(verb, os.getpid()).startswith("done")
    if scene.spoiled:
        (state / "consent" / f"{key}{scene.spoiled}").write_text("{")


def require_sound(scene: Scene, seen: ArmState, before: ArmState, state: Path, key: str) -> None:
    """What a kill may leave: the old state or the new one, or one that hears nothing."""
    assert seen.word in (scene.old, scene.new, *scene.between)
    assert not seen.is_open or before.is_open or seen.word is scene.new
    assert seen.scope in ((before.scope, NARROW) if scene.verb == "arm_narrowly" else (
        before.scope, EVERYTHING))  # fmt: skip
    assert seen.generation == 0 or seen.generation >= before.generation
    assert len(drafts(state)) <= 1
    assert set(Bench(str(state)).marks.keys()) <= {key}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Generator[tuple[Path, Killer], None, None]:
    """One folder, and one program at work in it, for scenes that begin by emptying it."""
    state = tmp_path_factory.mktemp("kills") / "state"
    state.mkdir()
    with killer(state) as one:
        yield state, one


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_a_verb_killed_at_any_step_widens_nothing_and_can_be_run_again(
    scene: Scene, shared: tuple[Path, Killer], tmp_path: Path
) -> None:
    state, one = shared
    key = own(state).key
    prepare(state, scene, key, one)
    shutil.copytree(state, tmp_path / "template")
    before = look(state, key)
    assert before.word is scene.old
    kills = 0
    while (said := one.run(scene.verb, os.getpid(), kills + 1)) == "killed":
        kills += 1
        require_sound(scene, look(state, key), before, state, key)
        assert one.run(scene.verb, os.getpid()).startswith("done")
        after = look(state, key)
        assert after.word is scene.new
        assert after.generation >= before.generation or after.word is ERROR
        assert len(drafts(state)) <= 1
        shutil.rmtree(state)
        shutil.copytree(tmp_path / "template", state)
    assert said == f"done {kills}"
    assert look(state, key).word is scene.new
    assert kills >= FEWEST_STEPS, "too few steps were met to mean anything"


def test_a_reaping_killed_at_any_step_takes_nothing_from_the_living_and_arms_nothing_dead(
    shared: tuple[Path, Killer], tmp_path: Path
) -> None:
    state, one = shared
    key = own(state).key
    prepare(state, Scene(verb="reap", before=("disarm",), old=OFF, new=OFF), key, one)
    ended = subprocess.Popen(["sleep", "60"])
    ended_key = Bench(str(state)).probe.capture(ended.pid, socket_path=None).key
    assert one.run("arm", ended.pid).startswith("done")
    assert one.run("disarm_beside_a_hung_writer", ended.pid).startswith("done")
    assert one.run("arm", ended.pid).startswith("done")
    ended.kill()
    ended.wait()
    shutil.copytree(state, tmp_path / "template")
    kills = 0
    while one.run("reap", os.getpid(), kills + 1) == "killed":
        kills += 1
        assert look(state, key).word is OFF
        assert look(state, ended_key).word is NONE
        assert one.run("reap", os.getpid()).startswith("done")
        assert files(state) == [f"{key}.json"]
        shutil.rmtree(state)
        shutil.copytree(tmp_path / "template", state)
    assert kills >= FEWEST_STEPS


@pytest.mark.case("SX16")
@pytest.mark.parametrize("registered", [0, 1])
def test_a_registration_killed_at_any_step_leaves_whole_records_and_can_be_run_again(
    shared: tuple[Path, Killer], tmp_path: Path, registered: int
) -> None:
    state, one = shared
    shutil.rmtree(state)
    state.mkdir()
    key = own(state).key
    with subprocess.Popen(["sleep", "60"]) as ended:
        assert one.run("register", ended.pid).startswith("done")
        ended_key = Bench(str(state)).probe.capture(ended.pid, socket_path=None).key
        for _ in range(registered):
            assert one.run("register", os.getpid()).startswith("done")
        ended.kill()
    shutil.copytree(state, tmp_path / "template")
    kills, written = 0, 0
    while one.run("register", os.getpid(), kills + 1) == "killed":
        kills += 1
        found = {row.key: row for row in roster_of(Bench(str(state))).list()}
        labels = [row.to_document()["agent"] for row in found.values() if row.key == key]
        assert labels in ([], ["+"]) if registered == 0 else labels in (["+"], ["++"])
        assert all(isinstance(row.record, SessionRecord) for row in found.values())
        is_written = labels == ["+" * (registered + 1)]
        assert is_written or ended_key in found, "the dead go once the new one is there"
        written += is_written and ended_key in found
        assert one.run("register", os.getpid()).startswith("done")
        (row,) = roster_of(Bench(str(state))).list()
        assert (row.key, row.verdict) == (key, Verdict.ALIVE)
        shutil.rmtree(state)
        shutil.copytree(tmp_path / "template", state)
    assert written >= 1, "nobody was killed between the writing and the pruning"
    assert kills >= FEWEST_STEPS


CROWD = (
    *("arm", "arm", "arm_narrowly", "disarm", "disarm", "disarm_beside_a_hung_writer"),
    *("reset", "first_connect", "reap"),
)
ROUNDS = 60


def test_among_two_writers_that_are_killed_and_a_deliverer_no_disarm_is_lost(
    tmp_path: Path,
) -> None:
    draw = random.Random(7)
    pid = os.getpid()
    with killer(tmp_path) as first, killer(tmp_path) as second, killer(tmp_path) as deliverer:
        for _ in range(ROUNDS):
            for writer in (first, second):
                writer.tell(draw.choice(CROWD), pid, draw.choice((0, 0, draw.randint(1, 25))))
            deliverer.tell("deliver", pid, 0)
        answers = [one.said() for one in (first, second, deliverer) for _ in range(ROUNDS)]
    kills = answers.count("killed")
    assert kills >= 10, "hardly anybody was killed"
    log = [line.split() for line in (tmp_path / "deliveries.log").read_text().splitlines()]
    assert {word for word, _generation in log} == {"looked", "delivered", "disarmed"}
    looked = [int(generation) for word, generation in log if word == "looked"]
    assert looked == sorted(looked), "the generation never goes back"
    require_barriers(log)
    key = own(tmp_path).key
    assert len(drafts(tmp_path)) <= kills
    assert set(files(tmp_path)) - set(drafts(tmp_path)) <= {f"{key}.json", f"{key}.off.json"}
    assert list(Bench(str(tmp_path)).marks.keys()) == [key]


def require_barriers(log: Sequence[Sequence[str]]) -> None:
    """After a disarm has returned, whatever goes out was let in by something later."""
    withdrawn = 0
    for word, generation in log:
        if word == "disarmed":
            withdrawn = max(withdrawn, int(generation))
        elif word == "delivered":
            assert int(generation) > withdrawn, "delivered after the disarm had returned"
