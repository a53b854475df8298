"""Closed sets of words that ports speak. A new word is a new line here and in the glossary."""

from enum import StrEnum


class Verdict(StrEnum):
    """What the evidence says of an owner. Unknown is neither dead nor alive (promise P2)."""

    ALIVE = "alive"
    DEAD = "dead"
    UNKNOWN = "unknown"


class Provider(StrEnum):
    """The kind of program that hosts an agent; ``process`` is a library process (D1, D26)."""

    CLAUDE = "claude"
    CODEX = "codex"
    GEMINI = "gemini"
    PROCESS = "process"


class StatusWord(StrEnum):
    """What a harness publishes of itself (H 2): ``waiting`` means that a dialog is open."""

    IDLE = "idle"
    BUSY = "busy"
    WAITING = "waiting"


class WriteResult(StrEnum):
    """How many bytes of one frame left: the only thing a transport may claim (M 5.4)."""

    FULL = "full"
    ZERO = "zero"
    PARTIAL = "partial"
    UNKNOWN = "unknown"


class TransportName(StrEnum):
    """The ways to a model, chosen at the hand-off, no part of a message's identity (D17)."""

    HARNESS_SOCKET = "harness-socket"
    MONITOR_LINE = "monitor-line"
    INBOX = "inbox"


class Ring(StrEnum):
    """Why a doorbell rang: a hook told something, a letter (a message or consent) is there, or the
    harness's own monitor waits to be the resident, for which a helper makes room.

    A dormant resident looks at no messages, so no event wakes it (D12).
    """

    EVENT = "event"
    LETTER = "letter"
    YIELD = "yield"


class LockKind(StrEnum):
    """Every advisory lock there is, in the order in which they may be taken (D16)."""

    RESIDENT = "resident"
    DELIVERY = "delivery"
    CONSENT = "consent"
    REGISTRY = "registry"
    SETUP = "setup"
