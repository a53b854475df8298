"""``killed_sender.py HOME PLACE STATEMENT``: a sender that SIGKILL ends at one statement of its send.

PLACE is ``before`` or ``after`` the statement. It prints the ref once the send has returned, and
``done`` where it was not killed.
"""

import os
import signal
import sqlite3
import sys

from tidings import Refused, Tidings
from tidings.adapters.sqlite.store import SqliteMessageStore
from tidings.domain.messages.room import StoreLimits
from tidings.entrypoints.application import Application
from tidings.entrypoints.assembly import SystemPorts
from tidings.entrypoints.places import find_places
from tidings.ports.messages import MessageStore


class Hour:
    """The statement of this process's send at which it dies, counted down."""

    left = 0
    place = "before"


class MortalConnection(sqlite3.Connection):
    """Dies where ``Hour`` says, without a chance to tidy."""

    def execute(self, *arguments: object) -> sqlite3.Cursor:
        Hour.left -= 1
        if Hour.left == 0 and Hour.place == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        cursor = super().execute(*arguments)  # type: ignore[arg-type]
        if Hour.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return cursor


class MortalPorts(SystemPorts):
    """The real machine with a store whose connections can die."""

    @property
    def store(self) -> MessageStore:
        return self._once(
            "store",
            lambda: SqliteMessageStore(
                os.path.join(self.places.state, "tidings.db"),
                codec=self.codec,
                connection_class=MortalConnection,
            ),
        )


def main(home: str, place: str, statement: int, ref: str) -> None:
    """One send, or the part of one that it lives to see."""
    ports = MortalPorts(find_places(os.environ, home=home), os.environ)
    member = Tidings(Application(ports, limits=StoreLimits(records=8))).join("sender")
    Hour.place, Hour.left = place, statement
    outcome = member.send("target", "the orders endpoint changed", ref=ref)
    Hour.left = 0
    if isinstance(outcome, Refused):
        raise SystemExit(f"refused: {outcome.reason}")
    sys.stdout.write(f"{outcome.ref}\ndone\n")
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])
