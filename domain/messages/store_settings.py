"""How much the store keeps, from the user's own ``config.toml``: the table ``[store]`` (D31)."""

from typing import Final

from tidings.domain.documents import Fields, FieldWrong
from tidings.domain.messages.room import DAY_NS, LARGEST_MESSAGE_BYTES, SHIPPED_LIMITS, StoreLimits
from tidings.ports import settings
from tidings.ports.errors import StateUnreadable
from tidings.ports.settings import SettingsAbsent, SettingsFact, SettingsRead, SettingsWrong

LEAST_BYTES: Final = 4 * LARGEST_MESSAGE_BYTES
MOST_RECORDS: Final = 100_000_000
MOST_BYTES: Final = 1 << 40
MOST_DAYS: Final = 36_500
_KEYS: Final = ("records", "bytes", "retention_days")


def store_limits(personal: SettingsFact) -> StoreLimits:
    """``records`` (1 to 100 million), ``bytes`` (1 MiB to 1 TiB) and ``retention_days`` of history
    (1 to 36,500); what is absent is as shipped, and so is all where no environment says in which
    place the file would be.

    Raises ``StateUnreadable`` for anything else in the table, and for a file that cannot be read:
    nobody gets a limit that was not asked for.
    """
    match personal:
        case SettingsAbsent() | SettingsWrong(path=settings.NO_PLACE):
            return SHIPPED_LIMITS
        case SettingsWrong(path=path, why=why):
            raise _wrong(path, why)
        case SettingsRead(path=path, document=document):
            try:
                return _limits(Fields(document=document).optional_section("store"))
            except FieldWrong as wrong:
                raise _wrong(path, str(wrong)) from wrong


def _limits(table: Fields | None) -> StoreLimits:
    if table is None:
        return SHIPPED_LIMITS
    unknown = sorted(set(table.document) - set(_KEYS))
    if unknown:
        raise FieldWrong(f"store.{unknown[0]} is none of {', '.join(_KEYS)}")
    records = _bounded(table, "records", least=1, most=MOST_RECORDS)
    size_bytes = _bounded(table, "bytes", least=LEAST_BYTES, most=MOST_BYTES)
    days = _bounded(table, "retention_days", least=1, most=MOST_DAYS)
    return StoreLimits(
        records=records or SHIPPED_LIMITS.records,
        size_bytes=size_bytes or SHIPPED_LIMITS.size_bytes,
        history_retention_ns=days * DAY_NS if days else SHIPPED_LIMITS.history_retention_ns,
    )


def _bounded(table: Fields, name: str, *, least: int, most: int) -> int:
    """0 where it is absent."""
    value = table.optional_integer(name, least=least)
    if value is not None and value > most:
        raise FieldWrong(f"store.{name} is more than {most}")
    return value or 0


def _wrong(path: str, why: str) -> StateUnreadable:
    return StateUnreadable(
        f"your settings do not say how much the store may keep ({path}: {why})",
        next_step="correct [store] in that file, or take it out; nothing was stored",
    )
