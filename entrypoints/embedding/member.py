"""An agent that a process is, by the library."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tidings.domain.messages.send_outcome import Receipt, Refused
from tidings.entrypoints.embedding.arguments import (
    Moment,
    expect,
    expect_names,
    expect_type,
    nanoseconds_of,
    wishes_of,
)
from tidings.entrypoints.embedding.one_process import OfOneProcess
from tidings.entrypoints.embedding.values import InboxMessage, inbox_message
from tidings.ports.errors import NotRunning, UsageError

if TYPE_CHECKING:
    from datetime import timedelta

    from tidings.domain.consent.arming import ArmState
    from tidings.domain.identity.owner import SessionOwner
    from tidings.domain.messages.wishes import Wishes
    from tidings.entrypoints.application import Application
    from tidings.ports.agents import ActivationRow


class Member(OfOneProcess):
    """This process as an agent. Made by ``Tidings.join``; it pulls, nothing is pushed at it. In a
    forked child every call raises ``UsageError``: that is another process."""

    def __init__(
        self, app: "Application", activation: "ActivationRow", owner: "SessionOwner"
    ) -> None:
        super().__init__(app)
        self._activation = activation
        self._owner = owner
        self._left = False

    @property
    def address(self) -> str:
        """The address others write to."""
        return self._activation.address

    @property
    def agent_uid(self) -> str:
        """The routable identity behind the address."""
        return self._activation.agent_uid

    def send(
        self,
        target: str,
        text: str,
        *,
        ttl: "timedelta | None" = None,
        ref: str | None = None,
        allow_self: bool = False,
        when: Moment = "now",
        key: str | None = None,
    ) -> Receipt | Refused:
        """Writes to the living session ``target`` names. Returns once the message is on disk.

        ``ttl`` is more than zero and at most 7 days, 2 h by default. ``ref`` makes a retry: the
        same ref and words return the stored message and nothing is sent again. ``allow_self``: the
        target may be this agent. ``when`` holds it until no turn runs, or none has run for 30 s.
        ``key`` (1 to 64 plain characters) ends what this agent still has waiting there under the
        same key. Raises ``NotFound``, ``Ambiguous``, ``NotRunning``, ``StoreLocked``,
        ``StateUnwritable``, and ``UsageError`` for another moment or a value of another type.
        """
        return self._send(
            target, text, ttl=ttl, ref=ref, allow_self=allow_self, wishes=wishes_of(when, key)
        )

    def notify(
        self,
        target: str,
        text: str,
        *,
        ttl: "timedelta | None" = None,
        ref: str | None = None,
        key: str | None = None,
        wake: bool = False,
    ) -> Receipt | Refused:
        """Leaves a notice for the session ``target`` names: it waits, held ``awaiting-turn``, and
        goes out right before the next message that may start a turn.

        ``wake`` lets it start one itself where the session was armed with ``--wake`` too. The rest
        is as ``send``; nobody answers a notice.
        """
        from tidings.domain.messages.origin import AGENT_CLIENT
        from tidings.ports.values import replace

        expect(wake, bool, "wake is True or False")
        wishes = replace(wishes_of("now", key), wake=wake)
        return self._send(target, text, ttl=ttl, ref=ref, wishes=wishes, client=AGENT_CLIENT)

    def answer(self, ref: str, text: str) -> Receipt | Refused:
        """Answers a message that ``inbox`` gave; ``ref`` is its whole ref."""
        from tidings.domain.messages.provenance import Proof

        expect(ref, str, "a ref is text")
        expect_type(text, str, "an answer is text")
        return self._app.post_office.answer(
            ref, text, replier=self._present(), proof=Proof.OWN_PROCESS
        )

    def inbox(self, *, limit: int = 32) -> Sequence[InboxMessage]:
        """Takes what waits for this agent, oldest first, at most ``limit``; marked before it is
        handed over, so nothing is ever given twice."""
        from tidings.domain.messages.frame import Frame
        from tidings.domain.messages.outcomes import Delivered, Settled

        expect(limit, int, "limit is a whole number")
        frames: list[Frame] = []
        while len(frames) < limit:
            outcome = self._app.inbox.pull(self._activation.activation_id, frames.append)
            if not isinstance(outcome, Delivered | Settled):
                break
        return tuple(inbox_message(frame) for frame in frames)

    def arm(
        self,
        *,
        senders: Sequence[str] | None = None,
        kinds: Sequence[str] | None = None,
        duration: "timedelta | None" = None,
    ) -> "ArmState":
        """Lets this agent hear: everything, or only ``senders`` and ``kinds``, for ``duration``.

        ``senders`` are addresses of living sessions, ``agent:UID``, ``you`` or ``automation``;
        ``kinds`` are kinds of message. Raises ``UsageError`` for an unknown kind and for a duration
        of zero or less, ``NotFound`` and its like for an unknown sender.
        """
        from tidings.domain.consent.scope import ConsentScope
        from tidings.domain.messages.origin import MessageKind
        from tidings.entrypoints.senders import stored_senders

        expect_names(senders, "senders")
        expect_names(kinds, "kinds")
        unknown = [kind for kind in kinds or () if kind not in list(MessageKind)]
        if unknown:
            raise UsageError(f"{unknown[0]!r} is no kind of message: {', '.join(MessageKind)}")
        lasts_ns = None if duration is None else nanoseconds_of(duration, "duration")
        if lasts_ns is not None and lasts_ns <= 0:
            raise UsageError("a duration must be more than zero")
        now_ns = self._app.ports.clock.now().wall_ns
        scope = ConsentScope(
            senders=None if senders is None else stored_senders(self._app, senders),
            kinds=None if kinds is None else tuple(dict.fromkeys(kinds)),
            until_ns=None if lasts_ns is None else now_ns + lasts_ns,
        )
        return self._app.desk.arm(self._owner, cwd=self._activation.cwd, scope=scope)

    def disarm(self) -> bool:
        """Withdraws that at once. False: one delivery was still under way after 3 s."""
        from tidings.domain.consent.desk import Barrier

        done = self._app.desk.disarm(self._owner, cwd=self._activation.cwd)
        self._app.post_office.withdraw(self._activation.agent_uid)
        return done.barrier is Barrier.PASSED

    def leave(self) -> None:
        """Ends this run of the agent; what waits for it ends as stale. Twice is harmless."""
        if self._left:
            return
        self._app.admission.end(self._activation.activation_id, reason="left")
        self._left = True
        self._app.post_office.settle_due(self._activation.agent_uid)

    def _send(
        self,
        target: str,
        text: str,
        *,
        ttl: "timedelta | None",
        ref: str | None,
        wishes: "Wishes",
        allow_self: bool = False,
        client: str = "",
    ) -> Receipt | Refused:
        """A message of this agent, or with a ``client`` its notice."""
        from tidings.domain.messages.drafts import Draft
        from tidings.domain.messages.limits import DEFAULT_TTL_NS
        from tidings.domain.messages.origin import MessageKind
        from tidings.domain.messages.provenance import Proof
        from tidings.entrypoints.surroundings import place_of

        expect(target, str, "a target is text")
        expect_type(text, str, "a message is text")
        expect(ref, str | None, "a ref is text or None")
        draft = Draft(
            source=self._present(),
            target=self._app.target_of(target, ref=ref),
            kind=MessageKind.NOTICE if client else MessageKind.AGENT,
            text=text,
            proof=Proof.OWN_PROCESS,
            client=client,
            place=place_of(self._activation.cwd),
            ttl_ns=DEFAULT_TTL_NS if ttl is None else nanoseconds_of(ttl, "ttl"),
            ref=ref,
            allow_self=allow_self,
            wishes=wishes,
        )
        return self._app.post_office.send(draft)

    def _present(self) -> "ActivationRow":
        if self._left:
            raise NotRunning(f"{self._activation.address} has left")
        return self._activation
