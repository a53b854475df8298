"""The guard of the scenarios: what went wrong must be stated, or the scenario fails.

Every refusal, hold, failure and error that a step meets is noted here. A ``Then`` step (or a
``Given`` that sets up a hold) states it and so takes it off the list. Whatever is left at the end
fails the scenario with its reason.
"""

from collections.abc import Callable
from dataclasses import dataclass, field


class UnstatedTrouble(AssertionError):
    """A scenario met a refusal, a hold or an error that none of its steps states."""


class NothingToState(AssertionError):
    """A step states a trouble that was not met; the text lists those that were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """One thing that did not simply go well.

    ``about`` is a message ref, or what was tried where no message was stored. ``token`` is the
    reason of the catalogue, or the name of an error; ``exit_code`` is the documented one.
    """

    about: str
    token: str
    exit_code: int
    text: str = ""

    def __str__(self) -> str:
        return f"{self.about}: {self.token} (exit {self.exit_code}) {self.text}".strip()


@dataclass(slots=True)
class Ledger:
    """The troubles met in one scenario. The same trouble twice is one.

    ``step`` is the kind of the step that runs: a ``when`` may only meet troubles, never state
    them, so that a step cannot wave its own refusal through. ``last`` is what was stated last.
    ``is_abandoned``: a step failed, so that what follows it was never reached.
    """

    step: str = ""
    is_abandoned: bool = False
    last: Trouble | None = None
    _open: list[Trouble] = field(default_factory=list[Trouble])
    _stated: list[Trouble] = field(default_factory=list[Trouble])

    def note(self, trouble: Trouble) -> None:
        """Something was refused, held, or failed."""
        if trouble not in self._open and trouble not in self._stated:
            self._open.append(trouble)

    def state(self, wanted: Callable[[Trouble], bool], what: str) -> Trouble:
        """The newest trouble that fits, now stated. Raises ``NothingToState``.

        A trouble that was stated before may be stated again: "and it still is".
        """
        if self.step == "when":
            raise NothingToState("a When step cannot state what it met: that is for a Then")
        for met in (self._open, self._stated):
            for trouble in reversed(met):
                if wanted(trouble):
                    self._move(trouble)
                    self.last = trouble
                    return trouble
        raise NothingToState(f"not met: {what}; met were: {self._listed()}")

    def check(self) -> None:
        """Raises ``UnstatedTrouble`` where something was met and never stated."""
        if self._open and not self.is_abandoned:
            listed = "; ".join(map(str, self._open))
            raise UnstatedTrouble(f"the scenario meets what it does not state: {listed}")

    def _move(self, trouble: Trouble) -> None:
        if trouble in self._open:
            self._open.remove(trouble)
            self._stated.append(trouble)

    def _listed(self) -> str:
        return "; ".join(map(str, (*self._open, *self._stated))) or "nothing"
