"""``make docs``: writes the pages that come from the code and from the features."""

import sys
from pathlib import Path

from support.generated import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Path(__file__).parent.parent))
