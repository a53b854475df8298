"""What setup added to one settings file, so that its removal takes exactly that."""

from tidings.domain.documents import Fields, FieldWrong
from tidings.domain.setup.pieces import Piece, parse_piece
from tidings.ports.codec import Document
from tidings.ports.values import dataclass

VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """``digest`` is that of the whole file as setup left it, or a word while it is at work;
    ``existed``: there was one before."""

    added: tuple[Piece, ...]
    made: tuple[tuple[str, ...], ...]
    digest: str
    existed: bool

    def document(self) -> Document:
        """As it is stored."""
        return {
            "v": VERSION,
            "added": [piece.document() for piece in self.added],
            "made": [[*path] for path in self.made],
            "digest": self.digest,
            "existed": self.existed,
        }


def parse_remembered(document: Document) -> Remembered:
    """The stored form. Raises ``FieldWrong``."""
    fields = Fields(document=document)
    fields.version(VERSION)
    added, made = document.get("added"), document.get("made")
    if not isinstance(added, list) or not isinstance(made, list):
        raise FieldWrong("added and made are lists")
    return Remembered(
        added=tuple(parse_piece(one) for one in added if isinstance(one, dict)),
        made=tuple(tuple(map(str, one)) for one in made if isinstance(one, list)),
        digest=fields.text("digest"),
        existed=fields.flag("existed"),
    )
