"""The statements by which somebody decides, or chance does: for real, or in a trial."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Lowering, Mode
from ruleforge.compiler.lower.decisions import chance, choose_statements, costs, speculation, windows
from ruleforge.compiler.lower.effects import statements
from ruleforge.lang.checker import typed as t


def decision(low: Lowering, node: t.Statement, env: Env) -> tuple[ir.Body, Env]:
    """A statement that is not done before somebody decided something."""
    real = env.mode is Mode.REAL
    match node:
        case t.Choose():
            return (choose_statements.choose if real else speculation.choose)(low, node, env), env
        case t.Pick():
            return (choose_statements.pick if real else speculation.pick)(low, node, env), env
        case t.Sealed():
            return (choose_statements.sealed if real else speculation.sealed)(low, node, env), env
        case t.Offer():  # in a trial nobody acts
            return windows.offer(low, node, env) if real else (), env
        case t.Pay():
            return costs.pay(low, node, env), env
        case t.Roll(variable=variable):
            name, env = statements.local(low, variable, env)
            return (chance.roll if real else speculation.roll)(low, node, name, env), env
        case t.RandomPick(variable=variable, binder=binder):
            name, env = statements.local(low, variable, env)
            if not real:
                return speculation.random_pick(low, binder, name, env), env
            return chance.random_pick(low, node, binder, name, env), env
    raise AssertionError(node)
