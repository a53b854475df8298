"""Every verb there is, as data: what is not in this table does not exist."""

from collections.abc import Sequence
from typing import NamedTuple


class Verb(NamedTuple):
    """``module`` is imported only when the verb runs, so that no verb pays for another."""

    module: str
    usage: str
    summary: str
    daily: bool = True


VERBS: dict[str, Verb] = {
    "ls": Verb(
        "tidings.entrypoints.cli.ls",
        "ls [--all] [--json]",
        "sessions: who is there, what they hear, what needs you first",
    ),
    "whoami": Verb(
        "tidings.entrypoints.cli.whoami",
        "whoami [--json]",
        "who the caller is, and how that is proved",
    ),
    "send": Verb(
        "tidings.entrypoints.cli.send",
        "send TARGET [--ttl DURATION] [--when now|turn-end|idle] [--key KEY] [--ref REF]"
        " [--reply-to REF] [--source AGENT] [--file FILE] [--self]"
        " [--wait seen|answered [--timeout DURATION]] [--reply-box] [--wake] [--json] -- TEXT",
        "write to a session; prints what became of it",
    ),
    "ask": Verb(
        "tidings.entrypoints.cli.ask",
        "ask TARGET [--ttl DURATION] [--ref REF] [--file FILE] [--timeout DURATION] [--json]"
        " -- TEXT",
        "write to a session, wait, print the answer",
    ),
    "reply": Verb(
        "tidings.entrypoints.cli.reply",
        "reply REF [--file FILE] [--json] -- TEXT",
        "answer a message that this session received",
    ),
    "inbox": Verb(
        "tidings.entrypoints.cli.inbox",
        "inbox [--box TOKEN] [--wait DURATION] [--limit COUNT] [--json]",
        "take what waits for this session, or in a script's reply box",
    ),
    "show": Verb(
        "tidings.entrypoints.cli.show",
        "show REF [--json]",
        "one message: state, evidence, cause, next step, and its text",
    ),
    "log": Verb(
        "tidings.entrypoints.cli.log",
        "log [--follow] [--limit COUNT] [--json]",
        "what happened to all messages, event by event",
    ),
    "wait": Verb(
        "tidings.entrypoints.cli.wait",
        "wait TARGET --until idle|needs-you|gone [--timeout DURATION] [--json]",
        "block until a session is idle, shows its person a dialog, or is gone",
    ),
    "arm": Verb(
        "tidings.entrypoints.cli.arm",
        "arm [TARGET] [--from SENDER] [--kind KIND] [--for DURATION] [--wake] [--json]",
        "let a session hear: everything, or narrowed",
    ),
    "disarm": Verb(
        "tidings.entrypoints.cli.disarm",
        "disarm [TARGET] [--json]",
        "withdraw that at once; once it returned, no delivery begins",
    ),
    "status": Verb(
        "tidings.entrypoints.cli.status",
        "status [TARGET] [--why] [--json]",
        "what a session consents to, and the evidence",
    ),
    "setup": Verb(
        "tidings.entrypoints.cli.setup",
        "setup [--remove] [--dry-run | --yes] [--json]",
        "put Tidings into Claude Code: hooks, plugin, permission to send and reply",
    ),
    "push": Verb(
        "tidings.entrypoints.cli.push",
        "push TARGET|--all [--ttl DURATION] [--when now|turn-end|idle] [--key KEY] [--ref REF]"
        " [--file FILE] [--json] -- TEXT",
        "send what you type, to one session or to all that are armed for it",
        daily=False,
    ),
    "notify": Verb(
        "tidings.entrypoints.cli.notify",
        "notify TARGET|--all [--wake] [--ttl DURATION] [--key KEY] [--ref REF] [--file FILE]"
        " [--json] -- TEXT",
        "send a notice, which waits for the session's next turn and starts none",
        daily=False,
    ),
    "trust": Verb(
        "tidings.entrypoints.cli.trust",
        "trust [FOLDER] [--list | --remove] [--json]",
        "approve a repository's opt-in, where your settings demand that",
        daily=False,
    ),
    "session list": Verb(
        "tidings.entrypoints.cli.session_list",
        "session list [--agent LABEL] [--cwd FOLDER] [--all] [--json]",
        "the registry: which session processes are known, and which of them live",
        daily=False,
    ),
    "session show": Verb(
        "tidings.entrypoints.cli.session_show",
        "session show SESSION [--json]",
        "one row of the registry, with the evidence on its owner",
        daily=False,
    ),
    "session register": Verb(
        "tidings.entrypoints.cli.session_register",
        "session register [--agent LABEL] [--json]",
        "record that the session around this command is there; grants nothing",
        daily=False,
    ),
    "session prune": Verb(
        "tidings.entrypoints.cli.session_prune",
        "session prune [--older-than AGE] [--json]",
        "take the records of the dead away, and by an age also the unknown",
        daily=False,
    ),
    "message history": Verb(
        "tidings.entrypoints.cli.message_history",
        "message history [--export FILE | --file FILE] [--json]",
        "what is kept of messages that left the store, without their texts",
        daily=False,
    ),
    "message integrity": Verb(
        "tidings.entrypoints.cli.message_integrity",
        "message integrity [--json]",
        "judge every row of the store; exit 7 where one is wrong, and repair nothing",
        daily=False,
    ),
    "message backup": Verb(
        "tidings.entrypoints.cli.message_backup",
        "message backup FILE [--json]",
        "copy the store, as it is now, to a new file",
        daily=False,
    ),
    "first-connect": Verb(
        "tidings.entrypoints.cli.first_connect",
        "first-connect [TARGET] [--json]",
        "says first once, and again from then on; for the connect skill",
        daily=False,
    ),
    "demo": Verb(
        "tidings.entrypoints.cli.demo",
        "demo [--json]",
        "the whole story in one terminal, no client needed",
    ),
    "monitor": Verb(
        "tidings.entrypoints.cli.monitor",
        "monitor",
        "the resident of a session; a client's plugin starts it",
        daily=False,
    ),
    "reset": Verb(
        "tidings.entrypoints.cli.reset",
        "reset [TARGET] [--json]",
        "take back whatever arm or disarm said, readable or not",
        daily=False,
    ),
    "message status": Verb(
        "tidings.entrypoints.cli.message_status",
        "message status REF [--exit-state] [--json]",
        "where one message stands; exit 0 unless --exit-state is given",
        daily=False,
    ),
    "message list": Verb(
        "tidings.entrypoints.cli.message_list",
        "message list [TARGET] [--limit COUNT] [--json]",
        "the newest messages, to or from one session or all",
        daily=False,
    ),
    "message thread": Verb(
        "tidings.entrypoints.cli.message_thread",
        "message thread REF [--json]",
        "a question and the answers under it; or all messages of a text to all",
        daily=False,
    ),
    "message explain": Verb(
        "tidings.entrypoints.cli.message_explain",
        "message explain REF [--json]",
        "what its reason means, whether bytes may have gone, what to do",
        daily=False,
    ),
    "message cancel": Verb(
        "tidings.entrypoints.cli.message_cancel",
        "message cancel REF [--json]",
        "take a message back that was not written yet",
        daily=False,
    ),
    "message retry": Verb(
        "tidings.entrypoints.cli.message_retry",
        "message retry REF [--json]",
        "send again, under a new ref, what is proved never to have left",
        daily=False,
    ),
    "message settle": Verb(
        "tidings.entrypoints.cli.message_settle",
        "message settle [TARGET] [--json]",
        "end what can never go out any more, where no resident does",
        daily=False,
    ),
    "should-arm": Verb(
        "tidings.entrypoints.cli.should_arm",
        "should-arm",
        "prints nothing; exit 0 if the caller's session is armed, else 1",
        daily=False,
    ),
}


