"""Walking typed trees: the parts of a node, and the locals it takes from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace

from ruleforge.check import typed as t

NODES = (t.Expr, t.Statement, t.Block, t.Binder, t.Several)
_FIELDS: dict[type, tuple[str, ...]] = {}


def parts(node: object) -> Iterator[object]:
    """The expressions, statements, binders and blocks directly inside a node."""
    names = _FIELDS.get(type(node))
    if names is None:
        names = _FIELDS[type(node)] = tuple(f.name for f in fields(node))  # type: ignore[arg-type]
    for name in names:
        yield from _nodes_in(getattr(node, name))


def _nodes_in(value: object) -> Iterator[object]:
    if isinstance(value, NODES):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _nodes_in(item)


def all_nodes(node: object) -> Iterator[object]:
    """A node and all below it, each before what it consists of."""
    todo = [node]
    while todo:
        current = todo.pop()
        yield current
        todo += reversed([*parts(current)])


def free_variables(*nodes: object) -> tuple[t.Variable, ...]:
    """The locals used in the nodes and bound outside of them, each once, in order of first use."""
    used: dict[t.Variable, None] = {}
    bound: set[t.Variable] = set()
    for root in nodes:
        for node in all_nodes(root):
            match node:
                case t.Use(variable=variable):
                    used.setdefault(variable)
                case t.Binder(variable=variable):
                    bound.add(variable)
                case (
                    t.Assign(variable=variable) | t.Roll(variable=variable) | t.RandomPick(variable=variable)
                ):
                    bound.add(variable)
                case t.Several(chosen=variable):
                    bound.add(variable)
                case t.Perform(into=t.Variable() as variable) | t.New(variable=t.Variable() as variable):
                    bound.add(variable)
    return tuple(v for v in used if v not in bound)


def substitute(about: t.About, this: t.Variable) -> t.Expr:
    """An expression about `self`, said of another variable."""
    return said_of(
        about.value, lambda use: replace(use, variable=this) if use.variable is about.this else use
    )


def said_of(expression: t.Expr, other: Callable[[t.Use], t.Expr]) -> t.Expr:
    """An expression with something else in the place of each use of a variable."""

    def walk(node: object) -> object:
        if isinstance(node, t.Use):
            return other(node)
        if isinstance(node, t.Expr | t.Binder):
            changed = {}
            for f in fields(node):
                old = getattr(node, f.name)
                new = walk(old)
                if new is not old:
                    changed[f.name] = new
            return replace(node, **changed) if changed else node  # type: ignore[arg-type]
        if isinstance(node, tuple):
            items = tuple(walk(x) for x in node)
            return items if any(a is not b for a, b in zip(items, node, strict=True)) else node
        return node

    return walk(expression)  # type: ignore[return-value]
