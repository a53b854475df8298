"""Reading the kernel's own words, as strictly as they are documented."""

import os
import struct
import sys

import pytest

from tidings.adapters.wire import kernel_facts

FIELDS = b"S 41 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 7 0 115037 1 2"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (b"claude", "claude"),
        (b"a b", "a b"),
        (b") S 1 1 (", ") S 1 1 ("),
        (b"tail)", "tail)"),
        (b"", ""),
        (b"\xff\n", "\ufffd\n"),
    ],
)
def test_the_fields_begin_after_the_last_parenthesis(name: bytes, shown: str) -> None:
    line = b"4711 (" + name + b") " + FIELDS
    assert kernel_facts.parse_stat(line) == (shown, "S", 41, 7, 115037)


@pytest.mark.parametrize(
    "line",
    [b"", b"4711", b"4711 (x", b"4711 (x) S 1", b"4711 x) (" + FIELDS, b"(x) " + b"S x " * 20],
)
def test_a_line_without_its_fields_proves_nothing(line: bytes) -> None:
    with pytest.raises(kernel_facts.FactMalformed):
        kernel_facts.parse_stat(line)


def kinfo(*, state: int = 3) -> bytes:
    """A ``kinfo_proc`` as Darwin lays it out."""
    data = bytearray(648)
    struct.pack_into("<qi", data, 0, 1_796_000_000, 123_456)
    data[36] = state
    data[243:250] = b"claude\0"
    struct.pack_into("<I", data, 420, 501)
    struct.pack_into("<i", data, 560, 41)
    return bytes(data)


def test_darwins_table_is_read_by_its_documented_layout() -> None:
    fact = kernel_facts.parse_kinfo(kinfo())
    assert fact == ("claude", "S", 41, 501, 1_796_000_000, 123_456)
    assert kernel_facts.parse_kinfo(kinfo(state=5))[1] == "Z"
    assert kernel_facts.parse_kinfo(kinfo(state=77))[1] == "?"


def test_another_size_is_another_layout() -> None:
    with pytest.raises(kernel_facts.FactMalformed):
        kernel_facts.parse_kinfo(kinfo()[:-8])


def test_a_file_that_cannot_be_read_says_nothing() -> None:
    assert kernel_facts.first_line("/nowhere/at/all") == ""
    assert kernel_facts.first_line("/") == ""


@pytest.mark.skipif(sys.platform != "linux", reason="Linux's files")
class TestOnLinux:
    def test_this_process_is_named_by_parent_and_birth(self) -> None:
        name, parent, start = kernel_facts.birth_facts(os.getpid())
        assert name
        assert parent == os.getppid()
        assert start.startswith(f"linux:{kernel_facts.boot_id()}:")

    def test_its_start_is_on_the_boot_clock(self) -> None:
        start_ns = kernel_facts.start_ns(os.getpid())
        assert 0 < start_ns <= kernel_facts.boottime_ns()
        assert start_ns % 10_000_000 == 0

    def test_a_process_that_is_not_there_is_the_kernels_error(self) -> None:
        with pytest.raises(OSError, match=r"."):
            kernel_facts.birth_facts(2**22 + 1)

    def test_a_machine_has_one_name(self) -> None:
        assert kernel_facts.machine_id() == kernel_facts.machine_id() != ""
