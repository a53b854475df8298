"""The envelope: its rules, its order of faults, its bytes and its retries (M 1.6, 1.8)."""

from dataclasses import replace

import pytest

from support.golden import matches_golden
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.domain.identity.route import Route
from tidings.domain.messages.authority import OPERATOR, PEER, PUSH, Authority
from tidings.domain.messages.envelope import Envelope, FaultClass, fault_of, same_retry
from tidings.domain.messages.envelope_document import parse_envelope, to_document
from tidings.domain.messages.limits import LONGEST_PAYLOAD_BYTES, LONGEST_TTL_NS, SECOND_NS
from tidings.domain.messages.origin import MessageKind, Origin
from tidings.domain.messages.provenance import Proof, Provenance
from tidings.domain.messages.wishes import When, Wishes
from tidings.entrypoints.testing.message_rows import NOON_NS, activation, envelope
from tidings.ports.codec import Document
from tidings.ports.errors import StoreMalformed
from tidings.ports.tokens import Provider

REF = "m" + "0" * 28
FULL = envelope(REF)
PERSON = envelope(REF, kind=MessageKind.OPERATOR)
ROUTE = FULL.target


def token_of(envelope: Envelope) -> FaultClass | None:
    fault = fault_of(envelope)
    return None if fault is None else fault.token


@pytest.mark.case("M1")
@pytest.mark.parametrize("kind", list(MessageKind))
def test_a_full_envelope_of_each_kind_is_valid(kind: MessageKind) -> None:
    assert fault_of(envelope(REF, kind=kind)) is None
    assert fault_of(replace(FULL, reply_to="m-before")) is None


@pytest.mark.case("M2")
def test_another_version_is_refused_by_name() -> None:
    fault = fault_of(replace(FULL, version=3))
    assert fault is not None
    assert fault.token == "envelope-qualification-invalid"
    assert fault.detail == "version=3 supported=2"


@pytest.mark.case("M4", "M5", "M6")
@pytest.mark.parametrize(
    "broken",
    [
        replace(FULL, conversation_ref="a\u0085b"),
        replace(FULL, message_ref=""),
        replace(FULL, conversation_ref=""),
        replace(FULL, reply_to="a\x1bb"),
        replace(FULL, message_ref=" padded"),
    ],
)
def test_refs_follow_one_rule(broken: Envelope) -> None:
    assert token_of(broken) == "envelope-correlation-invalid"


@pytest.mark.case("M7")
def test_a_ref_has_at_most_160_bytes() -> None:
    assert token_of(replace(FULL, message_ref="é" * 80)) is None
    assert token_of(replace(FULL, message_ref="é" * 80 + "x")) == "envelope-correlation-invalid"


@pytest.mark.case("M9", "M10", "M11")
@pytest.mark.parametrize(
    "broken",
    [
        replace(FULL, target=replace(ROUTE, pane_uid="")),
        replace(FULL, source=replace(ROUTE, agent_uid="")),
        replace(FULL, target=replace(ROUTE, provider="cursor")),
        replace(FULL, source=None),
    ],
)
def test_both_ends_are_whole_routes(broken: Envelope) -> None:
    assert token_of(broken) == "envelope-route-invalid"


@pytest.mark.case("M12")
@pytest.mark.parametrize("payload", ["", "a\0b", "\ud800"])
def test_a_payload_is_text(payload: str) -> None:
    assert token_of(replace(FULL, payload=payload)) == "envelope-payload-invalid"


