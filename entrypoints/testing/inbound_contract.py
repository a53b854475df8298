"""What every ``HarnessInbound`` keeps (H 3)."""

from typing import Protocol

from tidings.ports.inbound import HarnessInbound, InboundPolicy


class Client(Protocol):
    """A client with settings, and the adapter that reads them."""

    @property
    def inbound(self) -> HarnessInbound: ...

    @property
    def folder(self) -> str:
        """A working folder of its operator's."""
        ...

    def set(self, policy: InboundPolicy) -> None:
        """Its settings say ``policy`` for that folder from now on."""
        ...


class InboundContract:
    """Bind it by overriding ``make_client``."""

    def make_client(self) -> Client:
        """A client whose settings say nothing yet."""
        raise NotImplementedError

    def test_nothing_is_said_where_nothing_was_set(self) -> None:
        client = self.make_client()
        assert client.inbound.policy(client.folder) is InboundPolicy.UNSET
        assert client.inbound.policy("/nowhere") is InboundPolicy.UNSET

    def test_what_is_set_counts_at_once_and_for_that_folder_alone(self) -> None:
        client = self.make_client()
        for word in (InboundPolicy.HOLD, InboundPolicy.REFUSE, InboundPolicy.ACCEPT):
            client.set(word)
            assert client.inbound.policy(client.folder) is word
            assert client.inbound.policy("/nowhere") is InboundPolicy.UNSET
