"""Classes of frozen records -> how their objects are made: `__init__`, and objects with some other values.

A frozen class of the standard library writes each field by `object.__setattr__`, which looks for the field by its name;
here the fields are written as they lie. Classes with as many fields share the code of their `__init__`: each has its own
names in it, which takes far less time than to write and compile a text for every class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from functools import cache
from types import CodeType, FunctionType
from typing import Any

FEW = 4  # objects of a class that are made without an `__init__` of its own: many classes have no more


def first_init(kind: Any) -> Callable[..., None]:
    """Makes the first objects of a class field by field; then, or if something does not fit, its own `__init__`."""
    left = FEW

    def __init__(self: Any, *given: Any, **named: Any) -> None:
        nonlocal left
        left -= 1
        values = _fitting(kind, given, named) if left >= 0 else None
        if values is None:
            kind.__init__ = maker = _init(kind)
            maker(self, *given, **named)
            return
        for name, value in values.items():
            object.__setattr__(self, name, value)

    return __init__


def _fitting(kind: Any, given: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any] | None:
    """What each field of an object is to be; None if that is not what a signature would take."""
    known = kind.__dataclass_fields__
    names = [name for name, field in known.items() if not field.kw_only]
    values = dict(zip(names, given, strict=False)) | named
    if len(given) > len(names) or len(values) < len(given) + len(named) or not known.keys() >= named.keys():
        return None
    for name, field in known.items():
        if name in values:
            continue
        if field.default is not MISSING:
            values[name] = field.default
        elif field.default_factory is not MISSING:
            values[name] = field.default_factory()
        else:
            return None
    return values


def _init(kind: Any) -> Callable[..., None]:
    slots = "__slots__" in vars(kind)
    known = sorted(fields(kind), key=lambda f: bool(f.kw_only))  # in a signature those come last
    by_name = [f for f in known if f.kw_only]
    code = _code(slots, tuple(f.default_factory is not MISSING for f in known))
    spoken: dict[str, Any] = {"MISSING": MISSING}
    for number, field in enumerate(known):
        spoken[f"write_{number}"] = getattr(kind, field.name).__set__ if slots else field.name
        spoken[f"factory_{number}"] = field.default_factory
    names = ("self", *(f.name for f in known))
    place = f"{kind.__qualname__}.__init__"
    code = code.replace(
        co_varnames=names + code.co_varnames[len(names) :],
        co_argcount=len(names) - len(by_name),
        co_kwonlyargcount=len(by_name),
        co_qualname=place,
    )
    defaults = tuple(d for f in known if not f.kw_only for d in _default(f))
    made = FunctionType(code, spoken, "__init__", defaults)
    made.__kwdefaults__ = {f.name: d for f in by_name for d in _default(f)}
    return made


def _default(field: Field[Any]) -> tuple[Any, ...]:
    """What stands in the signature, if anything; what is made for each object is missing at first."""
    if field.default is MISSING and field.default_factory is MISSING:
        return ()
    return (field.default,)


@cache
def _code(slots: bool, factories: tuple[bool, ...]) -> CodeType:
    """An `__init__` for so many fields, some with a default that is made; with names that stand for any."""
    lines = [f"def __init__({', '.join(['self', *(f'given_{i}' for i in range(len(factories)))])}):"]
    lines += [] if slots else [" own = self.__dict__"]
    for number, is_made in enumerate(factories):
        given = f"given_{number}"
        if is_made:
            lines.append(f" if {given} is MISSING: {given} = factory_{number}()")
        lines.append(f" write_{number}(self, {given})" if slots else f" own[write_{number}] = {given}")
    whole = compile("\n".join([*lines, " pass", ""]), "<a frozen record>", "exec")
    return next(constant for constant in whole.co_consts if isinstance(constant, CodeType))


# --- with other values ---


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