def test_a_payload_has_at_most_64_kib() -> None:
    assert token_of(replace(FULL, payload="é" * (LONGEST_PAYLOAD_BYTES // 2))) is None
    fault = fault_of(replace(FULL, payload="x" * (LONGEST_PAYLOAD_BYTES + 1)))
    assert fault is not None
    assert fault.token == "envelope-payload-too-large"
    assert fault.detail == "payloadBytes=65537 limitBytes=65536"


@pytest.mark.case("M14")
def test_control_characters_are_text_too() -> None:
    assert fault_of(replace(FULL, payload="\x1b" * 4096)) is None


@pytest.mark.case("M15")
@pytest.mark.parametrize(
    "broken",
    [
        replace(FULL, accepted_at_ns=0),
        replace(FULL, accepted_at_ns=0, deadline_ns=SECOND_NS),
        replace(FULL, accepted_at_ns=-SECOND_NS, deadline_ns=SECOND_NS),
        replace(FULL, deadline_ns=0),
        replace(FULL, deadline_ns=NOON_NS - 1),
        replace(FULL, deadline_ns=NOON_NS),
    ],
)
def test_a_life_has_a_beginning_and_a_later_end(broken: Envelope) -> None:
    assert token_of(broken) == "envelope-qualification-invalid"


@pytest.mark.case("M16")
def test_a_life_is_at_most_seven_days_to_the_nanosecond() -> None:
    assert LONGEST_TTL_NS == 7 * 24 * 3_600 * 1_000_000_000
    assert fault_of(replace(FULL, deadline_ns=NOON_NS + LONGEST_TTL_NS)) is None
    too_long = replace(FULL, deadline_ns=NOON_NS + LONGEST_TTL_NS + 1)
    assert token_of(too_long) == "envelope-qualification-invalid"


QUALIFICATION, CORRELATION = "envelope-qualification-invalid", "envelope-correlation-invalid"
NO_AGENT = Route(
    agent_uid="", pane_uid="x", activation_generation="", provider="claude", incarnation=""
)


@pytest.mark.case("M17", "M24", "M25")
@pytest.mark.parametrize(
    ("mixed", "token"),
    [
        (replace(FULL, authority=OPERATOR), QUALIFICATION),
        (replace(FULL, authority=PUSH), QUALIFICATION),
        (replace(PERSON, authority=PEER), QUALIFICATION),
        (
            replace(
                PERSON, authority=Authority(kind="operator", trust="untrusted", permission="turn")
            ),
            QUALIFICATION,
        ),
        (replace(PERSON, reply_to="other"), CORRELATION),
        (replace(PERSON, origin=Origin(kind=MessageKind.AGENT, client="console")), QUALIFICATION),
        (replace(PERSON, origin=Origin(kind=MessageKind.OPERATOR, client="")), QUALIFICATION),
        (
            replace(PERSON, origin=Origin(kind=MessageKind.OPERATOR, client="Console")),
            QUALIFICATION,
        ),
        (replace(PERSON, source=ROUTE), "envelope-route-invalid"),
        (replace(PERSON, source=NO_AGENT), "envelope-route-invalid"),
        (replace(FULL, origin=PERSON.origin), "envelope-route-invalid"),
    ],
)
def test_mixed_shapes_are_invalid_each_by_its_own_class(mixed: Envelope, token: str) -> None:
    assert token_of(mixed) == token


@pytest.mark.case("S144")
@pytest.mark.parametrize("kind", list(MessageKind))
def test_only_a_push_carries_the_authority_of_a_push(kind: MessageKind) -> None:
    whole = envelope(REF, kind=kind)
    assert (whole.authority == PUSH) is (kind is MessageKind.PUSH)
    is_valid = fault_of(replace(whole, authority=PUSH)) is None
    assert is_valid is (kind is MessageKind.PUSH)


@pytest.mark.case("M26", "M27")
def test_operator_input_goes_to_claude_only() -> None:
    for provider in Provider:
        other = activation("api", 10, provider=provider)
        person = envelope(REF, target=other, kind=MessageKind.OPERATOR)
        is_claude = provider is Provider.CLAUDE
        assert token_of(person) == (None if is_claude else "operator-origin-target-not-claude")
        assert fault_of(envelope(REF, target=other)) is None


def test_only_a_notice_may_keep_a_proved_source() -> None:
    notice = replace(
        FULL, origin=Origin(kind=MessageKind.NOTICE, client="pts/3"), source=FULL.source
    )
    assert fault_of(notice) is None
    pushed = replace(notice, origin=Origin(kind=MessageKind.PUSH, client="pts/3"), authority=PUSH)
    assert token_of(pushed) == "envelope-route-invalid"


@pytest.mark.case("M19")
def test_faults_come_in_order_and_none_is_anonymous() -> None:
    broken = replace(
        FULL,
        version=9,
        message_ref="",
        target=replace(ROUTE, pane_uid=""),
        payload="",
        deadline_ns=0,
        authority=OPERATOR,
    )
    repairs: list[dict[str, object]] = [
        {"version": 2},
        {"message_ref": REF},
        {"target": ROUTE},
        {"payload": "x"},
        {"deadline_ns": NOON_NS + 1},
        {"authority": PEER},
    ]
    seen: list[str] = []
    for repair in repairs:
        fault = fault_of(broken)
        assert fault is not None
        seen.append(str(fault.token).removeprefix("envelope-").removesuffix("-invalid"))
        broken = replace(broken, **repair)  # type: ignore[arg-type]
    assert seen == [
        *("qualification", "correlation", "route", "payload"),
        *("qualification", "qualification"),
    ]
    assert fault_of(broken) is None


@pytest.mark.case("M20", "M21")
@pytest.mark.parametrize("kind", list(MessageKind))
def test_an_envelope_survives_its_document(kind: MessageKind) -> None:
    whole = replace(envelope(REF, kind=kind), accepted_at_ns=NOON_NS + 1)
    document = to_document(whole)
    assert parse_envelope(document) == whole
    assert ("source" in document) == (kind is MessageKind.AGENT)
    assert ("origin" in document) == (kind is not MessageKind.AGENT)


@pytest.mark.case("M20")
def test_the_keys_of_an_agents_envelope_keep_their_order() -> None:
    reply = replace(FULL, reply_to="m-before")
    assert list(to_document(reply)) == [
        *("version", "messageRef", "conversationRef", "replyTo", "source", "target"),
        *("authority", "payload", "acceptedAt", "deadline", "provenance"),
    ]
    assert "replyTo" not in to_document(FULL)


def broken_documents() -> list[Document]:
    whole = to_document(FULL)
    target = whole["target"]
    assert isinstance(target, dict)
    return [
        {**whole, "extra": 1},
        {key: value for key, value in whole.items() if key != "deadline"},
        {**whole, "version": "2"},
        {**whole, "version": True},
        {**whole, "payload": ["x"]},
        {**whole, "replyTo": ""},
        {**whole, "deadline": "2027-01-15T08:00:00"},
        {**whole, "target": {**target, "token": "secret"}},
        {**whole, "target": "agent-api"},
        {**whole, "origin": {"kind": "stranger", "client": "x"}},
        {**whole, "origin": {"kind": "agent", "client": "console"}},
        {**whole, "origin": {"kind": "", "client": "console"}},
        {**whole, "provenance": {"address": "a", "place": "b", "proof": "seen by eye"}},
    ]


@pytest.mark.case("M25")
@pytest.mark.parametrize("document", broken_documents())
def test_a_document_is_read_strictly(document: Document) -> None:
    with pytest.raises(StoreMalformed):
        parse_envelope(document)


@pytest.mark.case("M31")
def test_the_same_message_an_hour_later_is_the_same_retry() -> None:
    later = replace(
        FULL,
        accepted_at_ns=NOON_NS + 3_600_000_000_000,
        deadline_ns=FULL.deadline_ns + 3_600_000_000_000,
        provenance=Provenance(address="front", place="shop:other", proof=Proof.NONE),
    )
    assert same_retry(FULL, later)
    assert not same_retry(FULL, replace(later, deadline_ns=later.deadline_ns + 1))


@pytest.mark.case("M32")
@pytest.mark.parametrize(
    "other",
    [
        replace(FULL, payload="another text"),
        replace(FULL, source=replace(ROUTE, agent_uid="agent-else")),
        replace(FULL, target=replace(ROUTE, pane_uid="pane-else")),
        replace(FULL, target=replace(ROUTE, activation_generation="else")),
        replace(FULL, target=replace(ROUTE, incarnation="route-else")),
        replace(FULL, target=replace(ROUTE, provider="codex")),
        replace(FULL, target=replace(ROUTE, agent_uid="agent-else")),
        replace(FULL, authority=PUSH),
        replace(FULL, version=3),
        replace(FULL, message_ref="m" + "1" * 28),
        replace(FULL, wishes=Wishes(when=When.IDLE)),
        replace(FULL, wishes=Wishes(supersede_key="k")),
        replace(FULL, deadline_ns=FULL.deadline_ns - 1),
        replace(FULL, reply_to="m-else"),
        replace(FULL, conversation_ref="conversation-else"),
    ],
)
def test_another_message_is_no_retry(other: Envelope) -> None:
    assert not same_retry(FULL, other)
    assert not same_retry(other, FULL)


@pytest.mark.case("M32")
@pytest.mark.parametrize(
    "nobody",
    [
        replace(FULL, target=replace(ROUTE, pane_uid="")),
        replace(FULL, source=replace(ROUTE, agent_uid="")),
        replace(FULL, source=None),
    ],
)
def test_what_names_no_whole_end_is_not_even_a_retry_of_itself(nobody: Envelope) -> None:
    assert not same_retry(nobody, nobody)


@pytest.mark.case("M34", "M35")
def test_an_operator_is_no_agent_and_no_other_operator() -> None:
    assert not same_retry(FULL, PERSON)
    assert not same_retry(PERSON, FULL)
    assert same_retry(PERSON, PERSON)
    other = replace(PERSON, origin=Origin(kind=MessageKind.OPERATOR, client="console"))
    assert not same_retry(PERSON, other)
    nobody = replace(PERSON, origin=Origin(kind=MessageKind.OPERATOR, client="No One"))
    assert not same_retry(nobody, nobody)


@pytest.mark.case("M20")
def test_the_bytes_of_an_envelope_are_golden() -> None:
    codec = JsonCodec()
    lines = [
        codec.encode(to_document(FULL)),
        codec.encode(to_document(replace(FULL, reply_to="m-before"))),
        *(
            codec.encode(to_document(envelope(REF, kind=kind)))
            for kind in MessageKind
            if kind is not MessageKind.AGENT
        ),
    ]
    assert matches_golden("envelopes.jsonl", b"\n".join(lines) + b"\n")
