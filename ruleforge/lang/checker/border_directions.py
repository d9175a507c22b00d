"""`wall(a, b)`, `wall(c, north)`: edges and corners by what lies beside them, named after their kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ErrorT, ThingT
from ruleforge.lang.parser import nodes as n

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope


def check_border(checker: Expressions, node: n.Call, scope: Scope, made: t.Geometry) -> t.Expr:
    """Two cells or two corners, or a cell and a direction."""
    assert made.border is not None
    board, symbols = made.border.board.name, checker.symbols
    wanted = _wanted(checker, made)
    if len(node.arguments) != 2:
        return symbols.error("RF504", f"`{node.name}` takes {wanted}", node.span)
    first = checker.thing(node.arguments[0], scope, ThingT(board))
    second = checker.thing(node.arguments[1], scope, ThingT("direction"))
    kinds = tuple(v.type.kind if isinstance(v.type, ThingT) else "" for v in (first, second))
    for value in (first, second):
        if isinstance(value.type, ErrorT):
            return value
    how = _how(checker, made).get((kinds[0], kinds[1]))
    if how is None:
        message = f"`{node.name}` takes {wanted}, not {first.type} and {second.type}"
        return symbols.error("RF502", message, node.span)
    if how == "border_on" and not made.border.sides:
        return symbols.error("RF502", f"`{board}` has links, but no directions", node.span)
    return t.Builtin(node.span, ThingT(made.kind.name, True), how, (first, second), made.kind)


def _how(checker: Expressions, made: t.Geometry) -> dict[tuple[str, str], str]:
    """What may be given, by kinds."""
    assert made.border is not None
    board = made.border.board
    found = {(board.name, "direction"): "border_on"}
    if made.shape == "edges":
        found[board.name, board.name] = "edge_between"
        found |= {(name, name): "edge_joining" for name in _corners(checker, board)}
    return found


def _corners(checker: Expressions, board: t.Kind) -> list[str]:
    """The kinds of corners that a board has."""
    boards = checker.symbols.geometry.values()
    return [g.kind.name for g in boards if g.shape == "corners" and g.border and g.border.board is board]


def _wanted(checker: Expressions, made: t.Geometry) -> str:
    assert made.border is not None
    board = made.border.board
    given = [f"one of {board.plural} and a direction"]
    if made.shape == "edges":
        corners = (checker.symbols.kinds[name] for name in _corners(checker, board))
        given = [*(f"two {kind.plural}" for kind in (board, *corners)), *given]
    return " or ".join(given)
