"""Frozen dataclasses of which there are hundreds of thousands -> the same, made in half the time.

A frozen dataclass writes each of its fields by `object.__setattr__`, which looks for the field by its name. Here the
fields are written as they lie. Nothing else changes: who has such an object can no more change it than before.
"""

from __future__ import annotations

import sys
from dataclasses import MISSING, fields, is_dataclass
from typing import Any


def quicken(module: str) -> None:
    """Do so for all frozen dataclasses of a module; it says so behind the last of them."""
    names: dict[str, Any] = {}
    found = [c for c in vars(sys.modules[module]).values() if _is_ours(c, module)]
    text = "".join(_maker(number, kind, names) for number, kind in enumerate(found))
    exec(compile(text, f"<{module}: makers>", "exec"), names)
    for number, kind in enumerate(found):
        maker = names[f"make_{number}"]
        maker.__name__, maker.__qualname__ = "__init__", f"{kind.__qualname__}.__init__"
        kind.__init__ = maker


def _is_ours(kind: Any, module: str) -> bool:
    frozen = isinstance(kind, type) and is_dataclass(kind) and kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    return frozen and kind.__module__ == module and not hasattr(kind, "__post_init__")


def _maker(number: int, kind: Any, names: dict[str, Any]) -> str:
    """The text of an `__init__`; `names` gets what it speaks of."""
    known = fields(kind)
    slots = "__slots__" in vars(kind)
    written: list[str] = [] if slots else [" own = self.__dict__"]
    given: dict[bool, list[str]] = {False: [], True: []}
    for field in known:
        default = ""
        if field.default is not MISSING:
            names[f"default_{number}_{field.name}"] = field.default
            default = f"=default_{number}_{field.name}"
        elif field.default_factory is not MISSING:
            names[f"default_{number}_{field.name}"] = MISSING
            names[f"factory_{number}_{field.name}"] = field.default_factory
            default = f"=default_{number}_{field.name}"
            written.append(f" if {field.name} is default_{number}_{field.name}:")
            written.append(f"  {field.name} = factory_{number}_{field.name}()")
        given[bool(field.kw_only)].append(field.name + default)
        if slots:
            names[f"write_{number}_{field.name}"] = getattr(kind, field.name).__set__
            written.append(f" write_{number}_{field.name}(self, {field.name})")
        else:
            written.append(f" own[{field.name!r}] = {field.name}")
    by_name = ["*", *given[True]] if given[True] else []
    head = ", ".join(["self", *given[False], *by_name])
    return "\n".join([f"def make_{number}({head}):", *(written or [" pass"]), ""])
