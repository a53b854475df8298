"""``tidings message backup FILE``: a copy of the store as it is now."""

import os
from collections.abc import Sequence

from tidings.entrypoints.assembly import open_application
from tidings.entrypoints.cli.output import tell_done
from tidings.entrypoints.cli.parsing import VerbParser
from tidings.entrypoints.places import from_root


def run(words: Sequence[str]) -> int:
    """Copies; 7 where the file is there already or cannot be written."""
    parser = VerbParser("message backup")
    parser.operand("FILE", "a file that is not there yet")
    parser.option("--json")
    options = parser.read(words)
    file = os.path.abspath(from_root(options.file))
    open_application(os.environ).ports.store.backup(file)
    said = f"the store was copied to {options.file}"
    return tell_done(said, {"backup": file}, code=0, as_json=options.json)
