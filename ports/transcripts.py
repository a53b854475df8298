"""Reading a harness's transcript, as evidence only (D18, M 4.5)."""

from typing import Protocol, TypeAlias

from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TailRead:
    """The end of a transcript: whole lines, the first partial one dropped."""

    lines: tuple[bytes, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TailUnreadable:
    """No file, no permission, no line break in the tail."""

    why: str


TailFact: TypeAlias = TailRead | TailUnreadable


class Transcripts(Protocol):
    """Reads the file a hook named; never a guessed one."""

    def tail(self, path: str) -> TailFact:
        """The last 256 KiB of ``path``."""
        ...
