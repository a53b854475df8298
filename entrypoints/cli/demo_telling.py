"""How the demo is told: live on a terminal, line by line in a pipe, as NDJSON for scripts."""

import time
from collections.abc import Callable
from typing import Protocol

from tidings.domain.messages.receipt import MessageView
from tidings.entrypoints.cli.messages import view_document
from tidings.entrypoints.cli.output import write_json, write_line, write_table
from tidings.entrypoints.cli.words import tenths

RECEIPT_HEADER = ("MESSAGE", "TO", "STATE", "WRITTEN", "SEEN", "ANSWERED")
NOT_REACHED = "-"


class Teller(Protocol):
    """Tells one run of the story."""

    def step(self, number: int, of: int, name: str, title: str, act: Callable[[], str]) -> None:
        """Runs ``act`` and tells how it went; lets its failure through."""
        ...

    def end(self, receipts: list[tuple[str, MessageView]], *, seconds: float, failed: str) -> None:
        """The receipts by the target's address, and how it all ended; ``failed`` empty: well."""
        ...


class PlainTeller:
    """Lines for a pipe: each step is announced before it runs and concluded after it."""

    def step(self, number: int, of: int, name: str, title: str, act: Callable[[], str]) -> None:
        """Two lines a step."""
        write_line(f"[{number}/{of}] {title} ...")
        began = time.monotonic()
        detail = act()
        write_line(f"      ok  {time.monotonic() - began:4.1f} s  {detail}")

    def end(self, receipts: list[tuple[str, MessageView]], *, seconds: float, failed: str) -> None:
        """The table of receipts and the last word."""
        write_line("")
        write_receipts(receipts)
        write_line("")
        write_line(f"failed: {failed}" if failed else f"all steps done in {seconds:.1f} s")


class JsonTeller:
    """One object a step, and one at the end."""

    def step(self, number: int, of: int, name: str, title: str, act: Callable[[], str]) -> None:
        """The object is written when the step is over; a failed one is told by ``end``."""
        began = time.monotonic()
        detail = act()
        seconds = round(time.monotonic() - began, 3)
        write_json(
            {
                "step": number,
                "of": of,
                "name": name,
                "title": title,
                "ok": True,
                "seconds": seconds,
                "detail": detail,
            }
        )

    def end(self, receipts: list[tuple[str, MessageView]], *, seconds: float, failed: str) -> None:
        """The receipts and the verdict."""
        write_json(
            {
                "ok": not failed,
                "failed": failed,
                "seconds": round(seconds, 3),
                "receipts": [view_document(view) for _address, view in receipts],
            }
        )


def write_receipts(receipts: list[tuple[str, MessageView]]) -> None:
    """The receipts as a table of plain text."""
    write_table(RECEIPT_HEADER, receipt_rows(receipts))


def receipt_rows(receipts: list[tuple[str, MessageView]]) -> list[tuple[str, ...]]:
    """The cells of that table."""
    return [
        (
            view.short,
            address,
            str(view.state),
            _since(view, view.row.terminal_at_ns),
            _since(view, view.row.seen_at_ns),
            _since(view, view.row.answered_at_ns),
        )
        for address, view in receipts
    ]


def _since(view: MessageView, at_ns: int | None) -> str:
    return NOT_REACHED if at_ns is None else tenths(at_ns - view.row.accepted_at_ns)
