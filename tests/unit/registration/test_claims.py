"""Compare-and-set on a registration (R 3.3): a replaced resident writes zero and claims zero."""

from dataclasses import replace

import pytest

from support.registry import Registry, SameIds
from tidings.domain.registration.claim import (
    Claimed,
    ClaimOutcome,
    ClaimRefusal,
    ClaimRefused,
    cleared,
    decide_claim,
    holds_lease,
)
from tidings.entrypoints.testing.message_rows import activation, birth, registration
from tidings.ports.agents import RegistrationRow
from tidings.ports.processes import ProcessBirth

LEASE = registration(activation("api", 10))
OLD = replace(LEASE, generation="generation-0")


def claimed(outcome: ClaimOutcome) -> RegistrationRow:
    assert isinstance(outcome, Claimed), outcome
    return outcome.row


def refusal(outcome: ClaimOutcome) -> ClaimRefusal:
    assert isinstance(outcome, ClaimRefused), outcome
    return outcome.reason


def other_birth(field: str) -> ProcessBirth:
    """The lease's resident with one field of its birth changed."""
    assert LEASE.resident is not None
    match field:
        case "pid":
            return replace(LEASE.resident, pid=99)
        case "uid":
            return replace(LEASE.resident, uid=99)
        case _:
            return replace(LEASE.resident, start="linux:boot:99")


@pytest.mark.case("R95")
def test_the_first_claim_needs_no_prior() -> None:
    assert decide_claim(None, observed_prior="", wanted=LEASE) == Claimed(row=LEASE, changed=True)


def test_a_prior_that_is_gone_is_no_licence() -> None:
    outcome = decide_claim(None, observed_prior="generation-0", wanted=LEASE)
    assert refusal(outcome) is ClaimRefusal.NEWER


def test_the_observed_prior_is_replaced() -> None:
    outcome = decide_claim(OLD, observed_prior="generation-0", wanted=LEASE)
    assert outcome == Claimed(row=LEASE, changed=True)


@pytest.mark.case("R104")
def test_any_other_generation_is_newer_and_stays() -> None:
    registry = Registry()
    run = registry.admit()
    registry.admission.claim(
        run, resident=registry.resident(), observed_prior="", client_version="1"
    )
    before = registry.lease(run.activation_id)
    outcome = registry.admission.claim(
        run, resident=registry.resident(), observed_prior="generation-0", client_version="2"
    )
    assert refusal(outcome) is ClaimRefusal.NEWER
    assert registry.lease(run.activation_id) == before


@pytest.mark.case("R105", "R110")
def test_the_same_claim_again_is_a_success_that_writes_nothing() -> None:
    registry = Registry()
    run, resident = registry.admit(), registry.resident()
    desk = registry.desk(SameIds())
    first = claimed(desk.claim(run, resident=resident, observed_prior="", client_version="1"))
    registry.world.clock.advance(60)
    again = desk.claim(run, resident=resident, observed_prior="", client_version="1")
    assert again == Claimed(row=first, changed=False)
    assert registry.lease(run.activation_id) == first


@pytest.mark.case("R106")
def test_the_same_generation_with_another_conversation_competes() -> None:
    other = replace(LEASE, conversation_id="another")
    outcome = decide_claim(LEASE, observed_prior="", wanted=other)
    assert refusal(outcome) is ClaimRefusal.COMPETING


@pytest.mark.case("R111")
@pytest.mark.parametrize("field", ["pid", "uid", "start"])
def test_the_same_generation_with_another_resident_competes(field: str) -> None:
    other = replace(LEASE, resident=other_birth(field))
    outcome = decide_claim(LEASE, observed_prior=LEASE.generation, wanted=other)
    assert refusal(outcome) is ClaimRefusal.COMPETING


@pytest.mark.case("R107")
def test_a_run_that_ended_or_is_another_process_now_is_not_claimed() -> None:
    registry = Registry()
    run = registry.admit()
    registry.admission.end(run.activation_id, reason="gone")
    outcome = registry.admission.claim(
        run, resident=registry.resident(), observed_prior="", client_version="1"
    )
    assert refusal(outcome) is ClaimRefusal.ACTIVATION
    moved = replace(registry.admit(wanted=["front"]), activation_id="activation-of-nobody")
    outcome = registry.admission.claim(
        moved, resident=registry.resident(), observed_prior="", client_version="1"
    )
    assert refusal(outcome) is ClaimRefusal.ACTIVATION
    assert registry.lease(run.activation_id) is None


@pytest.mark.case("R109")
def test_a_harness_that_died_before_the_transaction_is_not_claimed() -> None:
    registry = Registry()
    run, resident = registry.admit(), registry.resident()
    registry.world.kernel.exit(run.owner.pid)
    outcome = registry.admission.claim(
        run, resident=resident, observed_prior="", client_version="1"
    )
    assert refusal(outcome) is ClaimRefusal.GONE
    assert str(refusal(outcome)) == "provider-process-gone"
    assert registry.lease(run.activation_id) is None


@pytest.mark.case("R112")
def test_of_two_that_read_the_same_prior_exactly_one_wins() -> None:
    registry = Registry()
    run = registry.admit()
    outcomes = [
        registry.admission.claim(
            run, resident=registry.resident(), observed_prior="", client_version="1"
        )
        for _ in range(2)
    ]
    assert claimed(outcomes[0]) == registry.lease(run.activation_id)
    assert refusal(outcomes[1]) is ClaimRefusal.NEWER


def test_a_claimed_row_is_ready_in_the_same_write() -> None:
    registry = Registry()
    run = registry.admit()
    row = claimed(
        registry.admission.claim(
            run, resident=registry.resident(), observed_prior="", client_version="1"
        )
    )
    assert row.ready
    assert len(row.generation) == 48


@pytest.mark.case("R114", "R115")
def test_a_late_clear_leaves_a_younger_lease_alone() -> None:
    registry = Registry()
    run, old, young = registry.admit(), registry.resident(), registry.resident()
    first = claimed(
        registry.admission.claim(run, resident=old, observed_prior="", client_version="1")
    )
    second = claimed(
        registry.admission.claim(
            run, resident=young, observed_prior=first.generation, client_version="1"
        )
    )
    key = run.activation_id
    assert not registry.admission.clear(key, generation=first.generation, resident=old)
    assert registry.lease(key) == second
    assert registry.admission.clear(key, generation=second.generation, resident=young)
    assert registry.lease(key) == replace(second, resident=None, ready=False)


@pytest.mark.case("R116")
@pytest.mark.parametrize("different", ["generation", "pid", "uid", "start"])
def test_a_clear_with_any_field_different_changes_nothing(different: str) -> None:
    assert LEASE.resident is not None
    is_generation = different == "generation"
    generation = "generation-9" if is_generation else LEASE.generation
    resident = LEASE.resident if is_generation else other_birth(different)
    assert cleared(LEASE, generation=generation, resident=resident) is None
    assert not holds_lease(LEASE, generation=generation, resident=resident)


def test_only_a_ready_lease_of_exactly_this_resident_holds() -> None:
    assert LEASE.resident is not None
    assert holds_lease(LEASE, generation=LEASE.generation, resident=LEASE.resident)
    unready = replace(LEASE, ready=False)
    assert not holds_lease(unready, generation=LEASE.generation, resident=LEASE.resident)
    assert not holds_lease(None, generation=LEASE.generation, resident=birth(10))
    assert cleared(None, generation=LEASE.generation, resident=birth(10)) is None
