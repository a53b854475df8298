"""Whether a test asserts anything, judged from its source on the careful side.

A function asserts when its body has an ``assert`` that is no constant, raises an
``AssertionError`` (or a subclass from its own file), uses ``pytest.raises`` or ``pytest.warns``,
or calls a function that asserts. Where a called function's source is among the tests or the
contract suites, its body decides; where it is not, a name that begins with ``assert_`` or
``expect_`` counts. Code in lambdas, and in nested functions that nobody calls, does not.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from support.sources import Function, Module, Sources, functions_in, last_name

ASSERTING_PREFIXES = ("assert_", "expect_")
PYTEST_CHECKS = ("pytest.raises", "pytest.warns")


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The class that ``self`` is of, by the module and name that define it."""

    module: Module
    class_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Judges functions of one set of sources; ``seen`` ends circles of calls."""

    sources: Sources
    owner: Owner | None = None
    seen: frozenset[int] = frozenset()

    def asserts(self, module: Module, function: Function) -> bool:
        """Whether running ``function`` (of ``module``) reaches an assertion in its source."""
        if id(function) in self.seen:
            return False
        inner = replace(self, seen=self.seen | {id(function)})
        nodes = list(_own_nodes(function))
        nested = {node.name: node for node in nodes if isinstance(node, Function)}
        return any(inner._is_assertion(module, node, nested) for node in nodes)

    def _is_assertion(self, module: Module, node: ast.AST, nested: dict[str, Function]) -> bool:
        match node:
            case ast.Assert(test=test):
                return not isinstance(test, ast.Constant)
            case ast.Raise(exc=ast.expr() as raised):
                return _is_failure(module, raised)
            case ast.Call(func=ast.Name(id=name)) if name in nested:
                return self.asserts(module, nested[name])
            case ast.Call(func=callee):
                return ast.unparse(callee) in PYTEST_CHECKS or self._callee_asserts(module, callee)
            case _:
                return False

    def _callee_asserts(self, module: Module, callee: ast.expr) -> bool:
        match callee:
            case ast.Name(id=name):
                found = self.sources.function(module, name)
                return self.asserts(*found) if found else name.startswith(ASSERTING_PREFIXES)
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                return self._own_method_asserts(name)
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=name):
                return self._own_method_asserts(name)
            case ast.Attribute(attr=name):
                return name.startswith(ASSERTING_PREFIXES) and self._namesakes_assert(name)
            case _:
                return False

    def _own_method_asserts(self, name: str) -> bool:
        """The nearest method of that name that is not already running, so that super() climbs."""
        if self.owner is None:
            return False
        for home, definition in self.sources.lineage(self.owner.module, self.owner.class_name):
            for found in functions_in(definition.body):
                if found.name == name and id(found) not in self.seen:
                    return self.asserts(home, found)
        return False

    def _namesakes_assert(self, name: str) -> bool:
        """For a method of an object of unknown class: no known method of that name may be empty."""
        return all(
            replace(self, owner=Owner(module=home, class_name=class_name)).asserts(home, found)
            for home in self.sources.modules.values()
            for class_name, definition in home.classes.items()
            for found in functions_in(definition.body)
            if found.name == name
        )


def _is_failure(module: Module, raised: ast.expr) -> bool:
    name = last_name(raised.func if isinstance(raised, ast.Call) else raised)
    if name == "AssertionError":
        return True
    definition = module.classes.get(name)
    return definition is not None and "AssertionError" in map(last_name, definition.bases)


def _own_nodes(function: Function) -> Iterator[ast.AST]:
    """The nodes of the body, without what stands inside nested functions, classes and lambdas."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Function | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))
