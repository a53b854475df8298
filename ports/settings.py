"""What a repository proposes and what its user allows: two TOML files that Tidings never writes."""

from typing import Protocol, TypeAlias

from tidings.ports.codec import Document
from tidings.ports.values import dataclass

NO_PLACE = "config.toml"
"""The path of a user's file of which no environment says where it would be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsAbsent:
    """No such file, by the file system's own word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsRead:
    """A regular file of at most 64 KiB that parses as TOML and that only this user may write.

    ``digest`` is the SHA-256 of its bytes, in hex; ``path`` is real and absolute.
    """

    path: str
    digest: str
    document: Document


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsWrong:
    """Something is there that cannot be read, parsed or trusted; ``why`` is a short phrase."""

    path: str
    why: str


SettingsFact: TypeAlias = SettingsAbsent | SettingsRead | SettingsWrong


class Settings(Protocol):
    """Reads only, no lock, and never raises for what is on disk."""

    def repository(self, folder: str) -> SettingsFact:
        """The nearest ``.tidings.toml`` from ``folder`` upward; only the nearest counts, readable
        or not (S 1.8). ``folder`` is absolute; an empty one has none."""
        ...

    def personal(self) -> SettingsFact:
        """The user's own ``config.toml``."""
        ...
