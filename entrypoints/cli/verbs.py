"""Every verb there is, as data: what is not in this table does not exist."""

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
        "send TARGET [--ttl DURATION] [--ref REF] [--file FILE] [--self]"
        " [--wait seen|answered [--timeout DURATION]] [--json] -- TEXT",
        "write to a session; prints what became of it",
    ),
    "reply": Verb(
        "tidings.entrypoints.cli.reply",
        "reply REF [--file FILE] [--json] -- TEXT",
        "answer a message that this session received",
    ),
    "show": Verb(
        "tidings.entrypoints.cli.show",
        "show REF [--json]",
        "one message: state, evidence, cause, next step",
    ),
    "arm": Verb(
        "tidings.entrypoints.cli.arm",
        "arm [TARGET] [--from SENDER] [--kind KIND] [--for DURATION] [--json]",
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
    "should-arm": Verb(
        "tidings.entrypoints.cli.should_arm",
        "should-arm",
        "prints nothing; exit 0 if the caller's session is armed, else 1",
        daily=False,
    ),
}
