"""`event(...)`, `proceed` -> an event that happens, or goes on as it was meant to before it was replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.expressions.arguments import event_called
from ruleforge.lang.parser import nodes as n

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope
    from ruleforge.lang.checker.statements.blocks import Frame


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
