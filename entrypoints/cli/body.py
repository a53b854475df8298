"""The text of a message: the words after ``--``, a file, or standard input; exactly one of them."""

import sys
from collections.abc import Sequence

from tidings.domain.messages.limits import LONGEST_PAYLOAD_BYTES
from tidings.ports.errors import UsageError

MOST_READ = LONGEST_PAYLOAD_BYTES + 1024
"""Bytes that are read at most: the longest text, and the line breaks that end a file."""


def read_body(words: Sequence[str] | None, file: str | None) -> str:
    """The text; line breaks at the end of a file or of standard input are not part of it.

    Raises ``UsageError`` for no text, for two of them, for bytes that are no UTF-8, and for more
    than 64 KiB, which is never shortened.
    """
    if words is not None and file is not None:
        raise UsageError("give the text after -- or with --file, not both")
    if words is not None:
        return _not_blank(_checked(" ".join(words)))
    if file is None and (sys.stdin is None or sys.stdin.isatty()):
        raise UsageError("no text", next_step="write it after --, or give --file or standard input")
    return _not_blank(_decoded(_read(file)))


def _not_blank(text: str) -> str:
    """Said before anything is looked up: usage comes first (D20)."""
    if not text.strip():
        raise UsageError("the text is blank", next_step="write it after --")
    return text


def _checked(text: str) -> str:
    """Arguments that were no UTF-8 reach Python as lone surrogates."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as fault:
        raise _no_utf8() from fault
    return text


def _read(file: str | None) -> bytes:
    source = "standard input" if file in (None, "-") else file
    try:
        if file is None or file == "-":
            return sys.stdin.buffer.read(MOST_READ)
        with open(file, "rb") as handle:
            return handle.read(MOST_READ)
    except OSError as fault:
        raise UsageError(f"{source} cannot be read: {fault.strerror}") from fault


def _decoded(data: bytes) -> str:
    if len(data) == MOST_READ:
        raise UsageError(
            f"the text is longer than {LONGEST_PAYLOAD_BYTES} bytes",
            next_step="shorten it, or send the name of a file that holds it",
        )
    try:
        return data.decode("utf-8").rstrip("\n")
    except UnicodeDecodeError as fault:
        raise _no_utf8() from fault


def _no_utf8() -> UsageError:
    return UsageError("the text is not UTF-8", next_step="convert it first")
