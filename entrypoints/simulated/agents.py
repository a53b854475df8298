"""``claude agents --json`` of a simulated home: the supported view of its sessions (H 3, H 11)."""

import json
import os
import sys
from collections.abc import Iterator, Sequence

from tidings.entrypoints.simulated.kernel import start_ticks
from tidings.entrypoints.simulated.places import sessions_folder
from tidings.entrypoints.simulated.plain import as_object, read_value
from tidings.entrypoints.simulated.published import SHELL
from tidings.ports.codec import Document, Value

_SHOWN = ("pid", "cwd", "kind", "startedAt", "sessionId", "name", "status", "waitingFor")
_USAGE_EXIT = 2


def main(arguments: Sequence[str]) -> int:
    """Prints the array of living sessions; other words are a usage error."""
    match list(arguments):
        case ["--home", home, "agents", "--json"] | ["--home", home, "agents", "--json", "--all"]:
            sys.stdout.write(json.dumps(list(_sessions(home))) + "\n")
            return 0
        case _:
            sys.stderr.write("usage: claude agents --json [--all]\n")
            return _USAGE_EXIT


def _sessions(home: str) -> Iterator[Document]:
    folder = sessions_folder(home)
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    for name in names:
        record = _record(os.path.join(folder, name)) if name.endswith(".json") else {}
        if _lives(record):
            yield {field: _shown(record[field]) for field in _SHOWN if field in record}


def _shown(value: Value) -> Value:
    """The supported view says ``busy`` where the record says ``shell`` (measured, conformance)."""
    return "busy" if value == SHELL else value


def _record(path: str) -> Document:
    try:
        with open(path, "rb") as stream:
            return as_object(read_value(stream.read()))
    except OSError:
        return {}


def _lives(record: Document) -> bool:
    """A record of a killed process stays behind; its pid may be somebody else's by now."""
    pid = record.get("pid")
    return isinstance(pid, int) and start_ticks(pid) == record.get("procStart")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
