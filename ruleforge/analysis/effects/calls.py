"""List the nodes of pieces of rules, through the events that they perform and the formulas that they call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ruleforge.analysis.dataflow import reach
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import all_nodes


def performed_nodes(*roots: object) -> Iterator[object]:
    """The nodes of the pieces, and of the effects of all events that they perform."""
    return _through(roots, _performed)


def evaluated_nodes(*roots: object) -> Iterator[object]:
    """The nodes of the pieces, and of all formulas that they call."""
    return _through(roots, _evaluated)


def used_nodes(*roots: object) -> Iterator[object]:
    """The nodes of the pieces, of the formulas they call, and of the events they perform, including their
    needs.
    """
    return _through(roots, lambda node: (*_evaluated(node), *_needed(node), *_performed(node)))


def _through(roots: Iterable[object], called: Callable[[object], Iterable[object]]) -> Iterator[object]:
    nodes_of: dict[object, list[object]] = {}

    def further(root: object) -> list[object]:
        nodes = nodes_of[root] = list(all_nodes(root))
        return [text for node in nodes for text in called(node) if text is not None]

    for root in reach((root for root in roots if root is not None), further):
        yield from nodes_of[root]


def _performed(node: object) -> tuple[object, ...]:
    return (node.event.body,) if isinstance(node, t.Perform) else ()


def _needed(node: object) -> tuple[object, ...]:
    return node.event.needs if isinstance(node, t.Perform) else ()


def _evaluated(node: object) -> tuple[object, ...]:
    return (node.formula.body,) if isinstance(node, t.CallFormula) else ()
