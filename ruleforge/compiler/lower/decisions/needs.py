"""What an action needs, written out: of an event that must be possible each need, asked as early as can be."""

from __future__ import annotations

from ruleforge.compiler.lower.context import Lowering
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import said_of


def needs_of(low: Lowering, action: t.Action) -> tuple[t.Expr, ...]:
    """The conditions of an action; `can(event(..))` is asked whole only where rules have a say in it."""
    return tuple(part for need in action.needs for part in _written_out(low, need))


def _written_out(low: Lowering, need: t.Expr) -> tuple[t.Expr, ...]:
    match need:
        case t.Can(event=event, arguments=arguments) if all(map(_plain, arguments)):
            given = dict(zip(event.parameters, arguments, strict=True))
            parts = tuple(said_of(part, lambda use: given.get(use.variable, use)) for part in event.needs)
            gated = event in low.hooks.forbid or low.rules.gate is not None
            return (*parts, need) if gated else parts
    return (need,)


def _plain(argument: t.Expr) -> bool:
    return isinstance(argument, t.Use | t.Constant)
