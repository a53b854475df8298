"""``tidings --help``."""

from tidings.entrypoints.cli.output import write_line
from tidings.entrypoints.cli.verbs import VERBS, Verb, wrap_usage

INTRODUCTION = (
    "tidings: coding-agent sessions hear from each other and from you, only when they are",
    "alive, are who they say, have agreed to listen and are free to hear it.",
)


def print_help(*, everything: bool) -> int:
    """The daily verbs, or with ``--all`` the plumbing too."""
    for line in INTRODUCTION:
        write_line(line)
    write_line("")
    _group("Daily:", [verb for verb in VERBS.values() if verb.daily])
    if everything:
        write_line("")
        _group("Plumbing:", [verb for verb in VERBS.values() if not verb.daily])
    else:
        write_line("")
        write_line("`tidings --help --all` adds the plumbing; `tidings help VERB` explains one.")
    return 0


def print_group(word: str) -> int:
    """The verbs of two words that begin with ``word``."""
    named = [verb for name, verb in VERBS.items() if name.startswith(f"{word} ")]
    _group(f"tidings {word}:", named)
    return 0


def _group(title: str, verbs: list[Verb]) -> None:
    write_line(title)
    for verb in verbs:
        for line in wrap_usage(verb.usage, lead="  tidings "):
            write_line(line)
        write_line(f"      {verb.summary}")
