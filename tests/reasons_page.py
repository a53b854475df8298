"""``make docs``: writes docs/reasons.md from the tables in the code."""

import sys
from pathlib import Path

from support.reasons import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Path(__file__).parent.parent))
