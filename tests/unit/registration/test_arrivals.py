"""Which agent a process is, and what it is called (D1, D5)."""

from dataclasses import replace

import pytest

from support.registry import Registry


@pytest.fixture
def registry() -> Registry:
    return Registry()


def test_the_same_process_arrives_again_as_the_same_run(registry: Registry) -> None:
    owner = registry.world.owner()
    first = registry.admit(owner, conversation_id="c", wanted=["api"])
    assert registry.admit(owner, conversation_id="c", wanted=["other"], label="other") == first


def test_clear_keeps_agent_run_and_address_and_changes_the_conversation(
    registry: Registry,
) -> None:
    owner = registry.world.owner()
    before = registry.admit(owner, conversation_id="c")
    after = registry.admit(owner, conversation_id="d")
    assert after == replace(before, conversation_id="d")
    assert registry.stored(before.activation_id) == after


def test_a_missing_conversation_forgets_none(registry: Registry) -> None:
    owner = registry.world.owner()
    before = registry.admit(owner, conversation_id="c")
    assert registry.admit(owner, conversation_id="") == before


def test_a_conversation_that_is_resumed_after_its_end_finds_its_agent(registry: Registry) -> None:
    first = registry.admit(conversation_id="c")
    registry.admission.end(first.activation_id, reason="gone")
    second = registry.admit(conversation_id="c")
    assert second.agent_uid == first.agent_uid
    assert second.activation_id != first.activation_id


def test_a_dead_run_that_nobody_ended_is_ended_by_the_next_arrival(registry: Registry) -> None:
    first = registry.admit(conversation_id="c")
    registry.world.kernel.exit(first.owner.pid)
    second = registry.admit(conversation_id="c")
    assert second.agent_uid == first.agent_uid
    assert second.address == first.address
    assert registry.stored(first.activation_id).end_reason == "process-gone"


def test_after_clear_the_agent_is_found_by_its_new_conversation_only(registry: Registry) -> None:
    owner = registry.world.owner()
    first = registry.admit(owner, conversation_id="c")
    registry.admit(owner, conversation_id="d")
    registry.world.kernel.exit(first.owner.pid)
    assert registry.admit(conversation_id="d").agent_uid == first.agent_uid
    assert registry.admit(conversation_id="c").agent_uid != first.agent_uid


def test_while_the_first_process_lives_a_second_one_is_an_agent_of_its_own(
    registry: Registry,
) -> None:
    first = registry.admit(conversation_id="c")
    second = registry.admit(conversation_id="c")
    assert second.agent_uid != first.agent_uid
    assert (first.address, second.address) == ("api", "api-2")


def test_a_process_that_cannot_be_judged_keeps_agent_and_address(registry: Registry) -> None:
    first = registry.admit(conversation_id="c")
    registry.world.kernel.become_unreadable(first.owner.pid)
    second = registry.admit(conversation_id="c")
    assert second.agent_uid != first.agent_uid
    assert second.address == "api-2"
    assert registry.stored(first.activation_id).ended_at_ns is None


def test_processes_without_a_conversation_are_never_the_same_agent(registry: Registry) -> None:
    first = registry.admit()
    registry.world.kernel.exit(first.owner.pid)
    assert registry.admit().agent_uid != first.agent_uid


def test_a_process_that_comes_back_after_its_end_is_a_new_run(registry: Registry) -> None:
    owner = registry.world.owner()
    first = registry.admit(owner, conversation_id="c")
    registry.admission.end(first.activation_id, reason="left")
    again = registry.admit(owner, conversation_id="c")
    assert again.activation_id != first.activation_id
    assert again.agent_uid == first.agent_uid


@pytest.mark.parametrize(
    ("wanted", "taken", "address"),
    [
        (["wren", "nest", "shop"], [], "wren"),
        (["", "nest", "shop"], [], "nest"),
        (["", "", "shop"], [], "shop"),
        (["wren", "nest", "shop"], ["wren"], "nest"),
        (["wren", "nest", "shop"], ["wren", "nest", "shop"], "shop-2"),
        (["", "", ""], [], "agent"),
    ],
)
def test_an_address_is_the_first_idea_that_is_free(
    registry: Registry, wanted: list[str], taken: list[str], address: str
) -> None:
    for name in taken:
        registry.admit(wanted=[name])
    assert registry.admit(wanted=wanted).address == address


def test_ending_twice_keeps_the_first_word(registry: Registry) -> None:
    run = registry.admit()
    registry.admission.end(run.activation_id, reason="left")
    registry.world.clock.advance(60)
    registry.admission.end(run.activation_id, reason="process-gone")
    assert registry.stored(run.activation_id).end_reason == "left"
    registry.admission.end("activation-of-nobody", reason="left")
