"""Walks typed trees: the parts of a node, the free variables, and every expression and effect of a ruleset."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from itertools import chain
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.typed import declarations

NODES = (t.Expr, t.Statement, t.Block, t.Binder, t.Several)
_PLAIN = frozenset(("span", "type"))  # fields of every node that hold none
_FIELDS: dict[type, tuple[str, ...]] = {}  # by the type of a node: those of the others that may hold one
_READ: dict[type, Callable[[object], tuple[object, ...]]] = {}  # how they are read
_IS_NODE: dict[type, bool] = {}  # types met as values of fields; those of nodes have many heirs


def parts(node: object) -> list[object]:
    """The expressions, statements, binders and blocks directly inside a node."""
    found: list[object] = []
    _add_nodes((_READ.get(type(node)) or _reader_of(type(node)))(node), found)
    return found


def _reader_of(kind: type) -> Callable[[object], tuple[object, ...]]:
    """How all fields that may hold nodes are read of a node of this type."""
    names = _fields_of(kind)
    one = attrgetter(*names) if names else lambda _: ()
    _READ[kind] = one if len(names) != 1 else lambda node: (one(node),)
    return _READ[kind]


def _fields_of(kind: type) -> tuple[str, ...]:
    known = _FIELDS.get(kind)
    if known is None:
        others = (f for f in fields(kind) if f.name not in _PLAIN)
        known = _FIELDS[kind] = tuple(f.name for f in others if _may_hold(str(f.type)))
    return known


def _may_hold(declared: str) -> bool:
    """Whether a field that is declared so may hold nodes: unless all types in it are known to be others."""
    named = (name for name in _NAME.findall(declared) if name not in _BUILT_IN)
    return any(is_node(getattr(t, name, t.Expr)) for name in named)


_NAME = re.compile(r"\w+")
_BUILT_IN = frozenset(("str", "int", "bool", "tuple", "None"))


def _add_nodes(values: tuple[object, ...], found: list[object]) -> None:
    for value in values:
        kind = type(value)
        if _IS_NODE.get(kind) or (kind not in _IS_NODE and is_node(kind)):
            found.append(value)
        elif kind is tuple:
            _add_nodes(value, found)  # type: ignore[arg-type]


def is_node(kind: type) -> bool:
    """Is this a type of nodes?"""
    known = _IS_NODE.get(kind)
    if known is None:
        known = _IS_NODE[kind] = issubclass(kind, NODES)
    return known


def all_nodes(node: object) -> Iterator[object]:
    """A node and all below it, each before what it consists of."""
    todo = [node]
    while todo:
        current = todo.pop()
        yield current
        values = (_READ.get(type(current)) or _reader_of(type(current)))(current)
        if values:
            below: list[object] = []
            _add_nodes(values, below)
            todo += below[::-1]


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
                case t.Several(chosen=variable) | t.Tell(value=variable):
                    bound.add(variable)
                case t.Perform(into=t.Variable() as variable) | t.New(variable=t.Variable() as variable):
                    bound.add(variable)
    return tuple(v for v in used if v not in bound)


def used_variables(*nodes: object) -> tuple[t.Variable, ...]:
    """The locals that the nodes read, also those they bind or change themselves."""
    found = (node for root in nodes for node in all_nodes(root))
    return tuple(dict.fromkeys(node.variable for node in found if isinstance(node, t.Use)))


def substitute(about: t.About, this: t.Variable) -> t.Expr:
    """An expression about `self`, said of another variable."""
    return with_replaced_uses(
        about.value, lambda use: replace(use, variable=this) if use.variable is about.this else use
    )


def with_replaced_uses(expression: t.Expr, other: Callable[[t.Use], t.Expr]) -> t.Expr:
    """An expression with something else in the place of each use of a variable."""
    return replaced(expression, lambda node: other(node) if isinstance(node, t.Use) else None)


def replaced(expression: t.Expr, other: Callable[[t.Expr], t.Expr | None]) -> t.Expr:
    """An expression with something else in the place of each part for which there is something."""

    def walk(node: object) -> object:
        fresh_one = other(node) if isinstance(node, t.Expr) else None
        if fresh_one is not None:
            return fresh_one
        if isinstance(node, t.Expr | t.Binder):
            fresh: dict[str, Any] = {}
            for name in _fields_of(type(node)):
                old = getattr(node, name)
                new = walk(old)
                if new is not old:
                    fresh[name] = new
            return replace(node, **fresh) if fresh else node
        if isinstance(node, tuple):
            items = tuple(walk(x) for x in node)
            return items if any(a is not b for a, b in zip(items, node, strict=True)) else node
        return node

    return walk(expression)  # type: ignore[return-value]


def conjuncts(test: t.Expr | None) -> list[t.Expr]:
    """The conditions that are joined by `and`."""
    if isinstance(test, t.Logic) and test.op == "and":
        return [inner for part in test.parts for inner in conjuncts(part)]
    return [] if test is None else [test]


def phases_of(flow: tuple[t.Phase, ...]) -> Iterator[t.Phase]:
    """All phases, each before its steps."""
    for phase in flow:
        yield phase
        yield from phases_of(phase.steps)


def ways_of(flow: tuple[t.Phase, ...]) -> Iterator[tuple[t.Phase, ...]]:
    """The way to each phase, from the outermost around it."""
    for phase in flow:
        yield (phase,)
        yield from ((phase, *way) for way in ways_of(phase.steps))


# Every expression and effect of a ruleset, for checks that look at all of them.


def phases(rules: t.Checked) -> list[t.Phase]:
    return list(phases_of(rules.flow))


def roots(rules: object) -> Iterator[object]:
    """The typed trees of all texts in a ruleset or in a part of one, from every field of every declaration."""
    seen: set[int] = set()
    todo: list[Any] = [rules]
    while todo:
        value = todo.pop()
        kind = type(value)
        if is_node(kind):
            yield value
            continue
        if kind is tuple or kind is list:
            inside = value
        elif kind in _MAPPINGS:
            inside = (*value, *value.values())
        elif id(value) not in seen:
            seen.add(id(value))  # declarations lead to one another in circles
            inside = [getattr(value, name) for name in _FIELDS.get(kind) or _root_fields(kind)]
        else:
            continue
        todo += [item for item in reversed(inside) if _leads_on(type(item))]


_MAPPINGS = (dict, MappingProxyType)
_LEADS_ON: dict[type, bool] = {}  # types met


def _leads_on(kind: type) -> bool:
    """Can texts lie in a value of this type?"""
    known = _LEADS_ON.get(kind)
    if known is None:
        holds_nodes = kind in (tuple, list, *_MAPPINGS) or kind.__module__ == declarations.__name__
        known = _LEADS_ON[kind] = holds_nodes or is_node(kind)
    return known


def _root_fields(kind: type) -> tuple[str, ...]:
    _FIELDS[kind] = tuple(field.name for field in fields(kind))
    return _FIELDS[kind]


def nodes(rules: object) -> Iterator[object]:
    for root in roots(rules):
        yield from all_nodes(root)


def names_of_questions(*rules: object) -> list[str]:
    """The names under which players choose something in these parts of a ruleset."""
    found: list[str] = []
    for root in roots(rules):  # the binders of an action are roots
        asking = (node.binders for node in all_nodes(root) if isinstance(node, t.Choose | t.Sealed))
        for binder in (root, *chain.from_iterable(asking)):
            if isinstance(binder, t.Binder | t.Several):
                found.append((binder.chosen if isinstance(binder, t.Several) else binder.variable).name)
    return list(dict.fromkeys(found))
