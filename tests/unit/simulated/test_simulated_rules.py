"""The simulated harness's pure rules, without a process."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tidings.entrypoints.simulated.hook_settings import HookCommand, commands_for
from tidings.entrypoints.simulated.payloads import HookCall
from tidings.entrypoints.simulated.posts import BURST_FRAMES, REFILL_SECONDS, BurstGate, read_post
from tidings.entrypoints.simulated.script import (
    AskOperator,
    Delegate,
    Elicit,
    FailCall,
    Say,
    ScriptUnreadable,
    SendText,
    Step,
    Think,
    UseTool,
    parse_steps,
    to_document,
)
from tidings.entrypoints.simulated.verdicts import Verdict, merge, read_verdict
from tidings.entrypoints.simulated.wording import answer_address, cut
from tidings.ports.codec import Document, Value


@pytest.mark.parametrize(
    "step",
    [
        Think(seconds=1.5),
        UseTool(tool_input={"command": "ls", "deep": {"a": [1, None]}}, asks=True, seconds=None),
        AskOperator(options=("a", "b", "c")),
        Elicit(),
        SendText(text="hi", to="uds:/x"),
        Delegate(tool="Read"),
        FailCall(error="unknown"),
        Say(text="\U0001f514"),
    ],
)
def test_a_step_survives_the_way_through_json(step: Step) -> None:
    sent = json.loads(json.dumps([to_document(step)]))
    assert parse_steps(sent) == (step,)


@pytest.mark.parametrize(
    "value", [None, "x", [None], [{}], [{"step": "dance"}], [{"step": "say", "volume": 11}]]
)
def test_what_is_no_step_is_refused(value: Value) -> None:
    with pytest.raises(ScriptUnreadable):
        parse_steps(value)


@given(st.lists(st.floats(min_value=0, max_value=10), max_size=200).map(sorted))
@settings(max_examples=50)
def test_no_span_lets_more_than_thirty_frames_and_one_every_two_seconds_through(
    arrivals: list[float],
) -> None:
    """H 3, conformance. Another sender has thirty of its own."""
    gate = BurstGate()
    admitted = [at for at in arrivals if gate.admits(7, at)]
    for end, at in enumerate(admitted):
        for begin, since in enumerate(admitted[: end + 1]):
            most = BURST_FRAMES + (at - since) / REFILL_SECONDS
            assert end - begin + 1 <= most + 1e-6
    assert gate.admits(8, arrivals[-1] if arrivals else 0.0)


@given(st.text(), st.integers(min_value=0, max_value=40))
@settings(max_examples=50)
def test_a_cut_keeps_a_prefix_of_whole_characters(text: str, units: int) -> None:
    """H 11."""
    try:
        encoded = text.encode("utf-16-le")
    except UnicodeEncodeError:
        return
    kept = cut(text, units)
    if len(encoded) <= 2 * units:
        assert kept == text
    else:
        prefix = kept.removesuffix("...(truncated)")
        assert text.startswith(prefix)
        assert units - 1 <= len(prefix.encode("utf-16-le")) // 2 <= units


def test_the_answer_address_is_the_last_ones_and_needs_none() -> None:
    block = '<cross-session-message from-name="a" from="uds:/%s">x</cross-session-message>'
    assert answer_address(block % "one" + "\n" + block % "two") == "uds:/two"
    assert answer_address('<cross-session-message from-name="a">x</cross-session-message>') == ""


def test_only_text_for_this_conversation_counts() -> None:
    """H 3."""
    user = {"type": "user", "message": {"role": "user", "content": "hi"}}
    assert read_post(json.dumps(user).encode(), session_id="s") == "hi"
    assert read_post(json.dumps({**user, "session_id": "s"}).encode(), session_id="s") == "hi"
    assert read_post(json.dumps({**user, "session_id": "t"}).encode(), session_id="s") is None
    assert read_post(b"[" * 100_000, session_id="s") is None


@pytest.mark.parametrize(
    ("code", "output", "verdict"),
    [
        (2, b"", Verdict(blocks=True, reason="no")),
        (1, b'{"decision":"block"}', Verdict()),
        (0, b"not json", Verdict()),
        (0, b'{"decision":"block","reason":"go on"}', Verdict(blocks=True, reason="go on")),
        (
            0,
            b'{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"x"}}',
            Verdict(blocks=True, reason="x"),
        ),
        (
            0,
            b'{"hookSpecificOutput":{"decision":{"behavior":"allow"}}}',
            Verdict(behavior="allow"),
        ),
    ],
)
def test_what_a_hooks_end_means(code: int, output: bytes, verdict: Verdict) -> None:
    """H 2 timeouts, decisions, context."""
    assert read_verdict(code, output, b"no\n") == verdict


def test_one_block_blocks_and_the_first_decision_counts() -> None:
    merged = merge(
        [
            Verdict(context="a"),
            Verdict(behavior="deny"),
            Verdict(behavior="allow", context="b"),
            Verdict(blocks=True, reason="why"),
        ]
    )
    assert merged == Verdict(blocks=True, reason="why", behavior="deny", context="a\nb")
    assert merge([]) == Verdict()


def test_settings_name_the_hooks_by_event_and_matcher() -> None:
    hook: Document = {"type": "command", "command": "x", "timeout": 5}
    groups: list[Value] = [
        {"matcher": "Bash|Read", "hooks": [hook]},
        {"matcher": "Write", "hooks": [hook]},
        {"hooks": [{"type": "prompt"}, "noise"]},
    ]
    text = json.dumps({"hooks": {"PreToolUse": groups}})
    found = commands_for(_call("PreToolUse", "Bash"), text)
    assert found == (HookCommand(command="x", timeout_seconds=5.0),)
    assert commands_for(_call("Stop", ""), text) == ()
    assert commands_for(_call("PreToolUse", "Bash"), "[]") == ()


def _call(event: str, subject: str) -> HookCall:
    return HookCall(event=event, subject=subject, payload={})
