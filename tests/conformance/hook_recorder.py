"""A hook command that writes down what it was given, and nothing else.

``python -I hook_recorder.py LOG``: one JSON line per call with the event, its payload, the
variables of the client and when it was. It runs alone, so it imports nothing of ours.
"""

import json
import os
import sys
import time


def main() -> None:
    """Appends one line to the file named by the first argument."""
    began_at_ns = time.time_ns()
    try:
        payload = json.load(sys.stdin)
    except ValueError:
        payload = None
    variables = {name: text for name, text in os.environ.items() if name.startswith("CLAUDE_")}
    record = {
        "payload": payload,
        "environment": variables,
        "parent_pid": os.getppid(),
        "began_at_ns": began_at_ns,
    }
    line = json.dumps(record).encode() + b"\n"
    handle = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(handle, line)
    os.close(handle)


if __name__ == "__main__":
    main()
