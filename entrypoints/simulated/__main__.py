"""``python -I -m tidings.entrypoints.simulated``: one simulated harness, until it is ended."""

import asyncio
import os
import sys
from collections.abc import Sequence

from tidings.entrypoints.simulated.control import obey, serve_control
from tidings.entrypoints.simulated.harness import Harness
from tidings.entrypoints.simulated.options import Options, parse_options
from tidings.entrypoints.simulated.plain import as_object, read_value
from tidings.ports.codec import Document


async def run(options: Options) -> None:
    """Starts, obeys script and control channel, and ends in order."""
    harness = Harness(options, os.environ)
    await harness.start()
    if options.control_fd is not None:
        harness.spawn(serve_control(harness, options.control_fd))
    if options.script:
        harness.spawn(_play(harness, _read_script(options.script)))
    await harness.shut_down(await harness.end_reason)


async def _play(harness: Harness, commands: Sequence[Document]) -> None:
    for command in commands:
        await obey(harness, command)


def _read_script(path: str) -> list[Document]:
    """The commands of a script file: one JSON object a line, obeyed in order."""
    with open(path, encoding="utf-8") as stream:
        return [as_object(read_value(line)) for line in stream if line.strip()]


def main(arguments: Sequence[str]) -> int:
    asyncio.run(run(parse_options(arguments)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
