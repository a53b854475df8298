"""Conversations and processes that end, come back, or take the place of others (P1, P9, D1)."""

import signal

from conformance.hearing import Hearing
from conformance.plain import document, text_of
from conformance.product import Called, Command, Product
from conformance.stage import Stage
from conformance.terminal import ENTER
from tidings.ports.codec import Document, Value

FIRST = "for whoever was there first"
SECOND = "for whoever is there now"
ANSWERING: Document = {"text": "done"}


def cleared(stage: Stage) -> Document:
    """`/clear` while a message waits that was accepted for the conversation before it."""
    session = Hearing(stage, Product(stage.world()), "api")
    session.product.arm("api")
    session.ask(ANSWERING)
    session.wait_for_turns(1)
    session.rest()
    waiting = session.send(FIRST, "--when", "idle")

    session.terminal.type("/clear")
    session.terminal.press_until(
        ENTER, lambda: session.world.count("SessionStart") == 2, what="a new conversation"
    )
    ended = _ended(session.product, waiting)
    session.rest()
    afterwards = session.heard(session.send(SECOND), SECOND)
    return {
        "waiting": waiting.row,
        "ended": ended,
        "first": session.reach(FIRST),
        "afterwards": afterwards,
        "conversations": [session.published.session_id, _conversation(session)],
    }


def resumed(stage: Stage) -> Document:
    """The conversation of a living session is resumed in a second terminal."""
    world = stage.world()
    product = Product(world)
    first = Hearing(stage, product, "api")
    product.arm("api")
    first.ask(ANSWERING)
    first.wait_for_turns(1)
    first.rest()
    second = Hearing(stage, product, "api", "--resume", first.published.session_id)

    refused = second.send(SECOND)
    heard = first.heard(first.send(FIRST), FIRST)
    return {
        "addresses": [first.address, second.address],
        "conversations": [_conversation(first), _conversation(second)],
        "refused": _facts(refused),
        "consent": [_consent(product, one) for one in (first, second)],
        "heard": heard,
        "heard_by": _prompted(first, FIRST),
        "pids": [str(first.pid), str(second.pid)],
    }


def reborn(stage: Stage) -> Document:
    """An armed session is killed, and a new one gets its process number and its socket's path."""
    world = stage.world()
    product = Product(world)
    old = Hearing(stage, product, "api")
    product.arm("api")
    old.ask(ANSWERING)
    old.wait_for_turns(1)
    old.rest()
    waiting = old.send(FIRST, "--when", "idle")
    old.terminal.end(signal.SIGKILL)

    new = Hearing(stage, product, "api", pid=old.pid)
    refused = new.send(SECOND)
    product.arm(new.address)
    heard = new.heard(new.send(SECOND), SECOND)
    return {
        "pids": [old.pid, new.pid],
        "sockets": [old.published.socket_path, new.published.socket_path],
        "conversations": [old.published.session_id, new.published.session_id],
        "waiting": waiting.row,
        "ended": _ended(product, waiting),
        "refused": _facts(refused),
        "first": new.reach(FIRST),
        "heard": heard,
    }


def _ended(product: Command, sent: Called) -> Document:
    """What ``show`` says of ``sent`` once it has an end state."""
    return product.wait_for_instant(text_of(sent.row.get("ref")), "terminal_at")


def _conversation(session: Hearing) -> str:
    published = session.world.session(session.pid)
    return published.session_id if published else ""


def _consent(product: Product, session: Hearing) -> Value:
    return product.wait_for_process(session.pid).get("consent")


def _prompted(session: Hearing, text: str) -> list[Value]:
    """The processes whose hooks were told of a prompt with ``text``."""
    calls = [call for call in session.world.hook_calls() if text in call.prompt]
    return [document(call.environment).get("CLAUDE_PID") for call in calls]


def _facts(called: Called) -> Document:
    return {"code": called.code, "output": called.output, "error": called.error}
