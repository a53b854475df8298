"""Guards against agents that talk too much (D21)."""

import pytest

from support.post import Bench, accepted
from tidings.domain.messages.limits import CYCLE_MOST, RATE_MOST
from tidings.domain.messages.origin import MessageKind
from tidings.domain.messages.provenance import Proof
from tidings.domain.messages.send_outcome import Receipt, Refused
from tidings.ports.agents import ActivationRow
from tidings.ports.tokens import Provider


@pytest.fixture
def bench() -> Bench:
    return Bench()


def refused(outcome: object) -> Refused:
    assert isinstance(outcome, Refused), outcome
    return outcome


def test_one_message_too_many_within_a_minute_is_refused_and_says_when_it_resets(
    bench: Bench,
) -> None:
    bench.send("number 1")
    bench.clock.advance(10)
    for number in range(2, RATE_MOST + 1):
        bench.send(f"number {number}")
    outcome = refused(bench.office.send(bench.draft("one more", ref="more")))
    assert (outcome.reason, outcome.exit_code) == ("pair-rate", 5)
    assert outcome.detail == "resets in 50 s"
    assert bench.store.view(lambda tx: tx.message("more")) is None
    bench.clock.advance(50)
    assert bench.send("after the reset").state == "accepted"


def test_the_rate_is_of_one_pair(bench: Bench) -> None:
    mux = bench.run("mux", provider=Provider.PROCESS)
    bench.arm(mux)
    for number in range(RATE_MOST):
        bench.send(f"number {number}")
    assert refused(bench.office.send(bench.draft())).reason == "pair-rate"
    assert bench.send("to another", target=mux).state == "held"
    assert bench.send("from a script", kind=MessageKind.AUTOMATION).state == "accepted"


def test_a_repeated_ref_is_answered_and_never_counted(bench: Bench) -> None:
    first = bench.send("number 0", ref="first")
    for number in range(1, RATE_MOST):
        bench.send(f"number {number}")
    again = accepted(bench.office.send(bench.draft("number 0", ref="first")))
    assert (again.ref, again.replayed) == (first.ref, True)


def test_a_program_is_not_counted(bench: Bench) -> None:
    mux = bench.run("mux", provider=Provider.PROCESS)
    for number in range(RATE_MOST + 5):
        accepted(bench.office.send(bench.draft(f"number {number}", source=mux)))


class Thankful:
    """Two agents that answer each other's answers; both deliver by hand."""

    def __init__(self, bench: Bench, *, provider: Provider) -> None:
        self.bench = bench
        self.one = bench.run("one", provider=provider)
        self.other = bench.run("other", provider=provider)
        bench.arm(self.other)
        self.last = self.delivered(
            accepted(bench.office.send(bench.draft(source=self.one, target=self.other)))
        )

    def delivered(self, receipt: Receipt) -> str:
        target = self.bench.row(receipt.ref).target_agent
        run = self.one if target == self.one.agent_uid else self.other
        self.bench.inbox.pull(run.activation_id, lambda frame: None)
        return receipt.ref

    def answer(self) -> Receipt | Refused:
        at = self.bench.row(self.last).target_agent
        replier: ActivationRow = self.one if at == self.one.agent_uid else self.other
        outcome = self.bench.office.answer(
            self.last, "thank you", replier=replier, proof=Proof.ANCESTRY
        )
        if isinstance(outcome, Receipt):
            self.last = self.delivered(outcome)
        return outcome


def test_two_agents_that_thank_each_other_are_stopped_and_told_when_it_resets(
    bench: Bench,
) -> None:
    chain = Thankful(bench, provider=Provider.CLAUDE)
    for _ in range(CYCLE_MOST - 1):
        assert isinstance(chain.answer(), Receipt)
        bench.clock.advance(1)
    outcome = refused(chain.answer())
    assert (outcome.reason, outcome.exit_code) == ("cycle-cap", 5)
    assert outcome.detail == f"resets in {3600 - (CYCLE_MOST - 1)} s"
    bench.clock.advance(3600 - (CYCLE_MOST - 1))
    assert isinstance(chain.answer(), Receipt)


def test_programs_may_talk_as_long_as_they_like(bench: Bench) -> None:
    chain = Thankful(bench, provider=Provider.PROCESS)
    for _ in range(CYCLE_MOST + 5):
        assert isinstance(chain.answer(), Receipt)
