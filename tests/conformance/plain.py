"""Narrowing of JSON that a client wrote: a shape that is not there reads as empty."""

import json
from pathlib import Path

from tidings.ports.codec import Document, Value


def parsed(text: str | bytes) -> Value:
    """The JSON value in ``text``; None where it is none (a file caught half written)."""
    try:
        value: Value = json.loads(text)
    except ValueError:
        return None
    return value


def document(value: Value) -> Document:
    """``value`` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: Value) -> list[Value]:
    """``value`` if it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def text_of(value: Value) -> str:
    """``value`` if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def number_of(value: Value) -> int:
    """``value`` if it is a whole number, else 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def read_document(path: Path) -> Document:
    """The object in the file at ``path``; empty where there is none yet."""
    try:
        return document(parsed(path.read_bytes()))
    except OSError:
        return {}


def read_lines(path: Path) -> list[Document]:
    """The objects in a file of JSON lines; empty where there is none yet."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    return [document(parsed(line)) for line in lines if line]
