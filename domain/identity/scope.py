"""Where a pid or a path means something: host, boot and namespaces (D3).

A field that is empty is not known, and what is not known on both sides is never the same.
"""

from tidings.ports.processes import Place


def same_machine(a: Place, b: Place) -> bool:
    """Machine id and host name: images of one disk share the id, so the name joins it."""
    return bool(a.machine_id and a.host) and a.machine_id == b.machine_id and a.host == b.host


def same_processes(a: Place, b: Place) -> bool:
    """Whether a pid means the same on both sides."""
    return (
        bool(a.boot_id and a.pid_namespace)
        and a.boot_id == b.boot_id
        and a.pid_namespace == b.pid_namespace
        and same_machine(a, b)
    )


def same_files(a: Place, b: Place) -> bool:
    """Whether a path means the same on both sides, so that a missing node proves something."""
    return (
        bool(a.boot_id and a.mount_namespace)
        and a.boot_id == b.boot_id
        and a.mount_namespace == b.mount_namespace
        and same_machine(a, b)
    )


def earlier_boot(recorded: Place, here: Place) -> bool:
    """Whether the boot of ``recorded`` is proven over.

    Both sides must be in the initial pid namespace, since a container's boot id is its host's, and
    the state folder must be local, since another host may share it and its name.
    """
    return (
        bool(recorded.boot_id and here.boot_id)
        and recorded.boot_id != here.boot_id
        and same_machine(recorded, here)
        and recorded.initial_pid_namespace
        and here.initial_pid_namespace
        and recorded.state_is_local
        and here.state_is_local
    )
