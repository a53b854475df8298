"""What an embedder pays before anything is opened (design page 1, "Embedding")."""

from benchmark import Benchmark, Reading, Run, Unit, at_most
from programs import beyond_bare, python

BARE = python("-I", "-c", "pass")


def import_package(run: Run) -> Reading:
    """``import tidings`` in a new interpreter."""
    return beyond_bare(run, "import", python("-I", "-c", "import tidings"), BARE)


def first_name(run: Run) -> Reading:
    """The first public name, which loads the library's face."""
    return beyond_bare(run, "first name", python("-I", "-c", "from tidings import Tidings"), BARE)


BENCHMARKS = (
    Benchmark(
        name="import",
        claim="importing the package costs next to nothing beyond a bare interpreter",
        unit=Unit.MILLISECONDS,
        bound=at_most(5, "page 1, embedding"),
        enforced=True,
        measure=import_package,
    ),
    Benchmark(
        name="first-name",
        claim="the first public name costs little beyond a bare interpreter",
        unit=Unit.MILLISECONDS,
        bound=at_most(40, "page 1, embedding"),
        enforced=True,
        measure=first_name,
    ),
)
