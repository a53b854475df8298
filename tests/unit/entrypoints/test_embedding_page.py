"""What the page for embedders shows is what happens."""

import doctest

from support.project import ROOT


def test_every_line_of_the_page_for_embedders_runs_as_shown() -> None:
    done = doctest.testfile(str(ROOT / "docs/embedding.md"), module_relative=False)
    assert done.attempted > 15
    assert done.failed == 0
