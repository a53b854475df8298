"""Whatever goes wrong once a message may be stored, its ref and its state are told (P11, P12)."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from tidings.domain.messages.receipt import MessageView
from tidings.entrypoints.application import Application
from tidings.entrypoints.cli.messages import view_document
from tidings.entrypoints.cli.output import note, tell_act, write_json
from tidings.ports.codec import Document, Value
from tidings.ports.errors import NotFound, TidingsError

INTERRUPTED = 130
INTERNAL = 70


class LastKnown(NamedTuple):
    """What is known of what was sent under a ref; empty ``words`` where nothing was stored.

    ``facts`` go into the error's JSON.
    """

    words: str
    step: str
    facts: "Mapping[str, Value]" = MappingProxyType({})


Known: TypeAlias = Callable[[Application, str], LastKnown]


@contextmanager
def told(
    app: Application, ref: str, *, as_json: bool, known: Known | None = None
) -> Generator[None]:
    """Inside, a message with the whole ``ref`` may be stored. An error that ends it early names the
    ref and the state known last, as ``known`` tells it; an interruption does so in a line of its
    own."""
    look = known or _last_known
    try:
        yield
    except TidingsError as error:
        last = look(app, ref)
        if last.words:
            error.text, error.next_step = f"{error.text}; {last.words}", last.step
        error.facts |= last.facts
        raise
    except BaseException as fault:
        last = look(app, ref)
        if last.words:
            was_interrupted = isinstance(fault, KeyboardInterrupt)
            code = INTERRUPTED if was_interrupted else INTERNAL
            why = "interrupted" if was_interrupted else "this command failed"
            said = f"{why}: {last.words}"
            note(said, next_step=last.step, code=code, as_json=as_json, facts=last.facts)
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


def _last_known(app: Application, ref: str) -> LastKnown:
    """What became of the message, and the next step."""
    try:
        view = app.post_office.view(ref)
    except NotFound:
        return LastKnown("", "")
    except TidingsError:
        return LastKnown(f"whether {ref} was stored is not known", f"`tidings show {ref}` tells it")
    return LastKnown(
        f"{view.short} is {_state(view)}", f"`tidings show {view.short}` tells how it goes"
    )


def _state(view: MessageView) -> str:
    return f"{view.state} ({view.row.reason})" if view.row.reason else str(view.state)
