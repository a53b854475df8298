"""From nothing to two sessions that talk, with `tidings setup` alone, and back to nothing."""

from conformance.product import Called, Command
from conformance.stage import Stage
from conformance.world import World
from support.waiting import until
from tidings.ports.codec import Document

TEXT = "the API changed, please look"
SENDING = (
    '%%[{"tool":"Bash","input":{"command":"tidings send api -- \'the API changed, please look\'"}}'
    ',{"text":"sent"}]%%'
)


def installed(stage: Stage) -> Document:
    """Setup twice, two sessions, a message from one model to the other, and removal beside them."""
    world = stage.world()
    world.use_program(stage.client)
    command = Command(world)
    before = world.settings_file.read_bytes()
    first = command.call("setup", "--yes")
    after = world.settings_file.read_bytes()
    again = command.call("setup", "--yes")
    unchanged = world.settings_file.read_bytes() == after

    api = stage.launch(world, "--name", "api")
    world.idle_session(api)
    front = stage.launch(world, "--name", "front")
    world.idle_session(front)
    for address in ("api", "front"):
        command.wait_for_session(address)
    asked_at_rest = len(stage.model.questions())
    hooks = until(lambda: _spooled(world), timeout=10, what="an event in a spool")

    armed = command.arm("api", "--from", "front")
    world.ask(front, SENDING)
    until(lambda: stage.model.reach(TEXT)["brought_by"], timeout=20, what="the message in api")
    world.wait_between_turns(front.pid)
    world.wait_between_turns(api.pid)
    removed = command.call("setup", "--remove", "--yes")
    return {
        "calls": [_facts(call) for call in (first, again, armed, removed)],
        "unchanged": unchanged,
        "asked_at_rest": asked_at_rest,
        "hooks": hooks,
        "dialogs": world.count("PermissionRequest"),
        "restored": world.settings_file.read_bytes() == before,
        "alive": [api.exit_code(), front.exit_code()],
    }


def _spooled(world: World) -> int:
    """How many sessions our hook has told of."""
    spools = (world.home / ".local" / "state" / "tidings" / "events").glob("*.jsonl")
    return sum("SessionStart" in spool.read_text() for spool in spools)


def _facts(called: Called) -> Document:
    return {"code": called.code, "output": called.output, "error": called.error}
