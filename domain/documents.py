"""Reading stored documents strictly: a field has the stated type and bounds, or the whole is wrong."""

from tidings.ports.codec import Document, ReadOnlyDocument, Value
from tidings.ports.values import dataclass

LARGEST = 2**64 - 1
"""The largest whole number that a document may hold: as large as an inode."""


LONGEST_TEXT_BYTES = 4096
"""Bytes in UTF-8 of a text, where nothing else is said."""


class FieldWrong(ValueError):
    """A field that is missing, of another type or out of bounds; the text names it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """Typed looks into one document. ``path`` names the document in an error."""

    document: ReadOnlyDocument
    path: str = ""

    def text(
        self, name: str, *, default: str | None = None, longest_bytes: int = LONGEST_TEXT_BYTES
    ) -> str:
        """A text of at most ``longest_bytes`` in UTF-8; ``default`` None means that it must be there."""
        value = self.document.get(name, default)
        if isinstance(value, str) and value.isascii() and len(value) <= longest_bytes:
            return value  # nearly always, and its size is known without encoding it
        if not isinstance(value, str) or len(value.encode(errors="replace")) > longest_bytes:
            raise self._wrong(name, f"a text of at most {longest_bytes} bytes")
        return value

    def integer(self, name: str, *, least: int) -> int:
        """A whole number from ``least`` to 64 bits; JSON's ``true`` is none."""
        value = self.document.get(name)
        if type(value) is not int or not least <= value <= LARGEST:
            raise self._wrong(name, f"a whole number of at least {least} and at most 64 bits")
        return value

    def optional_integer(self, name: str, *, least: int) -> int | None:
        """As ``integer``; None where the field is absent."""
        return self.integer(name, least=least) if name in self.document else None

    def flag(self, name: str) -> bool:
        """True or false; an absent flag is false."""
        value = self.document.get(name, False)
        if not isinstance(value, bool):
            raise self._wrong(name, "true or false")
        return value

    def texts(self, name: str) -> tuple[str, ...] | None:
        """A list of texts; None where the field is absent."""
        value = self.document.get(name)
        if name not in self.document:
            return None
        if not isinstance(value, list):
            raise self._wrong(name, "a list of texts")
        return tuple(self._member(name, member) for member in value)

    def section(self, name: str) -> "Fields":
        """The document inside ``name``."""
        value = self.document.get(name)
        if not isinstance(value, dict):
            raise self._wrong(name, "an object")
        return Fields(document=value, path=f"{self.path}{name}.")

    def optional_section(self, name: str) -> "Fields | None":
        """As ``section``; None where the field is absent."""
        return self.section(name) if name in self.document else None

    def version(self, known: int) -> None:
        """Refuses any form but ``known``: one that is newer may mean what we cannot see."""
        if self.integer("v", least=1) != known:
            raise FieldWrong(f"form {self.document.get('v')} is not known here")

    def _member(self, name: str, value: Value) -> str:
        if not isinstance(value, str):
            raise self._wrong(name, "a list of texts")
        return value

    def _wrong(self, name: str, want: str) -> FieldWrong:
        return FieldWrong(f"{self.path}{name} is not {want}")


def without_empty(document: ReadOnlyDocument) -> Document:
    """The document without its absent fields (None, empty text, false): absence is written as absence."""
    return {
        name: value
        for name, value in document.items()
        if value is not None and value is not False and value != ""
    }
