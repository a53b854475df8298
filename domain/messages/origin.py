"""Who a message comes from when it is not an agent's own words (M 1.5, 9; D26, D27)."""

import re
from enum import StrEnum
from typing import Final

from tidings.ports.codec import Document
from tidings.ports.values import dataclass

_CLIENT: Final = re.compile(r"[a-z][a-z0-9-]{0,31}", re.ASCII | re.DOTALL)
_PLACE: Final = re.compile(r"[A-Za-z0-9/._:@-]{1,64}", re.ASCII | re.DOTALL)


AGENT_CLIENT: Final = "agent"
"""What stands for the client of an agent's own notice, which no person typed and no script sent."""


class MessageKind(StrEnum):
    """The kind of a message. An agent's message has no origin; the other words name one."""

    AGENT = "agent"
    OPERATOR = "operator"
    PUSH = "push"
    NOTICE = "notice"
    AUTOMATION = "automation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """What stands behind a message that no agent wrote, or that only informs.

    ``client`` is the name of the in-process client (operator), the terminal (push) or the script
    (notice, automation). A good name proves nothing.
    """

    kind: MessageKind
    client: str

    def to_document(self) -> Document:
        """The object ``{kind, client}`` of the envelope."""
        return {"kind": str(self.kind), "client": self.client}


def is_client_name(name: str) -> bool:
    """An in-process client's name: 1 to 32 lower-case letters, digits, ``-``; a letter first."""
    return _CLIENT.fullmatch(name) is not None


def operator_fault(client: str) -> str:
    """What is wrong with an in-process client's name, quoting it and the bounds; empty if nothing.

    There is no list of names, and a good one proves nothing: that only code inside a process can
    make such an origin is the protection (M 9).
    """
    if is_client_name(client):
        return ""
    return f"{client[:40]!r} is not 1 to 32 of a-z, 0-9 and -, a letter first"


def is_operator_input(origin: Origin | None) -> bool:
    """Whether a person typed it through an in-process client, by kind and name (M 9)."""
    return (
        origin is not None and origin.kind is MessageKind.OPERATOR and is_client_name(origin.client)
    )


def is_origin(origin: Origin) -> bool:
    """Whether the origin is one that may be stored. There is no explicit agent origin (M 1.5)."""
    match origin.kind:
        case MessageKind.AGENT:
            return False
        case MessageKind.OPERATOR:
            return is_client_name(origin.client)
        case MessageKind.PUSH | MessageKind.NOTICE | MessageKind.AUTOMATION:
            return _PLACE.fullmatch(origin.client) is not None


def origin_of(kind: MessageKind, client: str) -> Origin | None:
    """The origin that a draft of ``kind`` carries; None for an agent's message."""
    return None if kind is MessageKind.AGENT else Origin(kind=kind, client=client)
