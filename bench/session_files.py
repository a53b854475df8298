"""Homes with many session records, for benchmarks that list them."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace

from benchmark import Run
from homes import Home, posing_as_client, temporary_home
from tidings.domain.identity.owner import SessionOwner, SocketIdentity
from tidings.domain.sessions.record import SessionRecord
from tidings.ports.processes import ProcessBirth
from tidings.ports.tokens import Provider


@contextmanager
def filled_home(run: Run, count: int) -> Generator[Home, None, None]:
    """A home with ``count`` records: every other owner lives (this process), the rest are gone.

    The files are written plainly: the product's durable writes would take a minute, and they are
    not what is measured here.
    """
    with temporary_home() as home, posing_as_client(home) as owner:
        run.say(f"writing {count} session records")
        folder = home.state / "sessions"
        folder.mkdir(parents=True)
        for number in range(count):
            record = _record(home, owner, number)
            path = folder / f"{record.key}.json"
            path.write_bytes(home.app.ports.codec.encode(record.to_document()))
        yield home


def _record(home: Home, owner: SessionOwner, number: int) -> SessionRecord:
    """The record of a thread of this process, or of a process that ended long ago."""
    mine = replace(owner, thread_id=f"thread-{number}") if number % 2 == 0 else _gone(owner, number)
    return SessionRecord(
        key=mine.key,
        owner=mine,
        owner_source="ancestor",
        owner_verified=True,
        provider=Provider.CLAUDE,
        session_id=f"{number:08x}-0000-4000-8000-000000000000",
        agent=f"agent-{number}",
        name=f"session {number}",
        cwd=str(home.folder / f"project-{number}"),
        registered_at_ns=1_800_000_000_000_000_000 + number,
        registrar_pid=owner.birth.pid,
    )


def _gone(owner: SessionOwner, number: int) -> SessionOwner:
    """Another pid with an impossible start: whoever has that number now is not its owner."""
    birth = ProcessBirth(pid=100_000 + number, uid=owner.birth.uid, start=f"{owner.birth.start}0")
    socket = SocketIdentity(path=f"/tmp/gone-{number}.sock", device=1, inode=number, mtime_ns=1)
    return replace(owner, birth=birth, socket=socket)
