"""``tidings trust``: the operator approves one repository's opt-in, by path and digest (D9)."""

from contextlib import AbstractContextManager

from tidings.domain.consent.approving import (
    Approval,
    read_approvals,
    to_document,
    with_approval,
    without_approval,
)
from tidings.domain.documents import FieldWrong
from tidings.ports.approvals import Approvals, ApprovalsAbsent, ApprovalsRead, ApprovalsUnreadable
from tidings.ports.clock import Clock
from tidings.ports.errors import NotFound, StateUnreadable
from tidings.ports.locks import Locks
from tidings.ports.settings import Settings, SettingsAbsent, SettingsRead, SettingsWrong
from tidings.ports.tokens import LockKind

TRUST_WAIT_SECONDS = 2.0


class TrustDesk:
    """Approves, lists and takes back. An approval arms nobody by itself: the file must say so."""

    def __init__(
        self, *, settings: Settings, approvals: Approvals, locks: Locks, clock: Clock
    ) -> None:
        self._settings = settings
        self._approvals = approvals
        self._locks = locks
        self._clock = clock

    def approve(self, folder: str) -> Approval:
        """Approves the file that counts for ``folder``, as it is now.

        Raises ``NotFound`` without a file, ``StateUnreadable`` for one (or a list) that cannot be
        read or trusted, ``LockTimeout`` after 2 s, ``StateUnwritable``.
        """
        file = self._file(folder)
        new = Approval(path=file.path, digest=file.digest, approved_at_ns=self._clock.now().wall_ns)
        with self._lock():
            self._approvals.write(to_document(with_approval(self.approved(), new)))
        return new

    def revoke(self, folder: str) -> Approval | None:
        """Takes the approval back; None where there was none. Raises as ``approve`` does, but for
        a file that cannot be read."""
        path = self._path(folder)
        with self._lock():
            before = self.approved()
            gone = next((one for one in before if one.path == path), None)
            if gone is not None:
                self._approvals.write(to_document(without_approval(before, path)))
        return gone

    def approved(self) -> tuple[Approval, ...]:
        """The list. Raises ``StateUnreadable`` where it cannot be read or trusted."""
        match self._approvals.read():
            case ApprovalsAbsent():
                return ()
            case ApprovalsUnreadable(why=why):
                raise _list_unreadable(why)
            case ApprovalsRead(document=document):
                try:
                    return read_approvals(document)
                except FieldWrong as wrong:
                    raise _list_unreadable(str(wrong)) from wrong

    def _file(self, folder: str) -> SettingsRead:
        match self._settings.repository(folder):
            case SettingsRead() as file:
                return file
            case SettingsWrong(path=path, why=why):
                raise StateUnreadable(
                    f"{path} does not count: {why}", next_step="mend the file, then try again"
                )
            case SettingsAbsent():
                raise _no_file(folder)

    def _path(self, folder: str) -> str:
        match self._settings.repository(folder):
            case SettingsRead(path=path) | SettingsWrong(path=path):
                return path
            case SettingsAbsent():
                raise _no_file(folder)

    def _lock(self) -> AbstractContextManager[None]:
        return self._locks.hold(LockKind.REGISTRY, "", wait_seconds=TRUST_WAIT_SECONDS)


def _no_file(folder: str) -> NotFound:
    return NotFound(
        f"there is no .tidings.toml in {folder} or above it",
        next_step="write one with [push] auto_arm = true, then approve it",
    )


def _list_unreadable(why: str) -> StateUnreadable:
    return StateUnreadable(
        f"the list of approvals cannot be trusted: {why}",
        next_step="move approvals.json in the state folder aside, and approve anew",
    )
