"""``tidings demo``: the whole story in one terminal, in a throwaway home, with no client."""

import sys
import time
from collections.abc import Sequence
from functools import partial

from tidings.domain.messages.receipt import MessageView
from tidings.entrypoints.cli.demo_telling import JsonTeller, PlainTeller, Teller
from tidings.entrypoints.cli.parsing import VerbParser
from tidings.entrypoints.demo.stage import Stage, StepFailed
from tidings.entrypoints.demo.story import STORY, Told
from tidings.entrypoints.simulated.session import StillWaiting
from tidings.entrypoints.simulated.view import HarnessGone, HarnessRefused
from tidings.ports.errors import OutputFailed, TidingsError

FAILURES = (StepFailed, StillWaiting, HarnessGone, HarnessRefused, TidingsError)


def run(words: Sequence[str]) -> int:
    """Tells the story; exit 0, or 1 and the name of the step that failed."""
    parser = VerbParser("demo")
    parser.option("--json")
    options = parser.read(words)
    return _tell(_teller(as_json=options.json))


def _tell(teller: Teller) -> int:
    began = time.monotonic()
    stage, told = Stage(), Told()
    try:
        failed = _play(teller, stage, told)
        receipts = [_receipt(stage, ref) for ref in told.refs]
    finally:
        stage.close()
    teller.end(receipts, seconds=time.monotonic() - began, failed=failed)
    return 1 if failed else 0


def _play(teller: Teller, stage: Stage, told: Told) -> str:
    """Step by step; empty when all went well, else which step failed and how."""
    for number, step in enumerate(STORY, start=1):
        try:
            act = partial(step.act, stage, told)
            teller.step(number, len(STORY), step.name, step.title, act)
        except OutputFailed:
            raise  # of no step: nobody would read how the story ended
        except FAILURES as fault:
            return f"{step.name}: {fault}"
    return ""


def _receipt(stage: Stage, ref: str) -> tuple[str, MessageView]:
    view = stage.app.post_office.view(ref)
    return stage.app.admission.address_of(view.row.target_agent), view


def _teller(*, as_json: bool) -> Teller:
    if as_json:
        return JsonTeller()
    if sys.stdout.isatty():
        from tidings.entrypoints.cli.demo_live import LiveTeller

        return LiveTeller()
    return PlainTeller()
