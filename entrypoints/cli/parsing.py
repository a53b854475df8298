"""The words of a call: options by argparse, a body behind ``--``, durations."""

import argparse
import re
from collections.abc import Sequence
from functools import partial
from typing import NoReturn

from tidings.entrypoints.cli.verbs import VERBS
from tidings.ports.errors import UsageError

DURATION = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", re.ASCII)
SECONDS = (86_400, 3_600, 60, 1)
LONGEST_SECONDS = 10_000 * 86_400


class VerbParser(argparse.ArgumentParser):
    """An argparse parser whose faults are our ``UsageError`` and whose usage is the verb table's."""

    def __init__(self, verb: str) -> None:
        entry = VERBS[verb]
        super().__init__(
            prog=f"tidings {verb}",
            usage=f"tidings {entry.usage}",
            description=entry.summary,
            allow_abbrev=False,
            # A fixed width: asking the terminal would import shutil, 4 ms for every verb.
            formatter_class=partial(argparse.HelpFormatter, width=100),
        )

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, next_step=f"usage: {self.usage}")


def split_body(words: Sequence[str]) -> tuple[list[str], list[str] | None]:
    """The words before ``--`` and those after it; None where there is no ``--``."""
    if "--" not in words:
        return list(words), None
    at = list(words).index("--")
    return list(words[:at]), list(words[at + 1 :])


def parse_duration(text: str) -> int:
    """Whole seconds of ``90s``, ``30m``, ``8h``, ``1d12h``, at most 10,000 days.

    Raises ``UsageError`` for anything else.
    """
    found = DURATION.fullmatch(text)
    if not text or found is None:
        raise UsageError(f"{text!r} is no duration", next_step="write it as 90s, 30m, 8h or 1d12h")
    parts = (int(number or 0) for number in found.groups())
    total = sum(part * unit for part, unit in zip(parts, SECONDS, strict=True))
    if total <= 0:
        raise UsageError("a duration must be more than zero", next_step="write it as 30m or 8h")
    if total > LONGEST_SECONDS:
        raise UsageError(f"{text} is too long", next_step="10000d is the longest duration")
    return total
