"""Throwaway homes: nothing a benchmark does touches the state of the person who runs it."""

import json
import os
import shutil
import socket
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tidings import Tidings
from tidings.domain.identity.owner import SessionOwner
from tidings.entrypoints.application import Application
from tidings.entrypoints.assembly import open_application


@dataclass(frozen=True, kw_only=True)
class Home:
    """A home directory with a state folder of its own, and the environment that points there.

    Without slots: ``cached_property`` needs the instance's own dictionary.
    """

    folder: Path

    @property
    def state(self) -> Path:
        return self.folder / "state"

    @cached_property
    def environment(self) -> dict[str, str]:
        return {
            "HOME": str(self.folder),
            "TIDINGS_HOME": str(self.state),
            "PATH": os.environ.get("PATH", os.defpath),
        }

    @cached_property
    def app(self) -> Application:
        return open_application(self.environment)

    def library(self) -> Tidings:
        """The library's face on this home; the caller closes it."""
        return Tidings.open(home=str(self.state))


@contextmanager
def temporary_home(*, within: str | None = None) -> Generator[Home, None, None]:
    """An empty home, gone with the block, in the folder ``within`` (None: the temporary one). Its
    path is short, since sockets live below it."""
    folder = Path(tempfile.mkdtemp(prefix="td-bench-", dir=within))
    try:
        yield Home(folder=folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def posing_as_client(home: Home) -> Generator[SessionOwner, None, None]:
    """This process as a coding agent's client: its socket is bound, its own record is published.

    So a child of this process finds a harness right above itself, as a hook or a tool does.
    """
    path = home.folder / "client.sock"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as bound:
        bound.bind(str(path))
        owner = home.app.probe.capture(os.getpid(), socket_path=str(path))
        _publish(home, owner)
        yield owner


def _publish(home: Home, owner: SessionOwner) -> None:
    record = {
        "pid": owner.birth.pid,
        "sessionId": "bench",
        "cwd": str(home.folder),
        "procStart": owner.birth.start.rpartition(":")[2],
        "version": "1.0.0",
        "messagingSocketPath": owner.socket.path if owner.socket else "",
        "name": "bench",
        "status": "busy",
    }
    sessions = home.folder / ".claude" / "sessions"
    sessions.mkdir(parents=True)
    (sessions / f"{owner.birth.pid}.json").write_text(json.dumps(record), encoding="utf-8")
