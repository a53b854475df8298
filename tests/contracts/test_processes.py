"""The process suite, bound to the memory twin, the kernel's files and psutil."""

import contextlib
import os
import subprocess
import sys

import pytest

from support.waiting import until
from tidings.adapters.memory.processes import MemoryKernel, MemoryProcesses
from tidings.adapters.processes.native import native_processes
from tidings.adapters.processes.portable import PortableProcesses
from tidings.entrypoints.testing.processes_contract import ProcessesContract
from tidings.ports.processes import Processes, ProcessSeen


class TestMemoryProcesses(ProcessesContract):
    @pytest.fixture(autouse=True)
    def kernel(self) -> None:
        self._processes = MemoryProcesses(MemoryKernel())

    def make_processes(self) -> MemoryProcesses:
        return self._processes

    def start_child(self) -> int:
        return self._processes.kernel.spawn(parent_pid=self._processes.self_pid()).pid

    def end_child(self, pid: int) -> None:
        self._processes.kernel.exit(pid)

    def leave_zombie(self) -> int:
        pid = self.start_child()
        self._processes.kernel.become_zombie(pid)
        return pid


class RealChildren(ProcessesContract):
    """Children of this very process."""

    def start_child(self) -> int:
        self._child = subprocess.Popen(["sleep", "30"])
        return self._child.pid

    def end_child(self, pid: int) -> None:
        assert self._child.pid == pid
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, 9)
        self._child.wait()

    def leave_zombie(self) -> int:
        pid = self.start_child()
        os.kill(pid, 9)

        def has_ended() -> bool:
            fact = self.make_processes().look(pid)
            return isinstance(fact, ProcessSeen) and fact.state == "Z"

        until(has_ended, what="the child is a zombie")
        return pid


@pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="reads kernel facts")
class TestNativeProcesses(RealChildren):
    def make_processes(self) -> Processes:
        return native_processes(state_folder="/")


class TestPortableProcesses(RealChildren):
    gives_starts = False

    def make_processes(self) -> PortableProcesses:
        return PortableProcesses()
