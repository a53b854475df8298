"""Every kind of dialog in one armed session, with a message that waits behind each (P7, D23, D24)."""

import sys
import time
from pathlib import Path

from conformance.hearing import SECOND_NS, Hearing, bash, instant_ns, script
from conformance.plain import document, text_of
from conformance.product import Product
from conformance.stage import Stage
from conformance.terminal import ENTER, ESCAPE
from tidings.ports.codec import Document, Value

SERVER = Path(__file__).parents[1] / "eliciting_server.py"
ASK_TOOL = "mcp__form__ask"
LONG_SECONDS = 6
LONG_COMMAND = f'python3 -c "import time; time.sleep({LONG_SECONDS})"; touch long'
QUESTION: Document = {
    "question": "Which colour?",
    "header": "colour",
    "options": [
        {"label": "red", "description": "as fire"},
        {"label": "blue", "description": "as the sea"},
    ],
    "multiSelect": False,
}
QUESTIONING: Document = {"tool": "AskUserQuestion", "input": {"questions": [QUESTION]}}
LOADING: Document = {
    "tool": "ToolSearch",
    "input": {"query": f"select:{ASK_TOOL}", "max_results": 1},
}
ELICITING: Document = {"tool": ASK_TOOL, "input": {}}
DONE: Document = {"text": "done"}


def dialogs(stage: Stage) -> Document:
    """Dialogs that are allowed, refused, answered and left, in one session, one after another."""
    session = _armed(stage)
    told: Document = {
        "allowed": _behind(session, bash("touch allowed"), DONE, shows="4. No", keys=ENTER),
        "refused": _behind(session, bash("touch refused"), DONE, shows="4. No", keys="4"),
        "answered": _behind(session, QUESTIONING, DONE, shows="2. blue", keys="2"),
        "left": _behind(session, QUESTIONING, DONE, shows="2. blue", keys=ESCAPE),
        "long": _behind(session, bash(LONG_COMMAND), DONE, shows="4. No", keys=ENTER),
    }
    return {**told, "made": _made(session), "answers": _responses(session, "AskUserQuestion")}


def deeper_dialogs(stage: Stage) -> Document:
    """Dialogs that the main agent's own tools do not open: a server's and a subagent's."""
    session = _armed(stage)
    told: Document = {
        "accepted": _behind(session, LOADING, ELICITING, DONE, shows="Accept", keys=ENTER),
        "cancelled": _behind(session, ELICITING, DONE, shows="Accept", keys=ESCAPE),
        "of_subagent": _behind(
            session, _delegating(), DONE, shows="4. No", keys=ENTER, turns_first=1
        ),
    }
    return {**told, "made": _made(session), "answers": _responses(session, ASK_TOOL)}


def _armed(stage: Stage) -> Hearing:
    world = stage.world()
    product = Product(world)
    world.allow(ASK_TOOL)
    servers = world.serve("form", sys.executable, "-I", str(SERVER))
    session = Hearing(stage, product, "api", "--mcp-config", str(servers))
    product.arm("api")
    return session


def _delegating() -> Document:
    """The step in which the model starts a subagent in the background that wants to run something."""
    prompt = script([bash("touch of_subagent"), DONE], mark="@@")
    return {
        "tool": "Agent",
        "input": {
            "description": "delegate",
            "prompt": prompt,
            "subagent_type": "general-purpose",
            "run_in_background": True,
        },
    }


def _behind(
    session: Hearing, *steps: Document, shows: str, keys: str, turns_first: int = 0
) -> Document:
    """Opens a dialog, sends a message, closes the dialog by ``keys``, and follows the message.

    The message is sent once ``turns_first`` turns of the main agent ended beside the dialog.
    """
    stops = session.world.count("Stop")
    session.dialog(*steps, shows=shows)
    session.wait_for_turns(stops + turns_first)
    text = f"news number {len(session.world.events())}"
    sent = session.send(text)
    held: Document = {
        "state": sent.row.get("state"),
        "reason": sent.row.get("reason"),
        "reach": session.reach(text),
        "status": session.world.status(session.pid),
    }
    closing_at_ns = time.time_ns()
    session.press(keys)
    told = session.heard(sent, text)
    session.rest()
    after_ns = instant_ns(document(told["message"]), "handoff_at") - closing_at_ns
    return {"held": held, **told, "seconds_after_close": after_ns / SECOND_NS}


def _made(session: Hearing) -> list[Value]:
    """Which commands ran: each leaves a file of its name."""
    return [*sorted(path.name for path in session.world.project.iterdir())]


def _responses(session: Hearing, tool: str) -> list[Value]:
    """What ``tool`` gave to the model, by the client's own hook."""
    payloads = [call.payload for call in session.world.hook_calls() if call.event == "PostToolUse"]
    return [one.get("tool_response") for one in payloads if text_of(one.get("tool_name")) == tool]
