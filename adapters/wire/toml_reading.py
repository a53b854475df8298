"""TOML into a document: the same plain values that JSON gives.

A repository's file is anybody's to write, and every verb reads it: so it may be neither long nor
deep. The library's parser takes time that grows with the square of a dotted key's length.
"""

from typing import cast

from tidings.ports.codec import Document, DocumentUnreadable, Value

LONGEST_TOML_BYTES = 8192
MOST_DOTS = 32
"""Dots in one line that is not all comment: as deep as a dotted key may go."""

_SMALLEST, _LARGEST = -(2**63), 2**63 - 1


def decode_toml(data: bytes) -> Document:
    """The table in ``data`` (UTF-8, at most 8 KiB, 32 dots a line, numbers of 64 bits).

    Dates and times become text. Raises ``DocumentUnreadable`` for everything else.
    """
    _require_bounds(data)
    import tomllib  # 4 ms that nobody pays without a file to read

    try:
        table = tomllib.loads(data.decode("utf-8"))
        return {name: _plain(value) for name, value in table.items()}
    except DocumentUnreadable:
        raise
    except UnicodeDecodeError:
        raise DocumentUnreadable("not utf-8") from None
    except tomllib.TOMLDecodeError as error:
        raise DocumentUnreadable(f"no toml: {str(error)[:80]}") from None
    except Exception as error:  # noqa: BLE001 - no file of a stranger's may end a verb
        raise DocumentUnreadable(f"no toml: {type(error).__name__}") from None


def _require_bounds(data: bytes) -> None:
    if len(data) > LONGEST_TOML_BYTES:
        raise DocumentUnreadable("more than 8 KiB")
    for line in data.split(b"\n"):
        if line.count(b".") > MOST_DOTS and not line.lstrip().startswith(b"#"):
            raise DocumentUnreadable(f"more than {MOST_DOTS} dots in a line")


def _plain(value: object) -> Value:
    match value:
        case dict():
            table = cast("dict[str, object]", value)
            return {name: _plain(member) for name, member in table.items()}
        case list():
            return [_plain(member) for member in cast("list[object]", value)]
        case bool() | float() | str():
            return value
        case int():
            return _whole(value)
        case _:
            return str(value)


def _whole(value: int) -> int:
    if not _SMALLEST <= value <= _LARGEST:
        raise DocumentUnreadable("a number of more than 64 bits")
    return value
