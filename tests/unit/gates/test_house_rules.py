"""Rules of the house that no other tool checks, read from the sources."""

import ast
import re
import subprocess
import urllib.parse
from collections.abc import Iterator
from os import environ
from pathlib import Path

import pytest

from support.project import ROOT, product_files

MAY_SLEEP = {"tests/support/waiting.py": "asks a condition again, with a deadline"}

MAY_CATCH_EVERYTHING = {
    "entrypoints/hook.py": "a hook that fails in any way must still end with 0 (D10)",
    "entrypoints/resident/__main__.py": "a monitor that ends, with whatever fault, wakes its model",
    "entrypoints/cli/main.py": "an internal error is one line and exit 70 (D35)",
    "adapters/wire/toml_reading.py": "every verb reads a stranger's file, and none may end by it",
}

SWALLOWING = frozenset(
    {"exists", "lexists", "isfile", "isdir", "islink", "ismount", "is_file", "is_dir", "access"}
    | {"is_symlink"}
)
"""Questions that answer no when they could not look; only ENOENT means that nothing is there."""

# Taken apart, since this very file must not name them.
REGISTRIES = (
    "py" + "pi.org",
    "python" + "hosted.org",
    "registry.npm" + "js.org",
    "registry.yarn" + "pkg.com",
    "proxy.go" + "lang.org",
    "crates" + ".io",
)
REGISTRY_VARIABLES = ("PIP_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "NPM_CONFIG_REGISTRY")
BARE_SUPPRESSION = re.compile(r"#\s*(type:\s*ignore(?!\[)|pyright:\s*ignore(?!\[)|noqa(?!:))")


def parsed(paths: list[Path]) -> Iterator[tuple[str, ast.Module]]:
    for path in paths:
        yield path.as_posix(), ast.parse((ROOT / path).read_text(encoding="utf-8"))


def sources_of_tests() -> list[Path]:
    return [path.relative_to(ROOT) for path in sorted((ROOT / "tests").rglob("*.py"))]


def committed_files() -> list[Path]:
    """What git tracks, and what it would track: new files that nothing ignores."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=20,
    )
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in paths if path.is_file() and not path.is_symlink()]


def sleeps(tree: ast.Module) -> list[int]:
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in ("time.sleep", "sleep", "asyncio.sleep", "anyio.sleep")
    ]


def test_no_test_sleeps() -> None:
    found = [
        f"{name}:{line}"
        for name, tree in parsed(sources_of_tests())
        for line in sleeps(tree)
        if name not in MAY_SLEEP
    ]
    assert found == [], "poll a condition instead: support.waiting.until"


def swallows_everything(handler: ast.ExceptHandler) -> bool:
    """Whether it catches any exception at all and does not raise it again."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = {"" if kind is None else ast.unparse(kind) for kind in kinds}
    last = handler.body[-1]
    raises_again = isinstance(last, ast.Raise) and last.exc is None
    return bool(names & {"", "Exception", "BaseException"}) and not raises_again


def test_nothing_but_the_outermost_guards_catches_everything() -> None:
    found = [
        f"{name}:{node.lineno}"
        for name, tree in parsed(list(product_files()))
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler) and swallows_everything(node)
        if name not in MAY_CATCH_EVERYTHING
    ]
    assert found == []


def test_no_adapter_takes_what_it_could_not_look_at_for_absent() -> None:
    adapters = [path for path in product_files() if path.as_posix().startswith("adapters/")]
    assert len(adapters) > 30, "the search found too few files to mean anything"
    found = [
        f"{name}:{node.lineno}: {node.attr if isinstance(node, ast.Attribute) else node.id}"
        for name, tree in parsed(adapters)
        for node in ast.walk(tree)
        if (isinstance(node, ast.Attribute) and node.attr in SWALLOWING)
        or (isinstance(node, ast.Name) and node.id in SWALLOWING)
    ]
    assert found == [], "use lstat; FileNotFoundError alone means absent (wire/private_files.look)"


def undocumented(name: str, tree: ast.Module) -> Iterator[str]:
    """The module, public functions and classes without a docstring; methods of the library too."""
    if ast.get_docstring(tree) is None:
        yield f"{name}: the module"
    is_face = name == "entrypoints/library.py"
    for node in ast.walk(tree) if is_face else tree.body:
        if (
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            and not node.name.startswith("_")
            and ast.get_docstring(node) is None
        ):
            yield f"{name}:{node.lineno}: {node.name}"


def test_every_public_name_of_ports_domain_and_library_is_documented() -> None:
    documented = ("ports", "domain", "entrypoints/library.py", "src/tidings")
    paths = [path for path in product_files() if path.as_posix().startswith(documented)]
    assert len(paths) > 30, "the search found too few files to mean anything"
    assert [text for name, tree in parsed(paths) for text in undocumented(name, tree)] == []


def test_no_checker_is_silenced_without_a_code() -> None:
    paths = [*product_files(), *sources_of_tests()]
    found = [
        f"{path}:{number}"
        for path in paths
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1)
        if BARE_SUPPRESSION.search(line) and "BARE_SUPPRESSION" not in line
    ]
    assert found == []


def forbidden_words() -> list[str]:
    """Registry hosts, known and of this machine, and the places where this checkout lives."""
    configured = (environ.get(v) or environ.get(v.lower()) for v in REGISTRY_VARIABLES)
    hosts = (urllib.parse.urlsplit(url).hostname for url in configured if url)
    places = [str(ROOT), str(Path.home())]
    return [
        *REGISTRIES,
        *(host for host in hosts if host),
        *(place + "/" for place in places if len(Path(place).parts) > 1),
        *("/" + folder for folder in ("work/main", "work/shared", "tmp/brief")),
    ]


def test_no_committed_file_names_a_registry_or_a_place_of_this_machine() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("this is no git checkout, so nothing says what is committed")
    words = [word.encode() for word in forbidden_words()]
    found = [
        f"{path.relative_to(ROOT)}: {word.decode()}"
        for path in committed_files()
        for word in words
        if word in path.read_bytes()
    ]
    assert found == []
