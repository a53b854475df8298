"""What is open on the operator's screen, and how it was answered."""

import asyncio
from collections.abc import Callable
from typing import Final, TypeAlias

from tidings.ports.values import dataclass, field

PERMISSION: Final = "permission needed"
INPUT: Final = "input needed"
"""``waitingFor``: "input needed" was measured for a question (H 2); the other wording is ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """Answered with yes. ``seconds`` overrides how long the tool then runs."""

    seconds: float | None = None
    reply: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Denied:
    """Answered with no: by the operator (Esc or "No"), or by a hook's decision."""

    by_hook: bool = False


Answer: TypeAlias = Allowed | Denied


def _new_answer() -> asyncio.Future[Answer]:
    return asyncio.get_running_loop().create_future()


@dataclass(slots=True, kw_only=True, eq=False)
class Dialog:
    """One open dialog; ``agent`` is empty for the main agent's."""

    what: str
    agent: str
    waiting_for: str
    answered: asyncio.Future[Answer] = field(default_factory=_new_answer)

    def answer(self, answer: Answer) -> bool:
        """False where somebody was faster: the first answer wins (H 2)."""
        if self.answered.done():
            return False
        self.answered.set_result(answer)
        return True


class Dialogs:
    """All open dialogs in the order of opening; ``on_change`` hears of each opening and close."""

    def __init__(self, on_change: Callable[[], None]) -> None:
        self._open: list[Dialog] = []
        self._on_change = on_change

    def open(self, what: str, *, agent: str, waiting_for: str) -> Dialog:
        dialog = Dialog(what=what, agent=agent, waiting_for=waiting_for)
        self._open.append(dialog)
        self._on_change()
        return dialog

    def close(self, dialog: Dialog) -> None:
        self._open.remove(dialog)
        self._on_change()

    def unanswered(self) -> list[Dialog]:
        return [dialog for dialog in self._open if not dialog.answered.done()]

    def waiting_for(self) -> str:
        """The published word of the oldest open dialog; empty where none is open."""
        return self._open[0].waiting_for if self._open else ""
