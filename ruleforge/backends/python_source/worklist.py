"""Rewrite arrays that serve as a queue to growing lists, which Python iterates much faster."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from ruleforge.compiler import ir
from ruleforge.compiler.visit import Expression, Node, all_expressions, assigned, statements, with_bodies
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class NewList:
    name: str


@dataclass(frozen=True, slots=True)
class Append:
    name: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Drain:
    """Run the body for each member of a list, also for members that the body adds."""

    name: str
    queue: str
    body: ir.Body


@dataclass(frozen=True, slots=True)
class _Queue:
    """An array with the local that counts its members and the local that walks it."""

    array: str
    last: str
    at: str


def with_worklists(body: ir.Body) -> ir.Body:
    """Rewrite all queues of a body. This is the last pass before printing: no other pass knows its nodes."""
    for name in [s.name for s in statements(body) if isinstance(s, ir.NewArray)]:
        queue = _queue(body, name)
        if queue is not None:
            body = _rewritten(body, queue)
    return body


def _queue(body: ir.Body, array: str) -> _Queue | None:
    """The array as a queue, if all that is done with it is adding at the end and walking it once."""
    walks = [s for s in statements(body) if isinstance(s, ir.While) and _walks(s, array)]
    if len(walks) != 1:
        return None
    test = walks[0].test
    assert (
        isinstance(test, ir.Binary) and isinstance(test.left, ir.Local) and isinstance(test.right, ir.Local)
    )
    queue = _Queue(array, test.right.name, test.left.name)
    adds = sum(1 for s in statements(body) if isinstance(s, ir.SetElement) and s.array == array)
    if adds != _pairs(body, queue):
        return None
    reads = Counter(e.name for e in all_expressions(body) if isinstance(e, ir.Local))
    writes = Counter(name for s in statements(body) for name in assigned(s))
    elements = sum(1 for e in all_expressions(body) if isinstance(e, ir.Element) and e.array == array)
    made = sum(1 for s in statements(body) if isinstance(s, ir.NewArray) and s.name == array)
    starts = sum(1 for s in statements(body) if s == ir.Set(queue.last, ir.Const(0)))
    right = (
        elements == made == starts == 1
        and reads[queue.last] == 2 * adds + 1
        and writes[queue.last] == adds + 1
        and reads[queue.at] == 3
        and writes[queue.at] == 2
        and _starts_before(body, queue)
    )
    return queue if right else None


def _walks(loop: ir.While, array: str) -> bool:
    """`while at < last: here = array[at]; at = at + 1; ..`"""
    match loop.test, loop.body[:2]:
        case (
            ir.Binary(op="<", left=ir.Local(name=at), right=ir.Local()),
            (ir.Set(value=ir.Element(array=found, index=ir.Local(name=index))), step),
        ):
            return found == array and index == at and step == _plus_one(at)
    return False


def _plus_one(name: str) -> ir.Set:
    return ir.Set(name, ir.Binary("+", ir.Local(name), ir.Const(1)))


def _is_add(one: Node, two: Node, queue: _Queue) -> bool:
    add = isinstance(one, ir.SetElement) and one.array == queue.array and one.index == ir.Local(queue.last)
    return add and two == _plus_one(queue.last)


def _pairs(body: ir.Body, queue: _Queue) -> int:
    """The number of places that add a member."""
    here = sum(1 for one, two in pairwise(body) if _is_add(one, two, queue))
    inner = (getattr(s, name) for s in body for name in ("then", "other", "body") if hasattr(s, name))
    return here + sum(_pairs(part, queue) for part in inner)


def _starts_before(body: ir.Body, queue: _Queue) -> bool:
    """Whether the walk directly follows `at = 0`."""
    for one, two in pairwise(body):
        if one == ir.Set(queue.at, ir.Const(0)) and isinstance(two, ir.While) and _walks(two, queue.array):
            return True
    inner = (getattr(s, name) for s in body for name in ("then", "other", "body") if hasattr(s, name))
    return any(_starts_before(part, queue) for part in inner)


def _rewritten(body: ir.Body, queue: _Queue) -> ir.Body:
    out: list[Node] = []
    statement: Node
    for position, statement in enumerate(body):
        after = body[position + 1] if position + 1 < len(body) else None
        before = body[position - 1] if position else None
        if isinstance(statement, ir.NewArray) and statement.name == queue.array:
            continue
        if statement == ir.Set(queue.last, ir.Const(0)):
            out.append(NewList(queue.array))
        elif isinstance(statement, ir.SetElement) and _is_add(statement, after, queue):
            out.append(Append(queue.array, statement.value))
        elif (before is not None and _is_add(before, statement, queue)) or statement == ir.Set(
            queue.at, ir.Const(0)
        ):
            continue
        elif isinstance(statement, ir.While) and _walks(statement, queue.array):
            first = statement.body[0]
            assert isinstance(first, ir.Set)
            out.append(Drain(first.name, queue.array, _rewritten(statement.body[2:], queue)))
        elif isinstance(statement, Drain):
            out.append(Drain(statement.name, statement.queue, _rewritten(statement.body, queue)))
        else:
            out.append(with_bodies(statement, lambda inner: _rewritten(inner, queue)))
    return tuple(out)
