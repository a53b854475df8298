"""Addresses: the short names people type, unique among the living agents of the machine (D5)."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence

ADDRESS_LONGEST = 32
_ADDRESS = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,30}[a-z0-9])?", re.ASCII)
_NEAR_MOST = 3
_LAST_RESORT = "agent"

OPERATOR_ADDRESS = "you"
"""How a scope names the person at the terminal (design page 1, ``ls``)."""

AUTOMATION_ADDRESS = "automation"
"""How a scope names a script."""

RESERVED = frozenset({OPERATOR_ADDRESS, AUTOMATION_ADDRESS})
"""No agent is ever called so: it would inherit what was granted to a person or to scripts."""


def is_address(text: str) -> bool:
    """1 to 32 of ``a-z 0-9 . _ -``, beginning and ending with a letter or digit.

    So no address can look like an option, ``agent:UID`` or ``session:KEY``.
    """
    return _ADDRESS.fullmatch(text) is not None


def choose_address(wanted: Sequence[str], taken: Collection[str]) -> str:
    """The first of ``wanted`` that is free, else the last of them with ``-2``, ``-3`` … (D5).

    ``wanted`` goes from the most to the least preferred name; each is brought into an address's
    form first, and one that has nothing to offer is passed over.
    """
    names = [name for name in map(to_address, wanted) if name] or [_LAST_RESORT]
    in_use = RESERVED.union(taken)
    free = (name for name in names if name not in in_use)
    return next(free, None) or _numbered(names[-1], in_use)


def to_address(text: str) -> str:
    """``text`` brought into an address's form; empty where nothing of it can stay."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    joined = re.sub(r"[^a-z0-9._-]+", "-", plain)
    return joined.strip("-._")[:ADDRESS_LONGEST].rstrip("-._")


def near_names(name: str, known: Iterable[str]) -> list[str]:
    """At most three of ``known`` that somebody who typed ``name`` may have meant, nearest first."""
    allowed = max(2, len(name) // 3)
    ranked = sorted((_distance(name, other), other) for other in set(known))
    return [
        other
        for distance, other in ranked
        if distance <= allowed or (name and other.startswith(name))
    ][:_NEAR_MOST]


def _numbered(name: str, taken: Collection[str]) -> str:
    number = 2
    while (candidate := _suffixed(name, number)) in taken:
        number += 1
    return candidate


def _suffixed(name: str, number: int) -> str:
    suffix = f"-{number}"
    return name[: ADDRESS_LONGEST - len(suffix)].rstrip("-._") + suffix


def _distance(a: str, b: str) -> int:
    """Levenshtein's edit distance."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, start=1):
        before, row = row, [i]
        for j, right in enumerate(b, start=1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right)))
    return row[-1]
