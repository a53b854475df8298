"""A session that runs in the background, without any terminal (H 1, H 4, D12)."""

from conformance.plain import document, items, parsed, text_of
from conformance.product import Called, Command
from conformance.stage import Stage
from support.waiting import until
from tidings.ports.codec import Document

OPENING = "hello there"
TEXT = "for whoever works in the background"
SECONDS = 20.0


def background(stage: Stage) -> Document:
    """`claude --bg` after setup: refused unarmed, armed, written to, and stopped."""
    world = stage.world()
    world.use_program(stage.client)
    command = Command(world)
    command.call("setup", "--yes")
    client = str(stage.client.program)
    world.run([client, "--bg", "--permission-mode", "manual", "--name", "api", OPENING])
    row = command.wait_for_session("api")
    until(lambda: world.count("Stop") == 1, timeout=SECONDS, what="the opening turn's end")

    unarmed = command.call("send", "api", "--", TEXT)
    armed = command.arm("api")
    sent = command.call("send", "api", "--", TEXT)
    seen = command.wait_for_instant(text_of(sent.row.get("ref")), "seen_at")
    until(lambda: world.count("Stop") == 2, timeout=SECONDS, what="the second turn's end")
    listed = items(parsed(world.run([client, "agents", "--json"]).stdout))
    world.run([client, "stop", text_of(row.get("session_id"))[:8]])
    until(lambda: command.call("ls").output == [], timeout=SECONDS, what="an empty list")
    return {
        "kinds": [document(one).get("kind") for one in listed],
        "calls": [_facts(call) for call in (unarmed, armed, sent)],
        "seen": seen,
        "reach": stage.model.reach(TEXT),
        "prompts": len(world.prompts()),
        "dialogs": world.count("PermissionRequest"),
    }


def _facts(called: Called) -> Document:
    return {"code": called.code, "output": called.output, "error": called.error}
