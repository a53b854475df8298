"""Session records in memory."""

from collections.abc import Sequence
from copy import deepcopy

from tidings.adapters.memory.clock import ManualClock
from tidings.adapters.wire.json_codec import JsonCodec
from tidings.adapters.wire.small_documents import encode_small
from tidings.domain.identity.keys import is_session_key
from tidings.ports.clock import Clock
from tidings.ports.codec import ReadOnlyDocument
from tidings.ports.sessions import RecordFact, RecordMalformed, RecordRead


class MemorySessionRecords:
    """Records by session key. Documents are copied in and out, as a file would do it."""

    def __init__(self, *, clock: Clock | None = None) -> None:
        self._clock = clock or ManualClock()
        self._facts: dict[str, RecordFact] = {}

    def read(self, key: str) -> RecordFact | None:
        """The record of ``key``."""
        return deepcopy(self._facts.get(key))

    def read_all(self) -> Sequence[RecordFact]:
        """Every record."""
        return deepcopy(list(self._facts.values()))

    def write(self, key: str, document: ReadOnlyDocument) -> str:
        """Replaces the record."""
        path = _path(key)
        encode_small(document, JsonCodec())  # the bounds that a file has
        self._facts[key] = RecordRead(
            key=key,
            path=path,
            modified_at_ns=self._clock.now().wall_ns,
            document=deepcopy(dict(document)),
        )
        return path

    def remove(self, key: str) -> bool:
        """Takes the record away."""
        return self._facts.pop(key, None) is not None

    def leave(self, name: str, document: ReadOnlyDocument) -> None:
        """Leaves a record of the form before keys, named by a bare pid."""
        self._facts[name] = RecordRead(
            key=name,
            path=f"memory:sessions/{name}.json",
            modified_at_ns=self._clock.now().wall_ns,
            document=deepcopy(dict(document)),
        )

    def spoil(self, key: str, why: str = "no JSON") -> None:
        """Puts something in the record's place that does not read as one."""
        self._facts[key] = RecordMalformed(
            key=key, path=_path(key), modified_at_ns=self._clock.now().wall_ns, why=why
        )


def _path(key: str) -> str:
    if not is_session_key(key):
        raise ValueError(f"no session key: {key[:40]!r}")
    return f"memory:sessions/{key}.json"
