"""What of ours a harness has put before its model, as evidence (D18)."""

from tidings.ports.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSeen:
    """One prompt: the refs of ours in it, and the SHA-256 hex of each frame text found.

    Text may name any ref, so a ref alone proves nothing; the digest is that of the frame we wrote.
    """

    refs: tuple[str, ...]
    digests: tuple[str, ...]
