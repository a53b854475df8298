"""Records of the form before session keys (S 1.4, 4.10): they show that something ran, and no more."""

import re

from tidings.domain.documents import Fields, FieldWrong
from tidings.domain.instants import from_rfc3339
from tidings.ports.sessions import RecordRead
from tidings.ports.values import dataclass

_NUMBER = re.compile(r"[0-9]{1,10}", re.ASCII)

FROM_SOCKET = "legacy-socket"
FROM_REGISTRAR = "legacy-registrar"


@dataclass(frozen=True, slots=True, kw_only=True)
class LegacySession:
    """``pid`` is a bare number from ``source``: the socket's name, or whoever wrote the file.

    Whatever name, session id or proof such a file claims is left out: it identifies nobody.
    """

    key: str
    path: str
    pid: int
    source: str
    cwd: str
    socket_path: str
    registered_at_ns: int


def read_legacy(fact: RecordRead) -> LegacySession:
    """The legacy record in ``fact``, by the rules of S 1.7. Raises ``FieldWrong``."""
    fields = Fields(document=fact.document)
    claimed = fields.integer("session_pid", least=0) if "session_pid" in fact.document else 0
    registrar = fields.integer("pid", least=1)
    socket_path = fields.text("messaging_socket_path", default="")
    named = _number_in(socket_path)
    return LegacySession(
        key=fact.key,
        path=fact.path,
        pid=claimed or named or registrar,
        source=FROM_SOCKET if named and not claimed else FROM_REGISTRAR,
        cwd=_required(fields, "cwd"),
        socket_path=socket_path,
        registered_at_ns=_instant(fields),
    )


def _number_in(socket_path: str) -> int:
    """The number that a socket is named by (``/run/123.sock``); 0 where it is none."""
    stem = socket_path.rpartition("/")[2].partition(".")[0]
    return int(stem) if _NUMBER.fullmatch(stem) else 0


def _instant(fields: Fields) -> int:
    try:
        return from_rfc3339(_required(fields, "registered_at"))
    except ValueError:
        raise FieldWrong("registered_at is not an instant") from None


def _required(fields: Fields, name: str) -> str:
    text = fields.text(name)
    if not text:
        raise FieldWrong(f"{name} is empty")
    return text
