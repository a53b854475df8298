"""A registry in memory: processes that run, and the desk at which they become agents."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from support.owners import World
from tidings.adapters.memory.clock import SeededIds
from tidings.adapters.memory.messages import MemoryMessageStore
from tidings.domain.identity.owner import SessionOwner
from tidings.domain.registration.admission import Admission
from tidings.ports.agents import ActivationRow, RegistrationRow
from tidings.ports.ids import Ids
from tidings.ports.messages import MessageStore, StoreTransaction
from tidings.ports.processes import ProcessBirth
from tidings.ports.tokens import Provider


class SameIds:
    """Ids that never differ: whoever draws from it mints the same generation again."""

    def random_bytes(self, count: int) -> bytes:
        return b"\x07" * count


@dataclass
class Registry:
    """One machine's agents."""

    world: World = field(default_factory=World)
    store: MessageStore = field(default_factory=MemoryMessageStore)

    def __post_init__(self) -> None:
        self.admission = self.desk(SeededIds())

    def desk(self, ids: Ids) -> Admission:
        """A desk as another process would have it."""
        return Admission(
            store=self.store,
            records=self.world.records,
            clock=self.world.clock,
            ids=ids,
            probe=self.world.probe,
        )

    def admit(
        self,
        owner: SessionOwner | None = None,
        *,
        conversation_id: str = "",
        wanted: Sequence[str] = ("api",),
        label: str = "",
    ) -> ActivationRow:
        """A process arrives; a new one where ``owner`` names none."""
        return self.admission.admit(
            owner or self.world.owner(),
            provider=Provider.CLAUDE,
            conversation_id=conversation_id,
            label=label,
            cwd="/home/me/shop",
            wanted=wanted,
        )

    def put(self, *rows: ActivationRow) -> None:
        """Writes activations as they are, whatever the rules say."""

        def work(tx: StoreTransaction) -> None:
            for row in rows:
                tx.put_activation(row)

        self.store.transact(work, wait_seconds=0)

    def stored(self, activation_id: str) -> ActivationRow:
        """The row as the store has it."""
        row = self.store.view(lambda tx: tx.activation(activation_id))
        assert row is not None, activation_id
        return row

    def lease(self, activation_id: str) -> RegistrationRow | None:
        """The registration as the store has it."""
        return self.admission.registration_of(activation_id)

    def resident(self) -> ProcessBirth:
        """A new process that could be a resident."""
        return self.world.kernel.spawn(name="tidings")
