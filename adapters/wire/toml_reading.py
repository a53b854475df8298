"""TOML into a document: the same plain values that JSON gives."""

from typing import cast

from tidings.ports.codec import Document, DocumentUnreadable, Value


def decode_toml(data: bytes) -> Document:
    """The table in ``data`` (UTF-8). Dates and times become text. Raises ``DocumentUnreadable``."""
    import tomllib  # 4 ms that nobody pays without a file to read

    try:
        table = tomllib.loads(data.decode("utf-8"))
        return {name: _plain(value) for name, value in table.items()}
    except UnicodeDecodeError:
        raise DocumentUnreadable("not utf-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise DocumentUnreadable(f"no toml: {str(error)[:80]}") from None


def _plain(value: object) -> Value:
    match value:
        case dict():
            table = cast("dict[str, object]", value)
            return {name: _plain(member) for name, member in table.items()}
        case list():
            return [_plain(member) for member in cast("list[object]", value)]
        case bool() | int() | float() | str():
            return value
        case _:
            return str(value)
