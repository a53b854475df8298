"""The words of the features and the tokens of the product: one table each way."""

from typing import Final

from pytest_bdd import parsers

REASONS: Final = {
    # refused before anything is stored
    "the target has not agreed to hear it": "target-not-armed",
    "the target's consent cannot be read or proved": "consent-unreadable",
    "the ref already names another message": "ref-envelope-mismatch",
    "an agent pushes nothing": "push-from-agent",
    "it was answered before": "reply-already-committed",
    "the writer is not the session's own process": "answer-unproved",
    # held
    "the target shows its operator a dialog": "target-awaiting-operator",
    "no resident of the target is ready": "target-not-ready",
    "the target's consent cannot be read right now": "target-consent-unreadable",
    "an earlier message is still waiting": "behind-earlier-message",
    "a notice starts no turn here": "awaiting-turn",
    "no frame to its client was seen yet": "client-on-trial",
    "it waits until the session takes it": "awaiting-pull",
    # ended
    "consent was withdrawn": "consent-withdrawn",
    "the sender cancelled it": "cancelled-by-sender",
    "a newer one took its place": "superseded-by-newer",
    "the deadline has passed": "deadline-expired",
    "the session it was meant for is over": "target-activation-stale",
    "no byte left": "provider-write-zero",
    "only a part of it left": "provider-write-partial",
    "the outcome of the write was lost": "provider-handoff-outcome-unknown",
    # registrations
    "a newer resident is registered": "claim-refused-newer",
}
"""What a feature says of a reason. A phrase that is not here is an error of the feature."""

OUTCOMES: Final = {
    "known but not running": ("NotRunning", 9),
    "no such session": ("NotFound", 3),
    "the owner cannot be proved": ("OwnerUnprovable", 7),
    "the mark cannot be trusted": ("StateUnreadable", 7),
    "the disk is full": ("StateUnwritable", 7),
    "not allowed": ("NotAllowed", 5),
    "one write was under way": ("write-under-way", 6),
}
"""How a verb ends that stores nothing: the error, and the documented exit code."""


def token_of(phrase: str) -> str:
    """The reason token that a feature's phrase stands for."""
    return REASONS[phrase]


def phrase(words: str) -> parsers.parse:
    """A step's words; ``{x:name}`` takes an address such as ``api`` or ``api-2``."""
    return parsers.parse(words, extra_types={"name": _name})


def _name(text: str) -> str:
    return text


_name.pattern = r"[a-z][a-z0-9-]*"  # type: ignore[attr-defined]

_SECONDS: Final = {"minute": 60, "hour": 3_600, "day": 86_400}


def seconds_of(span: str) -> int:
    """The seconds of ``10 minutes``, ``1 hour``, ``2 days``."""
    number, unit = span.split()
    return int(number) * _SECONDS[unit.removesuffix("s")]


def names_in(words: str) -> list[str]:
    """The names in ``front, ci and api``."""
    return words.replace(" and ", ", ").split(", ")


def texts_in(words: str) -> list[str]:
    """The texts in ``"one", "two" and "three"``."""
    return [word.strip('"') for word in names_in(words)]
