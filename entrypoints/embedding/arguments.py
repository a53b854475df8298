"""What callers of the library hand in, judged at the door: each call says what it wants."""

from collections.abc import Collection
from os import PathLike, fsencode
from typing import TYPE_CHECKING, Literal

from tidings.ports.errors import UsageError

if TYPE_CHECKING:
    from datetime import timedelta
    from types import UnionType

    from tidings.domain.messages.wishes import Wishes

Moment = Literal["now", "turn-end", "idle"]

DAY_SECONDS = 86_400
MICROSECOND_NS = 1_000
LONGEST_FLOAT = 1e300


def expect(value: object, kind: "type | UnionType", rule: str) -> None:
    """The one door for what callers hand in: as ``expect_type``, and no text that UTF-8 cannot
    hold. What a message may say is judged with the message, and refused as a value."""
    expect_type(value, kind, rule)
    if isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise UsageError(f"{rule} that UTF-8 can hold, not {value[:40]!r}")


def expect_type(value: object, kind: "type | UnionType", rule: str) -> None:
    """Callers without a type checker are told what is wanted, not what went wrong inside."""
    if not isinstance(value, kind):
        raise UsageError(f"{rule}, not {type(value).__name__}")


def expect_path(file: "str | PathLike[str]", rule: str) -> None:
    """A path may hold any byte but NUL, as Python spells it."""
    expect_type(file, str | PathLike, rule)
    if not _is_path(file):
        raise UsageError(f"{rule}, not {repr(file)[:40]}")


def _is_path(file: "str | PathLike[str]") -> bool:
    try:
        return b"\0" not in fsencode(file)
    except UnicodeEncodeError:
        return False


def expect_names(names: "Collection[object] | None", what: str) -> None:
    """A bare text is a collection too, of its letters; nobody means that."""
    rule = f"{what} is a list of texts"
    if isinstance(names, str):
        raise UsageError(f"{rule}, not str")
    expect(names, Collection | None, rule)
    for name in names or ():
        expect(name, str, f"{rule}, each of them a text")


def seconds_of(timeout: "float | timedelta") -> float:
    from datetime import timedelta

    if isinstance(timeout, timedelta):
        return timeout.total_seconds()
    expect(timeout, int | float, "timeout is seconds or a timedelta")
    return float(timeout) if abs(timeout) < LONGEST_FLOAT else float("inf")


def nanoseconds_of(duration: "timedelta", what: str) -> int:
    from datetime import timedelta

    expect(duration, timedelta, f"{what} is a datetime.timedelta, such as timedelta(minutes=30)")
    microseconds = (duration.days * DAY_SECONDS + duration.seconds) * 1_000_000
    return (microseconds + duration.microseconds) * MICROSECOND_NS


def wishes_of(when: str, key: str | None) -> "Wishes":
    from tidings.domain.messages.wishes import When, Wishes

    expect(when, str, "a moment is text")
    expect(key, str | None, "a key is text or None")
    if when not in tuple(When):
        raise UsageError(f"there is no moment {when!r}: {', '.join(When)}")
    return Wishes(when=When(when), supersede_key=key or "")
