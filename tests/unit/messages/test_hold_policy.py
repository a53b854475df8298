"""Every row of the hold policy, and the smaller judgements around it."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tidings.domain.interaction.freedom import AwaitsOperator, Free
from tidings.domain.messages.delivery import Happening
from tidings.domain.messages.hold import (
    Deliver,
    Hold,
    HoldDecision,
    HoldFacts,
    HoldPolicy,
    Permission,
    Settle,
)
from tidings.domain.messages.reasons import CATALOGUE
from tidings.domain.messages.record import check_record
from tidings.domain.messages.reply import leaves_lane_open, peer_proves_answer
from tidings.entrypoints.testing.message_rows import NOON_NS, birth, delivered, marked, message
from tidings.ports.errors import StoreMalformed
from tidings.ports.messages import MessageRow
from tidings.ports.replies import NativeAnswer
from tidings.ports.tokens import Verdict

REF = "m" + "0" * 28
CLEAR = HoldFacts(
    marked=False,
    past_deadline=False,
    target_current=True,
    owner=Verdict.ALIVE,
    permission=Permission.GRANTED,
    ready=True,
    freedom=Free(idle=None),
    unproved=9,
)
DIALOG = AwaitsOperator(why="a question is open")
UNKNOWN = Settle(
    happening=Happening.FAIL, reason="provider-handoff-outcome-unknown", outcome_unknown=True
)
STALE = Settle(happening=Happening.STALE, reason="target-activation-stale")
EXPIRED = Settle(happening=Happening.EXPIRE, reason="deadline-expired")
WITHDRAWN = Settle(happening=Happening.REFUSE, reason="consent-withdrawn")

FINDINGS: list[tuple[HoldFacts, HoldDecision]] = [
    (replace(CLEAR, marked=True), UNKNOWN),
    (replace(CLEAR, target_current=False), STALE),
    (replace(CLEAR, owner=Verdict.DEAD), STALE),
    (replace(CLEAR, past_deadline=True), EXPIRED),
    (replace(CLEAR, permission=Permission.WITHDRAWN), WITHDRAWN),
    (replace(CLEAR, permission=Permission.UNREADABLE), Hold(reason="target-consent-unreadable")),
    (replace(CLEAR, ready=False), Hold(reason="target-not-ready")),
    (replace(CLEAR, owner=Verdict.UNKNOWN), Hold(reason="target-not-ready")),
    (replace(CLEAR, freedom=DIALOG), Hold(reason="target-awaiting-operator")),
    (replace(CLEAR, unproved=10), Hold(reason="pacing")),
]


@pytest.mark.parametrize(("facts", "decision"), [*FINDINGS, (CLEAR, Deliver())])
def test_each_finding_alone(facts: HoldFacts, decision: HoldDecision) -> None:
    assert HoldPolicy().decide(facts) == decision
    if not isinstance(decision, Deliver):
        assert CATALOGUE[decision.reason]


def test_an_earlier_finding_wins_over_a_later_one() -> None:
    for (one, (facts, decision)), (two, (others, _)) in product(enumerate(FINDINGS), repeat=2):
        changed = {
            name: getattr(others, name)
            for name in HoldFacts.__dataclass_fields__
            if getattr(others, name) != getattr(CLEAR, name)
            and getattr(facts, name) == getattr(CLEAR, name)
        }
        if one < two and changed:
            assert HoldPolicy().decide(replace(facts, **changed)) == decision


@settings(max_examples=60)
@given(
    st.builds(
        HoldFacts,
        marked=st.booleans(),
        past_deadline=st.booleans(),
        target_current=st.booleans(),
        owner=st.sampled_from(Verdict),
        permission=st.sampled_from(Permission),
        ready=st.booleans(),
        freedom=st.sampled_from([Free(idle=True), Free(idle=False), Free(idle=None), DIALOG]),
        unproved=st.integers(0, 12),
    )
)
def test_nothing_goes_out_on_any_doubt(facts: HoldFacts) -> None:
    decision = HoldPolicy().decide(facts)
    clear = replace(facts, freedom=CLEAR.freedom, unproved=9) == CLEAR
    expected = clear and isinstance(facts.freedom, Free) and facts.unproved < 10
    assert isinstance(decision, Deliver) == expected


@pytest.mark.parametrize(
    ("row", "still_open"),
    [
        (marked(REF, state="failed", reason="provider-write-zero", terminal_at_ns=1), True),
        (marked(REF, state="failed", reason="provider-prewrite-refused", terminal_at_ns=1), True),
        (
            marked(
                REF,
                state="failed",
                reason="provider-frame-too-large: frameBytes=9000 limitBytes=8192",
                terminal_at_ns=1,
            ),
            True,
        ),
        (
            marked(
                REF,
                state="failed",
                reason="provider-frame-too-large: frameBytes=9000 limitBytes=8192!",
                terminal_at_ns=1,
            ),
            False,
        ),
        (
            marked(
                REF,
                state="failed",
                reason="provider-write-zero",
                outcome_unknown=True,
                terminal_at_ns=1,
            ),
            False,
        ),
        (marked(REF, state="failed", reason="unspecified", terminal_at_ns=1), False),
        (marked(REF, state="failed", reason="provider-write-partial", terminal_at_ns=1), False),
        (message(REF, state="expired", reason="deadline-expired", terminal_at_ns=1), False),
        (message(REF, state="stale", reason="target-activation-stale", terminal_at_ns=1), False),
        (message(REF, state="refused", reason="consent-withdrawn", terminal_at_ns=1), False),
        (message(REF), False),
        (delivered(REF), False),
    ],
)
def test_which_attempts_leave_an_answer_possible(row: MessageRow, still_open: bool) -> None:
    assert leaves_lane_open(row) is still_open


@pytest.mark.parametrize(
    ("pid", "uid", "start", "proves"),
    [
        (10, 1000, birth(10).start, True),
        (10, 1000, birth(11).start, False),
        (10, 1000, "", False),
        (10, 1001, birth(10).start, False),
        (11, 1000, birth(10).start, False),
        (0, 1000, birth(10).start, False),
    ],
)
def test_an_answer_is_proved_by_the_kernels_word(
    pid: int, uid: int, start: str, proves: bool
) -> None:
    answer = NativeAnswer(ref=REF, peer_pid=pid, peer_uid=uid, peer_start=start, text="yes")
    assert peer_proves_answer(answer, birth(10)) is proves
    nobody = replace(birth(10), pid=0)
    assert not peer_proves_answer(replace(answer, peer_pid=0), nobody)
    unknown = replace(birth(10), start="")
    assert not peer_proves_answer(replace(answer, peer_start=""), unknown)


@pytest.mark.case("M51")
@pytest.mark.parametrize(
    "broken",
    [
        message(REF, state="failed", reason="x"),
        message(REF, terminal_at_ns=NOON_NS),
        message(REF, state="unheard-of"),
        message(REF, outcome_unknown=True),
        delivered(REF, outcome_unknown=True),
        message(REF, transport="inbox"),
        message(REF, handoff_at_ns=NOON_NS),
        message(REF, frame_sha256="0" * 64),
        message(REF, target_agent="agent-other"),
        message(REF, source_agent=None),
        message(REF, kind="push"),
        message(REF, ttl_ns=1),
        message(REF, accepted_at_ns=NOON_NS + 1),
        message(REF, payload_sha256="0" * 64),
        message(REF, conversation_ref="other"),
        message(REF, reply_to="other"),
        replace(message(REF), ref="m" + "1" * 28),
    ],
)
def test_a_row_that_breaks_a_rule_is_malformed(broken: MessageRow) -> None:
    with pytest.raises(StoreMalformed):
        check_record(broken)
    for sound in (message(REF), marked(REF), delivered(REF)):
        check_record(sound)
