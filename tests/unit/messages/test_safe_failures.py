"""Which failures may be repeated by hand, and that only an uncertain one warns (D20; P5, P12)."""

import pytest

from support.post import Bench
from tidings.domain.interaction.freedom import Free, Freedom
from tidings.domain.messages.delivery import Happening
from tidings.domain.messages.handoff import end_of_write
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.outcomes import Delivered
from tidings.domain.messages.reasons import CATALOGUE, ReasonEntry, Stage, is_known_zero
from tidings.domain.messages.receipt import UNCERTAIN_EXIT
from tidings.ports.interactions import InteractionRow
from tidings.ports.tokens import TransportName, WriteResult
from tidings.ports.transport import WriteFact

FAILURES = [entry for entry in CATALOGUE.values() if entry.stage is Stage.FAILED]
WRAPPED = {"provider-frame-too-large": "provider-frame-too-large: frameBytes=9 limitBytes=8"}


@pytest.mark.case("SP11")
@pytest.mark.parametrize("entry", FAILURES, ids=lambda entry: entry.token)
def test_every_failure_is_either_known_zero_or_uncertain_and_never_both(entry: ReasonEntry) -> None:
    reason = WRAPPED.get(entry.token, entry.token)
    assert is_known_zero(reason) is not entry.outcome_unknown
    assert (entry.exit_code == UNCERTAIN_EXIT) is entry.outcome_unknown


@pytest.mark.case("SP11")
@pytest.mark.parametrize(
    "reason",
    [
        *("", "internal_error", "nobody-wrote-this", "provider-frame-too-large"),
        "provider-frame-too-large: frameBytes=8 limitBytes=9",
        "provider-write-zero and more",
    ],
)
def test_what_is_not_listed_word_for_word_counts_as_uncertain(reason: str) -> None:
    assert not is_known_zero(reason)
    end = end_of_write(
        WriteFact(result=WriteResult.ZERO, reason=reason), TransportName.HARNESS_SOCKET
    )
    assert (end.happening, end.outcome_unknown) == (Happening.FAIL, True)


@pytest.mark.case("SP13")
@pytest.mark.parametrize("entry", FAILURES, ids=lambda entry: entry.token)
def test_only_an_uncertain_failure_warns_that_it_may_have_landed(entry: ReasonEntry) -> None:
    assert ("do not resend" in entry.next_step) is entry.outcome_unknown
    assert ("look at the target session" in entry.next_step) is entry.outcome_unknown


@pytest.mark.case("M131")
@pytest.mark.parametrize("kind", [MessageKind.AGENT, MessageKind.PUSH])
@pytest.mark.parametrize("freedom", [Free(idle=False), Free(idle=True), Free(idle=None)])
def test_a_busy_an_idle_and_an_unknown_target_without_a_dialog_is_pushed_to(
    kind: MessageKind, freedom: Freedom
) -> None:
    bench = Bench()
    bench.freedom.now = freedom
    ref = bench.send(kind=kind).ref
    assert bench.dispatcher.step(bench.post) == Delivered(ref=ref)


@pytest.mark.case("M224")
def test_the_life_of_a_message_leaves_what_a_session_tells_of_itself_alone() -> None:
    bench = Bench()
    told = InteractionRow(session_key=bench.api.session_key, state={"turn": "t1"}, spool_offset=7)
    bench.store.transact(lambda tx: tx.put_interaction(told), wait_seconds=0)
    run = bench.store.view(lambda tx: tx.activation(bench.api.activation_id))
    for text, end in (("delivered", WriteResult.FULL), ("failed", WriteResult.ZERO)):
        bench.transport.script(end)
        bench.send(text)
        bench.dispatcher.step(bench.post)
    bench.office.cancel(bench.send("cancelled").ref, source_agent=bench.front.agent_uid)
    bench.disarm(bench.api)
    bench.office.withdraw(bench.api.agent_uid)
    after = bench.store.view(lambda tx: tx.interaction(bench.api.session_key))
    assert after == told
    assert bench.store.view(lambda tx: tx.activation(bench.api.activation_id)) == run
