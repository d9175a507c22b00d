"""`x = ...`, `thing.attribute += ...` -> what is written, and where to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.statements.locals import assign_local
from ruleforge.lang.checker.types import ERROR, ErrorT, NumberT, ThingT
from ruleforge.lang.parser import nodes as n
from ruleforge.support.diagnostics import Edit, Fix
from ruleforge.support.spelling import listed

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope
    from ruleforge.lang.checker.symbols import Symbols


def assign(checker: Expressions, node: n.Assign, scope: Scope) -> tuple[t.Statement | None, Scope]:
    match node.target:
        case n.Name(id=name) if name in scope.variables:
            return assign_local(checker, node, scope.variables[name], scope)
        case n.Attribute():
            return _store(checker, node, node.target, scope), scope.after_change()
    return _unchangeable(checker.symbols, node, scope)


def _unchangeable(symbols: Symbols, node: n.Assign, scope: Scope) -> tuple[t.Statement | None, Scope]:
    """Complains; of a number with a name it is known what would be overwritten, and a new name is one from here on."""
    help = _whose(symbols, node.target, scope)
    fix: Fix = ()
    name = node.target.id if isinstance(node.target, n.Name) else None
    if help is None and name is not None and not symbols.is_name(name):
        help, span = f"to make a new name write `let {name} = ...`", node.target.span
        if name in ("winner", "winners", "loser", "losers"):
            help = "name the winners when the game ends: `finish ENDING for ...`"
        elif node.op == "=":
            fix = (Edit(span, f"let {name}"),)
        scope = scope.bind(t.Variable(name, ERROR, span))
    symbols.error("RF506", "only attributes and locals can be changed", node.target.span, help, fix)
    lost = t.Overwrite(node.span, (name,)) if name is not None and name in symbols.numbers else None
    return lost, scope


def _whose(symbols: Symbols, target: n.Expr, scope: Scope) -> str | None:
    """Who has an attribute of this name, if that is what is meant."""
    name = target.id if isinstance(target, n.Name) else ""
    owners = [kind for kind, known in symbols.columns if known == name]
    for local in scope.variables.values():
        if isinstance(local.type, ThingT) and local.type.kind in owners:
            return f"write `{local.name}.{name}`"
    return f"it belongs to {listed(owners)}: write whose" if owners else None


def _store(checker: Expressions, node: n.Assign, target: n.Attribute, scope: Scope) -> t.Statement | None:
    place = checker.check(target, scope)
    if isinstance(
        place, t.Sure
    ):  # a loop found that it holds something; of what is written that is not asked
        place = place.value
    if isinstance(place.type, ErrorT):
        return None
    if not isinstance(place, t.Read) or place.column.constant:
        return _no_attribute(checker.symbols, node, target, place)
    value = node.value
    if isinstance(value, n.RollDice | n.RollRange | n.RandomPick | n.New):
        checker.symbols.error("RF506", "roll into a local first", value.span, "write `let x = roll ...`")
        return None
    if node.op != "=":
        value = n.Arithmetic(node.span, node.op[0], target, value)
    checked = checker.wanted(value, scope, place.column.type, f"`.{target.name}`")
    taken = node.op == "=" and isinstance(value, n.Negative)
    _in_range(checker.symbols, place.column, checked, "to subtract from it write `-=`" if taken else None)
    return t.Store(node.span, place.column, place.of, place.index, checked)


def _in_range(symbols: Symbols, column: t.Column, value: t.Expr, help: str | None = None) -> None:
    if isinstance(column.type, NumberT) and isinstance(value.type, NumberT) and not column.capped:
        low, high = column.type.low, column.type.high
        if value.type.high < low or value.type.low > high:
            symbols.error(
                "RF508", f"`{column.name}` is {low}..{high}, but this is {value.type}", value.span, help
            )


def _no_attribute(symbols: Symbols, node: n.Assign, target: n.Attribute, place: t.Expr) -> t.Statement | None:
    """Complains; of a fact it is known what would be overwritten."""
    what = "a fact, which never changes" if isinstance(place, t.Read) else "no attribute"
    help = "write `move THING to PLACE`" if isinstance(place, t.Content | t.Whereabouts) else None
    symbols.error("RF506", f"`.{target.name}` is {what}", target.span, help)
    if not isinstance(place, t.Read):
        return None
    kind = place.column.kind.name
    return t.Overwrite(node.span, (f"{kind}.{place.column.name}", kind))
