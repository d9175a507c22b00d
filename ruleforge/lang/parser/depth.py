"""Measures the depth of a tree without recursion, because later stages recurse."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from ruleforge.lang.parser.nodes import For, Node, Repeat


def depth_of(root: Node) -> int:
    """The number of nodes on the longest way down."""
    deepest = 0
    level: list[Node] = [root]
    while level:
        deepest += 1
        level = [child for node in level for child in children(node)]
    return deepest


_FIELDS: dict[type[Node], tuple[str, ...]] = {}


def loops_of(root: Node) -> int:
    """How deep loops lie in loops."""
    deepest = 0
    todo: list[tuple[Node, int]] = [(root, 0)]
    while todo:
        node, loops = todo.pop()
        loops += isinstance(node, For | Repeat)
        deepest = max(deepest, loops)
        todo += [(child, loops) for child in children(node)]
    return deepest


def children(node: Node) -> Iterator[Node]:
    """The nodes directly under a node, in the order they are written."""
    kind = type(node)
    names = _FIELDS.get(kind)
    if names is None:
        names = _FIELDS[kind] = tuple(field.name for field in fields(node) if field.name != "span")
    for name in names:
        value = getattr(node, name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            yield from _nodes_in(value)


def all_nodes(root: Node) -> Iterator[Node]:
    """A node and all below it, in the order they are written."""
    todo = [root]
    while todo:
        node = todo.pop()
        yield node
        todo += reversed([*children(node)])


def _nodes_in(items: tuple[object, ...]) -> Iterator[Node]:
    for item in items:
        if isinstance(item, Node):
            yield item
        elif isinstance(item, tuple):
            yield from _nodes_in(item)
