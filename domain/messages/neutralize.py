"""Making text harmless as lines of a body: no hidden characters, no borrowed tags (D28).

Text is data; this keeps it from looking like anything else. It never judges what the text says.
"""

import re
import unicodedata
from typing import Final

from tidings.domain.messages.hidden import shows_nothing

HIDDEN: Final = "\N{REPLACEMENT CHARACTER}"
OPENING: Final = "["
"""Nothing that resembles an angle bracket: Claude writes anew what looks like its own wrapper to it,
and a frame that a hook is told of in other words than were written is never known to be seen (D18)."""

WRAPPER: Final = "cross-session-message"
"""Claude's own tag around a message of another session."""

TAGS: Final = (
    WRAPPER,
    "system-reminder",
    "channel",
    "task-notification",
    "teammate-message",
    "user-prompt-submit-hook",
    "local-command",
    "command-name",
    "command-message",
    "hcom",
    "tidings",
)
"""Tags by which harnesses, their relatives and we ourselves set text apart for a model."""

_GAP: Final = r"[\s_.\-\u2010-\u2015\u2212]*+"
_TAG: Final = re.compile(
    rf"<(?={_GAP}/?{_GAP}(?:{'|'.join(tag.replace('-', _GAP) for tag in TAGS)}))"
    rf"|[^\x00-\x7f](?={_GAP}/?{_GAP}{WRAPPER.replace('-', _GAP)})",
    re.IGNORECASE,
)
"""Before the client's own tag whatever is foreign counts as a bracket: it knows many that look so."""


def body_lines(text: str) -> list[str]:
    """The lines of ``text``, each harmless. All line breaks of Unicode end a line.

    Breaks inside a borrowed tag cannot hide it: every line of a body is prefixed afterwards.
    """
    return [without_tags(_visible(line)) for line in text.splitlines()] or [""]


def without_tags(text: str) -> str:
    """``text`` with the opening bracket of every known tag replaced, in any case and spacing; before
    the client's own tag also whatever resembles one.

    Full-width and other compatibility letters count as the letters they stand for.
    """
    folded = "".join(_folded(character) for character in text)
    letters = list(text)
    for found in _TAG.finditer(folded):
        letters[found.start()] = OPENING
    return "".join(letters)


def _visible(text: str) -> str:
    """Control characters become a visible mark, format and bidirectional ones disappear."""
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if shows_nothing(character):
        return ""
    is_control = unicodedata.category(character) in ("Cc", "Cs")
    return HIDDEN if is_control and character != "\t" else character


def _folded(character: str) -> str:
    """One character for one character, so that positions stay true."""
    if unicodedata.category(character) in ("Mn", "Me"):
        return "_"  # an accent between the letters of a tag is a gap, as good as a blank
    plain = unicodedata.normalize("NFKC", character)
    return plain if len(plain) == 1 else character
