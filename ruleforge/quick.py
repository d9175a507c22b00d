"""`dataclass` for frozen records: the same classes, made in a fraction of the time, and so are their objects.

The standard decorator writes six functions for every class while its module is imported; for hundreds of classes that
is most of what a short command does. Here two objects are compared and hashed by what C reads of them in one go, and
`__init__` is written when the first object is made. A frozen class of the standard library also writes each field by
`object.__setattr__`, which looks for the field by its name; here the fields are written as they lie. Nothing else
changes: who has such an object can no more change it than before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from dataclasses import dataclass as standard
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(kind: type | None = None, /, **how: bool) -> Any:
        """As the standard one, which makes all that is not frozen, has an order, or does more than take its fields."""
        return (lambda k: _made(k, **how)) if kind is None else _made(kind, **how)


def _made(kind: Any, *, frozen: bool = False, eq: bool = True, **how: bool) -> Any:
    if not frozen or hasattr(kind, "__post_init__") or how.get("order"):
        return standard(kind, frozen=frozen, eq=eq, **how)
    own = frozenset(vars(kind))
    kind.__doc__ = kind.__doc__ or kind.__name__  # else the standard one works out a signature for it
    made = _with_fields(kind, **how)
    known = fields(made)
    compared = [f.name for f in known if f.compare]
    hashed = [f.name for f in known if (f.compare if f.hash is None else f.hash)]
    methods: dict[str, Any] = {"__init__": _first_init(made), "__repr__": _repr(known)}
    if eq:
        methods |= {"__eq__": _eq(compared), "__hash__": _hash(hashed)}
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    made.__setattr__, made.__delattr__ = _no_setting, _no_deleting
    if how.get("slots"):
        made.__getstate__, made.__setstate__ = _state, _restore
    return made


def _with_fields(kind: Any, **how: bool) -> Any:
    """The class with its fields found and nothing written; it counts as frozen, as do those that it is made from."""
    above = [base.__dataclass_params__ for base in kind.__mro__[1:] if "__dataclass_params__" in vars(base)]
    for parameters in above:
        parameters.frozen = False  # else the standard one writes what makes a class frozen, or complains
    try:
        made = standard(kind, init=False, repr=False, eq=False, **how)
    finally:
        for parameters in above:
            parameters.frozen = True
    made.__dataclass_params__.frozen = True
    return made


# --- objects ---


def changed(thing: Any, fresh: dict[str, Any]) -> Any:
    """An object of a frozen class with other values in some fields: `replace`, at a fraction of the time."""
    kind = type(thing)
    new = object.__new__(kind)
    slots = _SLOTS.get(kind)
    if slots is None:
        slots = _SLOTS[kind] = _slots_of(kind)
    if slots:
        for name, read, write in slots:
            write(new, fresh[name] if name in fresh else read(thing))
    else:
        new.__dict__.update(thing.__dict__, **fresh)
    return new


_Slot = tuple[str, Callable[[Any], Any], Callable[[Any, Any], None]]
_SLOTS: dict[type, list[_Slot]] = {}


def _slots_of(kind: Any) -> list[_Slot]:
    """The fields of a class with slots: how each is read, and how it is written while an object is made."""
    if "__slots__" not in vars(kind):
        return []
    return [(f.name, getattr(kind, f.name).__get__, getattr(kind, f.name).__set__) for f in fields(kind)]


def _first_init(kind: Any) -> Callable[..., None]:
    """Writes the `__init__` of a class when its first object is made, and takes its place no more."""

    def __init__(self: Any, *given: Any, **named: Any) -> None:
        names: dict[str, Any] = {}
        exec(compile(_maker(kind, names), f"<{kind.__module__}.{kind.__qualname__}>", "exec"), names)
        maker = names["__init__"]
        maker.__qualname__ = f"{kind.__qualname__}.__init__"
        kind.__init__ = maker
        maker(self, *given, **named)

    return __init__


def _maker(kind: Any, names: dict[str, Any]) -> str:
    """The text of an `__init__`; `names` gets what it speaks of, under names that no field has."""
    slots = "__slots__" in vars(kind)
    written: list[str] = [] if slots else [" __own = self.__dict__"]
    given: dict[bool, list[str]] = {False: [], True: []}
    for field in fields(kind):
        default = ""
        if field.default is not MISSING:
            names[f"__default_{field.name}"] = field.default
            default = f"=__default_{field.name}"
        elif field.default_factory is not MISSING:
            names[f"__default_{field.name}"] = MISSING
            names[f"__factory_{field.name}"] = field.default_factory
            default = f"=__default_{field.name}"
            written.append(
                f" if {field.name} is __default_{field.name}: {field.name} = __factory_{field.name}()"
            )
        given[bool(field.kw_only)].append(field.name + default)
        if slots:
            names[f"__write_{field.name}"] = getattr(kind, field.name).__set__
            written.append(f" __write_{field.name}(self, {field.name})")
        else:
            written.append(f" __own[{field.name!r}] = {field.name}")
    by_name = ["*", *given[True]] if given[True] else []
    head = ", ".join(["self", *given[False], *by_name])
    return "\n".join([f"def __init__({head}):", *(written or [" pass"]), ""])


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
    return [getattr(self, field.name) for field in fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for field, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