WIDTH = 80
"""Columns of a help text; asking the terminal would cost every verb 4 ms."""

CONSENT_VERBS = ("arm", "disarm", "reset", "status", "should-arm", "first-connect")
"""The verbs that also answer to ``session ...``, as S calls them."""

GROUPS = frozenset(name.partition(" ")[0] for name in VERBS if " " in name)
"""First words of verbs of two words."""


def plain_words(words: Sequence[str]) -> list[str]:
    """``words`` without a ``session`` in front of a verb that has a name of its own."""
    is_longer = words[:1] == ["session"] and words[1:2] and words[1] in CONSENT_VERBS
    return list(words[1:] if is_longer else words)


def usage_parts(usage: str) -> list[str]:
    """The words of a usage line; what stands between brackets is one part."""
    parts: list[str] = []
    depth = 0
    for word in usage.split():
        if depth:
            parts[-1] += f" {word}"
        else:
            parts.append(word)
        depth += word.count("[") - word.count("]")
    return parts


def needed_usage(usage: str) -> str:
    """A usage line without what may be left out."""
    return " ".join(part for part in usage_parts(usage) if not part.startswith("["))


def wrap_usage(usage: str, *, lead: str) -> list[str]:
    """``lead`` and the usage, in lines that a terminal of 80 columns takes whole; no option is
    divided."""
    indent = " " * len(lead)
    lines: list[str] = []
    line = lead.rstrip()
    for part in usage_parts(usage):
        if len(line) + len(part) >= WIDTH and len(line) > len(lead):
            lines.append(line)
            line = f"{indent}{part}"
        else:
            line = f"{line} {part}"
    return [*lines, line]


def split_verb(words: Sequence[str]) -> tuple[str, list[str]]:
    """The verb's name, of one word or two, and the words behind it. Whether there is such a verb
    is another question."""
    length = 2 if words[0] in GROUPS else 1
    return " ".join(words[:length]), list(words[length:])
