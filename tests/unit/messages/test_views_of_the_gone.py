"""A reader foretells no delivery to a target that is proved gone, and writes nothing (P12, D20)."""

from dataclasses import replace

import pytest

from support.post import Bench, accepted
from tidings.domain.messages.delivery import State
from tidings.domain.messages.receipt import MessageView
from tidings.ports.agents import ActivationRow


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def lone(bench: Bench) -> ActivationRow:
    """A session that runs and is armed, without a resident."""
    lone = bench.run("lone")
    bench.arm(lone)
    return lone


def said(view: MessageView) -> tuple[str, str, int]:
    return str(view.state), view.row.reason, view.exit_code


def test_what_waits_for_a_dead_process_is_shown_as_stale_and_stays_as_stored(
    bench: Bench, lone: ActivationRow
) -> None:
    ref = bench.send(target=lone).ref
    before = bench.row(ref)
    assert bench.office.view(ref).state is State.HELD
    bench.kernel.exit(lone.owner.pid)
    view = bench.office.view(ref)
    assert said(view) == ("stale", "target-activation-stale", 1)
    assert view.next_step == "send it again to the session that runs now"
    assert "goes out" not in view.text
    assert bench.row(ref) == before


def test_so_is_what_waits_for_a_run_that_is_marked_as_ended(
    bench: Bench, lone: ActivationRow
) -> None:
    ref = bench.send(target=lone).ref
    bench.put(replace(lone, ended_at_ns=bench.clock.now().wall_ns, end_reason="process-gone"))
    assert said(bench.office.view(ref)) == ("stale", "target-activation-stale", 1)


def test_a_process_of_which_nothing_is_known_is_not_called_gone(
    bench: Bench, lone: ActivationRow
) -> None:
    ref = bench.send(target=lone).ref
    bench.kernel.become_unreadable(lone.owner.pid)
    assert bench.office.view(ref).state is State.HELD


def test_a_deadline_that_passed_first_is_what_ended_it(bench: Bench, lone: ActivationRow) -> None:
    ref = bench.send(target=lone, ttl_ns=1_000_000_000).ref
    bench.kernel.exit(lone.owner.pid)
    bench.clock.advance(2)
    assert said(bench.office.view(ref))[:2] == ("expired", "deadline-expired")


def test_what_may_have_been_written_is_not_called_stale(bench: Bench, lone: ActivationRow) -> None:
    ref = bench.send(target=lone).ref
    marked = replace(
        bench.row(ref),
        handoff_at_ns=bench.clock.now().wall_ns,
        transport="harness-socket",
        writer_generation="generation-1",
    )
    bench.store.transact(lambda tx: tx.update_message(marked), wait_seconds=0)
    bench.kernel.exit(lone.owner.pid)
    assert bench.office.view(ref).state is State.HELD


def test_what_was_delivered_stays_delivered(bench: Bench) -> None:
    ref = bench.send().ref
    bench.dispatcher.step(bench.post)
    bench.kernel.exit(bench.api.owner.pid)
    assert bench.office.view(ref).state is State.DELIVERED


def test_a_retry_is_told_the_same_and_not_that_it_will_go_out(
    bench: Bench, lone: ActivationRow
) -> None:
    bench.send(target=lone, ref="build-1")
    bench.kernel.exit(lone.owner.pid)
    again = accepted(bench.office.send(bench.draft(target=lone, ref="build-1")))
    assert (again.replayed, str(again.state), again.exit_code) == (True, "stale", 1)
