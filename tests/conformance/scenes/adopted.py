"""Sessions without a monitor of ours: adopted at a hook event, and reached by a helper (D12)."""

import json
import subprocess
from pathlib import Path

from conformance.plain import document, text_of
from conformance.product import Called, Command
from conformance.stage import Stage
from conformance.terminal import Terminal
from conformance.world import World
from conformance.writing import Sample, Writer
from support.waiting import until
from tidings.ports.codec import Document

TEXT = "the API changed, please look"
READING = '%%[{{"tool":"Read","input":{{"file_path":"{path}"}}}},{{"text":"read"}}]%%'
PROMPTS = 20
MODES = ("manual", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions")
SCREEN_HOLDS = "Held message"
"""What the client shows instead of giving a frame to its model (H 3)."""
BIG_LINES = 1500
"""About 150 KB in the payload of the hook at the end of the call: more than a pipe holds."""


def adopted(stage: Stage) -> Document:
    """A session runs, then setup is run beside it; its next prompt makes it known."""
    world = stage.world()
    world.use_program(stage.client)
    command = Command(world)
    terminal = stage.launch(world, "--name", "api")
    world.idle_session(terminal)
    world.ask(terminal, "before")
    world.turn_over(terminal.pid, turns=1)
    unknown = command.call("send", "api", "--", TEXT)
    setup = command.call("setup", "--yes")
    _prompt_until_told(world, terminal)
    command.wait_for_session("api")
    armed = command.arm("api")
    sent = command.call("send", "api", "--", TEXT)
    seen = command.wait_for_instant(text_of(sent.row.get("ref")), "seen_at")
    world.wait_between_turns(terminal.pid)
    return {
        "calls": [_facts(call) for call in (unknown, setup, armed, sent)],
        "seen": seen,
        "text": stage.model.reach(TEXT),
        "dialogs": world.count("PermissionRequest"),
        "quiet": _quiet_call(world, terminal),
    }


def _prompt_until_told(world: World, terminal: Terminal) -> None:
    """Prompts until one of them was told to our hook: a client takes a second or two to notice that
    its settings changed."""
    for _ in range(PROMPTS):
        turns = world.count("Stop")
        world.ask(terminal, "go on")
        world.turn_over(terminal.pid, turns=turns + 1)
        if list((_state(world) / "events").glob("*.jsonl")):
            return
    raise AssertionError(f"none of {PROMPTS} prompts was told to our hook")


def _quiet_call(world: World, terminal: Terminal) -> Document:
    """One large tool call while no dialog is open: what its hook left, and what the client says."""
    events = _state(world) / "events"
    until(lambda: (events / f"{terminal.pid}.quiet").exists(), 10, "the quiet sign")
    big = world.project / "big.txt"
    big.write_text(f"{'x' * 100}\n" * BIG_LINES)
    turns = world.count("Stop")
    world.ask(terminal, READING.format(path=big))
    world.turn_over(terminal.pid, turns=turns + 1)
    (spool,) = events.glob("*.jsonl")
    lines = [json.loads(line) for line in spool.read_text().splitlines() if line]
    transcripts = (world.home / ".claude" / "projects").rglob("*.jsonl")
    told = [line for one in transcripts for line in one.read_text().splitlines()]
    return {
        "large": max(len(json.dumps(call.payload)) for call in world.hook_calls()),
        "recorded": [str(line["event"]) for line in lines],
        "complaints": [line[:300] for line in told if "hook_" in line and "error" in line],
    }


def print_mode(stage: Stage) -> Document:
    """A client without a terminal, fed by a pipe: no monitor starts there (H 4)."""
    world = stage.world()
    world.use_program(stage.client)
    command = Command(world)
    setup = command.call("setup", "--yes")
    words = [str(stage.client.program), "-p", "--name", "worker", "--permission-mode", "default"]
    words += ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
    with (
        world.log("print").open("wb") as log,
        subprocess.Popen(
            words, cwd=world.project, env=world.environment, stdin=subprocess.PIPE, stdout=log
        ) as client,
    ):
        assert client.stdin is not None
        said = {"type": "user", "message": {"role": "user", "content": "begin"}}
        client.stdin.write(json.dumps(said).encode() + b"\n")
        client.stdin.flush()
        command.wait_for_session("worker")
        armed = command.arm("worker")
        sent = command.call("send", "worker", "--", TEXT)
        seen = command.wait_for_instant(text_of(sent.row.get("ref")), "seen_at")
        client.stdin.close()
        code = client.wait(20)
    gone = command.call("send", "worker", "--", "too late")
    return {
        "calls": [_facts(call) for call in (setup, armed, sent, gone)],
        "seen": seen,
        "text": stage.model.reach(TEXT),
        "ended": code,
    }


def bypassed(stage: Stage) -> Document:
    """The client would hold a helper's frame on its screen; so none is written (H 9)."""
    world = stage.world()
    world.use_program(stage.client)
    world.bypass_permissions()
    command = Command(world)
    terminal = stage.launch(world, "--name", "api", mode="bypassPermissions")
    world.idle_session(terminal)
    setup = command.call("setup", "--yes")
    _prompt_until_told(world, terminal)
    command.wait_for_session("api")
    armed = command.arm("api")
    sent = command.call("send", "api", "--", TEXT)
    _prompt_until_told(world, terminal)
    shown = command.call("show", text_of(sent.row.get("ref")))
    return {
        "calls": [_facts(call) for call in (setup, armed, sent)],
        "shown": document(shown.output),
        "screen": "Held message" in terminal.tail(),
        "text": stage.model.reach(TEXT),
    }


def outsiders(stage: Stage) -> Document:
    """A process that is no child of the client writes to it, once in every permission mode."""
    return {mode: _written_from_outside(stage, mode) for mode in MODES}


def _written_from_outside(stage: Stage, mode: str) -> Document:
    world = stage.world(f"h{MODES.index(mode)}")
    world.bypass_permissions()
    terminal = stage.launch(world, "--name", "target", mode=mode)
    writer = Writer(world, world.idle_session(terminal))
    wrote = writer.write(Sample(body=f"to {mode}", letter="e"))
    until(
        lambda: world.prompts() or SCREEN_HOLDS in terminal.tail(),
        timeout=10,
        what="the frame, or the client's question about it",
    )
    told = [call for call in world.hook_calls() if call.event == "UserPromptSubmit"]
    terminal.end()
    return {
        "result": wrote.result,
        "heard": len(told),
        "mode": text_of(told[0].payload.get("permission_mode")) if told else "",
    }


def _state(world: World) -> Path:
    return world.home / ".local" / "state" / "tidings"


def _facts(called: Called) -> Document:
    return {"code": called.code, "output": called.output, "error": called.error}
