"""Marks in the event log around effects that depend on hidden information."""

from __future__ import annotations

from dataclasses import replace

from ruleforge.analysis.infoflow.bindings import leaves
from ruleforge.analysis.infoflow.labels import Label, Labels
from ruleforge.compiler import ir
from ruleforge.compiler.lower import notes
from ruleforge.compiler.lower.context import Env, Lowering, Mode
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.visit import with_bodies
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import all_nodes, free_variables
from ruleforge.support.diagnostics import Span

ZERO = ir.Const(0)


def statement(low: Lowering, node: t.Statement, body: ir.Body, env: Env) -> ir.Body:
    """A statement between its marks; what leaves it early is marked to the end of its event."""
    labels = low.control.statement(node) if env.mode is Mode.REAL and body else frozenset()
    if not labels:
        return body
    over = () if leaves(node) else (low.note(notes.untainted(node.span)),)
    return (_mark(low, labels, env, node.span), *body, *over)


def combined(low: Lowering, node: t.Statement, settled: ir.Body, env: Env) -> ir.Body:
    """Mark the reactions after a combined statement."""
    labels = low.control.combined(node) if env.mode is Mode.REAL and settled else frozenset()
    if not labels:
        return settled
    return (_mark(low, labels, env, node.span), *settled, low.note(notes.untainted(node.span)))


def rule(low: Lowering, rule: t.Rule, body: ir.Body, env: Env) -> ir.Body:
    """The marks for the conditions of a rule, its effects, or both."""
    labels = low.control.rule(rule) if env.mode is Mode.REAL else frozenset()
    if not labels:
        return body
    over = (low.note(notes.untainted(rule.span)),)
    return (_mark(low, labels, env, rule.span), *closed(body, over), *over)


def phase(low: Lowering, phase: t.Phase, body: ir.Body, env: Env) -> ir.Body:
    mark = another_round(low, phase, env)
    return (*mark, *body, low.note(notes.untainted(phase.span))) if mark else body


def another_round(low: Lowering, phase: t.Phase, env: Env) -> ir.Body:
    """Mark a further round of a phase.

    A player who is asked knows of the round, but another round is secret again.
    """
    labels = low.control.phase(phase)
    return (_mark(low, labels, env, phase.span, phase.name),) if labels else ()


def closed(body: ir.Body, last: ir.Body) -> ir.Body:
    """The body with its last statements before each one that leaves it."""
    found: list[ir.Statement] = []
    for statement in body:
        if isinstance(statement, ir.Return):
            found += [replace(end, place=statement.place) for end in last]
        found.append(with_bodies(statement, lambda inner: closed(inner, last)))
    return tuple(found)


def _mark(low: Lowering, labels: Labels, env: Env, span: Span, phase: str = "") -> ir.Note:
    found = dict.fromkeys(_source(low, label, env) for label in sorted(labels, key=_place_of))
    means = ir.TaintBegins(tuple(source for source, _ in found), phase)
    return low.note(notes.tainted(means, span), *(whose for _, whose in found))


def _source(low: Lowering, label: Label, env: Env) -> tuple[ir.HiddenSource, ir.Expr]:
    """The hidden information of a label, and its owner.

    A value from an earlier moment has no known owner now: it may have changed since, or belong to another
    player. Open values were visible then, so their current owner is enough.
    """
    whose = label.whose if label.via is None and _is_bound(label.whose, env) else ()
    match label.what:
        case t.Column() as column if label.via is None or not column.hidden:
            number = list(low.layout.columns).index(column)
            return ir.HiddenSource("column", number), values.value(low, whose[0], env) if whose else ZERO
        case t.Place() as place if label.via is None:
            number = list(low.layout.places).index(place)
            at = values.instance(low, place, whose, env) if whose else ZERO
            return ir.HiddenSource("place", number), at
        case t.Kind() as kind if label.via is None and whose:
            return ir.HiddenSource("thing", low.layout.number(kind)), values.value(low, whose[0], env)
    return ir.HiddenSource("past", 0), ZERO


def _is_bound(whose: tuple[t.Expr, ...], env: Env) -> bool:
    """Whether the owner is known before the statement."""
    return bool(whose) and all(variable in env.values for variable in free_variables(*whose))


def _place_of(label: Label) -> tuple[object, ...]:
    """A fixed order of labels: by what they name, then by where they stand in the rules."""
    spans = tuple(node.span for whose in label.whose for node in all_nodes(whose) if isinstance(node, t.Expr))
    return label.what.name, label.span, spans, label.via is not None
