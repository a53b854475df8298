"""The line of parents above a process, as far as the kernel shows it."""

from collections.abc import Iterator

from tidings.domain.identity.owner import is_over
from tidings.ports.processes import Processes, ProcessSeen

_STEPS_MOST = 128


def lineage(processes: Processes, pid: int) -> Iterator[ProcessSeen]:
    """``pid`` itself and its parents, nearest first; ends at the first that is not readable.

    At most 128 steps (S 2.1); a process that is its own parent ends the walk too.
    """
    for _ in range(_STEPS_MOST):
        if pid <= 0:
            return
        fact = processes.look(pid)
        if not isinstance(fact, ProcessSeen) or is_over(fact):
            return
        yield fact
        if fact.parent_pid == pid:
            return
        pid = fact.parent_pid
