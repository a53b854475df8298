"""The real clients: installed from npm once per machine, and kept (H 0, H 7)."""

import contextlib
import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from conformance.plain import items, parsed, text_of
from support.waiting import StillWaiting, until

CLAUDE_PACKAGE = "@anthropic-ai/claude-code"
PINNED_VERSION = os.environ.get("TIDINGS_CLAUDE_VERSION") or "2.1.332"

INSTALL_SECONDS = 240.0
LOCK_SECONDS = 300.0
PROBE_SECONDS = 20.0
LOOKUP_SECONDS = 60.0
NPM_OPTIONS = ("--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=30000")
EXACT_VERSION = re.compile(r"\d+\.\d+\.\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A client that ran ``--version`` just now and named the version that was asked for."""

    version: str
    program: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip:
    """Why the real client cannot be driven on this machine, for the person who reads the run."""

    reason: str


def claude_client(version: str) -> Client | Skip:
    """Claude Code at ``version``, installed by whichever worker comes first.

    A failed download or a client that does not run is a ``Skip``; a version that is no exact
    version is a ``ValueError``, since the cache is named by it.
    """
    if not EXACT_VERSION.fullmatch(version):
        raise ValueError(f"TIDINGS_CLAUDE_VERSION must be exact, such as 2.1.332: {version}")
    if sys.platform != "linux":
        return Skip(reason=f"the conformance namespace needs Linux, and this is {sys.platform}")
    folder = cache_folder() / f"claude-code-{version}"
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _locked(folder.with_name(f"{folder.name}.lock")):
            found = _examined(folder, version)
            return found if isinstance(found, Client) else _installed(folder, version)
    except (OSError, StillWaiting) as error:
        return Skip(reason=f"the client cache cannot be used: {error}")


def other_version(pinned: str = PINNED_VERSION) -> str | Skip:
    """The newest release on npm; where that is the pinned one, the release before it.

    So two releases are always compared. A registry that does not answer is a ``Skip``.
    """
    argv = ["npm", "view", CLAUDE_PACKAGE, "versions", "--json", "--fetch-retries=1"]
    try:
        done = _run(argv, LOOKUP_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Skip(reason=f"npm did not tell the releases: {error}")
    return another_release([text_of(one) for one in items(parsed(done.stdout))], pinned=pinned)


def another_release(listed: Sequence[str], *, pinned: str) -> str | Skip:
    """The newest of ``listed`` if it is newer than ``pinned``, else the next older one."""
    releases = {_numbers(one): one for one in listed if EXACT_VERSION.fullmatch(one)}
    others = sorted(number for number in releases if number != _numbers(pinned))
    newer = [number for number in others if number > _numbers(pinned)]
    if not others:
        return Skip(reason=f"npm lists no release beside {pinned}")
    return releases[newer[-1] if newer else others[-1]]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version.split("."))


def cache_folder() -> Path:
    """Where clients are kept between runs."""
    if chosen := os.environ.get("TIDINGS_CLIENT_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "tidings-clients"


@contextlib.contextmanager
def _locked(path: Path) -> Generator[None]:
    with path.open("a") as handle:
        until(lambda: _lock(handle), timeout=LOCK_SECONDS, what=f"the lock {path.name}")
        yield


def _lock(handle: IO[str]) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _installed(folder: Path, version: str) -> Client | Skip:
    """Installs beside ``folder`` and moves it there only once the client ran (under the lock)."""
    if shutil.which("npm") is None:
        return Skip(reason="npm is not on the PATH, so no client can be installed")
    staging = folder.with_name(f".{folder.name}.staging")
    shutil.rmtree(staging, ignore_errors=True)
    try:
        fault = _npm_fault(staging, version)
        found = Skip(reason=fault) if fault else _examined(staging, version)
        if isinstance(found, Skip):
            return found
        shutil.rmtree(folder, ignore_errors=True)
        staging.rename(folder)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return _examined(folder, version)


def _npm_fault(folder: Path, version: str) -> str:
    """Installs into ``folder``; what went wrong in one line, or nothing."""
    package = f"{CLAUDE_PACKAGE}@{version}"
    argv = ["npm", "install", "--prefix", str(folder), package, *NPM_OPTIONS]
    try:
        done = _run(argv, INSTALL_SECONDS)
    except subprocess.TimeoutExpired:
        return f"npm did not install {package} within {INSTALL_SECONDS:g} s"
    if done.returncode == 0:
        return ""
    told = [line for line in done.stderr.splitlines() if "npm error" in line]
    return f"npm could not install {package}: {'; '.join(told[:3]) or done.returncode}"


def _examined(folder: Path, version: str) -> Client | Skip:
    """The client in ``folder`` if it starts and is of the version we asked for."""
    program = folder / "node_modules" / ".bin" / "claude"
    if not program.exists():
        return Skip(reason=f"no client in {folder.name}")
    try:
        done = _run([str(program), "--version"], PROBE_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Skip(reason=f"the installed client does not run: {error}")
    if not done.stdout.startswith(f"{version} "):
        return Skip(reason=f"the installed client calls itself {done.stdout.strip()!r}")
    return Client(version=version, program=program)


def _run(argv: list[str], timeout: float) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        argv,
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
    )
