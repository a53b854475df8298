"""SIGKILL at every statement of a send: what was accepted is in the store or in history (P11)."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.project import ROOT
from tidings import Refused, Tidings
from tidings.adapters.sqlite.store import SqliteMessageStore
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.messages.room import StoreLimits
from tidings.entrypoints.application import Application
from tidings.entrypoints.assembly import SystemPorts
from tidings.entrypoints.embedding.member import Member
from tidings.entrypoints.places import find_places

CHILD = ROOT / "tests" / "support" / "killed_sender.py"
FEWEST = 15
"""Statements that a send at the limit runs at least; fewer would mean that the child was not hit."""

pytestmark = pytest.mark.xdist_group("killed-senders")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def target(home: Path) -> Iterator[Member]:
    ports = SystemPorts(find_places(os.environ, home=str(home)), os.environ)
    with Tidings(Application(ports, limits=StoreLimits(records=8))) as tidings:
        member, sender = tidings.join("target"), tidings.join("filler")
        member.arm()
        for number in range(8):
            assert not isinstance(sender.send("target", "old", ref=f"old-{number}"), Refused)
        member.disarm()  # which ends them all, so that they may leave
        member.arm()
        yield member


def send(home: Path, place: str, statement: int, ref: str) -> "subprocess.CompletedProcess[str]":
    words = [sys.executable, str(CHILD), str(home), place, str(statement), ref]
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)


def refs_of(home: Path) -> tuple[set[str], set[str]]:
    """Refs in the store and in history; reading each row checks it."""
    store = SqliteMessageStore(str(home / "tidings.db"), codec=JsonCodec())
    try:
        return store.view(
            lambda tx: (
                {row.ref for row in tx.recent(after_seq=0, limit=999)},
                {row.ref for row in tx.history_after(0, limit=999)},
            ),
            wait_seconds=5,
        )
    finally:
        store.close()


def pulled(target: Member) -> list[str]:
    return [letter.ref for letter in target.inbox()]


@pytest.mark.parametrize("place", ["before", "after"])
def test_a_sender_that_dies_anywhere_loses_nothing(
    home: Path, target: Member, place: str, record_property: Callable[[str, object], None]
) -> None:
    """Eight ended messages fill the store, so every send also lets the oldest leave."""
    accepted = set(refs_of(home)[0])
    assert len(accepted) == 8
    points = 0
    for statement in range(1, 99):
        ref = f"job-{place}-{statement}"
        child = send(home, place, statement, ref)
        told = child.stdout.split()
        assert child.returncode in (0, -signal.SIGKILL), child.stderr
        stored, left = refs_of(home)
        assert not stored & left
        assert accepted <= stored | left, f"lost at statement {statement}"
        assert set(told[:1]) <= stored | left, "an acknowledged send is not there"
        fresh = {ref} & (stored | left)
        assert pulled(target) == sorted(fresh), "what was accepted is not delivered once"
        accepted |= fresh
        if told[1:] == ["done"]:
            break
        points += 1
    assert points >= FEWEST
    assert refs_of(home)[1], "no send let anything leave"
    record_property("kill_points", points)
    sys.stdout.write(f"{place}: {points} kill points, {len(accepted) - 8} accepted\n")
