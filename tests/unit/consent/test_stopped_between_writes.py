"""A withdrawal that is stopped between its writes never leaves more heard than before (P3, D7)."""

from dataclasses import replace
from itertools import product

import pytest

from support.owners import World
from tidings.adapters.memory.clock import ManualClock
from tidings.adapters.memory.consent_marks import MemoryConsentMarks
from tidings.domain.consent.arming import ArmWord
from tidings.domain.consent.change import Change, armed_mark, disarmed_mark
from tidings.domain.consent.desk import ConsentDesk
from tidings.domain.consent.mark import NoMark
from tidings.domain.consent.scope import EVERYTHING
from tidings.domain.identity.owner import SessionOwner
from tidings.ports.codec import ReadOnlyDocument


class Stopped(Exception):
    """The process was killed here."""


class MarksThatStop(MemoryConsentMarks):
    """Lets ``writes_left`` writes through and is killed at the next."""

    writes_left = 99

    def write(self, key: str, document: ReadOnlyDocument) -> str:
        self._count()
        return super().write(key, document)

    def write_over(self, key: str, document: ReadOnlyDocument) -> str:
        self._count()
        return super().write_over(key, document)

    def write_off(self, key: str, document: ReadOnlyDocument) -> str:
        self._count()
        return super().write_off(key, document)

    def _count(self) -> None:
        if not self.writes_left:
            raise Stopped
        self.writes_left -= 1


def put(marks: MemoryConsentMarks, owner: SessionOwner, main: str, off: str) -> None:
    change = Change(owner=owner, cwd="/", now=ManualClock(wall_ns=5).now())
    on = armed_mark(NoMark(), change, EVERYTHING)
    match main:
        case "on":
            marks.write(owner.key, replace(on, generation=3).to_document())
        case "off":
            marks.write(
                owner.key, replace(disarmed_mark(NoMark(), change), generation=3).to_document()
            )
        case "far":  # written by a clock that has been set back since
            marks.write(owner.key, replace(on, generation=2**62).to_document())
        case "garbage":
            marks.spoil(owner.key)
        case _:
            pass
    if off == "off":
        marks.write_off(
            owner.key, replace(disarmed_mark(NoMark(), change), generation=4).to_document()
        )
    elif off == "garbage":
        marks.spoil_off(owner.key)


@pytest.mark.parametrize("verb", ["reset", "disarm"])
@pytest.mark.parametrize("stop_after", [0, 1, 2])
@pytest.mark.parametrize(
    ("main", "off"),
    list(product(["missing", "on", "off", "far", "garbage"], ["missing", "off", "garbage"])),
)
def test_a_withdrawal_stopped_anywhere_widens_nothing(
    verb: str, stop_after: int, main: str, off: str
) -> None:
    marks = MarksThatStop()
    world = World(marks=marks)
    owner = world.owner()
    put(marks, owner, main, off)
    desk: ConsentDesk = world.desk
    heard_before = desk.state(owner.key).word is ArmWord.ARMED
    marks.writes_left = stop_after
    try:
        desk.reset(owner) if verb == "reset" else desk.disarm(owner, cwd="/")
        finished = True
    except Stopped:
        finished = False
    heard = desk.state(owner.key).word is ArmWord.ARMED
    assert not (heard and not heard_before)
    assert not (finished and heard)
