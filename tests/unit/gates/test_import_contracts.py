"""Each import contract is seen to fail: a violation is planted, and exactly that one breaks.

The contracts are the project's own, unchanged. The tree is a skeleton of the real one: the same
packages, empty but for the imports that the contracts allow by name, so that the outcome says
something of the contracts and not of the code of the day.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from support.project import LAYERS, ROOT

PYPROJECT = ROOT / "pyproject.toml"
CONTRACTS: list[dict[str, Any]] = tomllib.loads(PYPROJECT.read_text())["tool"]["importlinter"][
    "contracts"
]
VERDICT = re.compile(r"^(?P<name>.+) (?P<verdict>KEPT|BROKEN)( \(.*\))?$", re.MULTILINE)

LINE = "one line of imports: entrypoints, adapters, domain, ports"
CORE = "the core touches nothing outside itself"
LEAF = "ports are a leaf"
FAMILIES = "adapter families are independent above wire"
PSUTIL = "psutil lives in adapters.processes only"
PORTALOCKER = "portalocker lives in adapters.locks only"
PYDANTIC = "pydantic lives in adapters.wire and entrypoints.settings only"
INJECTOR = "dependency-injector lives in entrypoints.container only"
SQLITE = "sqlite3 lives in adapters.sqlite only"
CYCLES = "no cycles between the rooms of the domain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plant:
    """Files to write, by path below the package, and the contracts that then break."""

    breaks: tuple[str, ...]
    files: dict[str, str]


PLANTS = {
    "the domain imports an adapter": Plant(
        breaks=(LINE,), files={"domain/identity/planted.py": "import tidings.adapters.memory"}
    ),
    "an adapter imports an entry point": Plant(
        breaks=(LINE,), files={"adapters/files/planted.py": "import tidings.entrypoints.cli"}
    ),
    "a fifth layer appears": Plant(breaks=(LINE,), files={"helpers.py": ""}),
    "the domain reads the clock": Plant(
        breaks=(CORE,), files={"domain/messages/planted.py": "import time"}
    ),
    "a port touches the system": Plant(breaks=(CORE,), files={"ports/planted.py": "import os"}),
    # A port that imports the domain also runs against the line of imports.
    "a port imports the domain": Plant(
        breaks=(LINE, LEAF), files={"ports/planted.py": "import tidings.domain.identity"}
    ),
    "one adapter family imports another": Plant(
        breaks=(FAMILIES,), files={"adapters/files/planted.py": "import tidings.adapters.locks"}
    ),
    "psutil away from home": Plant(
        breaks=(PSUTIL,), files={"adapters/locks/planted.py": "import psutil"}
    ),
    "portalocker away from home": Plant(
        breaks=(PORTALOCKER,), files={"entrypoints/planted.py": "import portalocker"}
    ),
    "pydantic away from home": Plant(
        breaks=(PYDANTIC,), files={"entrypoints/cli/planted.py": "import pydantic"}
    ),
    "dependency-injector away from home": Plant(
        breaks=(INJECTOR,), files={"entrypoints/planted.py": "import dependency_injector"}
    ),
    "sqlite3 away from home": Plant(
        breaks=(SQLITE,), files={"adapters/memory/planted.py": "import sqlite3"}
    ),
    "two rooms of the domain import each other": Plant(
        breaks=(CYCLES,),
        files={
            "domain/consent/planted.py": "import tidings.domain.identity.planted",
            "domain/identity/planted.py": "import tidings.domain.consent.other",
            "domain/consent/other.py": "",
        },
    ),
    "two modules of one room import each other": Plant(
        breaks=(CYCLES,),
        files={
            "domain/messages/planted.py": "import tidings.domain.messages.other",
            "domain/messages/other.py": "import tidings.domain.messages.planted",
        },
    ),
}


@pytest.fixture
def skeleton(tmp_path: Path) -> Path:
    """The package's folders with empty modules, and each import that a contract allows by name."""
    package = tmp_path / "tidings"
    shutil.copy(PYPROJECT, tmp_path)
    for layer in LAYERS:
        for init in (ROOT / layer).rglob("__init__.py"):
            plant(package, init.relative_to(ROOT).as_posix(), "")
    for name in ("__init__", "__main__", "testing"):
        plant(package, f"{name}.py", "")
    for contract in CONTRACTS:
        for allowed in contract.get("ignore_imports", []):
            importer, imported = allowed.split(" -> ")
            module = importer.removeprefix("tidings.").replace("**", "lawful_" + imported)
            plant(package, module.replace(".", "/") + ".py", f"import {imported}")
    return package


def plant(package: Path, name: str, source: str) -> None:
    path = package / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)


def broken_contracts(package: Path) -> set[str]:
    """What ``lint-imports`` says of the tree, with the project's contracts and no cache."""
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=package.parent,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(package.parent), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    verdicts = {found["name"]: found["verdict"] for found in VERDICT.finditer(done.stdout)}
    assert set(verdicts) == {contract["name"] for contract in CONTRACTS}, done.stdout + done.stderr
    return {name for name, verdict in verdicts.items() if verdict == "BROKEN"}


def test_the_skeleton_itself_keeps_every_contract(skeleton: Path) -> None:
    assert broken_contracts(skeleton) == set()


@pytest.mark.parametrize("title", PLANTS)
def test_a_planted_violation_breaks_exactly_its_contract(skeleton: Path, title: str) -> None:
    for name, source in PLANTS[title].files.items():
        plant(skeleton, name, source)
    assert broken_contracts(skeleton) == set(PLANTS[title].breaks)


def test_every_contract_is_seen_to_fail() -> None:
    seen = {name for found in PLANTS.values() for name in found.breaks}
    assert seen == {contract["name"] for contract in CONTRACTS}


def test_every_adapter_family_is_under_the_rule_of_independence() -> None:
    (contract,) = (found for found in CONTRACTS if found["name"] == FAMILIES)
    families = {init.parent.name for init in (ROOT / "adapters").glob("*/__init__.py")}
    # Either shape of the contract names them: a list of modules, or layers of siblings above wire.
    named = re.findall(r"\w+", " ".join(contract.get("modules", contract.get("layers", []))))
    assert set(named) - {"tidings", "adapters", "wire"} == families - {"wire"}
