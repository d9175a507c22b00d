"""`during(opening)`: is a phase or window under way? The game keeps it in an attribute of its own, where rules ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.typed.own_columns import under_way
from ruleforge.lang.checker.types import FLAG, ThingT
from ruleforge.lang.parser import nodes as n
from ruleforge.support.diagnostics import NOWHERE

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.symbols import Symbols


def check_during(checker: Expressions, node: n.Call) -> t.Expr:
    (given,), symbols = node.arguments, checker.symbols
    if not isinstance(given, n.Name):
        return symbols.error("RF502", "`during` needs the name of a phase or window", given.span)
    name = given.id
    if name not in symbols.phases and name not in symbols.windows:
        known = [*symbols.phases, *symbols.windows]
        return symbols.unknown("phase or window", name, given.span, known, section="flow")
    symbols.uses.name("phase" if name in symbols.phases else "window", name, given.span)
    column = _column(symbols, name)
    if column is None:
        help = "use `during({name})` in the rules, then it can be used here too"
        return symbols.error(
            "RF506", f"the game does not record whether `{name}` is running", node.span, help
        )
    game = t.Constant(node.span, ThingT("game"), 1)
    return t.Read(node.span, FLAG, column, game)


def _column(symbols: Symbols, name: str) -> t.Column | None:
    """The attribute that says so; it is there as soon as the rules ask for it."""
    key = ("game", under_way(name))
    if key not in symbols.columns and not symbols.finished:
        never = t.Constant(NOWHERE, FLAG, 0)
        symbols.columns[key] = t.Column(key[1], symbols.kinds["game"], FLAG, NOWHERE, start=never)
    return symbols.columns.get(key)
