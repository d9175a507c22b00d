"""The conditions of an action before and after its choice."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Lazy, Lowering, both
from ruleforge.compiler.lower.effects import event_gates
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import modifiers
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import with_replaced_uses

ZERO, ONE = ir.Const(0), ir.Const(1)


def stays(low: Lowering, hold: t.Expr, tried: Sequence[object], env: Env) -> bool:
    """Whether effects cannot change a condition.

    They write no cell that it reads, trigger no rule, and do not end the game.
    """
    if event_gates.sets_off(low, tried) or any(
        isinstance(env.values[v], Lazy) for v in values.captured(env, hold)
    ):
        return False
    done = low.effects(*tried)
    return not done.finishes and not done.disturbs(low.effects(hold).reads)


def unless_over(low: Lowering, holds: tuple[t.Expr, ...], env: Env) -> ir.Expr:
    """Whether all conditions hold. After the end of the game they need not."""
    if not holds:
        return ONE
    over = ir.Binary("!=", ir.Load(ir.OUTCOME), ZERO)
    return ir.Logic("or", (over, both(*(values.value(low, h, env) for h in holds))))


def ask_condition(low: Lowering, hold: t.Expr, env: Env) -> ir.Expr:
    """Evaluate one condition now. All choices call the same function, so that it can be cached.

    A condition in a trial is false if the rules stop it. It therefore stays a trial.
    """
    variables = values.captured(env, hold)
    name = low.holding.get(hold)
    if name is None:
        name = low.holding[hold] = low.fresh("holds")
        parameters, inner = modifiers.parameters_of(low, variables)
        low.reserve(name, parameters)
        low.define(name, parameters, (ir.Return(unless_over(low, (hold,), inner)),), hold.span)
    given = tuple(word for v in variables for word in env.words(v))
    return ir.Binary("==", ir.Trial(name, given), ONE)


# The expanded needs of an action: for an event that must be possible each need, tested as early as possible.


def needs_of(low: Lowering, action: t.Action) -> tuple[t.Expr, ...]:
    """The conditions of an action; `can(event(..))` is asked whole only where rules have a say in it."""
    return tuple(part for need in action.needs for part in _written_out(low, need))


def _written_out(low: Lowering, need: t.Expr) -> tuple[t.Expr, ...]:
    match need:
        case t.Can(event=event, arguments=arguments) if all(map(_plain, arguments)):
            given = dict(zip(event.parameters, arguments, strict=True))
            parts = tuple(
                with_replaced_uses(part, lambda use: given.get(use.variable, use)) for part in event.needs
            )
            gated = event in low.hooks.forbid or low.rules.gate is not None
            return (*parts, need) if gated else parts
    return (need,)


def _plain(argument: t.Expr) -> bool:
    return isinstance(argument, t.Use | t.Constant)
