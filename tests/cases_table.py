"""``make cases``: prints what is pinned and what is not, and writes docs/cases.md."""

import sys
from pathlib import Path

from support.cases import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Path(__file__).parent.parent))
