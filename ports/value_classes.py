"""Value classes for a process that lives a tenth of a second.

The standard decorator writes and compiles five functions for every class: 0.45 ms each, and 10 ms
for ``inspect``. A verb imports a hundred such classes and uses a dozen. Here all classes share their
functions, so a class costs what a class costs; one that is made often earns its own ``__init__``. Import it through ``tidings.ports.values``.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, ClassVar, Final, TypeVar, get_origin

T = TypeVar("T")
_MISSING: Final = object()
_SPECS: Final = "__value_specs__"
_put = object.__setattr__

OFTEN: Final = 64
"""After so many of a class it gets an ``__init__`` of its own; no verb makes so many, a library does."""


class Spec:
    """One field: what ``field`` was told, and its annotation."""

    __slots__ = ("annotation", "compare", "default", "factory", "init", "repr")

    def __init__(
        self, *, default: object, factory: object, init: bool, repr: bool, compare: bool
    ) -> None:
        self.annotation: object = None
        self.default, self.factory = default, factory
        self.init, self.repr, self.compare = init, repr, compare

    def given(self) -> object:
        """The value of a field that was not given; ``_MISSING`` where it must be."""
        return self.factory() if callable(self.factory) else self.default


def field(
    *,
    default: object = _MISSING,
    default_factory: object = _MISSING,
    init: bool = True,
    repr: bool = True,
    compare: bool = True,
) -> Spec:
    """As ``dataclasses.field``."""
    return Spec(default=default, factory=default_factory, init=init, repr=repr, compare=compare)


def dataclass(
    *,
    frozen: bool = False,
    slots: bool = False,
    kw_only: bool = False,
    eq: bool = True,
    order: bool = False,
) -> Callable[[type[T]], type[T]]:
    """As ``dataclasses.dataclass``, for the options that we use."""

    def decorate(cls: type[T]) -> type[T]:
        own = _own_specs(cls)
        inherited: dict[str, Spec] = {}
        for base in reversed(cls.__mro__[1:]):
            inherited |= base.__dict__.get(_SPECS, {})
        specs = inherited | own
        body = _body(cls, own, inherited, slots=slots)
        body |= _functions(cls, specs, kw_only=kw_only, eq=eq, frozen=frozen)
        if order:
            body |= _orders(specs)
        return _remade(cls, body)

    return decorate


def _remade(cls: type[T], body: dict[str, Any]) -> type[T]:
    """The class anew: slots must be there when it is made."""
    made: Any = type(cls.__name__, cls.__bases__, body)
    remade: type[T] = made
    remade.__qualname__ = cls.__qualname__
    return remade


def replace(value: T, **changes: object) -> T:
    """As ``dataclasses.replace``; it also takes the standard library's own."""
    specs: dict[str, Spec] | None = type(value).__dict__.get(_SPECS)
    if specs is None or len(changes.keys() - specs.keys()):
        import dataclasses

        return dataclasses.replace(value, **changes)  # type: ignore[type-var]
    kept = {name: getattr(value, name) for name, spec in specs.items() if spec.init}
    return type(value)(**(kept | changes))


def _own_specs(cls: type) -> dict[str, Spec]:
    specs: dict[str, Spec] = {}
    annotations = cls.__dict__.get("__annotations__", {})  # noqa: RUF063 - inspect is 10 ms
    for name, annotation in annotations.items():
        if annotation is ClassVar or get_origin(annotation) is ClassVar:
            continue
        default = cls.__dict__.get(name, _MISSING)
        spec = default if isinstance(default, Spec) else field(default=default)
        spec.annotation = annotation
        specs[name] = spec
    return specs


def _body(
    cls: type, own: Mapping[str, Spec], inherited: Mapping[str, Spec], *, slots: bool
) -> dict[str, Any]:
    """The class's own namespace. A slot and a default of the same name cannot both be in it."""
    dropped = {"__dict__", "__weakref__"}
    dropped |= {name for name in own if slots or isinstance(cls.__dict__.get(name), Spec)}
    body = {name: value for name, value in cls.__dict__.items() if name not in dropped}
    if slots:
        body["__slots__"] = tuple(name for name in own if name not in inherited)
    return body


def _functions(
    cls: type, specs: dict[str, Spec], *, kw_only: bool, eq: bool, frozen: bool
) -> dict[str, Any]:
    positional = () if kw_only else tuple(name for name, spec in specs.items() if spec.init)
    made: dict[str, Any] = {
        _SPECS: specs,
        "__dataclass_fields__": _StandardFields(),
        "__match_args__": positional,
        "__init__": _initializer(cls, specs, positional),
    }
    if "__repr__" not in cls.__dict__:
        made["__repr__"] = _shown
    if eq:
        made |= _equality(specs, hashable=frozen)
    if frozen:
        made |= {
            "__setattr__": _refuse,
            "__delattr__": _refuse,
            "__getstate__": _values,
            "__setstate__": _restore,
        }
    return made


