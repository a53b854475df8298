"""What the parts of a running harness share: its state and everything they speak through."""

import asyncio
from collections.abc import Mapping
from typing import Final

from tidings.entrypoints.simulated.arrivals import Arrivals
from tidings.entrypoints.simulated.dialogs import Allowed, Answer, Dialog, Dialogs
from tidings.entrypoints.simulated.hooks import HookRunner
from tidings.entrypoints.simulated.model import ModelLog
from tidings.entrypoints.simulated.pace import Pace
from tidings.entrypoints.simulated.payloads import call
from tidings.entrypoints.simulated.published import PublishedRecord
from tidings.entrypoints.simulated.state import HarnessState
from tidings.entrypoints.simulated.transcript import Transcript
from tidings.ports.codec import Document
from tidings.ports.tokens import StatusWord

APPROVAL_SECONDS: Final = 0.1
"""From an approval to the published ``busy`` (H 11)."""


class Floor:
    """One per harness. ``is_in_turn`` and the open dialogs together are the published status."""

    def __init__(self, state: HarnessState, base: Mapping[str, str]) -> None:
        self.state = state
        self.base = base
        self.hooks = HookRunner(state, base)
        self.transcript = Transcript(state)
        self.record = PublishedRecord(state)
        self.model = ModelLog(state)
        self.pace = Pace()
        self.dialogs = Dialogs(self.publish)
        self.arrivals = Arrivals()
        self.is_in_turn = False

    def publish(self) -> None:
        """Says what is true now: a dialog before a turn, a turn before idleness (H 2)."""
        waiting_for = self.dialogs.waiting_for()
        if waiting_for:
            status = StatusWord.WAITING
        else:
            status = StatusWord.BUSY if self.is_in_turn else StatusWord.IDLE
        self.record.publish(status, waiting_for)

    async def answered(self, dialog: Dialog, *, notification: str, message: str) -> Answer:
        """Waits for the operator; the client's own reminder fires if that takes long (H 2)."""
        reminder = asyncio.create_task(self._remind(notification, message))
        answer = await dialog.answered
        reminder.cancel()
        if isinstance(answer, Allowed):
            await asyncio.sleep(APPROVAL_SECONDS)
        self.dialogs.close(dialog)
        return answer

    async def _remind(self, notification: str, message: str) -> None:
        await asyncio.sleep(self.state.options.notification_seconds)
        fields: Document = {"message": message, "notification_type": notification}
        self.hooks.start(call(self.state, "Notification", fields))
