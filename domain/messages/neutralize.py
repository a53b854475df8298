"""Making text harmless as a label: no line breaks, no hidden characters, no borrowed tags (D28).

Text is data; this keeps it from looking like anything else. It never judges what the text says.
"""

import re
import unicodedata
from typing import Final

LONGEST_LABEL: Final = 64
"""Characters of a name shown in a frame."""

HIDDEN: Final = "\N{REPLACEMENT CHARACTER}"
OPENING: Final = "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}"

CLOSING: Final = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"

TAGS: Final = (
    "cross-session-message",
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

_GAP: Final = r"[\s_.\-\u2010-\u2015\u2212]*"
_TAG: Final = re.compile(
    rf"<(?={_GAP}/?{_GAP}(?:{'|'.join(tag.replace('-', _GAP) for tag in TAGS)}))", re.IGNORECASE
)


def one_line(text: str, *, longest: int = LONGEST_LABEL) -> str:
    """``text`` as one harmless line of at most ``longest`` characters, an ellipsis for the rest."""
    joined = " ".join(text.splitlines())
    clean = without_tags(_visible(joined)).strip()
    return clean if len(clean) <= longest else clean[: longest - 1] + "…"


def attribute(text: str) -> str:
    """``text`` as the value of a tag's attribute: one line without quotes or angle brackets."""
    kept = one_line(text).replace("\t", " ").replace('"', "'").replace("&", "+")
    return kept.replace("<", OPENING).replace(">", CLOSING)


def body_lines(text: str) -> list[str]:
    """The lines of ``text``, each harmless. All line breaks of Unicode end a line.

    Breaks inside a borrowed tag cannot hide it: every line of a body is prefixed afterwards.
    """
    return [without_tags(_visible(line)) for line in text.splitlines()] or [""]


def without_tags(text: str) -> str:
    """``text`` with the opening bracket of every known tag replaced, in any case and spacing.

    Full-width and other compatibility letters count as the letters they stand for.
    """
    folded = "".join(_folded(character) for character in text)
    letters = list(text)
    for found in _TAG.finditer(folded):
        letters[found.start()] = OPENING
    return "".join(letters)


_BLANK: Final = frozenset(
    {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x2800, 0x3164, 0xFFA0}
    | {*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFF9)}
    | {*range(0xE0000, 0xE1000)}
)
"""Code points that show nothing and are no format characters: fillers, variation selectors and the
like (Unicode's default ignorables), and the blank of braille."""


def _visible(text: str) -> str:
    """Control characters become a visible mark, format and bidirectional ones disappear."""
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Cf", "Zl", "Zp") or ord(character) in _BLANK:
        return ""
    return HIDDEN if category in ("Cc", "Cs") and character != "\t" else character


def _folded(character: str) -> str:
    """One character for one character, so that positions stay true."""
    if unicodedata.category(character) in ("Mn", "Me"):
        return "_"  # an accent between the letters of a tag is a gap, as good as a blank
    plain = unicodedata.normalize("NFKC", character)
    return plain if len(plain) == 1 else character
