"""Every error of the product, as one tree with its exit code (design page 1, D35).

::

    TidingsError                 70 internal
    ├── UsageError                2 the call's words are off
    ├── NotFound                  3 no such agent, session or message
    ├── Ambiguous                 4 several match; the candidates are listed
    ├── NotAllowed                5 consent, scope or guard
    ├── LockTimeout               6 a file lock stayed taken to the deadline
    ├── StateUnreadable           7 unreadable or unknown state: fail closed
    │   ├── StoreLocked           7 the database stayed locked to the deadline
    │   ├── StoreMalformed        7 the store breaks one of its own rules; it is never repaired
    │   ├── OwnerUnprovable       7 whose session this is cannot be proved
    │   └── StateUnwritable       7 the state folder refuses (full disk, permissions)
    ├── NotRunning                9 known, but not running
    └── OutputFailed             70 standard output took no more (full disk)

Expected outcomes (held, refused, expired …) are values, never errors.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidings.ports.codec import Document


class TidingsError(Exception):
    """The root. ``text`` is one line for a person; ``next_step`` says what to do, or is empty.

    ``str(error)`` is both, as the command prints them.
    """

    exit_code = 70

    def __init__(self, text: str, *, next_step: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.next_step = next_step
        self.facts: Document = {}
        """What a verb adds to the error where it is told as JSON."""

    def __str__(self) -> str:
        step = f" ({self.next_step})" if self.next_step else ""
        return f"{self.text}{self._choices()}{step}"

    def _choices(self) -> str:
        return ""


class UsageError(TidingsError):
    """The call itself is malformed; nothing was looked up or written."""

    exit_code = 2


class NotFound(TidingsError):
    """Nothing of that name exists, and nothing was created. ``near`` lists close names."""

    exit_code = 3

    def __init__(self, text: str, *, near: Sequence[str] = (), next_step: str = "") -> None:
        super().__init__(text, next_step=next_step)
        self.near = tuple(near)


class Ambiguous(TidingsError):
    """More than one match; ``candidates`` lists them and none is chosen."""

    exit_code = 4

    def __init__(self, text: str, *, candidates: Sequence[str], next_step: str = "") -> None:
        super().__init__(text, next_step=next_step)
        self.candidates = tuple(candidates)

    def _choices(self) -> str:
        return f": {', '.join(self.candidates)}"


class NotAllowed(TidingsError):
    """Consent, scope or a guard says no; ``reason`` is the token of the catalogue."""

    exit_code = 5

    def __init__(self, text: str, *, reason: str, next_step: str = "") -> None:
        super().__init__(text, next_step=next_step)
        self.reason = reason


class LockTimeout(TidingsError):
    """A file lock was still held by somebody else at the stated deadline (never broken by age)."""

    exit_code = 6

    def __init__(self, lock: str, waited_seconds: float) -> None:
        super().__init__(
            f"the lock {lock} was still taken after {waited_seconds:g} s",
            next_step="try again; `tidings ls` shows who is at work",
        )
        self.lock = lock
        self.waited_seconds = waited_seconds


class StateUnreadable(TidingsError):
    """State cannot be read or trusted, so the answer is no."""

    exit_code = 7


class StoreLocked(StateUnreadable):
    """The database stayed locked to the caller's deadline. It never means "no such message"."""


class StoreMalformed(StateUnreadable):
    """A stored row or schema breaks a rule. Refused whole, never repaired or truncated."""


class OwnerUnprovable(StateUnreadable):
    """The process that would own the record cannot be named or proved."""


class StateUnwritable(StateUnreadable):
    """The file system refused a write; what was there before is intact."""


class NotRunning(TidingsError):
    """The agent is known but no process of it lives."""

    exit_code = 9


class OutputFailed(TidingsError):
    """Standard output could not be written. What a verb did before that is done all the same."""
