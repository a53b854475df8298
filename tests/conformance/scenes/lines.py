"""Messages to a session whose client names no version: lines of its monitor, and pulling (D17, D19)."""

import sys

from conformance.plain import document, text_of
from conformance.product import Product
from conformance.stage import Stage
from conformance.terminal import ESCAPE
from conformance.world import World
from support.waiting import until
from tidings.domain.messages.doorbell_line import DOORBELL_LINE
from tidings.ports.codec import Document

NAMELESS = f"exec env -u AI_AGENT {sys.executable} -I -m tidings monitor 2>>{{log}}"
"""A monitor that was not told which client it serves, so that no version is qualified."""

SHORT = "the API changed"
LONG = "first line\n" + "second line " * 60
BURST = 4
OPENING = '%%[{"tool":"Bash","input":{"command":"touch made","description":"make"}}]%%'
PULLING = '%%[{"tool":"Bash","input":{"command":"tidings inbox"}},{"text":"read"}]%%'


def lines(stage: Stage) -> Document:
    """One short message, several at once, one that fits no line, and the pull of it."""
    world = stage.world()
    product = Product(world)
    monitor = NAMELESS.format(log=world.log("monitor"))
    plugin = world.make_plugin("nameless", monitor_command=monitor)
    world.allow("Bash(tidings inbox:*)")
    terminal = stage.launch(world, "--name", "api", "--plugin-dir", str(plugin))
    world.idle_session(terminal)
    row = product.wait_for_session("api")
    product.arm("api")

    sent = product.call("send", "api", "--", SHORT)
    seen = product.wait_for_instant(text_of(sent.row.get("ref")), "seen_at")
    world.wait_between_turns(terminal.pid)
    world.ask(terminal, OPENING)
    until(lambda: world.status(terminal.pid) == "waiting", timeout=10, what="the status waiting")
    refs = [
        text_of(product.call("send", "api", "--", f"number {number}").row.get("ref"))
        for number in range(BURST)
    ]
    terminal.press_until(ESCAPE, lambda: world.is_between_turns(terminal.pid), what="the denial")
    burst = [product.wait_for_instant(ref, "seen_at") for ref in refs]
    world.wait_between_turns(terminal.pid)

    long = text_of(product.call("send", "api", "--", LONG).row.get("ref"))
    until(lambda: stage.model.reach(DOORBELL_LINE)["brought_by"], timeout=20, what="the doorbell")
    waiting = product.call("show", long).row
    world.wait_between_turns(terminal.pid)
    world.ask(terminal, PULLING)
    pulled = product.wait_for_instant(long, "terminal_at")
    world.wait_between_turns(terminal.pid)
    return {
        "row": row,
        "seen": seen,
        "burst": [*burst],
        "waiting": waiting,
        "pulled": pulled,
        "read": text_of(_last_response(world).get("stdout")),
        "text": LONG,
        "short": stage.model.reach(f"| {SHORT}"),
        "doorbell": stage.model.reach(DOORBELL_LINE),
        "dialogs": world.count("PermissionRequest") - 1,
        "prompts": [prompt for prompt in world.prompts() if "| number" in text_of(prompt)],
    }


def _last_response(world: World) -> Document:
    """What the last tool that ran gave back."""
    done = [call for call in world.hook_calls() if call.event == "PostToolUse"]
    return document(done[-1].payload.get("tool_response"))
