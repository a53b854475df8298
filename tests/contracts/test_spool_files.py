import os
import threading
from pathlib import Path

import pytest

from tidings.adapters.files.event_spool import FileEventSpool
from tidings.entrypoints.testing.spool_contract import KEY, EventSpoolContract
from tidings.ports.errors import StateUnreadable, StateUnwritable
from tidings.ports.spool import EventSpool


class TestFileEventSpool(EventSpoolContract):
    @pytest.fixture(autouse=True)
    def fresh_folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path / "state" / "events"
        self.file = self.folder / f"{KEY}.jsonl"

    def make_spool(self) -> EventSpool:
        return FileEventSpool(str(self.folder))

    def tear(self, key: str, part: bytes) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / f"{key}.jsonl").open("ab") as stream:
            stream.write(b"\n" + part)

    def shorten(self, key: str) -> None:
        os.truncate(self.folder / f"{key}.jsonl", 0)

    def test_folder_and_file_are_private(self) -> None:
        self.make_spool().append(KEY, b"one\n")
        assert self.folder.stat().st_mode & 0o777 == 0o700
        assert self.folder.parent.stat().st_mode & 0o777 == 0o700
        assert self.file.stat().st_mode & 0o777 == 0o600

    def test_in_a_folder_that_others_can_write_nothing_is_believed(self) -> None:
        self.make_spool().append(KEY, b"one\n")
        self.folder.chmod(0o777)
        with pytest.raises(StateUnreadable, match="others may write"):
            self.make_spool().read(KEY, offset=0)

    def test_writers_never_mix_their_lines(self) -> None:
        line = b"x" * 4000 + b"\n"
        spool = self.make_spool()

        def write_fifty() -> None:
            for _ in range(50):
                spool.append(KEY, line)

        writers = [threading.Thread(target=write_fifty) for _ in range(8)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        assert spool.read(KEY, offset=0).lines == (line.rstrip(),) * 400

    @pytest.mark.parametrize("plant", ["link", "fifo", "folder"])
    def test_what_was_planted_is_neither_written_nor_read(self, plant: str, tmp_path: Path) -> None:
        self.folder.mkdir(parents=True)
        aim = tmp_path / "aim"
        aim.write_bytes(b"untouched\n")
        match plant:
            case "link":
                self.file.symlink_to(aim)
            case "fifo":
                os.mkfifo(self.file)
            case _:
                self.file.mkdir()
        spool = self.make_spool()
        with pytest.raises(StateUnwritable):
            spool.append(KEY, b"one\n")
        with pytest.raises(StateUnreadable):
            spool.read(KEY, offset=0)
        assert aim.read_bytes() == b"untouched\n"

    def test_a_fifo_with_a_reader_is_refused_as_well(self) -> None:
        self.folder.mkdir(parents=True)
        os.mkfifo(self.file)
        reader = os.open(self.file, os.O_RDONLY | os.O_NONBLOCK)
        with pytest.raises(StateUnwritable):
            self.make_spool().append(KEY, b"one\n")
        assert os.read(reader, 1) == b""
        os.close(reader)

    def test_a_key_is_no_path(self) -> None:
        with pytest.raises(ValueError, match="key"):
            self.make_spool().append("../41-0123abcd", b"one\n")
