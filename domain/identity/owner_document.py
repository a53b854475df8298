"""An owner as it is stored: one form, shared by session records and consent marks."""

from functools import lru_cache

from tidings.domain.documents import Fields, FieldWrong, without_empty
from tidings.domain.identity.owner import SessionOwner, SocketIdentity
from tidings.ports.codec import Document
from tidings.ports.processes import Place, ProcessBirth
from tidings.ports.sessions import RecordRead, SessionRecords

START_LONGEST_BYTES = 160


def owner_to_document(owner: SessionOwner) -> Document:
    """The owner as plain values, absent parts left out."""
    return without_empty(
        {
            "pid": owner.birth.pid,
            "uid": owner.birth.uid,
            "start": owner.birth.start,
            "thread_id": owner.thread_id,
            "place": _place_to_document(owner.place),
            "socket": None if owner.socket is None else _socket_to_document(owner.socket),
        }
    )


def read_owner(fields: Fields) -> SessionOwner:
    """The owner in ``fields``. Raises ``FieldWrong``."""
    socket = fields.optional_section("socket")
    return SessionOwner(
        birth=read_birth(fields),
        place=_read_place(fields.section("place")),
        socket=None if socket is None else _read_socket(socket),
        thread_id=fields.text("thread_id", default=""),
    )


def read_birth(fields: Fields) -> ProcessBirth:
    """pid, uid and start (at most 160 bytes, no CR, LF or NUL; R 1.3). Raises ``FieldWrong``."""
    start = fields.text("start", longest_bytes=START_LONGEST_BYTES)
    if not start or "\r" in start or "\n" in start or "\0" in start:
        raise FieldWrong(f"{fields.path}start is not a start token")
    return ProcessBirth(
        pid=fields.integer("pid", least=1), uid=fields.integer("uid", least=0), start=start
    )


def _place_to_document(place: Place) -> Document:
    return without_empty(
        {
            "machine_id": place.machine_id,
            "host": place.host,
            "boot_id": place.boot_id,
            "pid_namespace": place.pid_namespace,
            "mount_namespace": place.mount_namespace,
            "initial_pid_namespace": place.initial_pid_namespace,
            "state_is_local": place.state_is_local,
        }
    )


def _read_place(fields: Fields) -> Place:
    return _place(
        fields.text("machine_id", default=""),
        fields.text("host", default=""),
        fields.text("boot_id", default=""),
        fields.text("pid_namespace", default=""),
        fields.text("mount_namespace", default=""),
        initial_pid_namespace=fields.flag("initial_pid_namespace"),
        state_is_local=fields.flag("state_is_local"),
    )


@lru_cache(maxsize=16)
def _place(
    machine_id: str,
    host: str,
    boot_id: str,
    pid_namespace: str,
    mount_namespace: str,
    *,
    initial_pid_namespace: bool,
    state_is_local: bool,
) -> Place:
    """One value for equal places: nearly all records of a machine were written in the same one."""
    return Place(
        machine_id=machine_id,
        host=host,
        boot_id=boot_id,
        pid_namespace=pid_namespace,
        mount_namespace=mount_namespace,
        initial_pid_namespace=initial_pid_namespace,
        state_is_local=state_is_local,
    )


def _socket_to_document(socket: SocketIdentity) -> Document:
    return {
        "path": socket.path,
        "device": socket.device,
        "inode": socket.inode,
        "mtime_ns": socket.mtime_ns,
    }


def _read_socket(fields: Fields) -> SocketIdentity:
    return SocketIdentity(
        path=fields.text("path"),
        device=fields.integer("device", least=0),
        inode=fields.integer("inode", least=0),
        mtime_ns=fields.integer("mtime_ns", least=0),
    )


def registered_owner(records: SessionRecords, key: str) -> SessionOwner | None:
    """The owner in the session record of ``key``; None where no record reads as one of that key.

    A light look for those who need no more of it. Raises what reading the record raises.
    """
    fact = records.read(key)
    owner = owner_in(fact) if isinstance(fact, RecordRead) else None
    return owner if owner is not None and owner.key == key else None


def owner_in(record: RecordRead) -> SessionOwner | None:
    """The owner in a session record; None where it does not read as one."""
    try:
        return read_owner(Fields(document=record.document).section("owner"))
    except FieldWrong:
        return None
