"""A reset under way never takes back a disarm that came meanwhile, whatever the files looked like (P3)."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from itertools import product

import pytest

from support.owners import World
from tidings.adapters.memory.consent_marks import MemoryConsentMarks
from tidings.adapters.memory.locks import MemoryLocks
from tidings.domain.consent.arming import ArmWord
from tidings.domain.consent.desk import Disarmed
from tidings.domain.consent.scope import EVERYTHING
from tidings.domain.identity.owner import SessionOwner
from tidings.ports.codec import ReadOnlyDocument
from tidings.ports.consent import MarkFact, MarkPair
from tidings.ports.errors import LockTimeout, StateUnreadable
from tidings.ports.tokens import LockKind

BEFORE = ("on", "off", "none", "garbage", "off, then garbage")
EMERGENCY = ("nothing", "off", "garbage")
STATES = list(product(BEFORE, EMERGENCY))
STEPS = 8


class TakenLocks(MemoryLocks):
    """Somebody else has the consent lock for as long as we look."""

    @contextmanager
    def hold(self, kind: LockKind, key: str, *, wait_seconds: float) -> Generator[None]:
        if kind is LockKind.CONSENT:
            raise LockTimeout(f"{kind}-{key}", wait_seconds)
        with super().hold(kind, key, wait_seconds=wait_seconds):
            yield


class SteppedMarks(MemoryConsentMarks):
    """Lets something happen right before the n-th look or change after ``start``."""

    def __init__(self) -> None:
        super().__init__()
        self.left = -1
        self.happens: Callable[[], None] = lambda: None

    def _step(self) -> None:
        self.left -= 1
        if self.left == 0:
            self.happens()

    def read(self, key: str) -> MarkPair:
        self._step()
        return super().read(key)

    def write(self, key: str, document: ReadOnlyDocument) -> str:
        self._step()
        return super().write(key, document)

    def take_off(self, key: str) -> MarkFact:
        self._step()
        return super().take_off(key)


def prepared(before: str, emergency: str) -> tuple[World, SteppedMarks, SessionOwner]:
    """An opted-in session: whoever takes every word back makes it hear everybody."""
    marks = SteppedMarks()
    world = replace(World(), marks=marks)
    world.settings.write_repository("/work", {"push": {"auto_arm": True}})
    owner = world.owner()
    world.register(owner)
    if before == "on":
        world.desk.arm(owner, cwd="/work", scope=EVERYTHING)
    elif before != "garbage":
        world.desk.disarm(owner, cwd="/work")
    if before == "none":
        world.desk.reset(owner)
    if "garbage" in before:
        marks.spoil(owner.key)
    if emergency == "off":
        distress(world).desk.disarm(owner, cwd="/work")
    elif emergency == "garbage":
        marks.spoil_off(owner.key)
    return world, marks, owner


def distress(world: World) -> World:
    """The same state, seen by who does not get the consent lock."""
    return replace(world, locks=TakenLocks())


@pytest.mark.parametrize(("before", "emergency"), STATES)
@pytest.mark.parametrize("step", range(2, STEPS))
def test_a_disarm_in_the_middle_of_a_reset_stands(before: str, emergency: str, step: int) -> None:
    world, marks, owner = prepared(before, emergency)
    other = distress(world)
    disarmed: list[Disarmed] = []

    def disarm() -> None:
        disarmed.append(other.desk.disarm(owner, cwd="/work"))

    marks.left, marks.happens = step, disarm
    try:
        world.desk.reset(owner)
    except StateUnreadable as error:
        assert "disarmed meanwhile" in str(error)
    ended_before = not disarmed
    marks.left = -1
    state = world.desk.state(owner.key)
    if ended_before:
        assert state.is_open
    else:
        assert not state.is_open, "the disarm returned and is lost"
        world.desk.reset(owner)
        assert world.desk.state(owner.key).is_open


def test_enough_steps_were_looked_at() -> None:
    """The longest reset ends within the steps that are tried."""
    world, marks, owner = prepared("garbage", "garbage")
    marks.left = 100
    world.desk.reset(owner)
    assert 100 - marks.left < STEPS


@pytest.mark.parametrize(("before", "emergency"), STATES)
def test_a_reset_by_itself_leaves_the_default(before: str, emergency: str) -> None:
    world, _marks, owner = prepared(before, emergency)
    generation = world.desk.state(owner.key).generation
    world.desk.reset(owner)
    state = world.desk.state(owner.key)
    assert (state.word, state.by_default) == (ArmWord.NONE, True)
    assert state.generation > generation
