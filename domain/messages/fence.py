"""The last look before bytes go: asked by the transport, right up to its write (P3, P7, P9)."""

from tidings.domain.messages.hold import Deliver, Hold, Settle
from tidings.domain.messages.judging import AWAITING_TURN, judge_row, target_of, would_wake
from tidings.domain.messages.lookout import Lookout
from tidings.domain.messages.outlook import Outlook, Writer
from tidings.domain.messages.record import is_open
from tidings.ports.agents import ActivationRow
from tidings.ports.messages import MessageStore, StoreTransaction


class Fence:
    """Says yes only while lease, owner, consent, freedom and deadline all still allow the write.

    ``is_marked`` False is for a doorbell: its message waits on, without a mark.
    After a no, ``refused`` is True and ``finding`` says why; None stands for a lost lease or a
    message that is no longer ours. A fence that could not look has said no for "not ready".
    """

    def __init__(
        self,
        *,
        store: MessageStore,
        lookout: Lookout,
        target: ActivationRow,
        writer: Writer,
        ref: str,
        is_marked: bool = True,
    ) -> None:
        self._store = store
        self._lookout = lookout
        self._target = target
        self._writer = writer
        self._ref = ref
        self._is_marked = is_marked
        self.refused = False
        self.finding: Hold | Settle | None = None

    def __call__(self) -> bool:
        """Whether the write may go on now. Raises ``StateUnreadable``; that is a no as well."""
        self.refused, self.finding = True, Hold(reason="target-not-ready")
        outlook = self._lookout.look(self._target)
        found = self._store.view(lambda tx: self._judge(tx, outlook))
        if isinstance(found, Deliver):
            self.refused, self.finding = False, None
            return True
        self.finding = found
        return False

    def _judge(self, tx: StoreTransaction, outlook: Outlook) -> Deliver | Hold | Settle | None:
        target, row = target_of(tx, self._writer), tx.message(self._ref)
        if target is None or row is None or not is_open(row):
            return None
        if self._is_marked != (row.handoff_at_ns is not None):
            return None
        found = judge_row(
            tx, row, target=target, writer=self._writer, outlook=outlook, marked=False
        )
        if isinstance(found, Deliver) and would_wake(tx, row, target, self._writer, outlook):
            return AWAITING_TURN
        return found
