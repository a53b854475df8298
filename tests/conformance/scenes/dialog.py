"""A permission dialog in a real client, and what it tells of it (D24, H 2, H 9)."""

from conformance.plain import document, items, parsed
from conformance.stage import Stage
from conformance.terminal import ESCAPE, Terminal
from conformance.world import World
from conformance.writing import Sample, Writer
from support.waiting import until
from tidings.ports.codec import Document, Value

ASKING = (
    '%%[{"tool":"Bash","input":{"command":"touch made","description":"make"}},{"text":"bye"}]%%'
)
SILENT_MONITOR = "exec sleep 600"


def denied_dialog(stage: Stage) -> Document:
    """A typed prompt opens a dialog, Esc denies it, and a frame is heard afterwards."""
    world = stage.world()
    return _deny(stage, world, stage.launch(world, "--name", "target"), quiet="idle")


def denied_dialog_beside_a_monitor(stage: Stage) -> Document:
    """The same in a session that has a plugin monitor, as every session with Tidings has."""
    world = stage.world()
    plugin = world.make_plugin("silent", monitor_command=SILENT_MONITOR)
    terminal = stage.launch(world, "--name", "target", "--plugin-dir", str(plugin))
    return _deny(stage, world, terminal, quiet="shell")


def _deny(stage: Stage, world: World, terminal: Terminal, *, quiet: str) -> Document:
    writer = Writer(world, world.idle_session(terminal))
    until(lambda: world.status(terminal.pid) == quiet, timeout=10, what=f"the status {quiet}")
    statuses = {"before": _statuses(stage, world, terminal)}
    world.ask(terminal, ASKING)
    until(lambda: world.count("PermissionRequest") == 1, timeout=10, what="PermissionRequest")
    until(lambda: world.status(terminal.pid) == "waiting", what="the status waiting")
    statuses["open"] = _statuses(stage, world, terminal)
    terminal.press_until(ESCAPE, lambda: world.status(terminal.pid) == quiet, what=quiet)
    statuses["denied"] = _statuses(stage, world, terminal)
    events_when_denied = world.events()
    sample = Sample(body="after it", letter="d")
    wrote = writer.write(sample)
    world.turn_over(terminal.pid, turns=1)
    return {
        "result": wrote.result,
        "statuses": {**statuses},
        "events_when_denied": events_when_denied,
        "events": world.events(),
        "command_ran": (world.project / "made").exists(),
        "frame": stage.model.reach(sample.text),
    }


def _statuses(stage: Stage, world: World, terminal: Terminal) -> Value:
    """The status in the client's own record, and the one in its supported view."""
    listed = world.run([str(stage.client.program), "agents", "--json"])
    rows = [document(row) for row in items(parsed(listed.stdout))]
    return [world.status(terminal.pid), *(row.get("status") for row in rows)]
