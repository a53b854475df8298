"""A grant counts only if nobody else can have written it (P3): fail closed on a loose file."""

import os
from pathlib import Path

import pytest

from tidings.adapters.files.consent_marks import FileConsentMarks
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.ports.consent import MarkRead, MarkUnreadable

KEY = "41-0123abcd"


@pytest.fixture
def marks(tmp_path: Path) -> FileConsentMarks:
    marks = FileConsentMarks(str(tmp_path), codec=JsonCodec())
    marks.write(KEY, {"state": "on"})
    return marks


def test_our_own_mark_is_read(marks: FileConsentMarks) -> None:
    assert isinstance(marks.read(KEY).main, MarkRead)


@pytest.mark.parametrize("mode", [0o666, 0o620, 0o602])
def test_a_mark_that_others_may_write_is_no_grant(
    marks: FileConsentMarks, tmp_path: Path, mode: int
) -> None:
    (tmp_path / f"{KEY}.json").chmod(mode)
    assert isinstance(marks.read(KEY).main, MarkUnreadable)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_mark_of_another_user_is_no_grant(marks: FileConsentMarks, tmp_path: Path) -> None:
    os.chown(tmp_path / f"{KEY}.json", 65534, -1)
    assert isinstance(marks.read(KEY).main, MarkUnreadable)
