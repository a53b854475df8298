"""The fields of a label, each one word of a plain alphabet (P10). Light: every verb imports it.

A label's words are ours; a field that could hold a blank, a bracket or a comma could end its place
and begin a claim of its own.
"""

import unicodedata
from functools import lru_cache
from typing import Final

PLAIN: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/@+~")
REPLACED: Final = "_"
CUT: Final = "~"
"""The end of a field that was longer."""

LONGEST_FIELD: Final = 64
LONGEST_PART: Final = 40
"""Characters of a folder's or a branch's name."""
LONGEST_REF_SHOWN: Final = 160

_SCHEME: Final = "uds:"


@lru_cache(maxsize=64)
def plain_field(text: str, *, longest: int = LONGEST_FIELD) -> str:
    """``text`` as one word: ASCII letters, digits and ``. _ - / @ + ~``, at most ``longest``.

    Accents are dropped, whatever else is foreign becomes ``_``, and ``~`` ends a field that was
    cut. A field that is plain already stays as it is.
    """
    return _cut(_plain(text, PLAIN), longest)


def plain_ref(text: str) -> str:
    """A message ref as one word; beside the plain alphabet it may hold ``:``."""
    return _cut(_plain(text, PLAIN | {":"}), LONGEST_REF_SHOWN)


def plain_place(project: str, branch: str) -> str:
    """``project:branch``, or ``project`` alone; the one ``:`` in it is ours."""
    parts = (plain_field(part, longest=LONGEST_PART) for part in (project, branch) if part)
    return ":".join(parts)


def is_plain_path(path: str) -> bool:
    """Whether ``path`` is absolute and can stand in a label or a tag as it is."""
    return path.startswith("/") and PLAIN.issuperset(path)


def is_answer_address(text: str) -> bool:
    """Whether a frame may offer ``text`` as the address to answer to: ``uds:`` and a plain path."""
    return text.startswith(_SCHEME) and is_plain_path(text.removeprefix(_SCHEME))


def _plain(text: str, alphabet: frozenset[str]) -> str:
    return "".join(one if one in alphabet else REPLACED for one in _unaccented(text))


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - len(CUT)] + CUT


def _unaccented(text: str) -> str:
    """Compatibility forms (full-width letters, ligatures) as what they stand for, accents gone."""
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFKD", text)
    return "".join(one for one in apart if unicodedata.category(one) not in ("Mn", "Me"))
