"""Walk the intermediate form: read the parts of a node, and rebuild it with other parts."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from ruleforge.compiler import ir
from ruleforge.compiler.node_shapes import (
    SHAPES,
    ByType,
    places,
    reads_inner,
    reads_parts,
    rebuilds_bodies,
    rebuilds_parts,
)

LEAVES = frozenset((ir.Const, ir.Local))  # the most common expressions, which have no parts
LOOPS = (ir.While, ir.ForRange, ir.Each, ir.Scan)

Expression = Any  # ir.AnyExpr; what is read off the fields of a class is beyond a type checker
Node = Any

# Each by the type of a node; None for a type of nodes that have no such parts.
_PARTS = ByType(reads_parts)
_INNER = ByType(reads_inner)
_WITH_PARTS = ByType(rebuilds_parts)
_WITH_BODIES = ByType(rebuilds_bodies)
_PLACING = ByType(places)


def expressions(node: Node) -> tuple[Expression, ...]:
    """The expressions directly inside a node, in order of evaluation."""
    read = _PARTS[type(node)]
    return () if read is None else read(node)


def bodies(statement: Node) -> Iterator[ir.Body]:
    """The bodies directly inside a statement."""
    for name in SHAPES[type(statement)].bodies:
        yield getattr(statement, name)


def statements(body: ir.Body) -> Iterator[Node]:
    """All statements of a body, also nested ones."""
    todo = [*reversed(body)]
    while todo:
        statement = todo.pop()
        yield statement
        inner = _INNER[type(statement)]
        if inner is not None:
            todo += reversed(inner(statement))


def subexpressions(expression: Expression) -> Iterator[Expression]:
    """An expression and everything in it."""
    todo = [expression]
    while todo:
        expression = todo.pop()
        yield expression
        read = _PARTS[type(expression)]
        if read is not None:
            todo += read(expression)[::-1]


def count(body: ir.Body) -> int:
    """The number of statements and expressions in a body."""
    found: list[Node] = [*body]
    for node in found:  # which grows meanwhile
        read = _PARTS[type(node)]
        if read is not None:
            found += read(node)
        inner = _INNER[type(node)]
        if inner is not None:
            found += inner(node)
    return len(found)


def nesting(body: ir.Body) -> tuple[int, int]:
    """The nesting depth of bodies, and of loops."""
    deepest, looped = 0, 0
    todo = [(statement, 0, 0) for statement in body]
    while todo:
        statement, depth, loops = todo.pop()
        loops += isinstance(statement, LOOPS)
        deepest, looped = max(deepest, depth), max(looped, loops)
        todo += [(inner, depth + 1, loops) for part in bodies(statement) for inner in part]
    return deepest, looped


def all_expressions(body: ir.Body) -> Iterator[Expression]:
    """Every expression of a body, also nested ones."""
    for statement in statements(body):
        read = _PARTS[type(statement)]
        if read is None:
            continue
        todo = [*reversed(read(statement))]
        while todo:
            expression = todo.pop()
            yield expression
            read = _PARTS[type(expression)]
            if read is not None:
                todo += read(expression)[::-1]


def calls(body: ir.Body) -> list[str]:
    """The functions that a body calls, with repeats, without enumerators of questions."""
    found: list[str] = []
    todo: list[Node] = [*reversed(body)]
    while todo:
        node = todo.pop()
        kind = type(node)
        if kind in _CALLING:
            found.append(node.function)
        inner = _INNER[kind]
        if inner is not None:
            todo += reversed(inner(node))
        read = _PARTS[kind]
        if read is not None:
            todo += [part for part in read(node)[::-1] if type(part) not in LEAVES]
    return found


_CALLING = frozenset((ir.Perform, ir.CallExpr, ir.Trial))


def performed(body: ir.Body) -> list[str]:
    """The functions that a body performs for their effects."""
    return [s.function for s in statements(body) if type(s) is ir.Perform]


def calls_in(statement: Node) -> list[Expression]:
    """The calls in the expressions directly inside a statement."""
    return found_in(statement, _CALLS)


_CALLS = frozenset((ir.CallExpr, ir.Trial))


def found_in(statement: Node, wanted: frozenset[type]) -> list[Expression]:
    """The expressions of some types among those directly inside a statement and all in them, in order."""
    read = _PARTS[type(statement)]
    todo = [] if read is None else [*reversed(read(statement))]
    found: list[Expression] = []
    while todo:
        expression = todo.pop()
        kind = type(expression)
        if kind in LEAVES:
            continue
        if kind in wanted:
            found.append(expression)
        read = _PARTS[kind]
        if read is not None:
            todo += read(expression)[::-1]
    return found


def with_expressions(node: Node, change: Callable[[Expression], Expression]) -> Node:
    """The node with each expression directly inside replaced; the same node if none changed."""
    rebuild = _WITH_PARTS[type(node)]
    return node if rebuild is None else rebuild(node, change)


def with_bodies(statement: Node, change: Callable[[ir.Body], ir.Body]) -> Node:
    """The statement with each body directly inside replaced; the same statement if none changed."""
    rebuild = _WITH_BODIES[type(statement)]
    return statement if rebuild is None else rebuild(statement, change)


def same(old: ir.Body, new: list[Node]) -> ir.Body:
    """The new statements as a body: the old one if they are the same, so that nothing above is made anew."""
    if len(old) == len(new) and all(map(operator.is_, old, new)):
        return old
    return tuple(new)


def placed(body: ir.Body, place: int) -> ir.Body:
    """The body with this place for every statement that has none; inside one that has, all have."""
    for statement in body:
        if not statement.place:
            return tuple([s if s.place else _PLACING[type(s)](s, place, placed) for s in body])
    return body


def rewrite(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """Replace bottom-up: `change` sees each expression after its parts were replaced."""
    if type(expression) in LEAVES:
        return change(expression)

    def inside(part: Expression) -> Expression:
        return change(part) if type(part) in LEAVES else change(with_expressions(part, inside))

    return inside(expression)


def rewrite_body(body: ir.Body, change: Callable[[Expression], Expression]) -> ir.Body:
    """Replace every expression of a body bottom-up."""

    def inside(part: Expression) -> Expression:
        return rewrite(part, change)

    def whole(body: ir.Body) -> ir.Body:
        return same(body, [with_bodies(with_expressions(statement, inside), whole) for statement in body])

    return whole(body)


def assigned(statement: Node) -> tuple[str, ...]:
    """The locals a statement itself gives a value."""
    match statement:
        case ir.Set(name=name) | ir.ForRange(name=name) | ir.Scan(name=name):
            return (name,)
        case ir.Each(names=names):
            return names
        case ir.Random(into=into) | ir.Ask(into=into):
            return (into,)
        case ir.Perform(into=into) if into is not None:
            return (into,)
    return ()


def arrays_written(statement: Node) -> str | None:
    """The array local a statement writes or declares."""
    match statement:
        case ir.NewArray(name=name):
            return name
        case ir.SetElement(array=array):
            return array
    return None
