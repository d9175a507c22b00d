"""`players_from(p)` -> all players, sorted by how far round the table from p they sit."""

from __future__ import annotations

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.symbols import Symbols
from ruleforge.lang.checker.types import NumberT, SetT, ThingT
from ruleforge.support.diagnostics import Span


def players_from(symbols: Symbols, span: Span, first: t.Expr) -> t.Expr:
    """Seats that nobody has leave gaps in the numbers, not in the order."""
    players = symbols.kinds["player"]
    if first.type != ThingT("player"):
        return symbols.error("RF502", f"`players_from` needs a player, but this is {first.type}", span)
    size = players.size
    player = t.Variable("p", ThingT("player"), span)
    own = _number(span, t.Use(span, player.type, player), players)
    ahead = t.Arithmetic(span, NumberT(1 - size, size - 1), "-", own, _number(span, first, players))
    seats = t.Constant(span, NumberT(size, size), size)
    away = t.Arithmetic(span, NumberT(0, size - 1), "%", ahead, seats)
    source = t.All(span, SetT("player"), players)
    return t.Selection(span, SetT("player"), t.Binder(span, player, source, by=(away,)))


def _number(span: Span, player: t.Expr, players: t.Kind) -> t.Expr:
    return t.Builtin(span, NumberT(1, players.size), "number", (player,), players)
