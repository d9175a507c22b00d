"""Type checks control flow: branches, loops, `return`, `leave` and `finish`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.names import first_word, last_word
from ruleforge.lang.checker.statements.assignments import let
from ruleforge.lang.checker.statements.blocks import ends
from ruleforge.lang.checker.types import NOTHING, WORD, ErrorT, NumberT, SetT, ThingT, joined
from ruleforge.lang.checker.walk import with_replaced_uses
from ruleforge.lang.parser import nodes as n

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope
    from ruleforge.lang.checker.statements.blocks import Frame
    from ruleforge.lang.checker.statements.checker import Statements
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
    """The binder with a new variable, so that other uses of the old one keep their meaning."""
    old = binder.variable
    each = t.Variable(old.name, old.type, old.span)

    def renamed(use: t.Use) -> t.Use:
        return replace(use, variable=each) if use.variable is old else use

    until = with_replaced_uses(binder.until, renamed) if binder.until is not None else None
    where = with_replaced_uses(binder.where, renamed) if binder.where is not None else None
    by = tuple(with_replaced_uses(key, renamed) for key in binder.by)
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


# `if`, `elif`, `else`: branches; each relies on the tests before it.


def branch(checker: Statements, node: n.If, scope: Scope, frame: Frame) -> tuple[t.Statement, Scope]:
    branches = []
    rest = scope
    for test, body in node.branches:
        condition = checker.expressions.condition(test, rest)
        typed = checker.block(body, checker.expressions.when_true(test, rest), frame)
        branches.append((condition, typed))
        rest = checker.expressions.when_false(test, rest)
    otherwise = checker.block(node.otherwise, rest, frame) if node.otherwise else None
    statement = t.If(node.span, tuple(branches), otherwise)
    if node.otherwise is None and all(ends(body) for _, body in node.branches):
        return statement, rest  # only who failed every test goes on
    return statement, scope.after_change()


# `return`, `leave`, `finish`: the end of an effect, a phase or the game.


def returned(checker: Expressions, node: n.Return, scope: Scope, frame: Frame) -> t.Statement | None:
    if not frame.returns:
        checker.symbols.error("RF506", "only an event can return", node.span)
        return None
    if node.value is None:
        return t.Return(node.span, None)
    value = checker.stored(node.value, scope)
    if isinstance(value.type, SetT) and checker.symbols.kinds[value.type.kind].size > WORD:
        checker.symbols.error("RF502", f"a set of more than {WORD} things cannot be returned", node.span)
    together = value.type if frame.result == NOTHING else joined(frame.result, value.type)
    if together is None:
        checker.symbols.error("RF502", f"this returns {value.type}, elsewhere {frame.result}", node.span)
    else:
        frame.result = together
    return t.Return(node.span, value)


def leave(symbols: Symbols, node: n.Leave) -> t.Statement:
    here = last_word(node.span, node.phase)
    if node.phase not in symbols.phases:
        symbols.unknown("phase", node.phase, here, list(symbols.phases), section="flow")
    symbols.uses.name("phase", node.phase, here)
    return t.Leave(node.span, node.phase)


def finish(checker: Expressions, node: n.Finish, scope: Scope) -> t.Statement | None:
    symbols = checker.symbols
    ending = symbols.endings.get(node.ending)
    if ending is None:
        start = node.span._replace(column=node.span.column + len("finish "))
        symbols.unknown("ending", node.ending, first_word(start, node.ending), list(symbols.endings))
        return None
    symbols.uses.name("ending", node.ending, node.span)  # somewhere in it
    if node.winners is None:
        return t.Finish(node.span, ending, None)
    winners = checker.players(node.winners, scope, "winners are players")
    return t.Finish(node.span, ending, winners)
