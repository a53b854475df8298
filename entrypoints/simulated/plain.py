"""Reading JSON that others wrote, without trusting its shape."""

import json
from typing import cast

from tidings.ports.codec import Document, Value


def read_value(data: str | bytes) -> Value:
    """The JSON value in ``data``; None for whatever is none."""
    try:
        return cast("Value", json.loads(data))
    except (ValueError, RecursionError):
        return None


def as_object(value: Value) -> Document:
    """The object itself; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def as_array(value: Value) -> list[Value]:
    """The array itself; an empty one for anything else."""
    return value if isinstance(value, list) else []


def as_text(value: Value) -> str:
    """The text itself; an empty one for anything else."""
    return value if isinstance(value, str) else ""
