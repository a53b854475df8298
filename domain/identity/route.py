"""The route: which agent, in which activation, in which conversation (M 1.3, R 1.5)."""

import re
from functools import lru_cache
from typing import Final

from tidings.domain.documents import Fields, FieldWrong
from tidings.domain.identity.digest import sha256
from tidings.ports.codec import Document
from tidings.ports.tokens import Provider
from tidings.ports.values import dataclass

REF_LONGEST_BYTES = 160
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
"""Unicode's category Cc, whole: it is frozen to these two ranges (Unicode stability policy)."""

_PROVIDERS: Final = frozenset(str(provider) for provider in Provider)
_INCARNATION_BYTES = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Five ids that hold neither a provider's address nor a session id, socket or token."""

    agent_uid: str
    pane_uid: str
    activation_generation: str
    provider: str
    incarnation: str

    @property
    def is_valid(self) -> bool:
        """Whether all parts keep the ref rule and the provider is known."""
        return (
            self.provider in _PROVIDERS
            and is_ref(self.agent_uid)
            and is_ref(self.pane_uid)
            and is_ref(self.activation_generation)
            and is_ref(self.incarnation)
        )

    def same(self, other: "Route") -> bool:
        """Valid and equal in every part; two half-empty routes are never the same (R 26)."""
        return self.is_valid and self == other

    def same_agent(self, other: "Route") -> bool:
        """Both valid, and of one agent of one provider, whatever runs it now."""
        mine, theirs = (self.agent_uid, self.provider), (other.agent_uid, other.provider)
        return self.is_valid and other.is_valid and mine == theirs


@lru_cache(maxsize=64)
def incarnation_of(provider: Provider, conversation_id: str) -> str:
    """``route-`` and 36 hex: a digest of the conversation, not of the process that holds it.

    Codex has one for all threads (M 1.3). Empty where there is no conversation to speak of.
    """
    if provider is Provider.CODEX:
        return _digest(b"codex-session")
    if not conversation_id:
        return ""
    return _digest(f"{provider}-session\0{conversation_id}".encode("utf-8", "surrogatepass"))


@lru_cache(maxsize=256)
def is_ref(text: str) -> bool:
    """The one rule for ids (M 1.2): trimmed, 1 to 160 bytes of UTF-8, no control character."""
    if text.isascii():
        return (
            text.isprintable() and 1 <= len(text) <= REF_LONGEST_BYTES and text == text.strip(" ")
        )
    try:
        size_bytes = len(text.encode())
    except UnicodeEncodeError:
        return False
    if not 1 <= size_bytes <= REF_LONGEST_BYTES or text != text.strip():
        return False
    return _CONTROL.search(text) is None


def route_to_document(route: Route) -> Document:
    """The route as it is stored, keys in the order of M 1.3."""
    return {
        "agentUID": route.agent_uid,
        "paneUID": route.pane_uid,
        "activationGeneration": route.activation_generation,
        "provider": route.provider,
        "incarnation": route.incarnation,
    }


def read_route(fields: Fields) -> Route:
    """The valid route in ``fields``. Raises ``FieldWrong``."""
    route = Route(
        agent_uid=fields.text("agentUID"),
        pane_uid=fields.text("paneUID"),
        activation_generation=fields.text("activationGeneration"),
        provider=fields.text("provider"),
        incarnation=fields.text("incarnation"),
    )
    if not route.is_valid:
        raise FieldWrong(f"{fields.path}route is not valid")
    return route


def _digest(data: bytes) -> str:
    return f"route-{sha256(data).hexdigest()[: 2 * _INCARNATION_BYTES]}"
