"""Which tests and scenarios pin which numbered cases, read from their sources."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from support.assertions import Judge, Owner
from support.pin import Pin
from support.scenario_pins import FEATURES, bound_features, loose_tags, scenario_pins
from support.sources import TESTS, Function, Module, Sources, functions_in, read_sources

MARK = "pytest.mark.case"
NEVER_RUNS = ("pytest.mark.skip", "pytest.mark.xfail")
SUPPORT = Path("tests/support")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pins:
    """Every claim found, and the faults of marks that could not be read."""

    pins: tuple[Pin, ...]
    faults: tuple[str, ...]


def read_pins(root: Path) -> Pins:
    """All claims in the tests and features below ``root``, in a fixed order."""
    sources = read_sources(root)
    found: list[Pin] = []
    faults: list[str] = []
    for module in sources.modules.values():
        if TESTS in module.path.parents:
            found += _module_pins(sources, module)
            faults += [] if SUPPORT in module.path.parents else _loose_marks(module)
    bound = bound_features(sources)
    for path in sorted((root / FEATURES).rglob("*.feature")):
        text = path.read_text(encoding="utf-8")
        found += scenario_pins(path.relative_to(root), text, bound)
        faults += loose_tags(path.relative_to(root), text)
    return Pins(pins=tuple(sorted(set(found))), faults=tuple(sorted(faults)))


def _module_pins(sources: Sources, module: Module) -> Iterator[Pin]:
    for function in module.functions.values():
        objection = _objection(Judge(sources=sources), module, function)
        yield from _pins(function, f"{module.path.as_posix()}::{function.name}", objection)
    for definition in module.classes.values():
        yield from _class_pins(sources, module, definition)


def _class_pins(sources: Sources, module: Module, definition: ast.ClassDef) -> Iterator[Pin]:
    node = f"{module.path.as_posix()}::{definition.name}"
    owner = Owner(module=module, class_name=definition.name)
    judge = Judge(sources=sources, owner=owner)
    for function in functions_in(definition.body):
        objection = _objection(judge, module, function)
        yield from _pins(function, f"{node}::{function.name}", objection)
    # A mark on a class speaks for all its tests, so that one empty test spoils it.
    tests = _tests_of(sources, owner)
    objections = [_objection(judge, home, function) for home, function in tests.values()]
    spoiled = next(filter(None, objections), "") if objections else "it has no tests"
    yield from _pins(definition, node, spoiled or _never_runs(definition))


def _tests_of(sources: Sources, owner: Owner) -> dict[str, tuple[Module, Function]]:
    tests: dict[str, tuple[Module, Function]] = {}
    for home, definition in sources.lineage(owner.module, owner.class_name):
        for function in functions_in(definition.body):
            if function.name.startswith("test"):
                tests.setdefault(function.name, (home, function))
    return tests


def _objection(judge: Judge, module: Module, function: Function) -> str:
    if not function.name.startswith("test"):
        return "it is no test"
    if not judge.asserts(module, function):
        return "it has no assertion"
    return _never_runs(function)


def _never_runs(node: Function | ast.ClassDef) -> str:
    marks = (
        ast.unparse(mark.func if isinstance(mark, ast.Call) else mark)
        for mark in node.decorator_list
    )
    return "it is skipped or expected to fail" if any(mark in NEVER_RUNS for mark in marks) else ""


def _pins(marked: Function | ast.ClassDef, node: str, objection: str) -> Iterator[Pin]:
    for call in _case_calls(marked):
        for argument in call.args:
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                yield Pin(case=argument.value, node=node, objection=objection)


def _case_calls(marked: Function | ast.ClassDef) -> list[ast.Call]:
    """The case marks in the decorators, those of single parameters included."""
    return [
        node
        for decorator in marked.decorator_list
        for node in ast.walk(decorator)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == MARK
    ]


def _loose_marks(module: Module) -> Iterator[str]:
    """Marks that are not read: outside a decorator, without ids, or with computed ones."""
    read = {id(call.func): call for node in _markable(module) for call in _case_calls(node)}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node) == MARK:
            where = f"{module.path.as_posix()}:{node.lineno}"
            if (call := read.get(id(node))) is None:
                yield f"{where}: a case mark must decorate a test or its class"
            elif not call.args or not all(isinstance(a, ast.Constant) for a in call.args):
                yield f"{where}: a case mark takes ids as plain strings"


def _markable(module: Module) -> Iterator[Function | ast.ClassDef]:
    yield from module.functions.values()
    for definition in module.classes.values():
        yield definition
        yield from functions_in(definition.body)
