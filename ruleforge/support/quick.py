"""`dataclass` for records: the same classes, made in a fraction of the time, and so are the objects of frozen ones.

The standard decorator looks at every class in many ways and writes six functions for it while its module is imported;
for hundreds of classes that is most of what a short command does. Here two objects are compared and hashed by what C
reads of them in one go, and `__init__` is made with the first object (`quick_objects.py`). Nothing else changes: who has
a frozen object can no more change it than before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, field, fields
from dataclasses import dataclass as standard
from functools import cache
from inspect import get_annotations
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ruleforge.support.quick_objects import first_init

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(kind: type | None = None, /, **how: bool) -> Any:
        """As the standard one, which makes all that has an order, or does more than take its fields."""
        return (lambda k: _made(k, **how)) if kind is None else _made(kind, **how)


def _made(kind: Any, *, frozen: bool = False, eq: bool = True, **how: bool) -> Any:
    types = get_annotations(kind)
    if hasattr(kind, "__post_init__") or how.get("order") or not _are_plain(kind, types):
        return standard(kind, frozen=frozen, eq=eq, **how)
    slots, by_name = how.get("slots", False), how.get("kw_only", False)
    own = frozenset(vars(kind))
    made = _with_fields(kind, types, slots, by_name)
    made.__dataclass_params__ = _parameters(frozen, eq, slots, by_name)
    known = fields(made)
    compared = [f.name for f in known if f.compare]
    hashed = [f.name for f in known if (f.compare if f.hash is None else f.hash)]
    methods: dict[str, Any] = {"__init__": first_init(made), "__repr__": _repr(known)}
    if eq:
        methods |= {"__eq__": _eq(compared), "__hash__": _hash(hashed) if frozen else None}
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    if frozen:
        made.__setattr__, made.__delattr__ = _no_setting, _no_deleting
    if frozen and slots:
        made.__getstate__, made.__setstate__ = _state, _restore
    return made


# --- classes ---


def _are_plain(kind: Any, types: dict[str, Any]) -> bool:
    """Is all that a class names a field, with a default that nobody can change? The standard one knows more."""
    unusual = ("ClassVar", "InitVar", "KW_ONLY")
    return all(
        isinstance(type_, str)
        and not any(word in type_ for word in unusual)
        and vars(kind).get(name).__class__.__hash__ is not None
        for name, type_ in types.items()
    )


@standard
class _Sample:
    """What the standard one makes, to read off what it writes into a field of its own."""

    field: int


@cache
def _parameters(frozen: bool, eq: bool, slots: bool, by_name: bool) -> Any:
    """How a class was made, as the standard one notes it."""
    made: Any = standard(type("Sample", (), {}), frozen=frozen, eq=eq, slots=slots, kw_only=by_name)
    return made.__dataclass_params__


def _with_fields(kind: Any, types: dict[str, Any], slots: bool, by_name: bool) -> Any:
    """The class with its fields found, those above it first; with slots it is another class of the same name."""
    known: dict[str, Field[Any]] = {}
    for base in reversed(kind.__mro__[1:]):
        known |= getattr(base, "__dataclass_fields__", {})
    own = {name: _field(vars(kind).get(name, MISSING), name, type_, by_name) for name, type_ in types.items()}
    given = dict(vars(kind))
    for name, found in own.items():
        given.pop(name, None)
        if found.default is not MISSING and not slots:
            setattr(kind, name, found.default)
        elif name in vars(kind) and not slots:
            delattr(kind, name)
    if slots:
        above = {name for base in kind.__mro__[1:-1] for name in vars(base).get("__slots__", ())}
        given["__slots__"] = tuple(name for name in own if name not in above)
        given.pop("__dict__", None)
        given.pop("__weakref__", None)
        kind = type(kind)(kind.__name__, kind.__bases__, given | {"__qualname__": kind.__qualname__})
    kind.__dataclass_fields__ = known = known | own
    if "__match_args__" not in given:
        setattr(kind, "__match_args__", tuple(f.name for f in known.values() if not f.kw_only))  # noqa: B010
    kind.__doc__ = kind.__doc__ or kind.__name__
    return kind


def _field(default: Any, name: str, type_: Any, by_name: bool) -> Field[Any]:
    made: Any = default if isinstance(default, Field) else field(default=default)
    made.name, made.type = name, type_
    made._field_type = fields(_Sample)[0]._field_type  # type: ignore[attr-defined]
    if made.kw_only is MISSING:
        made.kw_only = by_name
    return made  # type: ignore[no-any-return]


# --- methods ---


def _repr(known: tuple[Field[Any], ...]) -> Callable[[Any], str]:
    names = [f.name for f in known if f.repr]

    def __repr__(self: Any) -> str:
        return (
            f"{type(self).__qualname__}({', '.join([f'{name}={getattr(self, name)!r}' for name in names])})"
        )

    return __repr__


def _key(names: list[str]) -> Callable[[Any], Any]:
    """What is read of an object to compare it."""
    return attrgetter(*names) if names else lambda _: ()


def _eq(names: list[str]) -> Callable[[Any, object], bool]:
    key = _key(names)

    def __eq__(self: Any, other: object) -> bool:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hash(names: list[str]) -> Callable[[Any], int]:
    key = _key(names)

    def __hash__(self: Any) -> int:
        return hash(key(self))

    return __hash__


def _no_setting(self: Any, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _no_deleting(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    """What is kept of an object with slots when it is copied or stored."""
    return [getattr(self, known.name) for known in fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for known, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, known.name, value)
