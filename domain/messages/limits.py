"""The bounds of a message, in one place (M 1.1, moved by D20)."""

from typing import Final

ENVELOPE_VERSION: Final = 2
"""The one durable envelope version there ever was (D33)."""

LONGEST_PAYLOAD_BYTES: Final = 65_536
LONGEST_REASON_BYTES: Final = 160

SECOND_NS: Final = 1_000_000_000
DEFAULT_TTL_NS: Final = 2 * 3600 * SECOND_NS
LONGEST_TTL_NS: Final = 7 * 24 * 3600 * SECOND_NS

UNSEEN_IDLE_NS: Final = 30 * SECOND_NS
"""A session that was idle this long after the write did not take the frame up (D18)."""

UNSEEN_AT_MOST_NS: Final = 600 * SECOND_NS
"""After this long a written frame counts as unseen, whatever the session does (D18)."""

IDLE_NS: Final = 30 * SECOND_NS
"""A session in which no turn ran for this long is idle for ``--when idle``."""

RATE_MOST: Final = 30
RATE_WINDOW_NS: Final = 60 * SECOND_NS
"""Messages of one agent to one other within a window (D21); a library process is not counted."""

CYCLE_MOST: Final = 20
CYCLE_WINDOW_NS: Final = 3600 * SECOND_NS
"""Answers to answers to answers … within a window (D21): two models can thank each other for ever."""

MOST_UNPROVED: Final = 10
"""Frames of one target that may be neither seen nor unseen (D18; a burst of 60 loses 30, H 3)."""

TRIAL_NS: Final = 60 * SECOND_NS
"""Within this time the first frame to a client version must be seen, or it was the last (D19)."""

LINE_UNITS: Final = 480
"""UTF-16 units of a monitor's line at most: the client cuts above 500 and tells nobody (D17, H 11)."""

MOST_LINE_UNITS: Final = 2400
"""UTF-16 units of lines that may be unseen at once: the client cuts above 3,000 (D17, H 11)."""

QUEUE_WINDOW: Final = 32
"""How far down a queue one step or one send looks, so that neither slows as the queue grows (F14)."""

SHORTEST_PREFIX: Final = 5
"""Letters of a ref that a person must type at least (design page 1)."""
