"""Answers that a harness writes at our sockets, on their way into the store (D29, P11)."""

import time
from contextlib import suppress

from tidings.domain.identity.owner import SessionOwner
from tidings.domain.messages.provenance import Proof
from tidings.domain.messages.reply import peer_proves_answer
from tidings.domain.messages.send_outcome import Refused
from tidings.entrypoints.application import Application
from tidings.entrypoints.surroundings import place_of
from tidings.ports.agents import ActivationRow
from tidings.ports.errors import TidingsError
from tidings.ports.replies import NativeAnswer, ReplyListener

UNPROVED = "answer-unproved"
NOT_STORED = "answer-not-stored"
"""The catalogue's reasons for an answer whose writer the kernel did not name as the harness (D29),
and for one that the store did not take before the resident had to end."""

STORE_SECONDS = 2.0
"""How long the store may take over one answer."""

HEAR_OUT_SECONDS = 0.25
LAST_SECONDS = 4.0
"""How long who is in mid-sentence is heard out, and how long a resident that ends tries to store."""


class NativeAnswers:
    """Every answer that arrived is stored, refused or dropped with a line in the journal."""

    def __init__(self, *, app: Application, owner: SessionOwner, sockets: ReplyListener) -> None:
        self._app = app
        self._owner = owner
        self._sockets = sockets
        self._unposted: list[NativeAnswer] = []

    def hear(self) -> None:
        """Takes in what arrived; who wrote it is judged at once. Never raises."""
        for answer in self._sockets.accept_ready():
            if peer_proves_answer(answer, self._owner.birth):
                self._unposted.append(answer)
            else:
                self._refuse(answer.ref, UNPROVED, pid=answer.peer_pid)
        for broken in self._sockets.take_broken():
            self._refuse(broken.ref, broken.reason, pid=broken.peer_pid)

    def post(self, replier: ActivationRow) -> None:
        """Answers are kept until the store took them or refused them. Raises the store's errors."""
        while self._unposted:
            self._post(self._unposted[0], replier)
            del self._unposted[0]

    def close(self) -> None:
        """Closes every socket, once whoever is at one has been heard out."""
        self._sockets.close_all(wait_seconds=HEAR_OUT_SECONDS)
        self.hear()

    def post_last(self, replier: ActivationRow) -> None:
        """Each answer gets its one last try, within ``LAST_SECONDS``; the journal has the others."""
        ends_at = time.monotonic() + LAST_SECONDS
        for answer in self._unposted:
            why = self._trouble(answer, replier) if time.monotonic() < ends_at else "no-time"
            if why:
                self._note(answer.ref, NOT_STORED, why=why)
        self._unposted = []

    def _trouble(self, answer: NativeAnswer, replier: ActivationRow) -> str:
        try:
            self._post(answer, replier)
        except TidingsError as error:
            return type(error).__name__
        return ""

    def _post(self, answer: NativeAnswer, replier: ActivationRow) -> None:
        outcome = self._app.post_office.answer(
            answer.ref,
            answer.text,
            replier=replier,
            proof=Proof.KERNEL_PEER,
            place=place_of(replier.cwd),
            wait_seconds=STORE_SECONDS,
        )
        if isinstance(outcome, Refused):
            self._refuse(answer.ref, outcome.reason)

    def _refuse(self, ref: str, reason: str, **fields: str | int) -> None:
        """The client cannot tell its model, so both ends find it with the message."""
        with suppress(TidingsError):  # the journal has it all the same
            self._app.post_office.note_refused_answer(ref, reason)
        self._note(ref, reason, **fields)

    def _note(self, ref: str, reason: str, **fields: str | int) -> None:
        self._app.ports.journal.write(
            "answer.refused", session=self._owner.key, ref=ref, reason=reason, **fields
        )
