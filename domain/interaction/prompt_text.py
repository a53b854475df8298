"""Finding our own messages in what a harness shows its model (D18). Light: the hook imports it."""

import re

from tidings.domain.identity.digest import sha256

MOST_FOUND = 30
"""Refs and digests kept of one prompt, each: a client drops everything above 30 frames (H 3)."""

_REF = re.compile(r"\bm[0-9a-hjkmnp-tv-z]{28}\b", re.ASCII)
_OPENING = re.compile(r"<cross-session-message(?:\s[^<>]*)?>")
_CLOSING = "</cross-session-message>"
_EVENTS_OPEN, _EVENTS_CLOSE = "<event>", "</event>"


def refs_in(text: str) -> list[str]:
    """Whole message refs of ours in ``text``, in order, each once, at most ``MOST_FOUND``."""
    found: dict[str, None] = {}
    for match in _REF.finditer(text):
        found[match.group()] = None
        if len(found) == MOST_FOUND:
            break
    return list(found)


def digests_in(text: str) -> list[str]:
    """SHA-256 hex of each wrapped frame's inner text and of each line of a monitor, stripped;
    without any, of the whole.

    The text before and after a wrapper is not ours and is not digested.
    """
    inner = [*_frames(text), *_monitor_lines(text)][:MOST_FOUND] or [text]
    return [digest_text(part) for part in inner]


def digest_text(text: str) -> str:
    """The digest that ``frame_sha256`` holds: of the text without white space at its ends."""
    return sha256(text.strip().encode("utf-8", "surrogatepass")).hexdigest()


def _frames(text: str) -> list[str]:
    frames: list[str] = []
    opening = _OPENING.search(text)
    while opening and len(frames) < MOST_FOUND:
        end = text.find(_CLOSING, opening.end())
        if end < 0:
            break
        frames.append(text[opening.end() : end])
        opening = _OPENING.search(text, end)
    return frames


def _monitor_lines(text: str) -> list[str]:
    """The lines of a monitor that the client tells of; several that came together are one event."""
    lines: list[str] = []
    start = text.find(_EVENTS_OPEN)
    while start >= 0:
        start += len(_EVENTS_OPEN)
        end = text.find(_EVENTS_CLOSE, start)
        if end < 0:
            break  # no later one is closed either: a search for each would take the square
        lines += text[start:end].split("\n")
        start = text.find(_EVENTS_OPEN, end)
    return [line for line in lines if line.strip()]
