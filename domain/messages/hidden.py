"""Characters that a reader does not see. Light: every verb's output asks."""

import unicodedata
from typing import Final

_BLANKS: Final = frozenset(
    {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x2800, 0x3164, 0xFFA0}
    | {*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFF9)}
)
"""Code points that show nothing and are no format characters: fillers, variation selectors and the
like (Unicode's default ignorables), and the blank of braille."""

_TAGS_AND_SELECTORS: Final = range(0xE0000, 0xE1000)


def shows_nothing(character: str) -> bool:
    """Whether it is a format character, a bidirectional one, a filler or the like."""
    if character.isascii():
        return False
    code = ord(character)
    if code in _BLANKS or code in _TAGS_AND_SELECTORS:
        return True
    return unicodedata.category(character) in ("Cf", "Zl", "Zp")