def _initializer(
    cls: type, specs: Mapping[str, Spec], positional: tuple[str, ...]
) -> Callable[..., None]:
    names = tuple(name for name, spec in specs.items() if spec.init)
    count, has_more, calls = len(names), hasattr(cls, "__post_init__"), 0

    def __init__(self: Any, /, *args: object, **given: object) -> None:
        nonlocal calls
        calls += 1
        if calls == OFTEN:
            owner = next(
                one for one in type(self).__mro__ if one.__dict__.get("__init__") is __init__
            )
            type.__setattr__(owner, "__init__", _compiled(specs, positional, has_more=has_more))
        if args or len(given) != count:
            given = _completed(cls, specs, positional, args, given)
        try:
            for name in names:
                _put(self, name, given[name])
        except KeyError:
            _completed(cls, specs, positional, args, given)
            raise
        if has_more:
            self.__post_init__()

    return __init__


def _compiled(
    specs: Mapping[str, Spec], positional: tuple[str, ...], *, has_more: bool
) -> Callable[..., None]:
    """As the standard decorator writes it: dearer to make, cheaper to call."""
    space: dict[str, Any] = {"put": _put, "missing": _MISSING}
    words: list[str] = [] if positional else ["*"]
    lines: list[str] = []
    for name, spec in specs.items():
        if not spec.init:
            continue
        has_factory, has_default = spec.factory is not _MISSING, spec.default is not _MISSING
        space |= {f"make_{name}": spec.factory, f"default_{name}": spec.default}
        if has_factory:
            lines.append(f"    {name} = make_{name}() if {name} is missing else {name}")
        default = " = missing" if has_factory else f" = default_{name}" if has_default else ""
        words.append(f"{name}{default}")
        lines.append(f"    put(self, {name!r}, {name})")
    if has_more:
        lines.append("    self.__post_init__()")
    taken = ", ".join(["self", *(words if words != ["*"] else [])])
    exec("\n".join([f"def __init__({taken}):", *lines, "    return"]), space)  # noqa: S102 - our own names
    made: Callable[..., None] = space["__init__"]
    return made


def _completed(
    cls: type,
    specs: Mapping[str, Spec],
    positional: tuple[str, ...],
    args: tuple[object, ...],
    given: Mapping[str, object],
) -> dict[str, object]:
    """All values by name, defaults included. Raises ``TypeError`` for a wrong call."""
    named = dict(zip(positional, args, strict=False))
    twice, init = named.keys() & given.keys(), {n for n, spec in specs.items() if spec.init}
    unknown = given.keys() - init
    if len(args) > len(positional) or twice or unknown:
        raise TypeError(f"{cls.__name__} was given too much: {sorted(twice | unknown) or args!r}")
    found = named | dict(given)
    for name in init - found.keys():
        found[name] = specs[name].given()
        if found[name] is _MISSING:
            raise TypeError(f"{cls.__name__} needs {name}")
    return found


def _equality(specs: Mapping[str, Spec], *, hashable: bool) -> dict[str, Any]:
    values = _getter(specs)

    def __eq__(self: object, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return bool(values(self) == values(other))

    def __hash__(self: object) -> int:
        return hash(values(self))

    return {"__eq__": __eq__, "__hash__": __hash__ if hashable else None}


def _orders(specs: Mapping[str, Spec]) -> dict[str, Any]:
    values = _getter(specs)

    def ordered(name: str) -> Callable[[object, object], object]:
        def compare(self: object, other: object) -> object:
            if other.__class__ is not self.__class__:
                return NotImplemented
            return getattr(values(self), name)(values(other))

        return compare

    return {name: ordered(name) for name in ("__lt__", "__le__", "__gt__", "__ge__")}


def _getter(specs: Mapping[str, Spec]) -> Callable[[object], Any]:
    """The compared values, always as a tuple."""
    names = tuple(name for name, spec in specs.items() if spec.compare)
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple(getattr(value, name) for name in names)


def _shown(self: object) -> str:
    specs: dict[str, Spec] = getattr(type(self), _SPECS)
    parts = (f"{n}={getattr(self, n)!r}" for n, spec in specs.items() if spec.repr)
    return f"{type(self).__qualname__}({', '.join(parts)})"


def _refuse(self: object, name: str, _value: object = None) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _values(self: object) -> list[object]:
    return [getattr(self, name) for name in getattr(type(self), _SPECS)]


def _restore(self: object, state: list[object]) -> None:
    for name, value in zip(getattr(type(self), _SPECS), state, strict=True):
        _put(self, name, value)


class _StandardFields:
    """What ``dataclasses.fields``, ``asdict`` and ``replace`` look for; made when they do."""

    def __get__(self, _value: object, owner: type) -> dict[str, Any]:
        import dataclasses

        made: dict[str, Any] = {}
        for name, spec in getattr(owner, _SPECS).items():
            known: dict[str, Any] = {"init": spec.init, "repr": spec.repr, "compare": spec.compare}
            if spec.default is not _MISSING:
                known["default"] = spec.default
            if spec.factory is not _MISSING:
                known["default_factory"] = spec.factory
            made[name] = one = dataclasses.field(**known)
            one.name, one.type = name, spec.annotation
            one._field_type = dataclasses._FIELD  # type: ignore[attr-defined]
        return made
