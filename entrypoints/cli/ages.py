"""Ages as S 4.3 writes them, apart from durations: fractions and nanoseconds count here."""

import re

from tidings.ports.errors import UsageError

AGE = re.compile(r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+", re.ASCII)
AGE_PART = re.compile(r"(\d+\.?\d*|\.\d+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h)", re.ASCII)
AGE_UNITS_NS = {
    "ns": 1,
    "us": 1_000,
    "\u00b5s": 1_000,
    "\u03bcs": 1_000,
    "ms": 1_000_000,
    "s": 1_000_000_000,
    "m": 60_000_000_000,
    "h": 3_600_000_000_000,
}


def parse_age(text: str) -> int:
    """Nanoseconds of ``72h``, ``1h30m``, ``1.5s``, ``1ns`` (the grammar of S 4.3); 0 or less is no
    bound. Raises ``UsageError`` for anything else."""
    if text.lstrip("+-") == "0":
        return 0
    if not AGE.fullmatch(text) or len(text) > 40:
        raise UsageError(f"{text!r} is no age", next_step="write it as 72h, 1h30m or 1.5s")
    total = sum(_part_ns(number, AGE_UNITS_NS[unit]) for number, unit in AGE_PART.findall(text))
    return -total if text.startswith("-") else total


def _part_ns(number: str, unit_ns: int) -> int:
    whole, _, fraction = number.partition(".")
    scale: int = 10 ** len(fraction)
    return int(whole or 0) * unit_ns + int(fraction or 0) * unit_ns // scale
