"""What every world of the features can do, in memory or with real processes."""

from collections.abc import Callable, Sequence
from typing import Protocol

from steps.ledger import Ledger
from steps.pretended_dialogs import Dialog
from tidings.domain.messages.receipt import MessageView


class World(Protocol):
    """Sessions by name, and messages by their text. Troubles go to ``ledger``."""

    @property
    def ledger(self) -> Ledger: ...

    def start(self, *names: str) -> None:
        """Sessions begin, each with a registered resident."""
        ...

    def arm(self, name: str, *, senders: Sequence[str] = (), hours: int = 0) -> None:
        """The operator agrees; no senders means everybody, 0 hours means for good."""
        ...

    def disarm(self, name: str) -> None:
        """The operator takes it back."""
        ...

    def send(self, sender: str, target: str, text: str) -> None:
        """The model of ``sender`` writes to ``target``."""
        ...

    def answer(self, name: str, text: str) -> None:
        """The model of ``name`` answers the newest message it read, with its own tool."""
        ...

    def open_dialog(self, name: str, dialog: Dialog) -> None:
        """The client shows its operator something."""
        ...

    def deny(self, name: str) -> None:
        """The operator says no to the dialog."""
        ...

    def end(self, name: str) -> None:
        """SIGKILL for the client."""
        ...

    def moment(self) -> None:
        """What passes by itself after a step."""
        ...

    def view(self, text: str = "") -> MessageView:
        """The stored message with that text, or the newest one of all."""
        ...

    def times_read(self, name: str, text: str) -> int:
        """How often the model of ``name`` was given ``text``."""
        ...

    def comes_true(self, condition: Callable[[], object], what: str) -> None:
        """Raises ``AssertionError`` where ``condition`` does not hold, or not soon enough."""
        ...
