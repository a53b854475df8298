"""What Tidings relies on in Claude Code, asked of the real client (H 3, H 9, H 10; D18, D24, D29)."""

from collections.abc import Callable

import pytest

from conformance.plain import document, items, text_of
from tidings.domain.interaction.prompt_text import digests_in, refs_in
from tidings.ports.codec import Document, Value

pytestmark = [pytest.mark.conformance, pytest.mark.timeout(420)]

RunScenario = Callable[[str], Document]
ONCE: Document = {"brought_by": 1, "copies": 1}
NEVER: Document = {"brought_by": 0, "copies": 0}


@pytest.fixture(scope="module")
def frame_facts(run_with_claude: RunScenario) -> Document:
    """One session that was sent a frame, one for another conversation, and a last one."""
    return run_with_claude("frame_reaches_model")


def test_a_frame_reaches_the_models_request_exactly_once(frame_facts: Document) -> None:
    first = document(frame_facts["first"])

    assert frame_facts["results"] == ["full", "full", "full"]
    assert (first["brought_by"], first["copies"]) == (1, 1)


def test_the_prompt_that_hooks_are_told_is_the_frame_byte_for_byte(frame_facts: Document) -> None:
    """Wrapper, attributes, line breaks and all; the model reads the same text (D18)."""
    first, last = document(frame_facts["first"]), document(frame_facts["last"])

    assert frame_facts["prompts"] == [first["content"], last["content"]]


def test_our_hook_knows_the_frame_again_by_its_digest_and_its_ref(frame_facts: Document) -> None:
    first = document(frame_facts["first"])
    prompt = text_of(items(frame_facts["prompts"])[0])

    assert digests_in(prompt) == [first["digest"]]
    assert refs_in(prompt) == [first["ref"]]


def test_a_frame_for_another_conversation_is_dropped_without_a_word(frame_facts: Document) -> None:
    last = document(frame_facts["last"])

    assert document(frame_facts["foreign"]) == NEVER
    assert (last["brought_by"], last["copies"]) == (1, 1)
    assert items(frame_facts["events"]).count("UserPromptSubmit") == 2


def test_the_supported_view_lists_the_session_with_its_status(frame_facts: Document) -> None:
    session = document(frame_facts["session"])
    listed = [document(row) for row in items(frame_facts["listed"])]

    assert [(row["pid"], row["sessionId"], row["status"]) for row in listed] == [
        (session["pid"], session["id"], "idle")
    ]


def test_frames_written_to_a_busy_session_are_each_told_and_each_heard_once(
    run_with_claude: RunScenario,
) -> None:
    """The client may answer several in one turn, yet tells its hooks of each by itself."""
    facts = run_with_claude("frames_while_busy")

    assert facts["results"] == ["full", "full", "full"]
    assert facts["prompts"] == facts["contents"]
    assert facts["reaches"] == [ONCE, ONCE, ONCE]


@pytest.mark.whole_list
def test_of_more_than_30_frames_at_once_the_client_drops_the_rest_without_a_word(
    run_with_claude: RunScenario,
) -> None:
    """A bucket of 30 for each sender, refilled by one every 2 s; whoever writes has to pace (D18)."""
    facts = run_with_claude("frames_at_once")

    assert facts["results"] == ["full"] * 35
    assert facts["prompts"] == len(items(facts["heard"]))
    assert items(facts["heard"])[:30] == [*range(30)]
    assert len(items(facts["heard"])) < 35


@pytest.mark.parametrize(
    ("scenario", "quiet"),
    [
        ("denied_dialog", ["idle", "idle"]),
        ("denied_dialog_beside_a_monitor", ["shell", "busy"]),
    ],
    ids=["alone", "beside_a_monitor"],
)
def test_a_denied_dialog_ends_without_a_hook_but_not_without_a_status(
    run_with_claude: RunScenario, scenario: str, quiet: list[Value]
) -> None:
    """Beside a plugin monitor an idle session is ``shell`` in its record, ``busy`` in the view."""
    facts = run_with_claude(scenario)

    assert facts["statuses"] == {
        "before": quiet,
        "open": ["waiting", "waiting"],
        "denied": quiet,
    }
    assert facts["events_when_denied"] == _until_permission_request()
    assert facts["events"] == [*_until_permission_request(), "UserPromptSubmit", "Stop"]
    assert facts["command_ran"] is False
    assert facts["frame"] == ONCE


def test_the_models_own_send_message_answers_at_our_socket_without_a_dialog(
    run_with_claude: RunScenario,
) -> None:
    facts = run_with_claude("native_answer")

    assert [document(answer) for answer in items(facts["answers"])] == [
        {
            "ref": "m" + 28 * "e",
            "pid": facts["client_pid"],
            "uid": facts["user"],
            "text": "yes, done",
        }
    ]
    assert facts["dialogs"] == 0


def _until_permission_request() -> list[Value]:
    return ["SessionStart", "UserPromptSubmit", "PreToolUse", "PermissionRequest"]
