"""Refs, origins, authority, instants and the reason catalogue."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tidings.adapters.memory.clock import SeededIds
from tidings.domain.instants import from_rfc3339, to_rfc3339
from tidings.domain.messages import authority, reasons
from tidings.domain.messages.delivery import State
from tidings.domain.messages.instants import to_clock_text
from tidings.domain.messages.origin import MessageKind, Origin, is_client_name, is_origin
from tidings.domain.messages.reason_table import ROWS
from tidings.domain.messages.reasons import CATALOGUE, Stage, entry_of, is_known_zero, token_of
from tidings.domain.messages.refs import (
    OUR_REF,
    conversation_ref_of,
    is_usable_ref,
    mint_ref,
    resolve_ref,
    short_ref,
)
from tidings.ports.errors import Ambiguous, NotFound

STORED = ("mabcde1", "mabcde2", "mabcx", "key", "mabcxyz")


def prefixed(prefix: str) -> list[str]:
    return [ref for ref in STORED if ref.startswith(prefix)]


def test_a_minted_ref_is_found_again_in_any_text() -> None:
    ids = SeededIds("refs")
    refs = [mint_ref(ids) for _ in range(50)]
    assert len(set(refs)) == 50
    for ref in refs:
        assert OUR_REF.findall(f"see ({ref}), please") == [ref]
        assert OUR_REF.findall(f"x{ref}") == []
        assert OUR_REF.findall(f"{ref}0") == []


def test_a_conversation_is_named_by_its_first_message() -> None:
    assert conversation_ref_of("m1") == conversation_ref_of("m1")
    assert conversation_ref_of("m1") != conversation_ref_of("m2")
    assert len(conversation_ref_of("m1")) == len("conversation-") + 36


@pytest.mark.parametrize(
    ("ref", "usable"),
    [
        *[
            ("pr-412", True),
            ("ci/412:3.1", True),
            ("a" * 160, True),
            ("a" * 161, False),
            ("", False),
        ],
        *[("a b", False), ("a\u3000b", False), ("a\u2800b", False), ("a\u3164b", False)],
        *[("m2\u202eevil", False), ("m3\u200bz", False), ("m4<system-reminder>", False)],
        *[("-x", False), ("a_b", False), ("a\n", False), ("\u0430bc", False)],
    ],
)
def test_a_given_ref_cannot_say_anything_in_a_label(ref: str, usable: bool) -> None:
    assert is_usable_ref(ref) is usable


def test_short_forms_are_unambiguous_and_at_least_five_letters() -> None:
    assert short_ref("mabcde1", ["mabcd", "mabcde2"]) == "mabcde1"
    assert short_ref("mzzzzzzz", ["mabcxyz"]) == "mzzzz"
    assert short_ref("mabcxyz", ["mabcx", "mzzzzzzz"]) == "mabcxy"
    assert short_ref("mabcx", ["mabcxyz"]) == "mabcx"
    assert short_ref("alone-1", []) == "alone"
    for ref in STORED:
        others = sorted({*STORED} - {ref})
        assert resolve_ref(short_ref(ref, others), prefixed) == ref


def test_a_prefix_resolves_only_alone() -> None:
    assert resolve_ref("mabcxy", prefixed) == "mabcxyz"
    assert resolve_ref("mabcx", prefixed) == "mabcx"
    assert resolve_ref("key", prefixed) == "key"
    with pytest.raises(Ambiguous) as caught:
        resolve_ref("mabcd", prefixed)
    assert caught.value.candidates == ("mabcde1", "mabcde2")
    for unknown in ("mabc", "nowhere", "", "a\nb"):
        with pytest.raises(NotFound):
            resolve_ref(unknown, prefixed)


def test_a_given_ref_never_stands_for_the_short_form_of_one_of_ours() -> None:
    ours = "md3m5" + "a" * 24
    stored = ["md3m5", ours]

    def prefixed(prefix: str) -> list[str]:
        return [one for one in stored if one.startswith(prefix)]

    with pytest.raises(Ambiguous) as caught:
        resolve_ref("md3m5", prefixed)
    assert caught.value.candidates == ("md3m5", ours)
    assert resolve_ref(ours, prefixed) == ours
    stored.remove(ours)
    assert resolve_ref("md3m5", prefixed) == "md3m5"
    stored.append("md3m5-2")
    assert resolve_ref("md3m5", prefixed) == "md3m5"


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("console", True),
        ("c-2", True),
        ("x" * 32, True),
        ("", False),
        ("Console", False),
        ("2console", False),
        ("a b", False),
        ("x" * 33, False),
        ("console\n", False),
    ],
)
def test_a_clients_name_follows_its_rule(name: str, good: bool) -> None:
    assert is_client_name(name) is good
    assert is_origin(Origin(kind=MessageKind.OPERATOR, client=name)) is good
    assert not is_origin(Origin(kind=MessageKind.AGENT, client=name))


@pytest.mark.case("M22")
def test_the_matrix_of_principals_is_exactly_this() -> None:
    allowed = {
        ("human", action)
        for action in (
            *("coordination-send", "coordination-read", "coordination-reply"),
            *("turn-start", "turn-steer", "turn-interrupt", "config-write"),
        )
    }
    allowed |= {("peer-agent", f"coordination-{verb}") for verb in ("send", "read", "reply")}
    allowed |= {("operator", "coordination-send"), ("push", "coordination-send")}
    allowed |= {("provider-runtime", a) for a in ("tool-or-connector", "model-history-write")}
    allowed |= {("approval-reviewer", "approval-review")}
    principals = (*authority.PRINCIPALS, "stranger")
    actions = (*authority.ACTIONS, "unknown")
    assert len(authority.ACTIONS) == 10
    for pair in product(principals, actions):
        assert authority.may(*pair) is (pair in allowed)


@settings(max_examples=50)
@given(st.integers(min_value=0, max_value=4_000_000_000 * 10**9))
def test_instants_come_back_to_the_nanosecond(at_ns: int) -> None:
    assert from_rfc3339(to_rfc3339(at_ns)) == at_ns


@pytest.mark.parametrize("text", ["", "2026-11-30", "2026-11-30T03:19:35", "2026-13-01T00:00:00Z"])
def test_other_shapes_are_no_instants(text: str) -> None:
    with pytest.raises(ValueError, match="."):
        from_rfc3339(text)
    assert to_clock_text(1_796_008_775 * 10**9) == "2026-11-30 03:19:35"


def test_every_reason_has_one_row_a_meaning_and_a_next_step() -> None:
    assert len(CATALOGUE) == len(ROWS)
    for token, entry in CATALOGUE.items():
        assert entry.token == token
        assert entry.meaning
        assert entry.next_step
        assert entry.outcome_unknown == (entry.exit_code == 8)
        assert not entry.outcome_unknown or "do not resend" in entry.next_step
        assert entry.stage is Stage.REFUSAL or State(str(entry.stage))


def test_known_zero_failures_are_known_and_failed() -> None:
    for token in reasons.KNOWN_ZERO & set(CATALOGUE):
        entry = CATALOGUE[token]
        assert (entry.stage, entry.outcome_unknown) == (Stage.FAILED, False)
        assert is_known_zero(token) is (token != "provider-frame-too-large")


@pytest.mark.parametrize(
    ("reason", "zero"),
    [
        ("provider-frame-too-large: frameBytes=8193 limitBytes=8192", True),
        ("provider-frame-too-large: frameBytes=08193 limitBytes=8192", False),
        ("provider-frame-too-large: frameBytes=8192 limitBytes=8192", False),
        ("provider-frame-too-large: frameBytes=+8193 limitBytes=8192", False),
        ("provider-frame-too-large: frameBytes=8193 limitBytes=8192\n", False),
        ("provider-frame-too-large: frameBytes=8193 limitBytes=8192 so", False),
        ("provider-frame-too-large", False),
        ("provider-write-partial", False),
        ("never heard of", False),
    ],
)
def test_only_a_canonical_size_is_a_size(reason: str, zero: bool) -> None:
    assert is_known_zero(reason) is zero
    if zero:
        assert token_of(reason) == "provider-frame-too-large"
        assert entry_of(reason) is CATALOGUE["provider-frame-too-large"]
