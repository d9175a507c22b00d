"""Marks for the records: what is done from here to there hangs on something that not everybody sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.lower import notes
from ruleforge.compiler.lower.context import Env, Lowering, Mode
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.visit import with_bodies
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.steering import STEERED, Steers
from ruleforge.lang.checker.walk import free_variables
from ruleforge.support.diagnostics import Span

ZERO = ir.Const(0)


def statement(low: Lowering, node: STEERED, body: ir.Body, env: Env) -> ir.Body:
    """What leaves it early is marked to the end of its event."""
    steers = low.steering.statement(node) if env.mode is Mode.REAL and body else ()
    if not steers:
        return body
    over = () if low.steering.leaves(node) else (low.note(notes.unveiled(node.span)),)
    return (_mark(low, steers, env, node.span), *body, *over)


def held_back(low: Lowering, node: t.Statement, settled: ir.Body, env: Env) -> ir.Body:
    """What looks on when several steps that counted as one are over."""
    steers = low.steering.held_back(node) if env.mode is Mode.REAL and settled else ()
    if not steers:
        return settled
    return (_mark(low, steers, env, node.span), *settled, low.note(notes.unveiled(node.span)))


def rule(low: Lowering, rule: t.Rule, body: ir.Body, env: Env) -> ir.Body:
    """Something that a rule does, or looks for, or both."""
    steers = low.steering.rule(rule) if env.mode is Mode.REAL else ()
    if not steers:
        return body
    over = (low.note(notes.unveiled(rule.span)),)
    return (_mark(low, steers, env, rule.span), *closed(body, over), *over)


def phase(low: Lowering, phase: t.Phase, body: ir.Body, env: Env) -> ir.Body:
    mark = another_round(low, phase, env)
    return (*mark, *body, low.note(notes.unveiled(phase.span))) if mark else body


def another_round(low: Lowering, phase: t.Phase, env: Env) -> ir.Body:
    """Who was asked in a round knows that it is one; whether another one follows is as secret as before."""
    steers = low.steering.phase(phase)
    return (_mark(low, steers, env, phase.span, phase.name),) if steers else ()


def closed(body: ir.Body, last: ir.Body) -> ir.Body:
    """The body with its last statements before each one that leaves it."""
    found: list[ir.Statement] = []
    for statement in body:
        if isinstance(statement, ir.Return):
            found += [replace(end, place=statement.place) for end in last]
        found.append(with_bodies(statement, lambda inner: closed(inner, last)))
    return tuple(found)


def _mark(low: Lowering, steers: Sequence[Steers], env: Env, span: Span, phase: str = "") -> ir.Note:
    columns = [(s.what, s.whose) for s in steers if isinstance(s.what, t.Column)]
    places = [(s.what, s.whose) for s in steers if isinstance(s.what, t.Place)]
    things = [(s.what, s.whose) for s in steers if isinstance(s.what, t.Kind)]
    whats = ([c for c, _ in columns], [p for p, _ in places], [k for k, _ in things])
    info = notes.veiled(low, *whats, span, phase)
    of = [values.value(low, whose[0], env) if _bound(whose, env) else ZERO for _, whose in columns]
    at = [values.instance(low, place, w, env) if _bound(w, env) else ZERO for place, w in places]
    which = [values.value(low, whose[0], env) if _bound(whose, env) else ZERO for _, whose in things]
    return low.note(info, *of, *at, *which)


def _bound(whose: tuple[t.Expr, ...], env: Env) -> bool:
    """Whether it can be said before the statement whose it is."""
    return bool(whose) and all(variable in env.values for variable in free_variables(*whose))
