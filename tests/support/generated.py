"""The pages that are made from something else, and the command that makes them."""

import sys
from pathlib import Path

from support.features_page import features_page
from support.reasons import reasons_page


def pages(root: Path) -> dict[str, str]:
    """Each page with what should stand in it."""
    return {"docs/reasons.md": reasons_page(), "features/README.md": features_page(root)}


def main(arguments: list[str], root: Path) -> int:
    """Writes the pages; with ``--check`` it names those that are not current, and exits with 1."""
    stale = [
        name
        for name, text in pages(root).items()
        if not (root / name).is_file() or (root / name).read_text(encoding="utf-8") != text
    ]
    if "--check" in arguments:
        sys.stdout.writelines(f"{name} is not current: run `make docs`\n" for name in stale)
        return int(bool(stale))
    for name in stale:
        (root / name).write_text(pages(root)[name], encoding="utf-8")
    return 0
