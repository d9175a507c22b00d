"""Type checks the arguments of a call against its parameters; values in the wrong order are one mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.names import first_word
from ruleforge.lang.checker.scope import Scope
from ruleforge.lang.checker.types import ERROR, NumberT, ThingT
from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser.printer import print_expr
from ruleforge.support.spelling import counted, is_or_are

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions


def event_called(
    checker: Expressions, call: n.Call, scope: Scope
) -> tuple[t.Event | None, tuple[t.Expr, ...]]:
    """An event and what it is called with; none if there is no such event, or it is part of a circle."""
    head = checker.symbols.event_heads.get(call.name)
    if head is None:
        checker.symbols.unknown(
            "event", call.name, first_word(call.span, call.name), list(checker.symbols.event_heads)
        )
        return None, ()
    checker.symbols.uses.name("event", call.name, first_word(call.span, call.name))
    return checker.symbols.events.get(call.name), values_given(checker, call, head.parameters, scope)


def wrong_number_of_values(call: n.Call, parameters: tuple[t.Variable, ...]) -> tuple[str, str]:
    """A message and its help."""
    taken, here = counted(len(parameters), "value"), is_or_are(len(call.arguments))
    names = ", ".join(p.name for p in parameters)
    return f"`{call.name}` takes {taken}, here {here}", f"it is declared as `{call.name}({names})`"


def values_given(
    checker: Expressions, node: n.Call, parameters: tuple[t.Variable, ...], scope: Scope
) -> tuple[t.Expr, ...]:
    if len(node.arguments) != len(parameters):
        if not checker.symbols.error_nodes.may_hold(node.name):  # else it may take what could not be read
            message, help = wrong_number_of_values(node, parameters)
            checker.symbols.miscalled(message, node.span, help)
        return tuple(t.Constant(node.span, ERROR, 0) for _ in parameters)
    if right := in_order(node, parameters, scope):
        checker.symbols.error("RF502", "two values stand in the wrong order", node.span, f"write `{right}`")
        return tuple(t.Constant(node.span, ERROR, 0) for _ in parameters)
    return tuple(
        _argument(checker, a, p, node.name, scope) for a, p in zip(node.arguments, parameters, strict=True)
    )


def _argument(checker: Expressions, node: n.Expr, parameter: t.Variable, name: str, scope: Scope) -> t.Expr:
    value = checker.wanted(node, scope, parameter.type, f"`{parameter.name}` of `{name}`")
    if isinstance(value.type, NumberT) and isinstance(parameter.type, NumberT):
        low, high = parameter.type.low, parameter.type.high
        if value.type.high < low or value.type.low > high:
            checker.symbols.error(
                "RF508",
                f"`{parameter.name}` of `{name}` is {low}..{high}, but this is {value.type}",
                node.span,
            )
    return value


# Values in the wrong order: one mistake of the author, not two.


def in_order(node: n.Call, parameters: tuple[t.Variable, ...], scope: Scope) -> str | None:
    """The call as it was meant, if two locals stand where the other is wanted."""
    kinds = [_kind_of(argument, scope) for argument in node.arguments]
    wanted = [p.type.kind if isinstance(p.type, ThingT) else None for p in parameters]
    wrong = [at for at, kind in enumerate(kinds) if kind is not None and kind != wanted[at]]
    if len(wrong) != 2 or [kinds[at] for at in wrong] != [wanted[at] for at in reversed(wrong)]:
        return None
    names = [print_expr(argument) for argument in node.arguments]
    first, second = wrong
    names[first], names[second] = names[second], names[first]
    return f"{node.name}({', '.join(names)})"


def _kind_of(node: n.Expr, scope: Scope) -> str | None:
    """The kind of a local that is named alone."""
    variable = scope.variables.get(node.id) if isinstance(node, n.Name) else None
    return variable.type.kind if variable is not None and isinstance(variable.type, ThingT) else None
