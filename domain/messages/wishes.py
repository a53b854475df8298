"""What a sender asks for beside the words: when, in place of what, where an answer is kept, and
whether a notice may wake."""

import re
from enum import StrEnum
from typing import Final

from tidings.domain.identity.route import is_ref
from tidings.domain.messages.reply_box import is_box
from tidings.ports.processes import ProcessBirth
from tidings.ports.values import dataclass

_WAITER: Final = re.compile(r"([1-9][0-9]{0,9}) ([0-9]{1,10}) ([!-~]{1,160})", re.ASCII)
_KEY: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/-]{0,63}", re.ASCII)


class When(StrEnum):
    """The moment that the sender asks for. ``turn-end``: no turn runs; ``idle``: none has run for
    half a minute."""

    NOW = "now"
    TURN_END = "turn-end"
    IDLE = "idle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """Empty texts and ``now`` mean that nothing was asked for.

    ``supersede_key``: a newer message of the same sender, target and key ends a waiting older one.
    ``retry_of``: the failed message of which no byte left and which this one repeats.
    ``reply_box``: where an answer is kept for a sender that is no agent (D22).
    ``awaited_by``: the process that waits for the answer and takes it itself (``waiter_text``).
    ``wake``: a notice may start a turn of its own, if its target agreed to that as well. Any other
    message starts one anyway and never carries it.
    """

    when: When = When.NOW
    supersede_key: str = ""
    retry_of: str = ""
    reply_box: str = ""
    awaited_by: str = ""
    wake: bool = False


NO_WISHES: Final = Wishes()


def is_supersede_key(text: str) -> bool:
    """1 to 64 plain letters, digits and ``._:/-``, a letter or digit first."""
    return _KEY.fullmatch(text) is not None


def wrong_wish(wishes: Wishes) -> str:
    """The name of the first wish that breaks its rule, or empty."""
    if wishes.supersede_key and not is_supersede_key(wishes.supersede_key):
        return "supersedeKey"
    if wishes.retry_of and not is_ref(wishes.retry_of):
        return "retryOf"
    if wishes.awaited_by and waiter_of(wishes.awaited_by) is None:
        return "awaitedBy"
    return "replyBox" if wishes.reply_box and not is_box(wishes.reply_box) else ""


def waiter_text(process: ProcessBirth) -> str:
    """A process as a wish names it: pid, uid and start, with a blank between them."""
    return f"{process.pid} {process.uid} {process.start}"


def waiter_of(text: str) -> ProcessBirth | None:
    """The process that ``text`` names; None for anything else."""
    found = _WAITER.fullmatch(text)
    return found and ProcessBirth(pid=int(found[1]), uid=int(found[2]), start=found[3])
