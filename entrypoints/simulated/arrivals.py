"""What waits for the model's attention, in the order in which it came."""

import asyncio
from collections import deque
from enum import StrEnum

from tidings.entrypoints.simulated.script import Step
from tidings.ports.values import dataclass


class Kind(StrEnum):
    """Where a prompt comes from; hooks cannot tell, the model can (H 10)."""

    HUMAN = "human"
    PEER = "peer"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """``steps`` None: the model does what was planned for whatever wakes it, or just answers."""

    kind: Kind
    text: str
    steps: tuple[Step, ...] | None = None


class Arrivals:
    """A queue whose machine-made prompts are taken together and typed ones singly."""

    def __init__(self) -> None:
        self._waiting: deque[Prompt] = deque()
        self._arrived = asyncio.Event()

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, prompt: Prompt) -> None:
        self._waiting.append(prompt)
        self._arrived.set()

    async def next_batch(self) -> list[Prompt]:
        """What starts the next turn: one typed prompt, or all others up to the next typed one."""
        while not self._waiting:
            self._arrived.clear()
            await self._arrived.wait()
        if self._waiting[0].kind is Kind.HUMAN:
            return [self._waiting.popleft()]
        return self.take_machine_made()

    def take_machine_made(self) -> list[Prompt]:
        """Everything up to the next typed prompt, for the turn that is running (H 3, H 4)."""
        taken: list[Prompt] = []
        while self._waiting and self._waiting[0].kind is not Kind.HUMAN:
            taken.append(self._waiting.popleft())
        return taken
