"""Whatever goes wrong once a message may be stored, its ref and its state are told (P11, P12)."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TypeAlias

from tidings.domain.messages.receipt import MessageView
from tidings.entrypoints.application import Application
from tidings.entrypoints.cli.messages import view_document
from tidings.entrypoints.cli.output import note, tell_act, write_json
from tidings.ports.codec import Document
from tidings.ports.errors import NotFound, TidingsError

INTERRUPTED = 130
INTERNAL = 70


Known: TypeAlias = Callable[[Application, str], tuple[str, str]]
"""Tells what became of what was sent under a ref, and the next step; empty for nothing stored."""


@contextmanager
def told(
    app: Application, ref: str, *, as_json: bool, known: Known | None = None
) -> Generator[None]:
    """Inside, a message with the whole ``ref`` may be stored. An error that ends it early names the
    ref and the state known last, as ``known`` tells it; an interruption does so in a line of its
    own."""
    last_known = known or _last_known
    try:
        yield
    except TidingsError as error:
        words, step = last_known(app, ref)
        if words:
            error.text, error.next_step = f"{error.text}; {words}", step
        raise
    except BaseException as fault:
        words, step = last_known(app, ref)
        if words:
            was_interrupted = isinstance(fault, KeyboardInterrupt)
            code = INTERRUPTED if was_interrupted else INTERNAL
            why = "interrupted" if was_interrupted else "this command failed"
            note(f"{why}: {words}", next_step=step, code=code, as_json=as_json)
        raise


def tell_view(
    view: MessageView,
    *,
    code: int,
    as_json: bool,
    show: Callable[[], None],
    more: "Document | None" = None,
) -> int:
    """Prints the receipt by ``show``, or as JSON with the keys of ``more``; the exit code stays
    ``code`` whatever fails."""
    return tell_act(
        (lambda: write_json({**view_document(view), **(more or {})})) if as_json else show,
        done=f"{view.short} is {_state(view)}",
        code=code,
        as_json=as_json,
    )


def _last_known(app: Application, ref: str) -> tuple[str, str]:
    """What became of the message, and the next step; empty where none was stored."""
    try:
        view = app.post_office.view(ref)
    except NotFound:
        return "", ""
    except TidingsError:
        return f"whether {ref} was stored is not known", f"`tidings show {ref}` tells it"
    return f"{view.short} is {_state(view)}", f"`tidings show {view.short}` tells how it goes"


def _state(view: MessageView) -> str:
    return f"{view.state} ({view.row.reason})" if view.row.reason else str(view.state)
