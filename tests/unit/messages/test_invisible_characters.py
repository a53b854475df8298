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


def test_letters_with_accents_and_emoji_stay_what_they_are() -> None:
    assert body_lines("e\u0301te\u0301 \U0001f600 a < b") == ["e\u0301te\u0301 \U0001f600 a < b"]
