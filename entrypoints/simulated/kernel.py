"""The few kernel facts the client itself uses: starts, parents, and the domain of its pids."""

import hashlib
import sys

from tidings.adapters.wire.kernel_facts import (
    FactMalformed,
    birth_facts,
    machine_id,
    namespace,
    read_stat,
)

_CHAIN_MAX = 64


def start_ticks(pid: int) -> str:
    """The client's ``procStart``: start in clock ticks since boot (Linux); empty where unreadable."""
    fields = _stat(pid)
    return fields[1] if fields else ""


def is_live_descendant(pid: int, ancestor: int) -> bool:
    """Whether ``pid``'s parents lead to ``ancestor`` now (H 3: a detached child's do not)."""
    for _ in range(_CHAIN_MAX):
        if pid == ancestor:
            return True
        fields = _stat(pid)
        if fields is None or fields[0] <= 1:
            return False
        pid = fields[0]
    return False


def pid_domain() -> str:
    """Names machine and pid namespace, in the client's form ``linux:<32 hex>:pid:[<inode>]``."""
    machine = hashlib.sha256(machine_id().encode()).hexdigest()[:32]
    return f"linux:{machine}:{namespace('pid') or 'pid:[0]'}"


def _stat(pid: int) -> tuple[int, str] | None:
    """Parent pid and start of a living process; None where the kernel shows none."""
    try:
        if sys.platform == "darwin":
            _name, parent, start = birth_facts(pid)
            return parent, start.removeprefix("darwin:")
        (_name, letter, parent, _tasks, ticks), _uid = read_stat(pid)
    except (OSError, FactMalformed):
        return None
    return None if letter in "ZX" else (parent, str(ticks))
