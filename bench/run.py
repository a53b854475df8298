"""The benchmark suite: ``run.py [--json] [--only NAME,...] [--quick] [--list]``.

Results go to standard output, one line each; progress goes to standard error. Exit 1 when an
enforced bound is broken or a benchmark could not be measured, 2 for a wrong call.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence

from benchmark import QUICK, WHOLE, Benchmark, CannotMeasure, Reading, Run, Scale
from suite import BENCHMARKS
from telling import Progress, document_of, failure_document, failure_line, line_of
from tidings import TidingsError

BROKEN = 1
INTERRUPTED = 130

TROUBLE = (CannotMeasure, TidingsError, OSError, subprocess.SubprocessError)
"""What keeps a benchmark from its number; the others are still measured."""


def main(words: Sequence[str]) -> int:
    """Runs what was asked for."""
    options = _parser().parse_args(words)
    if options.list:
        for benchmark in options.only:
            _print(f"{benchmark.name:<18} {benchmark.claim}")
        return 0
    scale = QUICK if options.quick else WHOLE
    return run_all(options.only, scale=scale, progress=Progress(), as_json=options.json)


def run_all(
    benchmarks: Sequence[Benchmark], *, scale: Scale, progress: Progress, as_json: bool
) -> int:
    """Measures one after another and prints each; 1 if any of them fails the run, else 0."""
    run = Run(scale=scale, say=progress.say)
    held = [_measured(one, run, progress, as_json=as_json) for one in benchmarks]
    return 0 if all(held) else BROKEN


def _measured(benchmark: Benchmark, run: Run, progress: Progress, *, as_json: bool) -> bool:
    progress.begin(benchmark.name)
    try:
        reading = benchmark.measure(run)
    except TROUBLE as trouble:
        progress.clear()
        why = str(trouble)
        document = failure_document(benchmark, why)
        _print(json.dumps(document) if as_json else failure_line(benchmark, why))
        return False
    progress.clear()
    _print_reading(benchmark, reading, as_json=as_json)
    return not benchmark.fails(reading)


def _print_reading(benchmark: Benchmark, reading: Reading, *, as_json: bool) -> None:
    if as_json:
        _print(json.dumps(document_of(benchmark, reading)))
    else:
        _print(line_of(benchmark, reading))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="run.py", description="measures what Tidings promises")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--only", type=_chosen, default=list(BENCHMARKS), metavar="NAME,...")
    parser.add_argument("--quick", action="store_true", help="fewer rounds and smaller sizes")
    parser.add_argument("--list", action="store_true", help="names and claims; measures nothing")
    return parser


def _chosen(text: str) -> list[Benchmark]:
    """The benchmarks that the names mean, in the order of the suite."""
    names = {name for name in text.split(",") if name}
    unknown = names - {one.name for one in BENCHMARKS}
    if unknown or not names:
        raise argparse.ArgumentTypeError(f"no benchmark {', '.join(sorted(unknown))}; see --list")
    return [one for one in BENCHMARKS if one.name in names]


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        raise SystemExit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
