"""The main job with the whole product around the real client: armed, sent, seen, answered."""

import re

from conformance.model_script import answering_script
from conformance.plain import text_of
from conformance.product import Called, Product
from conformance.stage import Stage
from conformance.terminal import ESCAPE
from support.waiting import until
from tidings.ports.codec import Document

QUESTION = "is the build green?"
ANSWER = "yes, it is green"
ASKING = (
    '%%[{"tool":"Bash","input":{"command":"tidings send api --file note.txt"}},{"text":"sent"}]%%'
)
OPENING = '%%[{"tool":"Bash","input":{"command":"touch made","description":"make"}}]%%'
REFERENCE = re.compile(r"tidings (m[0-9a-z]{28}) from front")


def armed_message(stage: Stage) -> Document:
    """A script writes to a session: before it is armed, while it is, and after it was disarmed."""
    world = stage.world()
    product = Product(world)
    terminal = stage.launch(world, "--name", "api", "--plugin-dir", str(product.plugin))
    world.idle_session(terminal)
    product.wait_for_session("api")

    unarmed = product.call("send", "api", "--", QUESTION)
    armed = product.arm("api")
    sent = product.call("send", "api", "--", QUESTION)
    seen = product.wait_for_instant(text_of(sent.row.get("ref")), "seen_at")
    world.turn_over(terminal.pid, turns=1)
    disarmed = product.call("disarm", "api")
    silent = product.call("send", "api", "--", QUESTION)
    return {
        "calls": [_facts(call) for call in (unarmed, armed, sent, disarmed, silent)],
        "seen": seen,
        "dialogs": world.count("PermissionRequest"),
        "turns": world.count("Stop"),
        "question": stage.model.reach(QUESTION),
    }


def held_by_a_dialog(stage: Stage) -> Document:
    """A message for an armed session whose operator has a dialog before him, which he denies."""
    world = stage.world()
    product = Product(world)
    terminal = stage.launch(world, "--name", "api", "--plugin-dir", str(product.plugin))
    world.idle_session(terminal)
    product.wait_for_session("api")
    product.arm("api")

    world.ask(terminal, OPENING)
    until(lambda: world.status(terminal.pid) == "waiting", timeout=10, what="the status waiting")
    held = product.call("send", "api", "--", QUESTION)
    meanwhile = stage.model.reach(QUESTION)
    terminal.press_until(ESCAPE, lambda: world.is_between_turns(terminal.pid), what="the denial")
    seen = product.wait_for_instant(text_of(held.row.get("ref")), "seen_at")
    world.turn_over(terminal.pid, turns=1)
    return {
        "held": _facts(held),
        "meanwhile": meanwhile,
        "seen": seen,
        "question": stage.model.reach(QUESTION),
        "events": world.events(),
        "command_ran": (world.project / "made").exists(),
    }


def conversation(stage: Stage) -> Document:
    """Two sessions: front's model asks with the command, api's answers, front's hears it."""
    world = stage.world()
    product = Product(world)
    world.allow("Bash(tidings send:*)")
    plugin = ("--plugin-dir", str(product.plugin))
    api = stage.launch(world, "--name", "api", *plugin)
    asked = world.idle_session(api).session_id
    front = stage.launch(world, "--name", "front", *plugin)
    asking = world.idle_session(front).session_id
    for address in ("api", "front"):
        product.wait_for_session(address)
    armed = product.arm("api", "--from", "front")
    (world.project / "note.txt").write_text(f"{QUESTION} {answering_script(ANSWER)}")

    world.ask(front, ASKING)
    heard = f"| {ANSWER}"
    until(
        lambda: stage.model.reach(heard, session_id=asking)["brought_by"],
        timeout=20,
        what="the answer in the asking session",
    )
    world.wait_between_turns(api.pid)
    world.wait_between_turns(front.pid)
    return {
        "armed": _facts(armed),
        "answered": product.wait_for_instant(_reference(stage, asked), "answered_at"),
        "dialogs": world.count("PermissionRequest"),
        "question": stage.model.reach(QUESTION, session_id=asked),
        "answer": stage.model.reach(heard, session_id=asking),
    }


def _facts(called: Called) -> Document:
    return {"code": called.code, "output": called.output, "error": called.error}


def _reference(stage: Stage, session_id: str) -> str:
    """The reference in the frame that the asked session's model read."""
    texts = (
        question.whole_text
        for question in stage.model.questions()
        if question.session_id == session_id
    )
    return next(found[1] for found in map(REFERENCE.search, texts) if found)
