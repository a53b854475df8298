"""Where a pid or a path means something: host, boot and namespaces (D3).

A field that is empty is not known, and what is not known on both sides is never the same.
"""

from tidings.ports.processes import Place


def same_machine(a: Place, b: Place) -> bool:
    """Machine id and host name: images of one disk share the id, so the name joins it."""
    return _known_equal(a.machine_id, b.machine_id) and _known_equal(a.host, b.host)


def same_processes(a: Place, b: Place) -> bool:
    """Whether a pid means the same on both sides."""
    return (
        same_machine(a, b)
        and _known_equal(a.boot_id, b.boot_id)
        and _known_equal(a.pid_namespace, b.pid_namespace)
    )


def same_files(a: Place, b: Place) -> bool:
    """Whether a path means the same on both sides, so that a missing node proves something."""
    return (
        same_machine(a, b)
        and _known_equal(a.boot_id, b.boot_id)
        and _known_equal(a.mount_namespace, b.mount_namespace)
    )


def earlier_boot(recorded: Place, here: Place) -> bool:
    """Whether the boot of ``recorded`` is proven over.

    Both sides must be in the initial pid namespace, since a container's boot id is its host's, and
    the state folder must be local, since another host may share it and its name.
    """
    return (
        same_machine(recorded, here)
        and bool(recorded.boot_id and here.boot_id)
        and recorded.boot_id != here.boot_id
        and recorded.initial_pid_namespace
        and here.initial_pid_namespace
        and recorded.state_is_local
        and here.state_is_local
    )


def _known_equal(a: str, b: str) -> bool:
    return bool(a) and a == b
