"""Where things of the project are, for the tests that look at the project itself."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
LAYERS = ("domain", "ports", "adapters", "entrypoints")


def product_files() -> Iterator[Path]:
    """Every Python file of the package, by its path from the project's root."""
    for folder in (*LAYERS, "src/tidings"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            # The links in src/tidings show the four layers a second time.
            if not any(parent.is_symlink() for parent in path.parents):
                yield path.relative_to(ROOT)


def product_modules() -> list[str]:
    """The dotted name of every module of the package."""
    return sorted({_module_name(path) for path in product_files()})


def _module_name(path: Path) -> str:
    parts = path.with_suffix("").parts
    parts = parts[1:] if parts[0] == "src" else ("tidings", *parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def run_python(
    *arguments: str, env: dict[str, str] | None = None, text_in: str = ""
) -> subprocess.CompletedProcess[str]:
    """This interpreter in a new process, isolated (-I), with nothing but ``env`` around it."""
    return subprocess.run(
        [sys.executable, "-I", *arguments],
        env=env or {},
        input=text_in,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
