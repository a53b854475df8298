"""The terminal that a push names is the one that controls its process, whatever its input is."""

import os
import subprocess
import sys

import pytest

from support.terminals import at_a_terminal

SAYS = """
import os
from tidings.entrypoints.cli.terminal import controlling_terminal
print(controlling_terminal(), os.path.exists(controlling_terminal() or "/none"))
"""


def said(command: list[str], stdin: int) -> list[str]:
    return subprocess.check_output(command, stdin=stdin, text=True, timeout=30).split()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel tells it on Linux")
def test_another_terminal_as_standard_input_is_not_named() -> None:
    leading, following = os.openpty()
    try:
        name, is_there = said(at_a_terminal([sys.executable, "-c", SAYS]), following)
        assert name.startswith("/dev/pts/")
        assert name != os.ttyname(following)
        assert is_there == "True"
    finally:
        os.close(leading)
        os.close(following)


def test_without_a_terminal_there_is_no_name() -> None:
    alone = [sys.executable, "-c", f"import os\nos.setsid()\n{SAYS}"]
    assert said(alone, subprocess.DEVNULL) == ["False"]
