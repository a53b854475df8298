"""Waiting for a message: the value at the end, whatever the end is."""

from collections.abc import Callable

import pytest

from support.post import Bench
from tidings.domain.messages.receipt import MessageView
from tidings.entrypoints import following
from tidings.entrypoints.cli.sending import OUTCOME_WAIT_SECONDS
from tidings.entrypoints.following import Milestone, can_still_reach, follow, reached
from tidings.ports.errors import StoreLocked
from tidings.ports.tokens import WriteResult


class OneOffice:
    """An application that has a post office and nothing else. ``before`` runs before each look."""

    def __init__(self, bench: Bench, before: Callable[[int], None] = lambda look: None) -> None:
        self.post_office = self
        self.looks = 0
        self._bench = bench
        self._before = before

    def view(self, ref: str) -> MessageView:
        self.looks += 1
        self._before(self.looks)
        return self._bench.office.view(ref)


def followed(app: OneOffice, ref: str, wanted: Milestone, *, seconds: float) -> MessageView:
    return follow(app, ref, wanted, seconds=seconds)  # type: ignore[arg-type]


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_what_is_there_already_is_not_waited_for(bench: Bench) -> None:
    ref = bench.send().ref
    bench.dispatcher.step(bench.post)
    app = OneOffice(bench)
    assert reached(followed(app, ref, Milestone.OUTCOME, seconds=60), Milestone.OUTCOME)
    assert app.looks == 1


def test_a_timeout_is_a_view_that_has_not_reached_it(bench: Bench) -> None:
    ref = bench.send().ref
    view = followed(OneOffice(bench), ref, Milestone.OUTCOME, seconds=0.05)
    assert not reached(view, Milestone.OUTCOME)
    assert can_still_reach(view)
    bench.dispatcher.step(bench.post)
    view = followed(OneOffice(bench), ref, Milestone.SEEN, seconds=-1)
    assert not reached(view, Milestone.SEEN)


class PretendedTime:
    """A clock that moves only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.mark.case("M104")
def test_a_sender_waits_two_seconds_for_the_outcome_and_no_longer(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = PretendedTime()
    monkeypatch.setattr(following, "time", time)
    ref = bench.send().ref
    view = followed(OneOffice(bench), ref, Milestone.OUTCOME, seconds=OUTCOME_WAIT_SECONDS)
    assert time.now == pytest.approx(102.0)
    assert (view.state, view.exit_code) == ("accepted", 0)

    def deliver_at_the_fourth(look: int) -> None:
        if look == 4:
            bench.dispatcher.step(bench.post)

    ringing = OneOffice(bench, deliver_at_the_fourth)
    began = time.now
    view = followed(ringing, ref, Milestone.OUTCOME, seconds=OUTCOME_WAIT_SECONDS)
    assert (view.state, ringing.looks) == ("delivered", 4)
    assert time.now - began < 0.1


def test_it_ends_when_the_message_gets_there(bench: Bench) -> None:
    ref = bench.send().ref

    def deliver_at_the_third(look: int) -> None:
        if look == 3:
            bench.dispatcher.step(bench.post)

    app = OneOffice(bench, deliver_at_the_third)
    assert reached(followed(app, ref, Milestone.OUTCOME, seconds=60), Milestone.OUTCOME)
    assert app.looks == 3


def test_what_cannot_come_any_more_is_not_waited_for(bench: Bench) -> None:
    ref = bench.send().ref
    bench.disarm(bench.api)
    bench.office.withdraw(bench.api.agent_uid)
    view = followed(OneOffice(bench), ref, Milestone.SEEN, seconds=60)
    assert not can_still_reach(view)
    assert view.row.reason == "consent-withdrawn"


def test_an_uncertain_write_may_still_be_seen(bench: Bench) -> None:
    bench.transport.script(WriteResult.UNKNOWN)
    ref = bench.send().ref
    bench.dispatcher.step(bench.post)
    view = followed(OneOffice(bench), ref, Milestone.SEEN, seconds=0)
    assert view.row.outcome_unknown
    assert can_still_reach(view)


def test_a_store_that_is_locked_for_a_moment_is_looked_at_again(bench: Bench) -> None:
    ref = bench.send().ref
    bench.dispatcher.step(bench.post)

    def locked_twice(look: int) -> None:
        if look < 3:
            raise StoreLocked("busy")

    app = OneOffice(bench, locked_twice)
    assert reached(followed(app, ref, Milestone.OUTCOME, seconds=60), Milestone.OUTCOME)

    def locked(look: int) -> None:
        raise StoreLocked("busy")

    with pytest.raises(StoreLocked):
        followed(OneOffice(bench, locked), ref, Milestone.OUTCOME, seconds=0.05)


def test_looks_get_rarer_but_stay_frequent() -> None:
    assert 0 < following.FIRST_LOOK_SECONDS < following.SLOWEST_LOOK_SECONDS <= 0.25
