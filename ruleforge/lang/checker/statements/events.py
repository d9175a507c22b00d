"""Type checks calls of events, `proceed`, and `pay`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.expressions.arguments import event_called
from ruleforge.lang.checker.types import ErrorT, NumberT, ThingT
from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser.printer import print_expr

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope
    from ruleforge.lang.checker.statements.blocks import Frame
    from ruleforge.lang.checker.symbols import Symbols


def perform(checker: Expressions, call: n.Call, scope: Scope) -> t.Statement | None:
    if call.name in checker.symbols.formula_heads:
        checker.symbols.error("RF506", f"`{call.name}` is a formula; it does nothing by itself", call.span)
        return None
    event, arguments = event_called(checker, call, scope)
    return t.Perform(call.span, event, arguments, None) if event else None


def proceed(checker: Expressions, node: n.Proceed, scope: Scope, frame: Frame) -> t.Statement | None:
    if frame.proceeds is None:
        checker.symbols.error("RF506", "only a rule with `instead of` can proceed", node.span)
        return None
    changed = dict(node.changed)
    arguments = []
    for parameter in frame.proceeds:
        if parameter.name in changed:
            value = changed.pop(parameter.name)
            arguments.append(checker.wanted(value, scope, parameter.type, f"`{parameter.name}`"))
        else:
            arguments.append(t.Use(node.span, parameter.type, parameter))
    for name, value in changed.items():
        checker.symbols.unknown("argument", name, value.span, [p.name for p in frame.proceeds])
    return t.Proceed(node.span, tuple(arguments))


# `pay`: the player, the amount, the pools and their names.


def pay(checker: Expressions, node: n.Pay, scope: Scope) -> t.Statement | None:
    amount = checker.wanted(node.amount, scope, NumberT(0, 0), "`pay`")
    pools = []
    for pool in node.pools:
        typed = checker.check(pool, scope)
        if isinstance(typed, t.Read) and not typed.column.constant and isinstance(typed.type, NumberT):
            pools.append(typed)
        elif not isinstance(typed.type, ErrorT):
            checker.symbols.error("RF502", "only a number attribute can pay", pool.span)
    who = _payer(checker.symbols, node, pools, scope)
    if who is None or len(pools) < len(node.pools):
        return None
    return t.Pay(node.span, who, amount, tuple(pools), _purses(checker.symbols, node))


def _purses(symbols: Symbols, node: n.Pay) -> tuple[str, ...]:
    """The names of pools that the payer may split between: each as short as possible."""
    whole = [print_expr(pool).replace(" ", "") for pool in node.pools]
    for pool, name in zip(node.pools, whole, strict=True):
        if whole.count(name) > 1:
            symbols.error("RF506", f"`{name}` is named twice", pool.span)
    owners = [print_expr(pool.of).replace(" ", "") for pool in node.pools if isinstance(pool, n.Attribute)]
    brief = [name.removeprefix(f"{owner}.") for name, owner in zip(whole, owners, strict=True)]
    return tuple(brief if len(set(brief)) == len(brief) else whole)


def _payer(symbols: Symbols, node: n.Pay, pools: list[t.Read], scope: Scope) -> t.Expr | None:
    """The player who splits the payment: the owner of the first pool if it is a player's, else `me`."""
    if pools and pools[0].column.kind.name == "player":
        return pools[0].of
    if "me" in scope.variables:
        return t.Use(node.span, ThingT("player"), scope.variables["me"])
    if pools:
        symbols.error("RF506", "it is not clear who pays", node.span, "pay from an attribute of a player")
    return None
