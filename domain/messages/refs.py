"""Names of messages and conversations: minting, deriving and short forms (M 1.2, 1.7)."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from tidings.domain.identity.digest import sha256
from tidings.domain.identity.route import is_ref
from tidings.domain.messages.limits import SHORTEST_PREFIX
from tidings.ports.errors import Ambiguous, NotFound
from tidings.ports.ids import Ids

ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
REF_RANDOM_BYTES: Final = 18
REF_LETTERS: Final = 28
OUR_REF: Final = re.compile(rf"\bm[{ALPHABET}]{{{REF_LETTERS}}}\b", re.ASCII)
"""Finds refs of ours in any text."""

Prefixed = Callable[[str], Sequence[str]]
"""Whole refs that begin with a prefix, at most a few."""


def mint_ref(ids: Ids) -> str:
    """A new message ref: ``m`` and 28 letters that hold the low 140 of 144 random bits."""
    number = int.from_bytes(ids.random_bytes(REF_RANDOM_BYTES), "big")
    letters = [ALPHABET[(number >> (5 * place)) & 31] for place in range(REF_LETTERS)]
    return "m" + "".join(letters)


GIVEN_REF: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.:/-]{0,159}", re.ASCII)


def is_usable_ref(text: str) -> bool:
    """Whether a caller may give ``text`` as the ref of a new message (P10).

    A ref stands in the label line of a frame, outside the prefixed text, so it must not be able to
    say anything: plain letters, digits and ``.:/-``, 160 at most. Stored ones are read as they are.
    """
    return GIVEN_REF.fullmatch(text) is not None


def conversation_ref_of(message_ref: str) -> str:
    """The conversation that ``message_ref`` opens: derived, so concurrent senders agree (M 1.7)."""
    return f"conversation-{sha256(message_ref.encode()).digest()[:18].hex()}"


def short_ref(ref: str, neighbours: Iterable[str]) -> str:
    """The shortest prefix of ``ref``, at least five letters, that no other stored ref has.

    ``neighbours`` stand right before and after it in the order of letters: no other ref shares more.
    """
    shared = max((_shared(ref, one) for one in neighbours), default=0)
    return ref[: max(SHORTEST_PREFIX, shared + 1)]


def _shared(one: str, other: str) -> int:
    """How many letters both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def names_fan_out(text: str, refs: Sequence[str]) -> bool:
    """Whether ``text`` is the ref of a fan-out, or begins it, and ``refs``, which begin with
    ``text``, are all of its messages: one text that was sent to many under one ref (D34)."""
    bases = {ref.rpartition("/")[0] for ref in refs}
    return len(refs) > 1 and len(bases) == 1 and bool(text) and bases.pop().startswith(text)


def resolve_ref(text: str, prefixed: Prefixed) -> str:
    """The whole ref that ``text`` names: exactly, or as the only one with that prefix.

    One that is the short form of a ref of ours as well is ambiguous: what is shown as ``md3m5`` is
    typed as that, and another message of that very name must not be taken for it. Raises ``NotFound`` for an unknown ref or a prefix under five letters, ``Ambiguous`` with the
    candidates where several match.
    """
    found = tuple(prefixed(text)) if is_ref(text) else ()
    if text in found and not any(one != text and OUR_REF.fullmatch(one) for one in found):
        return text  # a ref that somebody gave must not stand for the short form of one of ours
    if len(text) < SHORTEST_PREFIX:
        found = ()
    if len(found) == 1:
        return found[0]
    if found:
        raise Ambiguous(
            f"{text} begins {len(found)} or more message refs",
            candidates=found,
            next_step=f"`tidings message thread {text}` shows them all"
            if names_fan_out(text, found)
            else "type more letters of the ref",
        )
    raise NotFound(
        f"no message is called {text}",
        next_step="`tidings send` prints the ref of what it sent"
        if len(text) >= SHORTEST_PREFIX
        else f"give at least {SHORTEST_PREFIX} letters of a ref",
    )
