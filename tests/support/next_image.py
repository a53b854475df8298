"""What a test starts in place of the resident's next image: it tells what it was handed."""

import json
import os
import signal
import sys

from tidings.entrypoints.resident.image import unpack


def main() -> None:
    phase, luggage = unpack(sys.argv[1:])
    found = {
        "phase": phase,
        "pid": os.getpid(),
        "words": sys.argv[1:],
        "token": luggage.credentials.token,
        "ending": luggage.ending,
        "blocked": sorted(map(int, signal.pthread_sigmask(signal.SIG_BLOCK, []))),
        "lock": os.fstat(luggage.lock).st_ino,
        "bell": [os.fstat(one).st_ino for one in luggage.bell],
    }
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()
    sys.stdin.readline()


if __name__ == "__main__":
    main()
