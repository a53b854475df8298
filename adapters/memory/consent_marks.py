"""Consent marks in memory."""

from collections.abc import Sequence
from copy import deepcopy

from tidings.adapters.wire.json_codec import JsonCodec
from tidings.adapters.wire.small_documents import encode_small
from tidings.domain.identity.keys import is_session_key
from tidings.ports.codec import ReadOnlyDocument
from tidings.ports.consent import MarkFact, MarkMissing, MarkPair, MarkRead, MarkUnreadable
from tidings.ports.errors import StateUnwritable

_MAIN, _OFF = ".json", ".off.json"


class MemoryConsentMarks:
    """Marks by session key. Documents are copied in and out, as a file would do it."""

    def __init__(self) -> None:
        self._facts: dict[str, MarkFact] = {}

    def read(self, key: str) -> MarkPair:
        """Both marks of ``key``."""
        if not is_session_key(key):
            wrong = MarkUnreadable(why="no session key")
            return MarkPair(main=wrong, off=wrong)
        return MarkPair(main=self._fact(key + _MAIN), off=self._fact(key + _OFF))

    def path(self, key: str) -> str:
        """The name of the main mark of ``key``."""
        return _path(key, _MAIN)

    def write(self, key: str, document: ReadOnlyDocument) -> str:
        """Replaces the main mark."""
        return self._put(key, _MAIN, MarkRead(document=deepcopy(dict(document))))

    def write_over(self, key: str, document: ReadOnlyDocument) -> str:
        """Replaces the main mark that is there."""
        if isinstance(self.read(key).main, MarkMissing):
            raise StateUnwritable(f"there is no mark of {key} to write over")
        return self.write(key, document)

    def write_off(self, key: str, document: ReadOnlyDocument) -> str:
        """Replaces the emergency mark."""
        return self._put(key, _OFF, MarkRead(document=deepcopy(dict(document))))

    def take_off(self, key: str) -> MarkFact:
        """Takes the emergency mark away."""
        return deepcopy(self._facts.pop(key + _OFF, MarkMissing()))

    def remove(self, key: str) -> bool:
        """Takes both away."""
        found = [self._facts.pop(key + suffix, None) for suffix in (_MAIN, _OFF)]
        return any(fact is not None for fact in found)

    def keys(self) -> Sequence[str]:
        """The keys with a mark."""
        return sorted({name.partition(".")[0] for name in self._facts})

    def spoil(self, key: str, why: str = "no JSON") -> None:
        """Puts something in the main mark's place that cannot be read."""
        self._put(key, _MAIN, MarkUnreadable(why=why))

    def spoil_off(self, key: str, why: str = "no JSON") -> None:
        """Puts something in the emergency mark's place that cannot be read."""
        self._put(key, _OFF, MarkUnreadable(why=why))

    def _fact(self, name: str) -> MarkFact:
        return deepcopy(self._facts.get(name, MarkMissing()))

    def _put(self, key: str, suffix: str, fact: MarkFact) -> str:
        path = _path(key, suffix)
        if isinstance(fact, MarkRead):
            encode_small(fact.document, JsonCodec())  # the bounds that a file has
        self._facts[key + suffix] = fact
        return path


def _path(key: str, suffix: str) -> str:
    if not is_session_key(key):
        raise ValueError(f"no session key: {key[:40]!r}")
    return f"memory:consent/{key}{suffix}"
