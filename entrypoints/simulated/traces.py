"""What a simulated harness left on disk: events, requests, commands and its transcript."""

import json
from pathlib import Path
from typing import cast

from tidings.entrypoints.simulated.ran import Ran
from tidings.ports.codec import Document


class Traces:
    """Reads the files of all processes this harness has had (a resume makes another one)."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._pids: list[int] = []

    def follow(self, pid: int) -> None:
        self._pids.append(pid)

    def events(self) -> list[Document]:
        """Every hook event in the order of firing: ``at_ns`` (wall), ``event``, ``payload``."""
        return self._lines("hook-events")

    def event_names(self) -> list[str]:
        return [str(event["event"]) for event in self.events()]

    def requests(self) -> list[Document]:
        """Every model request with the messages that were new in it."""
        return self._lines("model-requests")

    def times_read(self, text: str) -> int:
        """In how many messages to the model ``text`` occurs: 1 is "exactly once"."""
        return sum(
            text in str(message.get("content"))
            for request in self.requests()
            for message in cast("list[Document]", request["messages"])
        )

    def commands(self) -> list[Ran]:
        """Every command the model really ran."""
        return [
            Ran(
                exit_code=cast("int", line["exit_code"]),
                output=str(line["stdout"]),
                errors=str(line["stderr"]),
            )
            for line in self._lines("commands")
        ]

    def _lines(self, what: str) -> list[Document]:
        files = [self._home / f"{what}-{pid}.jsonl" for pid in self._pids]
        return [line for file in files for line in read_lines(file)]


def read_lines(file: Path) -> list[Document]:
    """The whole JSON lines of ``file``; none where it is missing, and no torn last one."""
    try:
        whole = file.read_text(encoding="utf-8").rpartition("\n")[0]
    except FileNotFoundError:
        return []
    # Only a line feed ends a line of JSON: a text may hold U+2028, at which ``splitlines`` cuts too.
    return [cast("Document", json.loads(line)) for line in whole.split("\n") if line]
