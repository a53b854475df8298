"""Waiting for a message to get somewhere: the only place that looks again and again."""

import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import TypeVar

from tidings.domain.messages.delivery import OPEN_STATES, State
from tidings.domain.messages.evidence import Evidence
from tidings.domain.messages.receipt import MessageView
from tidings.domain.messages.send_outcome import Receipt
from tidings.entrypoints.application import Application
from tidings.ports.errors import StoreLocked

T = TypeVar("T")

FIRST_LOOK_SECONDS = 0.01
SLOWEST_LOOK_SECONDS = 0.25


class Milestone(StrEnum):
    """What is waited for. ``outcome``: anything but merely accepted."""

    OUTCOME = "outcome"
    SEEN = "seen"
    ANSWERED = "answered"


def reached(view: MessageView | Receipt, wanted: Milestone) -> bool:
    """Whether the message got there."""
    match wanted:
        case Milestone.OUTCOME:
            return view.state is not State.ACCEPTED
        case Milestone.SEEN:
            return view.evidence in (Evidence.SEEN, Evidence.ANSWERED)
        case Milestone.ANSWERED:
            return view.evidence is Evidence.ANSWERED


def can_still_reach(view: MessageView) -> bool:
    """Whether waiting makes sense: the message is on its way, or was delivered."""
    return view.state in OPEN_STATES or view.state is State.DELIVERED or view.row.outcome_unknown


def follow(app: Application, ref: str, wanted: Milestone, *, seconds: float) -> MessageView:
    """The view once ``wanted`` is reached, cannot be reached any more, or ``seconds`` are over.

    A timeout is a value: look at the view. The looks get rarer, from 10 ms to 250 ms. A store that
    is locked for a moment is looked at again; ``StoreLocked`` is raised only at the end.
    """
    until = time.monotonic() + seconds
    pause = FIRST_LOOK_SECONDS
    while True:
        left = until - time.monotonic()
        view = _look(app, ref, is_last=left <= 0)
        if view is not None and (left <= 0 or reached(view, wanted) or not can_still_reach(view)):
            return view
        time.sleep(min(pause, max(left, 0.0)))
        pause = min(pause * 1.3, SLOWEST_LOOK_SECONDS)


def follow_all(
    app: Application, refs: Sequence[str], wanted: Milestone, *, seconds: float
) -> tuple[MessageView, ...]:
    """As ``follow`` for each of ``refs``, within ``seconds`` for all of them together."""
    until = time.monotonic() + seconds
    return tuple(
        follow(app, ref, wanted, seconds=max(0.0, until - time.monotonic())) for ref in refs
    )


def look_until(look: Callable[[], T | None], *, seconds: float) -> T | None:
    """What ``look`` finds, as soon as it finds something; None once ``seconds`` are over.

    The looks get rarer, from 10 ms to 250 ms. A store that is locked for a moment is looked at
    again; ``StoreLocked`` is raised only at the end.
    """
    until = time.monotonic() + seconds
    pause = FIRST_LOOK_SECONDS
    while True:
        left = until - time.monotonic()
        try:
            found = look()
        except StoreLocked:
            if left <= 0:
                raise
            found = None
        if found is not None or left <= 0:
            return found
        time.sleep(min(pause, left))
        pause = min(pause * 1.3, SLOWEST_LOOK_SECONDS)


def _look(app: Application, ref: str, *, is_last: bool) -> MessageView | None:
    try:
        return app.post_office.view(ref)
    except StoreLocked:
        if is_last:
            raise
        return None
