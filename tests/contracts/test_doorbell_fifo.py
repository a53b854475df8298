import os
import select
from pathlib import Path

import pytest

from tidings.adapters.files.doorbells import FifoDoorbell, listen
from tidings.entrypoints.testing.doorbell_contract import KEY, DoorbellContract
from tidings.ports.doorbell import Doorbell, DoorbellListener
from tidings.ports.errors import StateUnreadable, StateUnwritable


class TestFifoDoorbell(DoorbellContract):
    @pytest.fixture(autouse=True)
    def fresh_folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path / "events"
        self.node = self.folder / f"{KEY}.bell"

    def make_doorbell(self) -> Doorbell:
        return FifoDoorbell(str(self.folder))

    def listen(self, key: str) -> DoorbellListener:
        return listen(str(self.folder), key)

    def test_its_descriptor_turns_readable_by_a_ring_and_by_nothing_else(self) -> None:
        listener = self.listen(KEY)
        assert select.select([listener.fileno()], [], [], 0) == ([], [], [])
        self.make_doorbell().ring(KEY)
        assert select.select([listener.fileno()], [], [], 5)[0] == [listener.fileno()]
        listener.drain()
        assert select.select([listener.fileno()], [], [], 0) == ([], [], [])
        listener.close()

    def test_the_bell_is_private_and_closed_on_exec(self) -> None:
        listener = self.listen(KEY)
        assert self.node.stat().st_mode & 0o777 == 0o600
        assert not os.get_inheritable(listener.fileno())
        listener.close()

    def test_a_planted_file_is_refused_and_kept(self) -> None:
        self.folder.mkdir()
        self.node.write_bytes(b"mine")
        self.node.chmod(0o600)
        with pytest.raises(StateUnreadable):
            self.listen(KEY)
        assert self.make_doorbell().ring(KEY) is False
        assert self.node.read_bytes() == b"mine"

    def test_a_fifo_open_to_others_is_refused(self) -> None:
        self.folder.mkdir()
        os.mkfifo(self.node)
        self.node.chmod(0o622)
        with pytest.raises(StateUnreadable):
            self.listen(KEY)

    def test_a_planted_link_is_refused(self, tmp_path: Path) -> None:
        self.folder.mkdir()
        os.mkfifo(tmp_path / "elsewhere", 0o600)
        self.node.symlink_to(tmp_path / "elsewhere")
        with pytest.raises(StateUnwritable):
            self.listen(KEY)
