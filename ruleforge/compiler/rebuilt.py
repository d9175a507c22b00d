"""Tables of what a type of nodes consists of -> functions, written out once for each type: its parts, a node made anew.

Programs have hundreds of thousands of nodes, and every pass asks each of them for its parts: what is written out for
a type looks up no names, makes nothing where nothing changed, and is several times as fast as a loop over fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from operator import is_ as _is
from typing import Any

Change = Callable[[Any], Any]
Read = Callable[[Any], tuple[Any, ...]]
Rebuild = Callable[[Any, Change], Any]
Placing = Callable[[Any, int, Callable[[Any, int], Any]], Any]  # a statement, its place, how a body gets one


def parts_read(one: Mapping[type, tuple[str, ...]], many: Mapping[type, str]) -> dict[type, Read]:
    """For each type: the expressions directly inside a node, in order of evaluation, without those that it lacks."""
    return _when_asked({**one, **many}, lambda kind: _read(kind, one.get(kind, ()), many.get(kind)))


def _read(kind: type, one: tuple[str, ...], many: str | None) -> Read:
    parts = [f"node.{name}" for name in one]
    if many is not None:
        text = f"({', '.join([*parts, f'*node.{many}'])},)" if parts else f"node.{many}"
    else:
        (lacking,) = [f"node.{name}" for name in one if name in _optional(kind)] or [""]
        text = f"({', '.join(parts)},)"
        if lacking:
            others = "".join(f"{part}, " for part in parts if part != lacking)
            text = f"({others}) if {lacking} is None else {text}"
    read: Read = eval(f"lambda node: {text}")
    return read


def _optional(kind: type) -> set[str]:
    return {f.name for f in fields(kind) if "None" in str(f.type)}


def with_parts(one: Mapping[type, tuple[str, ...]], many: Mapping[type, str]) -> dict[type, Rebuild]:
    """For each type: the node with each expression directly inside replaced, itself if none changed."""
    listed = {kind: (name,) for kind, name in many.items()}
    return _when_asked({**one, **many}, lambda kind: _rebuild(kind, one.get(kind, ()), listed.get(kind, ())))


def with_inner(inner: Mapping[type, tuple[str, ...]]) -> dict[type, Rebuild]:
    """For each type: the statement with each body directly inside that is not empty replaced."""
    return _when_asked(inner, lambda kind: _rebuild(kind, inner[kind], (), full=True))


def _when_asked(kinds: Iterable[type], write: Callable[[type], Any]) -> dict[type, Any]:
    """A function for each type, written when the first node of it comes: no program has nodes of all types."""
    table: dict[type, Any] = {}

    def first(kind: type) -> Any:
        def written(*given: Any) -> Any:
            table[kind] = write(kind)
            return table[kind](*given)

        return written

    table.update((kind, first(kind)) for kind in kinds)
    return table


def _rebuild(kind: type, one: tuple[str, ...], many: tuple[str, ...], full: bool = False) -> Rebuild:
    lines = []
    optional = _optional(kind)
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
    kept = " and ".join(f"{name} is old_{name}" for name in (*one, *many))
    lines.append(f"if {kept}: return node")
    rebuild: Rebuild = _function(kind, "node, change", lines, {*one, *many})
    return rebuild


def with_place(kind: type, inner: tuple[str, ...]) -> Placing:
    """A statement of a type that gets a place, as do the bodies in it."""
    lines = [f"{name} = change(node.{name}, place)" for name in inner]
    placing: Placing = _function(kind, "node, place, change", lines, {*inner, "place"})
    return placing


def _function(kind: type, parameters: str, lines: list[str], fresh: set[str]) -> Any:
    """The function of these lines, which then makes a node; `fresh` fields are locals by then."""
    names: dict[str, Any] = {"make": object.__new__, "kind": kind, "same": _is}
    written = [*lines, "new = make(kind)"]
    for field in fields(kind):
        names[f"write_{field.name}"] = getattr(kind, field.name).__set__
        written.append(
            f"write_{field.name}(new, {field.name if field.name in fresh else f'node.{field.name}'})"
        )
    text = "\n ".join([f"def rebuilt({parameters}):", *written, "return new"])
    exec(compile(text, f"<rebuilt {kind.__name__}>", "exec"), names)
    return names["rebuilt"]
