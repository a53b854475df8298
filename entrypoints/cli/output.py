"""What people and scripts read: safe cells, tables, JSON rows, one-line errors."""

import json
import sys
from collections.abc import Mapping, Sequence

from tidings.ports.codec import Value
from tidings.ports.errors import Ambiguous, NotAllowed, NotFound, TidingsError

VERSION = 1
"""The ``v`` of every JSON object or row."""


def write_line(text: str) -> None:
    """One line on standard output, at once: who reads a pipe sees progress as it happens.

    Whatever ``text`` holds, it stays one line and moves no cursor (S 4.1, SX5, SX6).
    """
    sys.stdout.write(safe(text) + "\n")
    sys.stdout.flush()


def safe(text: str) -> str:
    """Self-declared text for a cell: unprintable characters become ``?`` (S 4.1, 4.2)."""
    return "".join(character if character.isprintable() else "?" for character in text)


def write_json(row: Mapping[str, Value]) -> None:
    """One object in one line, with its version first; ASCII, so that no terminal can misread it."""
    write_line(json.dumps({"v": VERSION, **row}))


def write_json_array(rows: Sequence[Mapping[str, Value]]) -> None:
    """An array in which each row carries its version; ``[]`` when empty."""
    versioned = [{"v": VERSION, **row} for row in rows]
    for line in json.dumps(versioned, indent=2).splitlines():
        write_line(line)


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
        sys.stderr.write(json.dumps(_error_row(error)) + "\n")
        return
    step = f" ({error.next_step})" if error.next_step else ""
    sys.stderr.write(f"tidings: {safe(error.text + _choices(error) + step)}\n")


def _choices(error: TidingsError) -> str:
    return f": {', '.join(error.candidates)}" if isinstance(error, Ambiguous) else ""


def _error_row(error: TidingsError) -> dict[str, Value]:
    row: dict[str, Value] = {
        "v": VERSION,
        "error": error.text,
        "next_step": error.next_step,
        "exit_code": error.exit_code,
    }
    if isinstance(error, NotAllowed):
        row["reason"] = error.reason
    if isinstance(error, NotFound):
        row["near"] = list(error.near)
    if isinstance(error, Ambiguous):
        row["candidates"] = list(error.candidates)
    return row
