"""`let x = ...`, and `x = ...` of a local -> a value that is kept under a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.constants import type_of
from ruleforge.lang.checker.statements.values import value_into
from ruleforge.lang.checker.types import (
    ERROR,
    INT_MAX,
    INT_MIN,
    ErrorT,
    NoneT,
    NothingT,
    NumberT,
    ThingT,
    Type,
    fits,
    or_none,
)
from ruleforge.lang.parser import nodes as n

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope
    from ruleforge.lang.checker.statements.frame import Frame
    from ruleforge.lang.checker.symbols import Symbols


def let(checker: Expressions, node: n.Let, scope: Scope, frame: Frame) -> tuple[t.Statement | None, Scope]:
    if node.name in scope.variables:
        message, help = f"`{node.name}` is already in use here", f"to change it write `{node.name} = ...`"
        checker.symbols.error("RF505", message, node.span, help)
    wanted = type_of(node.type, checker.symbols) if node.type is not None else None
    into, type = value_into(checker, node.value, scope, wanted, node.span)
    if wanted is not None:
        _must_fit(checker.symbols, type, wanted, node)
        variable = checker.variable(node.name, wanted, node)
        return into(variable), scope.after_change().bind(variable)
    type = _told_type(checker.symbols, type, node, node.name in frame.reassigned)
    found = isinstance(type, ThingT) and node.value in scope.present  # so it may be none some other time
    variable = checker.variable(node.name, or_none(type) if found else type, node)
    behind = scope.after_change().bind(variable)
    known: frozenset[n.Expr] = frozenset([n.Name(node.span, node.name)] if found else ())
    return into(variable), behind.knowing(known)


def _told_type(symbols: Symbols, type: Type, node: n.Let, is_reassigned: bool) -> Type:
    """The type of a local, told from what it begins with; a number that is written again may become any."""
    if isinstance(type, NoneT | NothingT):
        help = "begin with a value that has one, such as `first(x in SET where ...)`, which may be none"
        symbols.error("RF502", f"`{node.name}` gets {type}, which does not show its type", node.span, help)
        return ERROR
    return NumberT(INT_MIN, INT_MAX) if is_reassigned and isinstance(type, NumberT) else type


def assign_local(
    checker: Expressions, node: n.Assign, variable: t.Variable, scope: Scope
) -> tuple[t.Statement | None, Scope]:
    value = node.value
    if node.op != "=":
        value = n.Arithmetic(node.span, node.op[0], node.target, value)  # type: ignore[arg-type]
    into, type = value_into(checker, value, scope, variable.type, node.span)
    _must_fit(checker.symbols, type, variable.type, node)
    return into(variable), scope.after_change(variable.name)


def _must_fit(symbols: Symbols, type: Type, wanted: Type, node: n.Let | n.Assign) -> None:
    """What chance, an event or a pool gives must be what the local holds; of expressions it is known by now."""
    if not isinstance(node.value, n.RandomPick | n.New | n.Call) or fits(type, wanted):
        return
    if not isinstance(type, ErrorT) and not isinstance(wanted, ErrorT):
        symbols.error("RF502", f"this needs {wanted}, but gets {type}", node.value.span)
