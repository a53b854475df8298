"""History as a whole: read page by page, and joined with an earlier export (M 7.8, D31)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from tidings.ports.codec import Document
from tidings.ports.history import HistoryRow
from tidings.ports.messages import MessageStore

PAGE: Final = 500


def history_rows(store: MessageStore) -> Iterator[HistoryRow]:
    """Every row in the order of leaving. A page is one snapshot; numbers are never given twice, so
    nothing is seen twice, and what leaves meanwhile comes at the end."""
    number = 0
    while page := _page(store, number):
        yield from page
        number = page[-1].number


def joined(store: MessageStore, exported: Iterable[Document]) -> Mapping[str, Document]:
    """One line a ref: the store's where it has one, else the export's."""
    lines = {str(line["messageRef"]): line for line in exported}
    return lines | {row.ref: row.line for row in history_rows(store)}


def _page(store: MessageStore, number: int) -> Sequence[HistoryRow]:
    return store.view(lambda tx: tx.history_after(number, limit=PAGE))
