"""Routes and incarnations (M 1.3, R 1.5)."""

from dataclasses import replace
from hashlib import sha256

import pytest

from tidings.domain.documents import Fields, FieldWrong
from tidings.domain.identity.route import (
    Route,
    incarnation_of,
    read_route,
    route_to_document,
)
from tidings.ports.tokens import Provider

ROUTE = Route(
    agent_uid="agent-1",
    pane_uid="pane-1",
    activation_generation="g-1",
    provider="claude",
    incarnation="route-00",
)
PARTS = ["agent_uid", "pane_uid", "activation_generation", "provider", "incarnation"]


@pytest.mark.case("R40")
def test_a_fixed_conversation_gives_a_fixed_incarnation() -> None:
    expected = sha256(b"claude-session\x00abc").digest()[:18].hex()
    incarnation = incarnation_of(Provider.CLAUDE, "abc")
    assert incarnation == f"route-{expected}"
    assert incarnation == "route-d6d53cee336ed36bce7ef7fc5803c25f68b1"
    assert len(incarnation) == len("route-") + 36


@pytest.mark.case("R34")
def test_another_conversation_is_another_incarnation() -> None:
    assert incarnation_of(Provider.CLAUDE, "a") != incarnation_of(Provider.CLAUDE, "b")
    assert incarnation_of(Provider.CLAUDE, "a") != incarnation_of(Provider.GEMINI, "a")


def test_codex_has_one_for_every_thread() -> None:
    assert incarnation_of(Provider.CODEX, "a") == incarnation_of(Provider.CODEX, "")


@pytest.mark.case("R39")
def test_no_conversation_has_no_incarnation() -> None:
    assert incarnation_of(Provider.CLAUDE, "") == ""


@pytest.mark.case("R41")
def test_an_incarnation_shows_nothing_of_its_conversation() -> None:
    incarnation = incarnation_of(Provider.CLAUDE, "secret-session")
    assert "secret" not in incarnation
    assert set(incarnation.removeprefix("route-")) <= set("0123456789abcdef")


@pytest.mark.case("R26")
@pytest.mark.parametrize("part", PARTS)
def test_routes_with_the_same_empty_part_are_not_the_same(part: str) -> None:
    half = replace(ROUTE, **{part: ""})
    assert not half.same(half)
    assert not half.same_agent(half)


@pytest.mark.parametrize("part", PARTS)
def test_any_other_part_makes_another_route(part: str) -> None:
    value = "codex" if part == "provider" else "other"
    assert ROUTE.same(ROUTE)
    assert not ROUTE.same(replace(ROUTE, **{part: value}))


def test_an_agent_is_the_same_across_activations() -> None:
    later = replace(ROUTE, pane_uid="pane-2", activation_generation="g-2", incarnation="route-11")
    assert ROUTE.same_agent(later)
    assert not ROUTE.same_agent(replace(ROUTE, agent_uid="agent-2"))


@pytest.mark.case("R27")
def test_routes_of_two_providers_are_never_the_same() -> None:
    codex = replace(ROUTE, provider="codex")
    assert not ROUTE.same(codex)
    assert not ROUTE.same_agent(codex)


@pytest.mark.parametrize("part", ["", " a", "a\n", "a\x85b", "a" * 161, "\ud800"])
def test_a_part_that_breaks_the_ref_rule_makes_no_route(part: str) -> None:
    assert not replace(ROUTE, pane_uid=part).is_valid


def test_a_route_survives_its_document() -> None:
    document = route_to_document(ROUTE)
    assert list(document) == [
        "agentUID", "paneUID", "activationGeneration", "provider", "incarnation",
    ]  # fmt: skip
    assert read_route(Fields(document=document)) == ROUTE
    with pytest.raises(FieldWrong):
        read_route(Fields(document={**document, "provider": "antigravity"}))
    with pytest.raises(FieldWrong):
        read_route(Fields(document={**document, "paneUID": 7}))
