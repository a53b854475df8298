"""Finding the one session that a TARGET names (D5)."""

from dataclasses import replace
from pathlib import Path

import pytest

from support.registry import Registry
from tidings.adapters.sqlite.store import SqliteMessageStore
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.ports.errors import Ambiguous, NotFound, NotRunning, UsageError
from tidings.ports.tokens import Verdict


@pytest.fixture
def registry() -> Registry:
    return Registry()


def test_an_address_an_agent_and_a_session_name_the_same_run(registry: Registry) -> None:
    run = registry.admit()
    registry.admit(wanted=["front"])
    for target in ("api", f"agent:{run.agent_uid}", f"session:{run.session_key}"):
        assert registry.admission.resolve(target) == run


@pytest.mark.parametrize("target", ["API", "ap", "api ", "agent:", "session:", "agent:api"])
def test_nothing_but_the_exact_name_matches(registry: Registry, target: str) -> None:
    registry.admit()
    with pytest.raises(NotFound):
        registry.admission.resolve(target)


def test_a_label_that_is_not_the_address_never_matches(registry: Registry) -> None:
    registry.admit(wanted=["api"], label="wren")
    with pytest.raises(NotFound):
        registry.admission.resolve("wren")


def test_an_unknown_name_lists_near_ones_that_live_and_creates_nothing(tmp_path: Path) -> None:
    path = tmp_path / "state" / "tidings.db"
    registry = Registry(store=SqliteMessageStore(str(path), codec=JsonCodec()))
    with pytest.raises(NotFound) as caught:
        registry.admission.resolve("apo")
    assert caught.value.near == ()
    assert not path.parent.exists()
    registry.admit(wanted=["api"])
    gone = registry.admit(wanted=["ape"])
    registry.world.kernel.exit(gone.owner.pid)
    with pytest.raises(NotFound) as caught:
        registry.admission.resolve("apo")
    assert caught.value.near == ("api",)
    assert "api" in caught.value.next_step


def test_a_run_that_ended_is_known_but_not_running(registry: Registry) -> None:
    run = registry.admit()
    registry.admission.end(run.activation_id, reason="gone")
    for target in ("api", f"agent:{run.agent_uid}", f"session:{run.session_key}"):
        with pytest.raises(NotRunning):
            registry.admission.resolve(target)
        assert registry.admission.last_run(target) == registry.stored(run.activation_id)
    assert registry.admission.last_run("nobody") is None


def test_a_dead_process_is_not_running_before_anybody_marked_its_end(registry: Registry) -> None:
    run = registry.admit()
    registry.world.kernel.exit(run.owner.pid)
    with pytest.raises(NotRunning):
        registry.admission.resolve("api")
    assert registry.stored(run.activation_id).ended_at_ns is None


def test_a_living_match_is_not_hidden_by_a_dead_one(registry: Registry) -> None:
    dead = registry.admit()
    registry.world.kernel.exit(dead.owner.pid)
    living = registry.admit()
    assert living.address == "api"
    assert registry.admission.resolve("api") == living


def test_doubt_about_a_process_is_not_absence(registry: Registry) -> None:
    run = registry.admit()
    registry.world.kernel.become_unreadable(run.owner.pid)
    assert registry.admission.resolve("api") == run


@pytest.mark.case("R30")
def test_two_agents_of_one_name_are_told_apart_by_uid_and_refused_by_name(
    registry: Registry,
) -> None:
    one, other = registry.admit(), registry.admit()
    registry.put(replace(other, address=one.address))
    assert registry.admission.resolve(f"agent:{one.agent_uid}").agent_uid == one.agent_uid
    assert registry.admission.resolve(f"agent:{other.agent_uid}").agent_uid == other.agent_uid
    with pytest.raises(Ambiguous) as caught:
        registry.admission.resolve("api")
    keys = {f"session:{one.session_key}", f"session:{other.session_key}"}
    assert set(caught.value.candidates) == keys
    assert {registry.admission.resolve(key).agent_uid for key in caught.value.candidates} == {
        one.agent_uid,
        other.agent_uid,
    }


def test_the_living_and_the_ended_are_two_lists(registry: Registry) -> None:
    first, second, third = (registry.admit(wanted=[name]) for name in ("a1", "b1", "c1"))
    registry.admission.end(first.activation_id, reason="gone")
    registry.world.kernel.exit(second.owner.pid)
    living = registry.admission.living()
    assert [(one.activation, one.verdict) for one in living] == [
        (second, Verdict.DEAD),
        (third, Verdict.ALIVE),
    ]
    (ended,) = registry.admission.ended(limit=9)
    assert (ended.activation.activation_id, ended.verdict) == (first.activation_id, Verdict.DEAD)
    assert registry.admission.ended(limit=0) == ()


def test_a_run_has_departed_once_its_process_and_its_resident_are_proved_dead(
    registry: Registry,
) -> None:
    names = ("alive", "doubt", "bare", "served", "orphan")
    runs = {name: registry.admit(wanted=[name]) for name in names}
    kernel = registry.world.kernel
    for name in ("alive", "served", "orphan"):
        resident = registry.resident()
        registry.admission.claim(
            runs[name], resident=resident, observed_prior="", client_version="2.1.332"
        )
        if name == "orphan":
            kernel.exit(resident.pid)
    kernel.become_unreadable(runs["doubt"].owner.pid)
    assert registry.admission.departed(limit=9) == ()
    for name in ("bare", "served", "orphan"):
        kernel.exit(runs[name].owner.pid)
    assert registry.admission.departed(limit=9) == (runs["bare"], runs["orphan"])
    assert registry.admission.departed(limit=1) == (runs["bare"],)


def test_the_last_address_of_an_agent_outlives_its_run(registry: Registry) -> None:
    run = registry.admit()
    registry.admission.end(run.activation_id, reason="gone")
    assert registry.admission.address_of(run.agent_uid) == "api"
    assert registry.admission.address_of("agent-x") == "agent:agent-x"


def test_a_run_follows_its_conversation_until_it_ends(registry: Registry) -> None:
    run = registry.admit(conversation_id="c")
    assert registry.admission.follow(run.activation_id, "d").conversation_id == "d"
    registry.admission.end(run.activation_id, reason="gone")
    with pytest.raises(NotRunning):
        registry.admission.follow(run.activation_id, "e")


@pytest.mark.parametrize("target", ["", " ", "\n"])
def test_a_blank_name_is_a_malformed_call_and_no_unknown_session(
    registry: Registry, target: str
) -> None:
    registry.admit()
    with pytest.raises(UsageError):
        registry.admission.resolve(target)
