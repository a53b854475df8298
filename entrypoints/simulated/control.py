"""Driving a simulated harness: one JSON command a line, one JSON answer a line."""

import asyncio
import json
import os
import signal
import socket

from tidings.entrypoints.simulated.arrivals import Kind, Prompt
from tidings.entrypoints.simulated.dialogs import Allowed, Answer, Denied
from tidings.entrypoints.simulated.harness import Harness
from tidings.entrypoints.simulated.options import PermissionMode
from tidings.entrypoints.simulated.script import ScriptUnreadable, parse_steps
from tidings.ports.codec import Document, Value


class CommandRefused(ValueError):
    """The command cannot be done now, or is none; the text goes back to who asked."""


async def serve_control(harness: Harness, descriptor: int) -> None:
    """Answers commands until the other end closes; then the harness ends too, as a terminal's
    closing would end it (H 2). So a test that dies leaves no harness behind."""
    with socket.socket(fileno=descriptor) as channel:
        channel.setblocking(False)
        channel.set_inheritable(False)
        reader, writer = await asyncio.open_connection(sock=channel)
        writer.write(_line(snapshot(harness)))
        while line := await reader.readline():
            writer.write(_line(await _answer(harness, line)))
            await writer.drain()
    harness.end("other")


async def _answer(harness: Harness, line: bytes) -> Document:
    try:
        command: Value = json.loads(line)
        if not isinstance(command, dict):
            raise CommandRefused("a command is an object")
        await obey(harness, command)
    except (CommandRefused, ScriptUnreadable, ValueError) as error:
        return {"error": str(error) or type(error).__name__}
    return snapshot(harness)


async def obey(harness: Harness, command: Document) -> None:
    """Does one command. Raises ``CommandRefused`` where it does not fit the moment."""
    floor = harness.floor
    match command.get("do"):
        case "state":
            return
        case "prompt":
            steps = parse_steps(command.get("steps", []))
            text = str(command.get("text", ""))
            floor.arrivals.put(Prompt(kind=Kind.HUMAN, text=text, steps=steps))
        case "plan":
            harness.turns.planned.append(parse_steps(command.get("steps", [])))
        case "allow":
            _answer_dialog(harness, _allowed(command))
        case "deny":
            _answer_dialog(harness, Denied())
        case "go-on":
            _must(floor.pace.go_on(), "nothing is waited for")
        case "escape":
            _escape(harness)
        case "delay-hook":
            floor.hooks.delays[str(command.get("event"))] = _seconds(command) or 0.0
        case "clear" | "resume" as why:
            _must(not floor.is_in_turn, "a turn is running")
            await harness.change_conversation(why)
        case "mode":
            harness.change_mode(PermissionMode(str(command.get("mode"))))
        case "exit":
            harness.end("prompt_input_exit")
        case "crash":
            os.kill(os.getpid(), signal.SIGKILL)
        case "wait":
            await _wait(harness, str(command.get("status", "idle")))
        case other:
            raise CommandRefused(f"no such command: {other}")


def snapshot(harness: Harness) -> Document:
    """What a driver may want to know, all at one moment."""
    floor, state = harness.floor, harness.state
    open_dialogs: list[Value] = [dialog.what for dialog in floor.dialogs.unanswered()]
    process = harness.monitor.process
    return {
        "pid": state.pid,
        "name": state.name,
        "session_id": state.session_id,
        "socket_path": state.places.socket,
        "transcript_path": state.transcript_path,
        "status": floor.record.status.value,
        "waiting_for": floor.record.waiting_for,
        "is_in_turn": floor.is_in_turn,
        "is_paused": floor.pace.is_waiting,
        "dialogs": open_dialogs,
        "queued": len(floor.arrivals),
        "background": len(harness.turns.subagents),
        "held": list[Value](state.held),
        "frames": state.counted("frames"),
        "ignored": state.counted("ignored"),
        "dropped": state.counted("dropped"),
        "turns": state.counted("turns"),
        "requests": state.counted("requests"),
        "monitor_pid": process.pid if process and process.returncode is None else 0,
    }


def _allowed(command: Document) -> Allowed:
    return Allowed(seconds=_seconds(command), reply=str(command.get("reply", "")))


def _answer_dialog(harness: Harness, answer: Answer) -> None:
    waiting = harness.floor.dialogs.unanswered()
    _must(bool(waiting) and waiting[0].answer(answer), "no dialog is open")


def _escape(harness: Harness) -> None:
    """Esc says no to a dialog, and interrupts a model call or a tool where none is open (H 2)."""
    if harness.floor.dialogs.unanswered():
        _answer_dialog(harness, Denied())
    else:
        _must(harness.floor.pace.escape(), "nothing to interrupt")


async def _wait(harness: Harness, status: str) -> None:
    while harness.floor.record.status.value != status or len(harness.floor.arrivals):
        await asyncio.sleep(0.02)


def _seconds(command: Document) -> float | None:
    value = command.get("seconds")
    return float(value) if isinstance(value, int | float) else None


def _must(is_done: bool, why_not: str) -> None:
    if not is_done:
        raise CommandRefused(why_not)


def _line(document: Document) -> bytes:
    return json.dumps(document).encode() + b"\n"
