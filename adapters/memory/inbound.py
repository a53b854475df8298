"""A client's settings for incoming messages in memory."""

from tidings.ports.inbound import InboundPolicy


class MemoryHarnessInbound:
    """One word per working folder; ``unset`` where nothing was set."""

    def __init__(self) -> None:
        self._policies: dict[str, InboundPolicy] = {}

    def policy(self, cwd: str) -> InboundPolicy:
        return self._policies.get(cwd, InboundPolicy.UNSET)

    def set(self, cwd: str, policy: InboundPolicy) -> None:
        """The operator's settings say ``policy`` for ``cwd`` from now on."""
        self._policies[cwd] = policy
