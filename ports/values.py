"""The values of the product: frozen, with slots, by keyword only. Light.

To a type checker ``dataclass`` and ``replace`` *are* those of ``dataclasses``, and they mean the
same. That module costs a short verb 12 ms to import (it brings ``inspect``) and half a millisecond
for every class that it decorates; here a class costs a tenth of that, and its constructor is
written only when the first value of it is made.
"""

from __future__ import annotations

TYPE_CHECKING = False  # a type checker reads it as true; ``typing`` would cost a hook 10 ms

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from dataclasses import dataclass, replace
    from typing import NoReturn

__all__ = ["dataclass", "replace"]

SECRETS = frozenset({"token"})
"""Fields that no ``repr`` shows, in whatever value they are: a log or a traceback may hold it."""


class FieldsOnDemand:
    """What ``dataclasses`` itself asks of a class, so that its functions work on our values too."""

    def __get__(self, _value: object, owner: type[Value]) -> Mapping[str, object]:
        from dataclasses import fields, make_dataclass

        twin = make_dataclass(
            owner.__name__,
            owner.__annotations__.items(),
            namespace=dict(owner.__defaults__),
            kw_only=True,
        )
        described = {field.name: field for field in fields(twin)}
        type.__setattr__(owner, "__dataclass_fields__", described)
        return described


class Value:
    """What all values have in common: equal is what has the same class and equal fields."""

    __slots__: tuple[str, ...] = ()
    __defaults__: Mapping[str, object]
    __dataclass_fields__ = FieldsOnDemand()

    def __eq__(self, other: object) -> bool:
        if other is self:
            return True
        if other.__class__ is not self.__class__:
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in self.__slots__))

    def __repr__(self) -> str:
        told = ", ".join(
            f"{name}={getattr(self, name)!r}" for name in self.__slots__ if name not in SECRETS
        )
        return f"{type(self).__qualname__}({told})"

    def __reduce__(self) -> tuple[object, ...]:
        return remade, (type(self), fields_of(self))

    def __setattr__(self, name: str, _value: object) -> NoReturn:
        refuse_change(name)

    def __delattr__(self, name: str) -> NoReturn:
        refuse_change(name)


def fields_of(value: Value) -> dict[str, object]:
    """The fields of a value by their names."""
    return {name: getattr(value, name) for name in value.__slots__}


def refuse_change(name: str) -> NoReturn:
    """Raises what a frozen class of the standard library raises."""
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot change field {name!r}")


def remade(kind: Callable[..., Value], fields: Mapping[str, object]) -> Value:
    """A value from its fields: what unpickling and copying call."""
    return kind(**fields)


def value_class(
    *, frozen: bool, slots: bool, kw_only: bool
) -> Callable[[type[object]], type[object]]:
    """The decorator. Raises ``TypeError`` for any other kind of class than the one there is here."""
    if not (frozen and slots and kw_only):
        raise TypeError("a value is frozen, has slots and takes keywords only")
    return made


def made(plain: type[object]) -> type[object]:
    """The class again, with slots for its fields. Raises ``TypeError`` for one with a base."""
    if plain.__bases__ != (object,):
        raise TypeError(f"{plain.__name__} has a base class; no value has one")
    names = tuple(plain.__annotations__)
    body = dict(vars(plain))
    del body["__dict__"], body["__weakref__"]
    return type(
        plain.__name__,
        (Value,),
        {
            "__defaults__": {name: body.pop(name) for name in names if name in body},
            **body,
            "__annotations__": plain.__annotations__,
            "__slots__": names,
            "__init__": first_init,
        },
    )


def first_init(self: Value, **fields: object) -> None:
    """Writes the constructor of the value's class, which takes over from here."""
    written = written_init(type(self))
    type.__setattr__(type(self), "__init__", written)
    written(self, **fields)


def written_init(kind: type[Value]) -> Callable[..., None]:
    """A constructor that hands each keyword to its slot: the fastest there is without C."""
    takes = [f"{name}=_or_{name}" if name in kind.__defaults__ else name for name in kind.__slots__]
    lines = [f"def __init__({', '.join(['self', *(['*', *takes] if takes else [])])}):"]
    lines += [f" _set_{name}(self, {name})" for name in kind.__slots__] or [" pass"]
    known = {
        **{f"_set_{name}": vars(kind)[name].__set__ for name in kind.__slots__},
        **{f"_or_{name}": default for name, default in kind.__defaults__.items()},
    }
    room: dict[str, Callable[..., None]] = {}
    exec("\n".join(lines), known, room)  # noqa: S102 - names of fields, which are Python's own words
    return room["__init__"]


def replaced(value: object, /, **changes: object) -> object:
    """``value`` with some fields changed; any other dataclass goes to ``dataclasses.replace``."""
    if isinstance(value, Value):
        kind = type(value)
        kept = {name: getattr(value, name) for name in kind.__slots__ if name not in changes}
        return kind(**kept, **changes)
    from dataclasses import is_dataclass
    from dataclasses import replace as standard

    if not is_dataclass(value) or isinstance(value, type):
        raise TypeError(f"a {type(value).__name__} has no fields to replace")
    return standard(value, **changes)


if not TYPE_CHECKING:
    dataclass, replace = value_class, replaced
