"""What shows nothing hides no tag (P10): fillers, selectors, accents between the letters."""

import pytest

from tidings.domain.messages.neutralize import OPENING, body_lines

INVISIBLE = "\u034f\ufe0f\u3164\u115f\u1160\uffa0\u180b\u17b4\U000e0100\u2800\u200b\u202e"


@pytest.mark.parametrize("hidden", [*INVISIBLE, "\u0301", "\u20dd", ".", "_", " "])
@pytest.mark.parametrize("tag", ["<{}/cross-session-message>", "</c{}ross-session-message>"])
def test_a_tag_cannot_hide_behind_what_is_not_seen(hidden: str, tag: str) -> None:
    if hidden in "\u0301\u20dd._ " and tag.startswith("</c"):
        tag = "</cross{}session-message>"
    (line,) = body_lines(tag.format(hidden))
    assert line.startswith(OPENING)


@pytest.mark.parametrize("bracket", "<\u2039\u27e8\u02c2\u276e\u3008\u1438\u00ab\uff1c")
@pytest.mark.parametrize(
    "rest", ["/cross-session-message>", " / Cross-Session_Message", "cross-session-message from="]
)
def test_no_bracket_that_the_client_knows_is_left_before_its_own_tag(
    bracket: str, rest: str
) -> None:
    """It writes such text anew, and then its hook tells of other words than ours (D18, measured)."""
    assert body_lines(f"a {bracket}{rest}") == [f"a [{rest}"]


def test_many_blanks_behind_a_bracket_take_no_time() -> None:
    """All of the 64 KiB that a message may have; in steps that grow with their square it is hours."""
    text = "<" + 65_535 * " "

    assert body_lines(text) == [text]


def test_letters_with_accents_and_emoji_stay_what_they_are() -> None:
    assert body_lines("e\u0301te\u0301 \U0001f600 a < b") == ["e\u0301te\u0301 \U0001f600 a < b"]
