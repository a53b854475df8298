"""What consent should mean, said a second time and in other words than the product's.

No decision of the product is called here. A session is a few plain facts; a withdrawal is counted,
and a message goes out only under the count at which it was accepted.
"""

from dataclasses import dataclass, field
from typing import Literal

Word = Literal["nothing", "yes", "no"]


@dataclass(slots=True)
class Repository:
    """One ``.tidings.toml`` and what its user says of such files. ``file`` counts its versions."""

    file: int | None = None
    proposes: bool = False
    is_vetoed: bool = False
    wants_approval: bool = False
    approved: int | None = None

    def arms(self) -> bool:
        """Whether it makes the sessions below it hear."""
        if self.file is None or not self.proposes or self.is_vetoed:
            return False
        return not self.wants_approval or self.approved == self.file


@dataclass(slots=True)
class Limits:
    """How far a yes reaches."""

    only_from: str = ""
    ends_at: int | None = None

    @property
    def is_narrow(self) -> bool:
        """Whether it reaches less far than a repository's yes."""
        return bool(self.only_from) or self.ends_at is not None


@dataclass(slots=True)
class Session:
    """One session. ``bound`` counts the sockets it bound; ``yes_at`` and ``known_at`` say which of
    them its yes and its record name."""

    repository: Repository
    runs: bool = True
    is_hidden: bool = False
    bound: int = 0
    known_at: int | None = None
    word: Word = "nothing"
    limits: Limits = field(default_factory=Limits)
    yes_at: int = 0
    spoiled: set[str] = field(default_factory=set[str])
    has_mark: bool = False
    withdrawals: int = 0
    was_greeted: bool = False

    @property
    def is_provable(self) -> bool:
        """Whether it runs, and the kernel says so."""
        return self.runs and not self.is_hidden

    def is_over(self, now: int) -> bool:
        """Whether it said a yes that counts no more."""
        ends_at = self.limits.ends_at
        too_late = ends_at is not None and now >= ends_at
        return self.word == "yes" and (self.yes_at != self.bound or too_late)

    def hears(self, sender: str, now: int) -> bool:
        """Whether ``sender`` is heard at the elapsed second ``now``."""
        if not self.is_provable or self.spoiled or self.word == "no":
            return False
        if self.word == "yes":
            return not self.is_over(now) and self.limits.only_from in ("", sender)
        return self.known_at == self.bound and self.repository.arms()

    def say_yes(self, limits: Limits) -> None:
        """It is armed, as it runs now."""
        self.word, self.limits, self.yes_at, self.has_mark = "yes", limits, self.bound, True

    def say_no(self, *, beside: bool) -> None:
        """It is disarmed, in the mark's own file or ``beside`` it; the other one stays as it is."""
        self.spoiled.discard("off" if beside else "main")
        self.withdraw("no")

    def take_back(self) -> bool:
        """It is reset. Whether there was a word to take back."""
        if not self.has_mark:
            return False
        had_word = bool(self.spoiled) or self.word != "nothing"
        self.spoiled.clear()
        self.was_greeted = False
        self.withdraw("nothing")
        return had_word

    def withdraw(self, word: Word) -> None:
        """Whatever was accepted before does not go out."""
        self.word, self.has_mark, self.withdrawals = word, True, self.withdrawals + 1

    def forget(self, *, has_mark: bool) -> None:
        """Its word is cleared away; nothing that was accepted is withdrawn by that."""
        self.word, self.has_mark, self.was_greeted = "nothing", has_mark, False
