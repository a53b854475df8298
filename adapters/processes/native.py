"""The process adapter for the system this runs on."""

import sys

from tidings.ports.processes import Processes


def native_processes(*, state_folder: str) -> Processes:
    """The kernel's own facts on Linux and macOS, what psutil can say elsewhere. Each module, and
    psutil with it, is imported only where it is used."""
    if sys.platform == "linux":
        from tidings.adapters.processes.linux import LinuxProcesses

        return LinuxProcesses(state_folder=state_folder)
    if sys.platform == "darwin":
        from tidings.adapters.processes.darwin import DarwinProcesses

        return DarwinProcesses(state_folder=state_folder)
    from tidings.adapters.processes.portable import PortableProcesses

    return PortableProcesses()
