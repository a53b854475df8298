"""Why an agent is or is not reachable (R 1.7)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.domain.registration.shape import EXPLANATIONS, Shape, classify
from tidings.entrypoints.testing.message_rows import activation, registration
from tidings.ports.agents import RegistrationRow
from tidings.ports.tokens import Verdict

LEASE = registration(activation("api", 10))
RESIDUE = replace(LEASE, resident=None, ready=False)
ALIVE, DEAD, UNKNOWN = Verdict.ALIVE, Verdict.DEAD, Verdict.UNKNOWN


@pytest.mark.case("R47")
def test_a_ready_lease_between_two_living_processes_is_ready() -> None:
    assert classify(LEASE, owner=ALIVE, resident=ALIVE) is Shape.READY


@pytest.mark.case("R49")
def test_without_a_registration_it_never_registered() -> None:
    assert classify(None, owner=ALIVE, resident=DEAD) is Shape.NEVER_REGISTERED


@pytest.mark.case("R50")
@pytest.mark.parametrize("lease", [None, RESIDUE, LEASE])
def test_a_dead_harness_is_a_session_that_is_gone(lease: RegistrationRow | None) -> None:
    assert classify(lease, owner=DEAD, resident=ALIVE) is Shape.SESSION_GONE


@pytest.mark.case("R51", "R52")
@pytest.mark.parametrize(
    "residue", [RESIDUE, replace(RESIDUE, conversation_id=""), replace(RESIDUE, generation="")]
)
def test_any_residue_of_a_cleared_lease_is_a_lost_registration(residue: RegistrationRow) -> None:
    assert classify(residue, owner=ALIVE, resident=DEAD) is Shape.REGISTRATION_LOST


def test_a_row_that_was_never_filled_is_no_residue() -> None:
    empty = replace(RESIDUE, generation="", conversation_id="")
    assert classify(empty, owner=ALIVE, resident=DEAD) is Shape.NEVER_REGISTERED


@pytest.mark.parametrize("resident", [DEAD, UNKNOWN])
def test_a_lease_counts_only_while_its_resident_proves_itself(resident: Verdict) -> None:
    assert classify(LEASE, owner=ALIVE, resident=resident) is Shape.REGISTRATION_LOST


@given(owner=st.sampled_from(Verdict), resident=st.sampled_from(Verdict), ready=st.booleans())
def test_doubt_about_either_process_is_never_ready(
    owner: Verdict, resident: Verdict, ready: bool
) -> None:
    shape = classify(replace(LEASE, ready=ready), owner=owner, resident=resident)
    assert (shape is Shape.READY) == (ready and owner is ALIVE and resident is ALIVE)


@pytest.mark.case("R55")
def test_each_shape_that_is_not_ready_has_a_diagnosis_and_an_action_of_its_own() -> None:
    others = [EXPLANATIONS[shape] for shape in Shape if shape is not Shape.READY]
    assert len({diagnosis for diagnosis, _action in others}) == 3
    assert len({action for _diagnosis, action in others}) == 3
    assert all(diagnosis and action for diagnosis, action in others)


@pytest.mark.case("R57")
def test_a_lost_registration_is_never_answered_by_deleting_the_agent() -> None:
    diagnosis, action = EXPLANATIONS[Shape.REGISTRATION_LOST]
    advice = f"{diagnosis} {action}".replace("nothing needs to be deleted", "")
    assert not any(word in advice for word in ("delete", "remove", "create", "recreate"))
