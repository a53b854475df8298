"""The approvals suite, bound to the memory twin and to a file."""

import os
import stat
from pathlib import Path

import pytest

from tidings.adapters.files.approvals import FileApprovals
from tidings.adapters.memory.approvals import MemoryApprovals
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.entrypoints.testing.approvals_contract import ApprovalsContract
from tidings.ports.approvals import ApprovalsUnreadable


class TestMemoryApprovals(ApprovalsContract):
    @pytest.fixture(autouse=True)
    def memory(self) -> None:
        self._approvals = MemoryApprovals()

    def make_approvals(self) -> MemoryApprovals:
        return self._approvals

    def spoil(self) -> None:
        self._approvals.spoil()


class TestFileApprovals(ApprovalsContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self._path = tmp_path / "state" / "approvals.json"

    def make_approvals(self) -> FileApprovals:
        return FileApprovals(str(self._path), codec=JsonCodec())

    def spoil(self) -> None:
        self._path.write_text("{")

    def test_the_file_is_private(self) -> None:
        path = self.make_approvals().write({})
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600

    def test_one_that_others_may_write_approves_nothing(self) -> None:
        self._path.parent.mkdir()
        self._path.write_text("{}")
        self._path.chmod(0o666)
        assert isinstance(self.make_approvals().read(), ApprovalsUnreadable)
