"""Which answer belongs to which message (M 6.1)."""

from dataclasses import replace

import pytest

from tidings.domain.identity.route import Route
from tidings.domain.messages.envelope import Envelope
from tidings.domain.messages.limits import LONGEST_PAYLOAD_BYTES
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.reply import ReplyFault, correlation_fault
from tidings.entrypoints.testing.message_rows import activation, envelope

ASKED, ANSWER = "m" + "0" * 28, "m" + "1" * 28
FRONT, API = activation("front", 20), activation("api", 10)
ORIGINAL = envelope(ASKED, source=FRONT, target=API)
REPLY = envelope(ANSWER, source=API, target=FRONT, reply_to=ASKED)


def relaunched(route: Route) -> Route:
    return replace(route, pane_uid="99-0123abcd", activation_generation="activation-later")


def source_of(reply: Envelope) -> Route:
    assert reply.source is not None
    return reply.source


OTHER = relaunched(replace(REPLY.target, agent_uid="agent-other"))
CLEARED = replace(REPLY.target, incarnation="route-other")


@pytest.mark.case("M182")
@pytest.mark.parametrize(
    "reply",
    [
        REPLY,
        replace(REPLY, target=relaunched(REPLY.target)),
        replace(REPLY, source=relaunched(source_of(REPLY))),
        replace(
            REPLY,
            source=relaunched(source_of(REPLY)),
            target=relaunched(REPLY.target),
        ),
    ],
)
def test_a_relaunch_into_the_same_conversation_still_answers(reply: Envelope) -> None:
    assert correlation_fault(ORIGINAL, reply) is None


@pytest.mark.case("M184")
@pytest.mark.parametrize(
    "reply",
    [
        replace(REPLY, target=OTHER),
        replace(REPLY, source=OTHER),
        replace(REPLY, target=replace(REPLY.target, provider="codex")),
        replace(REPLY, source=REPLY.target, target=source_of(REPLY)),
        replace(REPLY, target=replace(OTHER, incarnation="route-other")),
    ],
)
def test_other_ends_do_not_correlate(reply: Envelope) -> None:
    assert correlation_fault(ORIGINAL, reply) is ReplyFault.CORRELATION


@pytest.mark.case("M185")
@pytest.mark.parametrize(
    "reply",
    [
        replace(REPLY, message_ref=ASKED),
        replace(REPLY, reply_to="m" + "2" * 28),
        replace(REPLY, conversation_ref="conversation-other"),
    ],
)
def test_other_refs_do_not_correlate(reply: Envelope) -> None:
    assert correlation_fault(ORIGINAL, reply) is ReplyFault.CORRELATION


def test_each_other_cause_has_its_own_token() -> None:
    changed = replace(REPLY, target=CLEARED)
    assert correlation_fault(ORIGINAL, changed) is ReplyFault.CONVERSATION
    too_long = replace(REPLY, payload="x" * (LONGEST_PAYLOAD_BYTES + 1))
    assert correlation_fault(ORIGINAL, too_long) is ReplyFault.ENVELOPE
    nobody = envelope(ASKED, kind=MessageKind.PUSH)
    assert correlation_fault(nobody, REPLY) is ReplyFault.CORRELATION
