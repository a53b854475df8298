"""The test sources as syntax: modules, and the definitions a name in them stands for."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef

CONTRACTS = Path("entrypoints/testing")
TESTS = Path("tests")


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """One parsed file. ``path`` is relative to the project; ``imports`` maps name to (module, name)."""

    name: str
    path: Path
    tree: ast.Module
    functions: Mapping[str, Function]
    classes: Mapping[str, ast.ClassDef]
    imports: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """All modules by dotted name: the tests, and the contract suites that they bind."""

    modules: Mapping[str, Module]

    def function(self, module: Module, name: str) -> tuple[Module, Function] | None:
        """The function that ``name`` stands for in ``module``; None where the sources have none."""
        if name in module.functions:
            return module, module.functions[name]
        origin = self._origin(module, name)
        return self.function(*origin) if origin else None

    def class_(self, module: Module, name: str) -> tuple[Module, ast.ClassDef] | None:
        """The class that ``name`` stands for in ``module``; None where the sources have none."""
        if name in module.classes:
            return module, module.classes[name]
        origin = self._origin(module, name)
        return self.class_(*origin) if origin else None

    def lineage(self, module: Module, name: str) -> Iterator[tuple[Module, ast.ClassDef]]:
        """The class and its bases, depth first, as far as the sources know them."""
        found = self.class_(module, name)
        if found is None:
            return
        yield found
        home, definition = found
        for base in definition.bases:
            if base_name := last_name(base):
                yield from self.lineage(home, base_name)

    def method(self, module: Module, class_name: str, name: str) -> tuple[Module, Function] | None:
        """The method that an instance of the class would run."""
        for home, definition in self.lineage(module, class_name):
            for found in functions_in(definition.body):
                if found.name == name:
                    return home, found
        return None

    def _origin(self, module: Module, name: str) -> tuple[Module, str] | None:
        source, original = module.imports.get(name, ("", ""))
        return (self.modules[source], original) if source in self.modules else None


def read_sources(root: Path) -> Sources:
    """Parses every Python file of the tests and of the contract suites below ``root``."""
    modules = [_parse(root, path, TESTS, "") for path in _files(root / TESTS)]
    modules += [_parse(root, path, Path(), "tidings.") for path in _files(root / CONTRACTS)]
    return Sources(modules={module.name: module for module in modules})


def functions_in(body: list[ast.stmt]) -> Iterator[Function]:
    """The functions defined directly in ``body``."""
    return (node for node in body if isinstance(node, Function))


def last_name(node: ast.expr) -> str:
    """``c`` of ``a.b.c`` and of ``c``; empty for any other expression."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)


def _parse(root: Path, path: Path, base: Path, prefix: str) -> Module:
    relative = path.relative_to(root)
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(relative))
    return Module(
        name=prefix + ".".join(path.relative_to(root / base).with_suffix("").parts),
        path=relative,
        tree=tree,
        functions={node.name: node for node in functions_in(tree.body)},
        classes={node.name: node for node in tree.body if isinstance(node, ast.ClassDef)},
        imports=dict(_imports(tree)),
    )


def _imports(tree: ast.Module) -> Iterator[tuple[str, tuple[str, str]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield alias.asname or alias.name, (node.module, alias.name)
