"""The demo on a terminal: a spinner for the step at work, a mark for each that is done."""

import time
from collections.abc import Callable

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from tidings.domain.messages.receipt import MessageView
from tidings.entrypoints.cli.demo_telling import NOT_REACHED, RECEIPT_HEADER, receipt_rows
from tidings.entrypoints.cli.output import safe

WIDEST = 1000
"""Columns; a table is never as wide, so this asks for its natural width."""


class LiveTeller:
    """Tells with rich; it honours ``NO_COLOR`` and the terminal's width."""

    def __init__(self) -> None:
        self._console = Console(highlight=False)

    def step(self, number: int, of: int, name: str, title: str, act: Callable[[], str]) -> None:
        """A spinner while the step runs, then one line."""
        began = time.monotonic()
        with self._console.status(f"[{number}/{of}] {title}"):
            detail = act()
        seconds = time.monotonic() - began
        self._console.print(f"[green]✓[/green] [bold]{title}[/bold]  [dim]{seconds:.1f} s[/dim]")
        self._console.print(f"  {safe(detail)}", markup=False)

    def end(self, receipts: list[tuple[str, MessageView]], *, seconds: float, failed: str) -> None:
        """The receipts as a table, or as lines where the terminal is too narrow for it; the last
        word."""
        rows = receipt_rows(receipts)
        table = Table(*(word.lower() for word in RECEIPT_HEADER))
        for row in rows:
            table.add_row(*row)
        # A narrower table would cut refs and states in the middle, and those are what is told.
        whole = self._console.options.update(max_width=WIDEST)
        if Measurement.get(self._console, whole, table).maximum <= self._console.width:
            self._console.print(table)
        else:
            self._lines(rows)
        if failed:
            self._console.print(f"failed: {safe(failed)}", style="bold red", markup=False)
        else:
            self._console.print(f"all steps done in {seconds:.1f} s", style="bold green")

    def _lines(self, rows: list[tuple[str, ...]]) -> None:
        for message, address, state, *milestones in rows:
            self._console.print(f"{message} {state} to {address}", markup=False)
            for word, cell in zip(RECEIPT_HEADER[3:], milestones, strict=True):
                if cell != NOT_REACHED:
                    self._console.print(f"  {word.lower()} {cell}", markup=False)
