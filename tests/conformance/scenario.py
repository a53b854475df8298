"""The program in the namespace: ``python -m conformance.scenario NAME --client … --folder …``.

It proves the isolation, runs one scenario and writes its facts as JSON to ``facts.json``. What it
asserts are the conditions it has to reach; judging the facts is the test's part.
"""

import argparse
import json
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType, MappingProxyType

from conformance.clients import Client
from conformance.namespace import enter
from conformance.scenes.adopted import adopted, bypassed, outsiders, print_mode
from conformance.scenes.answers import native_answer
from conformance.scenes.armed import armed_message, conversation, held_by_a_dialog
from conformance.scenes.background import background
from conformance.scenes.dialog import denied_dialog, denied_dialog_beside_a_monitor
from conformance.scenes.dialogs import deeper_dialogs, dialogs
from conformance.scenes.frames import frame_reaches_model, frames_at_once, frames_while_busy
from conformance.scenes.inbound import inbound
from conformance.scenes.installed import installed
from conformance.scenes.labels import hostile, notices, origins
from conformance.scenes.lines import lines
from conformance.scenes.lives import cleared, reborn, resumed
from conformance.scenes.loads import burst, storm
from conformance.scenes.quiet import quiet
from conformance.scenes.trust import bypass, removed
from conformance.stage import Stage
from tidings.ports.codec import Document

SCENARIOS: Mapping[str, Callable[[Stage], Document]] = MappingProxyType(
    {
        "adopted": adopted,
        "armed_message": armed_message,
        "background": background,
        "bypassed": bypassed,
        "burst": burst,
        "bypass": bypass,
        "cleared": cleared,
        "conversation": conversation,
        "deeper_dialogs": deeper_dialogs,
        "denied_dialog": denied_dialog,
        "denied_dialog_beside_a_monitor": denied_dialog_beside_a_monitor,
        "dialogs": dialogs,
        "frame_reaches_model": frame_reaches_model,
        "frames_at_once": frames_at_once,
        "frames_while_busy": frames_while_busy,
        "inbound": inbound,
        "installed": installed,
        "held_by_a_dialog": held_by_a_dialog,
        "hostile": hostile,
        "notices": notices,
        "origins": origins,
        "lines": lines,
        "native_answer": native_answer,
        "outsiders": outsiders,
        "print_mode": print_mode,
        "quiet": quiet,
        "reborn": reborn,
        "removed": removed,
        "resumed": resumed,
        "storm": storm,
    }
)


def main() -> None:
    """Runs the scenario that the arguments name; a failure is a traceback and exit code 1."""
    parser = argparse.ArgumentParser(prog="conformance.scenario")
    parser.add_argument("name", choices=sorted(SCENARIOS))
    parser.add_argument("--client", type=Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--folder", type=Path, required=True)
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, _leave)
    enter()
    client = Client(version=given.version, program=given.client)
    with Stage(given.folder, client) as stage:
        facts = SCENARIOS[given.name](stage)
    (given.folder / "facts.json").write_text(json.dumps(facts), encoding="utf-8")


def _leave(number: int, frame: FrameType | None) -> None:
    """Ends in an orderly way, so that the stage reports and every client is ended."""
    sys.exit(128 + number)


if __name__ == "__main__":
    main()
