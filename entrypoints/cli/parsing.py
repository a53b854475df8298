"""The words of a call: options by argparse, a body behind ``--``, durations."""

import argparse
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NoReturn

from tidings.entrypoints.cli.output import write_line
from tidings.entrypoints.cli.verbs import VERBS, needed_usage, wrap_usage
from tidings.ports.errors import UsageError

DURATION = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", re.ASCII)
SECONDS = (86_400, 3_600, 60, 1)
LONGEST_SECONDS = 10_000 * 86_400
MOST_COUNTED = 10_000
LONGEST_USAGE = 80
"""Characters of a usage line that an error still repeats whole."""

OPTIONS: Mapping[str, tuple[str, str]] = {
    "--json": ("", "print JSON, as docs/json.md tells"),
    "--all": ("", "those that have ended too"),
    "push --all": ("", "every living session that is armed for it, under one ref"),
    "notify --all": ("", "every living session that is armed for it, under one ref"),
    "--file": ("FILE", "read from this file; - is standard input"),
    "--ref": ("REF", "the message's ref; the same ref and text again send nothing twice"),
    "--ttl": ("DURATION", "how long the message is of use, at most 7d (default: 2h)"),
    "--self": ("", "allow a message to the sending session itself"),
    "--wait": ("seen|answered", "wait until that is so, or can no longer be"),
    "inbox --wait": ("DURATION", "wait so long for something to come"),
    "--timeout": ("DURATION", "how long to wait at most (default: 10m)"),
    "--until": ("idle|needs-you|gone", "what to wait for"),
    "--when": ("now|turn-end|idle", "when it may go out: at once, between turns, after 30s idle"),
    "--key": ("KEY", "take the place of what you still have waiting there under this key"),
    "--source": ("AGENT", "say who sends; only the session around this command can"),
    "--reply-to": ("REF", "answer this message, as reply does"),
    "--reply-box": ("", "print a token with which a script can take the answer from the inbox"),
    "--box": ("TOKEN", "the reply box that this token opens"),
    "--limit": ("COUNT", "so many at most"),
    "--follow": ("", "go on, and print what happens as it happens"),
    "--exit-state": ("", "let the exit code be that of the message's state"),
    "--from": ("SENDER", "hear only this session, you or automation; may be repeated"),
    "--kind": (
        "KIND",
        "hear only this: agent, operator, push, notice, automation; may be repeated",
    ),
    "--wake": (
        "",
        "a notice may begin a turn, if armed and sent so; a message always may",
    ),
    "--for": ("DURATION", "hear for so long, then nothing; 90s, 30m, 8h, 1d12h"),
    "--why": ("", "the evidence too"),
    "--agent": ("LABEL", "the declared label, at most 128 characters; an empty one is no label"),
    "--cwd": ("FOLDER", "only sessions of this folder"),
    "--older-than": ("AGE", "also what is unknown and older than this; 72h, 30m, 1.5s"),
    "--export": ("FILE", "write all of it to this file, a JSON line each"),
    "--list": ("", "what there is, instead"),
    "--remove": ("", "take it back, instead"),
    "--dry-run": ("", "show what would change, and change nothing"),
    "--yes": ("", "agree beforehand; for scripts"),
}
"""What every option is called and does, wherever it stands; an empty metavar is a plain yes. An
entry with a verb before it is for that verb alone."""

TARGET = "a session: its address, session:KEY or agent:UID"
OWN_TARGET = f"{TARGET}; without it the session around this command"
REF = "the ref of a message, whole or its first 5 letters or more"


class VerbParser(argparse.ArgumentParser):
    """An argparse parser whose faults are our ``UsageError`` and whose usage is the verb table's."""

    def __init__(self, verb: str) -> None:
        entry = VERBS[verb]
        self._verb = verb
        self._hint = _usage_hint(verb, entry.usage)
        self._takes_text = entry.usage.endswith("-- TEXT")
        super().__init__(
            prog=f"tidings {verb}",
            usage="\n".join(wrap_usage(entry.usage, lead="usage: tidings ")).removeprefix(
                "usage: "
            ),
            description=entry.summary,
            allow_abbrev=False,
            # A fixed width: asking the terminal would import shutil, 4 ms for every verb.
            formatter_class=partial(argparse.HelpFormatter, width=100),
        )

    def option(self, flag: str, **more: Any) -> None:
        """An option in the words of ``OPTIONS``, the same at every verb; ``more`` as argparse's."""
        metavar, text = OPTIONS.get(f"{self._verb} {flag}") or OPTIONS[flag]
        if metavar:
            self.add_argument(flag, metavar=metavar, help=text, **more)
        else:
            self.add_argument(flag, help=text, action="store_true", **more)

    def either(self, *flags: str) -> None:
        """Options of ``OPTIONS`` without a value, of which a call has one at most."""
        group = self.add_mutually_exclusive_group()
        for flag in flags:
            _, text = OPTIONS[flag]
            group.add_argument(flag, help=text, action="store_true")

    def operand(self, name: str, text: str, **more: Any) -> None:
        """A word without dashes, by the name that the usage line shows; read as ``name`` in small
        letters."""
        self.add_argument(name.lower(), metavar=name, help=text, **more)

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """The options in ``words``. Raises ``UsageError`` for any word that has no meaning here."""
        options, extra = self.parse_known_args(list(words))
        if extra:
            self._refuse(extra[0])
        return options

    def print_help(self, file: object = None) -> None:
        """The help as lines of ours, so that a full or closed output is told like any other."""
        for line in self.format_help().splitlines():
            write_line(line)

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, next_step=self._hint)

    def _refuse(self, word: str) -> NoReturn:
        if self._takes_text and not word.startswith("-"):
            raise UsageError(f"the text stands after --, {word!r} before it", next_step=self._hint)
        self.error(f"{word!r} has no meaning here")


def _usage_hint(verb: str, usage: str) -> str:
    """The usage; of a long one what may not be left out, and where the rest is told."""
    if len(usage) <= LONGEST_USAGE:
        return f"usage: tidings {usage}"
    return f"usage: tidings {needed_usage(usage)}; `tidings help {verb}` tells the options"


def parse_count(text: str) -> int:
    """A whole number from 1 to 10,000. Raises ``UsageError`` for anything else."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:6]) <= MOST_COUNTED):
        raise UsageError(f"{text!r} is no count", next_step=f"write 1 to {MOST_COUNTED}")
    return int(text)


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
