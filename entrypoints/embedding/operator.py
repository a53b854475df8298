"""The operator's own words, from an in-process client (M 9)."""

from typing import TYPE_CHECKING

from tidings.domain.messages.send_outcome import Receipt, Refused
from tidings.entrypoints.embedding.arguments import (
    Moment,
    expect,
    expect_type,
    nanoseconds_of,
    wishes_of,
)
from tidings.entrypoints.embedding.one_process import OfOneProcess

if TYPE_CHECKING:
    from datetime import timedelta

    from tidings.entrypoints.application import Application


class Operator(OfOneProcess):
    """A person at an in-process client (M 9). Made by ``Tidings.operator``.

    What it sends is coordination like any other, with consent and holds as for anybody; it goes to
    Claude sessions only and takes no answers.
    """

    def __init__(self, app: "Application", client: str) -> None:
        super().__init__(app)
        self._client = client

    @property
    def client(self) -> str:
        """The program's name."""
        return self._client

    def send(
        self,
        target: str,
        text: str,
        *,
        ttl: "timedelta | None" = None,
        ref: str | None = None,
        when: Moment = "now",
        key: str | None = None,
    ) -> Receipt | Refused:
        """Writes to the Claude session ``target`` names; parameters and errors as ``Member.send``."""
        from tidings.domain.messages.drafts import Draft
        from tidings.domain.messages.limits import DEFAULT_TTL_NS
        from tidings.domain.messages.origin import MessageKind
        from tidings.domain.messages.provenance import Proof

        expect(target, str, "a target is text")
        expect_type(text, str, "a message is text")
        expect(ref, str | None, "a ref is text or None")
        return self._app.post_office.send(
            Draft(
                source=None,
                target=self._app.target_of(target, ref=ref),
                kind=MessageKind.OPERATOR,
                text=text,
                proof=Proof.NONE,
                client=self._client,
                ttl_ns=DEFAULT_TTL_NS if ttl is None else nanoseconds_of(ttl, "ttl"),
                ref=ref,
                wishes=wishes_of(when, key),
            )
        )
