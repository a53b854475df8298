"""What a session hears while it has no word of its own: its repository's opt-in, if that counts."""

from tidings.domain.consent.approving import Approval, approves, read_approvals
from tidings.domain.consent.opt_in import NO_OPT_IN, OptIn, decide_opt_in, declared_label
from tidings.domain.documents import FieldWrong
from tidings.domain.identity.probe import OwnerProbe
from tidings.domain.sessions.record import SessionRecord, parse_record
from tidings.ports.approvals import Approvals, ApprovalsRead
from tidings.ports.sessions import SessionRecords
from tidings.ports.settings import Settings, SettingsRead
from tidings.ports.tokens import Verdict


class ConsentDefaults:
    """Pure reads, taken anew each time: an opt-in that is taken back ends with the next look."""

    def __init__(
        self,
        *,
        records: SessionRecords,
        settings: Settings,
        approvals: Approvals,
        probe: OwnerProbe,
    ) -> None:
        self._records = records
        self._settings = settings
        self._approvals = approvals
        self._probe = probe

    def of_session(self, key: str) -> OptIn:
        """The opt-in of the folder that the session's record names.

        Without a readable record whose owner proves alive there is none: nothing that died, and
        nobody who cannot be proved, is armed by a file (P2, P3).
        """
        fact = self._records.read(key)
        record = parse_record(fact) if fact is not None else None
        if not isinstance(record, SessionRecord):
            return NO_OPT_IN
        if self._probe.judge(record.owner).verdict is not Verdict.ALIVE:
            return NO_OPT_IN
        return self.of_folder(record.cwd)

    def of_folder(self, folder: str) -> OptIn:
        """The opt-in of a folder (absolute; empty: none)."""
        repository = self._settings.repository(folder)
        is_approved = isinstance(repository, SettingsRead) and approves(self.approved(), repository)
        return decide_opt_in(repository, self._settings.personal(), is_approved=is_approved)

    def label_of(self, folder: str) -> str:
        """The label that a folder's file declares; empty where none does."""
        return declared_label(self._settings.repository(folder))

    def approved(self) -> tuple[Approval, ...]:
        """What is approved; nothing where the list cannot be read or trusted."""
        fact = self._approvals.read()
        if not isinstance(fact, ApprovalsRead):
            return ()
        try:
            return read_approvals(fact.document)
        except FieldWrong:
            return ()
