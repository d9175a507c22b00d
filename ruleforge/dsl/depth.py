"""How deep a tree is, found without recursion: later stages recurse, and must be safe to do so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from ruleforge.dsl.nodes import Node


def depth_of(root: Node) -> int:
    """The number of nodes on the longest way down."""
    deepest = 0
    level: list[Node] = [root]
    while level:
        deepest += 1
        level = [child for node in level for child in children(node)]
    return deepest


def children(node: Node) -> Iterator[Node]:
    """The nodes directly under a node, in the order they are written."""
    for field in fields(node):
        yield from _nodes_in(getattr(node, field.name))


def all_nodes(root: Node) -> Iterator[Node]:
    """A node and all below it, in the order they are written."""
    todo = [root]
    while todo:
        node = todo.pop()
        yield node
        todo += reversed([*children(node)])


def _nodes_in(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _nodes_in(item)
