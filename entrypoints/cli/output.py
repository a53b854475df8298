"""What people and scripts read: safe cells, tables, JSON rows, one-line errors."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TextIO

from tidings.domain.messages.hidden import shows_nothing
from tidings.ports.codec import Value
from tidings.ports.errors import Ambiguous, NotAllowed, NotFound, OutputFailed, TidingsError

LONGEST_ECHO = 80
"""Characters of a caller's word that an error repeats at most."""

NO_FACTS: Mapping[str, Value] = MappingProxyType({})

VERSION = 1
"""The ``v`` of every JSON object or row."""


def write_line(text: str) -> None:
    """One line on standard output, at once: who reads a pipe sees progress as it happens.

    Whatever ``text`` holds, it stays one line and moves no cursor (S 4.1, SX5, SX6).
    """
    _write(safe(text))


def safe(text: str) -> str:
    """Self-declared text for a cell: what is unprintable or shows nothing becomes ``?`` (S 4.1)."""
    return "".join(one if one.isprintable() and not shows_nothing(one) else "?" for one in text)


def write_json(row: Mapping[str, Value]) -> None:
    """One object in one line, with its version first; ASCII, so that no terminal can misread it."""
    _write(_encoded({"v": VERSION, **row}))


def write_json_array(rows: Iterable[Mapping[str, Value]]) -> None:
    """An array in which each row carries its version; ``[]`` when empty.

    It goes out row by row, so that thousands of rows need not be held as one text.
    """
    before = "["
    for row in rows:
        text = _encoded({"v": VERSION, **row}, indent=2).replace("\n", "\n  ")
        _put(f"{before}\n  {text}")
        before = ","
    _write("[]" if before == "[" else "\n]")


def write_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns padded to their widest safe cell, two blanks apart."""
    cells = [list(header), *[[safe(cell) for cell in row] for row in rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    for row in cells:
        padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        write_line("  ".join(padded).rstrip())


def print_error(error: TidingsError, *, as_json: bool) -> None:
    """One line on standard error: what is wrong, and what to do next."""
    if as_json:
        write_error(_encoded(_error_row(error)))
        return
    write_error(f"tidings: {safe(str(error))}")


def write_error(line: str) -> None:
    """A line on standard error; one that cannot be written changes nothing else."""
    try:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    except OSError:
        discard_rest(sys.stderr)


def tell_act(show: Callable[[], None], *, done: str, code: int, as_json: bool) -> int:
    """Shows what an act did, and returns ``code``, the act's own exit code.

    Where standard output cannot be written, ``done`` (one line of it) goes to standard error, and
    the code stays: what was done is done, and no full disk or closed pipe may say otherwise (P12).
    """
    try:
        show()
    except (OutputFailed, BrokenPipeError):
        discard_rest(sys.stdout)
        note(f"{done}; standard output could not be written", code=code, as_json=as_json)
    return code


def tell_done(said: str, document: Mapping[str, Value], *, code: int, as_json: bool) -> int:
    """``tell_act`` for an act that is one sentence, or one object."""

    def show() -> None:
        if as_json:
            write_json(document)
        else:
            write_line(said)

    return tell_act(show, done=said, code=code, as_json=as_json)


def note(
    text: str,
    *,
    code: int,
    as_json: bool,
    next_step: str = "",
    facts: Mapping[str, Value] = NO_FACTS,
) -> None:
    """A line on standard error that is no error of its own: the verb ends with ``code``. ``facts``
    are told in JSON only."""
    said = TidingsError(text, next_step=next_step)
    said.facts |= facts
    said.exit_code = code
    print_error(said, as_json=as_json)


def without_long_words(error: TidingsError, words: Sequence[str]) -> TidingsError:
    """The error, with each of the caller's own words in it cut at ``LONGEST_ECHO`` characters.

    A word may be an option with its value (``--ttl=…``), and may stand in the text as ``repr`` does.
    """
    values = {part for word in words for part in (word, word.partition("=")[2])}
    for value in sorted(values, key=len, reverse=True):
        for long in (value, repr(value)[1:-1]):
            if len(long) > LONGEST_ECHO:
                error.text = error.text.replace(long, f"{long[:LONGEST_ECHO]}…")
                error.next_step = error.next_step.replace(long, f"{long[:LONGEST_ECHO]}…")
    return error


def discard_rest(stream: TextIO) -> None:
    """What is still in a buffer that cannot be written goes nowhere: Python would complain of it
    at exit, and end with a code of its own."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _write(line: str) -> None:
    _put(line + "\n", at_once=True)


def _put(text: str, *, at_once: bool = False) -> None:
    try:
        sys.stdout.write(text)
        if at_once:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as fault:
        discard_rest(sys.stdout)
        raise OutputFailed(f"the output could not be written: {fault.strerror}") from fault


def _encoded(value: object, indent: int | None = None) -> str:
    """JSON leaves one unprintable character of ASCII as it is."""
    return json.dumps(value, indent=indent).replace("\x7f", "\\u007f")


def _error_row(error: TidingsError) -> dict[str, Value]:
    row: dict[str, Value] = {
        "v": VERSION,
        "error": error.text,
        "next_step": error.next_step,
        "exit_code": error.exit_code,
        **error.facts,
    }
    if isinstance(error, NotAllowed):
        row["reason"] = error.reason
    if isinstance(error, NotFound):
        row["near"] = list(error.near)
    if isinstance(error, Ambiguous):
        row["candidates"] = list(error.candidates)
    return row
