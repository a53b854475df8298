"""What a message may ask for: coordination, and nothing else (M 1.4, D26)."""

from collections.abc import Mapping
from typing import Final

from tidings.domain.messages.origin import MessageKind, Origin
from tidings.ports.codec import Document
from tidings.ports.values import dataclass

COORDINATION: Final = "coordination-only"


@dataclass(frozen=True, slots=True, kw_only=True)
class Authority:
    """Three words; exactly three combinations exist."""

    kind: str
    trust: str
    permission: str

    def to_document(self) -> Document:
        """The object ``{kind, trust, permission}`` of the envelope."""
        return {"kind": self.kind, "trust": self.trust, "permission": self.permission}


PEER: Final = Authority(kind="peer", trust="untrusted", permission=COORDINATION)
OPERATOR: Final = Authority(kind="operator", trust="untrusted", permission=COORDINATION)
PUSH: Final = Authority(kind="push", trust="self-declared", permission=COORDINATION)

ACTIONS: Final = (
    "coordination-send",
    "coordination-read",
    "coordination-reply",
    "turn-start",
    "turn-steer",
    "turn-interrupt",
    "config-write",
    "tool-or-connector",
    "model-history-write",
    "approval-review",
)

_MATRIX: Final[Mapping[str, frozenset[str]]] = {
    "human": frozenset(ACTIONS[:7]),
    "peer-agent": frozenset(ACTIONS[:3]),
    "operator": frozenset({"coordination-send"}),
    "push": frozenset({"coordination-send"}),
    "provider-runtime": frozenset({"tool-or-connector", "model-history-write"}),
    "approval-reviewer": frozenset({"approval-review"}),
}

PRINCIPALS: Final = tuple(_MATRIX)


def may(principal: str, action: str) -> bool:
    """Whether ``principal`` may do ``action``; an unknown name of either is denied."""
    return action in _MATRIX.get(principal, frozenset())


def authority_of(origin: Origin | None) -> Authority:
    """The only authority a message of that origin may carry. Notices and scripts are peers (D26)."""
    if origin is None:
        return PEER
    match origin.kind:
        case MessageKind.OPERATOR:
            return OPERATOR
        case MessageKind.PUSH:
            return PUSH
        case MessageKind.AGENT | MessageKind.NOTICE | MessageKind.AUTOMATION:
            return PEER
