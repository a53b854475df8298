"""Started as a process of its own: joins an office and writes to ``api`` until standard input ends.

The file that its word names holds the number of refusals so far.
"""

import sys
import threading
from pathlib import Path

from tidings import Refused, Tidings
from tidings.ports.errors import StoreLocked

GAP_SECONDS = 0.01
"""Between two messages: enough for a queue that grows, and little enough to hit every gap."""


def main() -> None:
    over = threading.Event()
    threading.Thread(target=_wait_for_end, args=(over,), daemon=True).start()
    count = Path(sys.argv[1])
    with Tidings.open() as tidings:
        me = tidings.join("storm")
        number = refused = 0
        while not over.wait(GAP_SECONDS):
            number += 1
            try:
                refused += isinstance(me.send("api", f"drop {number}"), Refused)
            except StoreLocked:
                continue
            count.write_text(str(refused))


def _wait_for_end(over: threading.Event) -> None:
    sys.stdin.read()
    over.set()


if __name__ == "__main__":
    main()
