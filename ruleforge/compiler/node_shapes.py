"""Generate the functions that read the parts of a node and rebuild it, one set for each type.

The parts of a node come from the fields of its class, so passes visit and rewrite a new class of nodes like
the others. Programs have hundreds of thousands of nodes, and every pass asks each of them for its parts. A
function that is generated for a type looks up no names and allocates nothing for unchanged nodes. It is
several times as fast as a loop over fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from operator import is_ as _is
from typing import Any, TypeVar

Change = Callable[[Any], Any]
Read = Callable[[Any], tuple[Any, ...]]
Rebuild = Callable[[Any, Change], Any]
Placing = Callable[[Any, int, Callable[[Any, int], Any]], Any]  # a statement, its place, how a body gets one
Made = TypeVar("Made")


class ByType(dict[type, Made]):
    """A function for each type, generated at the first node of the type."""

    def __init__(self, make: Callable[[type], Made]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, kind: type) -> Made:
        made = self[kind] = self._make(kind)
        return made


@dataclass(frozen=True)
class Shape:
    """The fields of a node type by content: an expression, an optional expression, several expressions, or
    bodies.
    """

    one: tuple[str, ...] = ()
    optional: frozenset[str] = frozenset()
    many: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ()


_EXPRESSION = re.compile(r"(ir\.)?(Any)?Expr(ession)?")
_SEVERAL = re.compile(rf"tuple\[{_EXPRESSION.pattern}, \.\.\.\]")
_BODY = re.compile(r"(ir\.)?Body")


def _shape(kind: type) -> Shape:
    """The shape of a node type, from the declared types of its fields."""
    types = {f.name: str(f.type) for f in fields(kind)} if is_dataclass(kind) else {}
    single = {name: declared.removesuffix(" | None") for name, declared in types.items()}
    one = tuple(name for name, declared in single.items() if _EXPRESSION.fullmatch(declared))
    return Shape(
        one,
        frozenset(name for name in one if single[name] != types[name]),
        tuple(name for name, declared in types.items() if _SEVERAL.fullmatch(declared)),
        tuple(name for name, declared in types.items() if _BODY.fullmatch(declared)),
    )


SHAPES = ByType(_shape)


def reads_parts(kind: type) -> Read | None:
    """Make a function that reads the direct expressions of a node in order of evaluation, without missing
    ones.
    """
    shape = SHAPES[kind]
    if not shape.one and not shape.many:
        return None
    single = [f"node.{name}" for name in shape.one]
    several = [f"*node.{name}" for name in shape.many]
    text = f"node.{shape.many[0]}" if not single and len(several) == 1 else _tuple(*single, *several)
    for lacking in (f"node.{name}" for name in shape.one if name in shape.optional):
        others = [part for part in (*single, *several) if part != lacking]
        text = f"{_tuple(*others)} if {lacking} is None else {text}"
    read: Read = eval(f"lambda node: {text}")
    return read


def _tuple(*parts: str) -> str:
    return f"({', '.join(parts)},)" if parts else "()"


def reads_inner(kind: type) -> Read | None:
    """Make a function that reads the direct statements of a statement in order."""
    bodies = [f"*node.{name}" for name in SHAPES[kind].bodies]
    if not bodies:
        return None
    read: Read = eval(f"lambda node: {_tuple(*bodies) if len(bodies) > 1 else bodies[0][1:]}")
    return read


def rebuilds_parts(kind: type) -> Rebuild | None:
    """Make a function that replaces each direct expression of a node.

    An unchanged node stays the same object.
    """
    shape = SHAPES[kind]
    return _rebuild(kind, shape.one, shape.many) if shape.one or shape.many else None


def rebuilds_bodies(kind: type) -> Rebuild | None:
    """Make a function that replaces each direct body of a statement that is not empty."""
    bodies = SHAPES[kind].bodies
    return _rebuild(kind, bodies, (), full=True) if bodies else None


def _rebuild(kind: type, one: tuple[str, ...], many: tuple[str, ...], full: bool = False) -> Rebuild:
    lines = []
    optional = SHAPES[kind].optional
    for name in (*one, *many):
        lines.append(f"old_{name} = node.{name}")
        if name in many:
            lines.append(f"{name} = tuple([change(part) for part in old_{name}])")
            lines.append(f"if all(map(same, {name}, old_{name})): {name} = old_{name}")
        elif full:
            lines.append(f"{name} = change(old_{name}) if old_{name} else old_{name}")
        elif name in optional:
            lines.append(f"{name} = None if old_{name} is None else change(old_{name})")
        else:
            lines.append(f"{name} = change(old_{name})")
    unchanged = " and ".join(f"{name} is old_{name}" for name in (*one, *many))
    lines.append(f"if {unchanged}: return node")
    rebuild: Rebuild = _function(kind, "node, change", lines, {*one, *many})
    return rebuild


def places(kind: type) -> Placing:
    """Make a function that gives a place to a statement and to the bodies in it."""
    inner = SHAPES[kind].bodies
    lines = [f"{name} = change(node.{name}, place)" for name in inner]
    placing: Placing = _function(kind, "node, place, change", lines, {*inner, "place"})
    return placing


def _function(kind: type, parameters: str, lines: list[str], fresh: set[str]) -> Any:
    """The function of these lines, which then makes a node; `fresh` fields are locals by then."""
    names: dict[str, Any] = {"make": object.__new__, "kind": kind, "same": _is}
    written = [*lines, "new = make(kind)"]
    for field in fields(kind):
        # Frozen classes refuse `setattr`. Their slots have descriptors, which write without a check.
        names[f"write_{field.name}"] = getattr(kind, field.name).__set__
        written.append(
            f"write_{field.name}(new, {field.name if field.name in fresh else f'node.{field.name}'})"
        )
    text = "\n ".join([f"def rebuilt({parameters}):", *written, "return new"])
    exec(compile(text, f"<rebuilt {kind.__name__}>", "exec"), names)
    return names["rebuilt"]
