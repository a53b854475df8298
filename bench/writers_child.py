"""``writers_child.py library|bare PATH SECONDS NAME``: one of the writers that write together.

It says that it is ready, waits for a line, writes for SECONDS, and prints what it stored.
"""

import json
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from bare_store import BareStore
from stored_messages import accept
from tidings import Tidings
from tidings.ports.errors import StoreLocked


@contextmanager
def library_writer(path: str, name: str) -> Generator[Callable[[], str], None, None]:
    """Accepts messages through the library."""
    with Tidings.open(home=path) as tidings:
        member = tidings.join(name)
        yield lambda: accept(member)


@contextmanager
def bare_writer(path: str, _name: str) -> Generator[Callable[[], str], None, None]:
    """Inserts rows with bare SQLite."""
    with BareStore.open(Path(path)) as store:
        yield store.insert


WRITERS = {"library": library_writer, "bare": bare_writer}


def main(kind: str, path: str, seconds: float, name: str) -> None:
    """Writes as fast as it can; a store that stays locked stores nothing and was waited for."""
    refs: list[str] = []
    longest_seconds = 0.0
    with WRITERS[kind](path, name) as write:
        _say("ready")
        sys.stdin.readline()
        ends_at = time.monotonic() + seconds
        while (begun_at := time.monotonic()) < ends_at:
            with suppress(StoreLocked):
                refs.append(write())
            longest_seconds = max(longest_seconds, time.monotonic() - begun_at)
        _say(json.dumps({"refs": refs, "longest_seconds": longest_seconds}))
        sys.stdin.readline()


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4])
