"""`for`, `for one`, `for random`, `repeat` -> loops, and what is drawn or found first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.statements.branches import branch
from ruleforge.lang.checker.statements.locals import let
from ruleforge.lang.checker.types import ErrorT, NumberT, ThingT
from ruleforge.lang.checker.walk import said_of
from ruleforge.lang.parser import nodes as n

if TYPE_CHECKING:
    from ruleforge.lang.checker.scope import Scope
    from ruleforge.lang.checker.statements.checker import Statements
    from ruleforge.lang.checker.statements.frame import Frame
    from ruleforge.lang.checker.symbols import Symbols


def loop(checker: Statements, node: n.For, scope: Scope, frame: Frame) -> t.Statement:
    binder, inner = checker.expressions.binder(node.binder, scope)
    body = checker.block(node.body, inner if node.one else inner.in_loop(scope), frame)
    return t.For(node.span, _first(checker.symbols, binder) if node.one else binder, body)


def _first(symbols: Symbols, binder: t.Binder) -> t.Binder:
    """`for one`: a loop over the first member, which may be none."""
    found = binder.variable
    if not isinstance(found.type, ThingT):
        if not isinstance(found.type, ErrorT):
            symbols.error("RF502", f"`for one` needs things, but this is {found.type}", binder.span)
        return binder
    members = _under_another_name(binder)
    first = t.Aggregate(binder.span, replace(found.type, optional=True), "first", members)
    return t.Binder(binder.span, found, first, None, None)


def _under_another_name(binder: t.Binder) -> t.Binder:
    """The same with a variable of its own, so that nobody else's use of the old one is meant."""
    old = binder.variable
    each = t.Variable(old.name, old.type, old.span)

    def renamed(use: t.Use) -> t.Use:
        return replace(use, variable=each) if use.variable is old else use

    until = said_of(binder.until, renamed) if binder.until is not None else None
    where = said_of(binder.where, renamed) if binder.where is not None else None
    by = tuple(said_of(key, renamed) for key in binder.by)
    return replace(binder, variable=each, until=until, where=where, by=by)


def for_random(checker: Statements, node: n.For, scope: Scope, frame: Frame) -> tuple[t.Statement, ...]:
    """`for random x in ..:` is a draw, and what follows if there was something to draw."""
    checker.symbols.uses.scope(node.span, scope.variables)
    name, span = node.binder.name, node.binder.span
    drawn, inner = let(checker.expressions, n.Let(span, name, n.RandomPick(span, node.binder)), scope, frame)
    found = inner.variables[name].type
    if drawn is None or not isinstance(found, ThingT):
        if not isinstance(found, ErrorT):
            help = "write `let x = random(...)`, which is 0 if there is none"
            checker.symbols.error("RF502", f"`for random` needs things, but this is {found}", span, help)
        return ()
    there = n.Comparison(span, n.Name(span, name), (("is not", n.NoneLiteral(span)),))
    done, _ = branch(checker, n.If(node.span, ((there, node.body),)), inner, frame)
    return (drawn, done)


def repeat(checker: Statements, node: n.Repeat, scope: Scope, frame: Frame) -> t.Statement:
    times = checker.expressions.wanted(node.times, scope, NumberT(0, 0), "`repeat`")
    inner = scope.after_change()
    condition = checker.expressions.condition(node.condition, inner) if node.condition else None
    if node.condition:
        inner = checker.expressions.when_true(node.condition, inner)
    return t.Repeat(node.span, times, condition, checker.block(node.body, inner, frame))
