"""The demo on a terminal: a spinner for the step at work, a mark for each that is done."""

import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from tidings.domain.messages.receipt import MessageView
from tidings.entrypoints.cli.demo_telling import receipt_rows
from tidings.entrypoints.cli.output import safe


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
        """The receipts as a table, and the last word."""
        table = Table("message", "to", "state", "written", "seen", "answered")
        for row in receipt_rows(receipts):
            table.add_row(*row)
        self._console.print(table)
        if failed:
            self._console.print(f"failed: {safe(failed)}", style="bold red", markup=False)
        else:
            self._console.print(f"all steps done in {seconds:.1f} s", style="bold green")
