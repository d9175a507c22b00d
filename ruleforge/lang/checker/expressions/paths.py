"""Type checks `linked` and `reached`: paths over cells of a board and across its edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ERROR, FLAG, ErrorT, SetT, ThingT
from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser.depth import all_nodes

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope


def linked(checker: Expressions, node: n.Linked, scope: Scope) -> t.Expr:
    binder, kind = _over_board(checker, node, "linked", scope)
    across = _across(checker, node, kind, scope)
    if kind is None:
        return t.Constant(node.span, ERROR, 0)
    start = checker.wanted(node.start, scope, SetT(kind), "the start of `linked`")
    goal = checker.wanted(node.goal, scope, SetT(kind), "the goal of `linked`")
    return t.Linked(node.span, FLAG, start, binder, across, goal)


def reached(checker: Expressions, node: n.Reached, scope: Scope) -> t.Expr:
    binder, kind = _over_board(checker, node, "reached", scope)
    across = _across(checker, node, kind, scope)
    if kind is None:
        return t.Constant(node.span, ERROR, 0)
    start = checker.wanted(node.start, scope, SetT(kind), "the start of `reached`")
    return t.Reached(node.span, SetT(kind), start, binder, across)


def _over_board(
    checker: Expressions, node: n.Linked | n.Reached, word: str, scope: Scope
) -> tuple[t.Binder, str | None]:
    """The cells that a path may use, and their board; None if the board is unknown."""
    binder, _ = checker.binder(node.binder, scope)
    _without_order(checker, node.binder)
    kind = binder.variable.type
    if isinstance(kind, ThingT) and kind.kind in checker.symbols.geometry:
        return binder, kind.kind
    if not isinstance(kind, ErrorT):
        checker.symbols.no_board(f"`{word}` walks over the cells of a board", node.binder.span)
    return binder, None


def _without_order(checker: Expressions, node: n.Binder) -> None:
    for part in (node.until, *node.by):
        if part is not None:
            word = "until" if part is node.until else "by"
            help = f"delete `{word}`; `where` says which cells the path may use"
            checker.symbols.error(
                "RF502", f"a path has no order, so `{word}` means nothing here", part.span, help
            )


def _across(
    checker: Expressions, path: n.Linked | n.Reached, board: str | None, scope: Scope
) -> t.Binder | None:
    """The edges that a path may cross: they must be those of the board it leads over."""
    node = path.across
    if node is None or _speaks_of_cells(checker, node, path.binder.name, scope):
        return None
    binder, _ = checker.binder(node, scope)
    _without_order(checker, node)
    type = binder.variable.type
    edges = checker.symbols.geometry.get(type.kind) if isinstance(type, ThingT) else None
    if edges is not None and _is_edge_of(edges, board or ""):
        return binder
    if board is not None and not isinstance(type, ErrorT):
        known = [g.kind.plural for g in checker.symbols.geometry.values() if _is_edge_of(g, board)]
        help = f"write `across {node.name} in {known[0]}`" if known else f"give a kind `edges: {board}`"
        checker.symbols.error(
            "RF502", f"a path leads across edges of `{board}`, but this is {type}", node.span, help
        )
    return None


def _speaks_of_cells(checker: Expressions, node: n.Binder, cell: str, scope: Scope) -> bool:
    """Whether what is said of the edges speaks of the cells of the path, which are not known there."""
    if node.where is None or cell == node.name or cell in scope.variables:
        return False
    for part in all_nodes(node.where):
        if isinstance(part, n.Name) and part.id == cell:
            help = f"put conditions on cells before `across`: `{cell} in ... where ... across {node.name} in ...`"
            message = f"after `across` only the edge is known, not `{cell}`"
            checker.symbols.error("RF501", message, part.span, help)
            return True
    return False


def _is_edge_of(geometry: t.Geometry, board: str) -> bool:
    return geometry.shape == "edges" and geometry.border is not None and geometry.border.board.name == board
