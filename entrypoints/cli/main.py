"""The command's front door: finds the verb, runs it, and turns errors into one line and a code."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING

from tidings.entrypoints.cli.verbs import GROUPS, VERBS, Verb, plain_words, split_verb

if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

    from tidings.ports.errors import TidingsError

INTERRUPTED = 130
INTERNAL = 70

HELP_WORDS = ("-h", "--help", "help")
HELP_ALONE = (["-h"], ["--help"])
"""The only words at which should-arm says anything: nobody asks a yes or no with them."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one verb and returns its exit code (design page 1, D35).

    Without ``argv`` this is the command itself: its process's words, signals and streams.
    """
    if argv is None:
        _take_over_process()
    words = plain_words(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["should-arm"] and words[1:] not in HELP_ALONE:
        return _should_arm(words[1:])
    try:
        return _run(words)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return _closed_output()
    except Exception as fault:  # noqa: BLE001 - the outermost guard: one line and code 70
        return _internal(fault)


def _take_over_process() -> None:
    """TERM ends as INT does (D35), and a stream that was closed for us must not become a file.

    The next file that is opened would get its descriptor, and our lines would go into that. A
    stream whose encoding lacks a character shows it as an escape: no receipt fails over a dot.
    """
    import signal

    signal.signal(signal.SIGTERM, _interrupt)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(descriptor, mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _interrupt(_number: int, _frame: "FrameType | None") -> None:
    raise KeyboardInterrupt


def _should_arm(words: list[str]) -> int:
    """Silent whatever happens; only 0 and 1 (S 4.8)."""
    try:
        from tidings.entrypoints.cli.should_arm import run

        return run(words)
    except (Exception, KeyboardInterrupt):  # noqa: BLE001 - a doubt is a no, without a word
        return 1


def _run(words: list[str]) -> int:
    from tidings.ports.errors import TidingsError

    options = words[: words.index("--")] if "--" in words else words
    try:
        _require_text(options)
        return _dispatch(words)
    except TidingsError as error:
        return _explain(error, words, as_json="--json" in options)


def _require_text(words: list[str]) -> None:
    """Arguments that were no UTF-8 reach Python as lone surrogates; a name is never one of them."""
    from tidings.ports.errors import UsageError

    for word in words:
        if any("\ud800" <= character <= "\udfff" for character in word):
            raise UsageError(f"{word!r} is not UTF-8", next_step="names and options are plain text")


def _dispatch(words: list[str]) -> int:
    if not words or words[0] in HELP_WORDS:
        return _help(words[1:])
    if words[0] in ("-V", "--version"):
        from tidings import __version__
        from tidings.entrypoints.cli.output import write_line

        write_line(f"tidings {__version__}")
        return 0
    if words[0] in GROUPS and all(word in HELP_WORDS for word in words[1:2]):
        return _help(words[:1])
    name, rest = split_verb(words)
    return _call(_verb(name), rest)


def _help(words: list[str]) -> int:
    """All verbs, those of one group, or the one that is named: ``help send`` is ``send --help``."""
    from tidings.entrypoints.cli.help import print_group, print_help

    named = plain_words([word for word in words if not word.startswith("-")])
    if not named:
        return print_help(everything="--all" in words)
    if len(named) == 1 and named[0] in GROUPS:
        return print_group(named[0])
    name, rest = split_verb(named)
    return _call(_verb(name), [*rest, "--help"])


def _verb(word: str) -> Verb:
    verb = VERBS.get(word)
    if verb is None:
        _unknown(word)
    return verb


def _call(verb: Verb, words: list[str]) -> int:
    code = import_module(verb.module).run(words)
    assert isinstance(code, int)
    sys.stdout.flush()
    return code


def _unknown(word: str) -> "NoReturn":
    from difflib import get_close_matches

    from tidings.ports.errors import UsageError

    near = get_close_matches(word, VERBS, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "`tidings --help` lists the verbs"
    raise UsageError(f"there is no verb {word!r}", next_step=hint)


def _explain(error: "TidingsError", words: list[str], *, as_json: bool) -> int:
    """A long word is not told in full."""
    from tidings.entrypoints.cli.output import print_error, without_long_words

    print_error(without_long_words(error, words), as_json=as_json)
    return error.exit_code


def _internal(fault: Exception) -> int:
    if os.environ.get("TIDINGS_DEBUG"):
        raise fault
    from tidings.entrypoints.cli.output import safe, write_error

    said = f"{type(fault).__name__}: {safe(str(fault))}"
    write_error(f"tidings: internal error: {said} (TIDINGS_DEBUG=1 shows where)")
    return INTERNAL


def _closed_output() -> int:
    """A reader that went away ends us quietly."""
    from tidings.entrypoints.cli.output import discard_rest

    discard_rest(sys.stdout)
    return 0
