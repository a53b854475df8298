"""A receipt survives whatever happens to its output (P11, P12); each in a real process."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.office import TIDINGS, Said, run
from support.terminals import at_a_terminal
from tidings import Member, Tidings
from tidings.adapters.wire.published import Error

NOT_ISOLATED = f"{sys.executable} -m tidings"
"""The command as it is installed: an isolated interpreter reads no PYTHONIOENCODING."""

NO_DISK = "standard output could not be written"


@pytest.fixture
def tidings(tmp_path: Path) -> Iterator[Tidings]:
    with Tidings.open(str(tmp_path / "state")) as opened:
        yield opened


@pytest.fixture
def api(tidings: Tidings) -> Member:
    """``api`` is this very process, armed for everybody."""
    api = tidings.join("api")
    api.arm()
    return api


def shell(folder: Path, line: str, **environment: str) -> Said:
    """``T`` in the line stands for the command."""
    return run(
        at_a_terminal(["sh", "-c", line.replace("T ", f"{' '.join(TIDINGS)} ")]),
        environment={"HOME": str(folder), "TIDINGS_HOME": str(folder / "state"), **environment},
        stdin=b"",
        cwd=folder,
    )


def into_closed_pipe(folder: Path, *words: str) -> Said:
    """The command with a standard output whose reader is gone before the first byte."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            at_a_terminal([*TIDINGS, *words]),
            env={"PATH": os.environ["PATH"], "TIDINGS_HOME": str(folder / "state")},
            stdin=subprocess.DEVNULL,
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
            timeout=30,
        )
    finally:
        os.close(writer)
    return Said(code=done.returncode, out="", err=done.stderr.decode())


def test_a_stored_message_is_named_where_its_receipt_cannot_be_written(
    tmp_path: Path, tidings: Tidings, api: Member
) -> None:
    full = shell(tmp_path, "T send api --ref one-1 -- hello >/dev/full")
    closed = into_closed_pipe(tmp_path, "send", "api", "--ref", "two-2", "--", "hello")
    assert (full.code, closed.code) == (0, 0)
    assert full.err == f"tidings: one-1 is held (awaiting-pull); {NO_DISK}\n"
    assert closed.err == f"tidings: two-2 is held (awaiting-pull); {NO_DISK}\n"
    assert {tidings.show(ref).state for ref in ("one-1", "two-2")} == {"held"}


def test_in_json_that_is_one_object_with_the_receipt_s_own_exit_code(
    tmp_path: Path, api: Member
) -> None:
    said = shell(tmp_path, "T send api --json -- hello >/dev/full")
    error = Error.model_validate_json(said.err)
    assert (said.code, error.exit_code) == (0, 0)
    assert " is held (awaiting-pull)" in error.error


def test_a_refusal_is_no_success_because_nobody_reads_it(tmp_path: Path, api: Member) -> None:
    api.disarm()
    full = shell(tmp_path, "T send api -- hello >/dev/full")
    closed = into_closed_pipe(tmp_path, "send", "api", "--", "hello")
    assert (full.code, closed.code) == (5, 5)
    assert "target-not-armed: nothing was stored" in full.err
    assert "target-not-armed: nothing was stored" in closed.err


@pytest.mark.parametrize(
    ("verb", "done"),
    [
        ("arm", "api hears everyone"),
        ("disarm", "api hears nothing: no delivery begins from now on"),
        ("reset", "api is neither armed nor disarmed any more"),
    ],
)
def test_a_change_of_consent_that_is_done_says_so_and_keeps_its_code(
    verb: str, done: str, tmp_path: Path, api: Member
) -> None:
    full = shell(tmp_path, f"T {verb} api >/dev/full")
    assert (full.code, full.err.count("\n")) == (0, 1)
    assert done in full.err
    assert NO_DISK in full.err
    shell(tmp_path, "T arm api")
    closed = into_closed_pipe(tmp_path, verb, "api")
    assert closed.code == 0
    assert done in closed.err


def test_both_streams_full_change_no_exit_code(tmp_path: Path, api: Member) -> None:
    assert shell(tmp_path, "T send api -- hello >/dev/full 2>/dev/full").code == 0
    assert shell(tmp_path, "T send ape -- hello 2>/dev/full").code == 3
    assert shell(tmp_path, "T sned 2>/dev/full").code == 2


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "ascii:strict"])
def test_a_narrow_encoding_costs_a_character_and_no_receipt(
    encoding: str, tmp_path: Path, tidings: Tidings, api: Member
) -> None:
    sent = shell(
        tmp_path, f"{NOT_ISOLATED} send api --ref one-1 -- hello", PYTHONIOENCODING=encoding
    )
    assert (sent.code, sent.err) == (0, "")
    (letter,) = api.inbox()
    api.answer(letter.ref, "caf\u00e9 \u2713")
    shown = shell(tmp_path, f"{NOT_ISOLATED} show one-1", PYTHONIOENCODING=encoding)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith("one-1  delivered")
    assert "answered" in shown.out
    unknown = shell(tmp_path, f"{NOT_ISOLATED} send \u2713pe -- hello", PYTHONIOENCODING=encoding)
    assert unknown.code == 3
