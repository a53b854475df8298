"""Looking at the store and the journal after every step, so that no trouble stays unnoticed."""

from collections.abc import Sequence

from steps.ledger import Ledger, Trouble
from tidings.domain.messages.delivery import State
from tidings.domain.messages.reasons import CATALOGUE, token_of
from tidings.domain.messages.receipt import MessageView
from tidings.entrypoints.application import Application
from tidings.ports.codec import ReadOnlyDocument

MOST_MESSAGES = 1_000
NO_TROUBLE = frozenset({State.ACCEPTED, State.DELIVERED})
REFUSED_ANSWER = "answer.refused"
"""The journal's event for an answer that was turned away, with its reason."""


class Observing:
    """One pair of eyes on the whole store, and on what the residents wrote to the journal."""

    def __init__(
        self, app: Application, ledger: Ledger, journal: Sequence[ReadOnlyDocument] = ()
    ) -> None:
        self._app = app
        self._ledger = ledger
        self._journal = journal

    def messages(self) -> list[MessageView]:
        """Every stored message as it stands now, oldest first."""
        rows = self._app.ports.store.view(lambda tx: tx.recent(after_seq=0, limit=MOST_MESSAGES))
        return [self._app.post_office.view(row.ref) for row in rows]

    def ref_of(self, text: str) -> str:
        """The ref of the newest message with that text; empty text takes the newest of all."""
        fitting = [one for one in self.messages() if text in ("", one.envelope.payload)]
        assert fitting, f"no message {text!r} is stored"
        return fitting[-1].row.ref

    def note_all(self) -> None:
        """Tells the ledger of every message and every answer that is in trouble."""
        for view in self.messages():
            if view.state not in NO_TROUBLE:
                self._ledger.note(
                    Trouble(
                        about=view.row.ref,
                        token=token_of(view.row.reason),
                        exit_code=view.exit_code,
                        text=view.envelope.payload,
                    )
                )
        self._note_answers()

    def _note_answers(self) -> None:
        for line in self._journal:
            if line["event"] == REFUSED_ANSWER:
                token = str(line["reason"])
                code = CATALOGUE[token].exit_code
                self._ledger.note(Trouble(about=str(line["ref"]), token=token, exit_code=code))
