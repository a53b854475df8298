"""The wheel holds one package, and an environment that has only the wheel has only that."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from support.project import LAYERS, ROOT, product_files, run_python

PROGRAM = """
import importlib.util, sys
sys.path.insert(0, {target!r})
import tidings, tidings.ports.errors, tidings.domain.identity.keys
assert tidings.__file__.startswith({target!r}), tidings.__file__
for layer in {layers!r}:
    assert importlib.util.find_spec("tidings." + layer), layer
    assert importlib.util.find_spec(layer) is None, layer
try:
    import domain
except ModuleNotFoundError as error:
    print(error)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from this checkout, without network."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", ".", "--no-deps", "--no-build-isolation"]
    done = subprocess.run(
        [*command, "--no-index", "--quiet", "--disable-pip-version-check", "--wheel-dir", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


def test_it_holds_one_package_and_its_metadata(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    metadata = "-".join(wheel.name.split("-")[:2]) + ".dist-info"
    assert {name.partition("/")[0] for name in names} == {"tidings", metadata}
    assert {"tidings/py.typed", f"{metadata}/licenses/LICENSE"} <= set(names)


def test_it_holds_every_module_exactly_once(wheel: Path) -> None:
    packed = sorted(n for n in zipfile.ZipFile(wheel).namelist() if n.endswith(".py"))
    sources = (path.as_posix() for path in product_files())
    assert packed == sorted(
        name.removeprefix("src/") if name.startswith("src/") else f"tidings/{name}"
        for name in sources
    )


def test_only_tidings_can_be_imported_where_only_the_wheel_is(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    program = PROGRAM.format(target=str(tmp_path), layers=LAYERS)
    # Without site (-S) there is no editable install that could help out.
    done = run_python("-S", "-W", "error", "-c", program)
    assert (done.stderr, done.stdout) == ("", "No module named 'domain'\n")
