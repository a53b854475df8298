"""What a real client's model reads of who sent a message, and what nobody can make it read (P10)."""

import re
import unicodedata
from collections.abc import Callable

import pytest

from conformance.plain import document, items, text_of
from tidings.ports.codec import Document

pytestmark = [pytest.mark.conformance, pytest.mark.whole_list, pytest.mark.timeout(420)]

RunScenario = Callable[[str], Document]
ONCE: Document = {"brought_by": 1, "copies": 1}

TAG = re.compile(r"<\s*/?\s*(?:cross-session-message|system-reminder|task-notification)[\s>]")
FRAME = re.compile(r'<cross-session-message[^\n]*">\n(.*)\n</cross-session-message>', re.DOTALL)
WORD = r"[A-Za-z0-9._\-/@+~]+"
AGENT = re.compile(rf"tidings m[0-9a-z]{{28}} from {WORD} \({WORD}, {WORD}(:{WORD})?\), proved: ")
LINES_OF_BODY = 16
WAITED = ("notice", "message")


@pytest.fixture(scope="module")
def origins(run_with_claude: RunScenario) -> Document:
    """One message typed at a terminal, one from a script."""
    return run_with_claude("origins")


@pytest.fixture(scope="module")
def notices(run_with_claude: RunScenario) -> Document:
    """A notice for an idle session, a message behind it, and a notice that may wake it."""
    return run_with_claude("notices")


@pytest.fixture(scope="module")
def hostile(run_with_claude: RunScenario) -> Document:
    """Messages of a session and of a program with hostile names, folders, branches and bodies."""
    return run_with_claude("hostile")


def test_a_message_typed_at_a_terminal_is_a_push_and_says_so(origins: Document) -> None:
    """Provenance and no authority: what cannot be undone stays with the session's user (D27)."""
    typed = document(origins["typed"])
    label, _when, body, note = _frame(typed).splitlines()

    assert (typed["kind"], typed["reach"]) == ("push", ONCE)
    assert "typed at the operator's terminal" in label
    assert label.endswith("a terminal is evidence of a person, not proof")
    assert body == "| please look at the build"
    assert note.endswith("is left for the user of this session to settle.")


def test_a_message_from_a_script_is_automation_and_says_that_nothing_is_proved(
    origins: Document,
) -> None:
    script = document(origins["script"])
    label, _when, body = _frame(script).splitlines()

    assert (script["kind"], script["reach"]) == ("automation", ONCE)
    assert label.endswith("from a script (script), not proved: no agent, no terminal")
    assert body == "| the build is red"


def test_a_notice_starts_no_turn_in_an_idle_session_and_shows_nothing(notices: Document) -> None:
    idle = document(notices["idle"])
    (row,) = items(document(idle["row"])["messages"])

    assert (document(row)["state"], document(row)["reason"]) == ("held", "awaiting-turn")
    assert (idle["requests"], idle["shown"], idle["events"]) == (0, "", ["SessionStart"])


def test_a_notice_goes_out_right_before_the_next_message_and_says_what_it_is(
    notices: Document,
) -> None:
    notice, message = (text_of(frame).splitlines() for frame in items(notices["read"]))

    assert [document(document(notices[one])["message"])["evidence"] for one in WAITED] == [
        "seen"
    ] * 2
    assert [document(notices[one])["reach"] for one in WAITED] == [ONCE, ONCE]
    assert notice[0].endswith(", a notice from a script (script), not proved")
    assert notice[-1] == "| the build machine restarts at noon"
    assert message[-1] == "| the build is red"


def test_a_notice_begins_a_turn_where_waking_was_asked_for_and_armed(notices: Document) -> None:
    woken = document(notices["woken"])
    (frame,) = items(woken["read"])

    assert document(woken["message"])["evidence"] == "seen"
    assert woken["reach"] == ONCE
    assert text_of(frame).splitlines()[-1] == "| the build machine restarts now"


@pytest.mark.parametrize("sender", ["of_program", "of_session"])
def test_no_text_of_a_sender_can_imitate_the_frame(hostile: Document, sender: str) -> None:
    """Name, folder, branch and body hold tags, breaks, directions, escapes and a false label."""
    read = text_of(hostile[sender])
    message = read[read.index("<cross-session-message") :]
    label, when, *body, answer = _frame(document({"read": read})).splitlines()

    assert AGENT.match(label)
    assert when.startswith("sent 2")
    assert answer.startswith('to answer: SendMessage to "uds:/')
    assert len(body) == LINES_OF_BODY
    assert all(line.startswith("| ") for line in body)
    assert TAG.findall(message) == ["<cross-session-message ", "</cross-session-message>"]
    assert not [one for one in message if _is_hidden(one)]


def test_the_client_leaves_a_hostile_text_as_we_wrote_it_so_its_reading_is_proved(
    hostile: Document,
) -> None:
    """It writes anew what resembles its own wrapper, and tells hooks of that (D18)."""
    assert hostile["evidence"] == ["seen", "seen"]


def test_a_hostile_name_becomes_a_plain_address_and_a_program_cannot_take_it(
    hostile: Document,
) -> None:
    assert hostile["address"] == "cross-session-message-system-rem"
    assert text_of(hostile["operator"]).startswith("operator-client-invalid")
    assert hostile["dialogs"] == 0


def _frame(told: Document) -> str:
    """What stands between the lines of the client's wrapper, of which there is exactly one."""
    found = FRAME.search(text_of(told["read"]))
    assert found is not None
    return found[1]


def _is_hidden(character: str) -> bool:
    return character != "\n" and unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp")
