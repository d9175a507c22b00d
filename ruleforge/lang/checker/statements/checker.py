"""The checker of statements: types a block, with known facts flowing through it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.expressions.checker import Expressions
from ruleforge.lang.checker.names import last_word
from ruleforge.lang.checker.scope import Scope
from ruleforge.lang.checker.statements.assignments import assign, let
from ruleforge.lang.checker.statements.blocks import Frame, reassigned
from ruleforge.lang.checker.statements.choices import choose, offer, picks, sealed
from ruleforge.lang.checker.statements.control_flow import (
    branch,
    finish,
    for_random,
    leave,
    loop,
    repeat,
    returned,
)
from ruleforge.lang.checker.statements.events import pay, perform, proceed
from ruleforge.lang.checker.statements.moves import make, move, remove, show, shuffle
from ruleforge.lang.checker.types import Type
from ruleforge.lang.parser import nodes as n

if TYPE_CHECKING:
    from ruleforge.lang.checker.symbols import Symbols


class Statements:
    """Checks blocks against one table of symbols."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.symbols = expressions.symbols

    def text(self, node: n.Block, scope: Scope, frame: Frame | None = None) -> tuple[t.Block, Type]:
        """A whole effect text; the second value is the type of what it returns."""
        frame = frame or Frame()
        frame.reassigned = frozenset(reassigned(node))
        return self.block(node, scope, frame), frame.result

    def block(self, node: n.Block, scope: Scope, frame: Frame) -> t.Block:
        """A block of a text; nothing that is learnt in it is known behind it."""
        found: list[t.Statement] = []
        for each in node.statements:
            if isinstance(each, n.For) and each.random:
                found += for_random(self, each, scope, frame)
                scope = scope.after_change()
                continue
            before = scope
            typed, scope = statement(self, each, scope, frame)
            scope = scope.forgetting(before, each.span)
            if typed is not None:
                found.append(typed)
        return t.Block(node.span, tuple(found))


# The forms of statements: each has a function that makes its typed form and the scope behind it.


def statement(
    checker: Statements, node: n.Statement, scope: Scope, frame: Frame
) -> tuple[t.Statement | None, Scope]:
    """One case for each form; None where it does nothing, or was reported."""
    checker.symbols.uses.scope(node.span, scope.variables)
    expressions = checker.expressions
    match node:
        case n.Let():
            return let(expressions, node, scope, frame)
        case n.Assign():
            return assign(expressions, node, scope)
        case n.Do(call=call):
            return perform(expressions, call, scope), scope.after_change()
        case n.Move():
            return move(expressions, node, scope), scope.after_change()
        case n.Shuffle():
            return shuffle(expressions, node, scope), scope.after_change()
        case n.Finish():
            return finish(expressions, node, scope), scope
        case n.Return():
            return returned(expressions, node, scope, frame), scope
        case n.Leave():
            return leave(expressions.symbols, node), scope
        case n.Remember() | n.Forget():
            return _keep(expressions.symbols, node), scope
        case n.Skip():
            return None, scope
        case n.If():
            return branch(checker, node, scope, frame)
        case n.For():
            return loop(checker, node, scope, frame), scope.after_change()
        case n.Repeat():
            return repeat(checker, node, scope, frame), scope.after_change()
        case n.Choose():
            return choose(checker, node, scope, frame), scope.after_change()
        case n.Picks():
            return picks(checker, node, scope, frame), scope.after_change()
        case n.Sealed():
            return sealed(checker, node, scope, frame), scope.after_change()
        case n.Together(body=body):
            return t.Together(node.span, checker.block(body, scope, frame)), scope.after_change()
        case n.Pay():
            return pay(expressions, node, scope), scope.after_change()
        case n.Proceed():
            return proceed(expressions, node, scope, frame), scope.after_change()
        case n.New():
            return make(expressions, node, None, scope), scope.after_change()
        case n.Remove():
            return remove(expressions, node, scope), scope.after_change()
        case n.Show():
            return show(expressions, node, scope), scope
        case n.Offer():
            return offer(expressions, node, scope), scope.after_change()


def _keep(symbols: Symbols, node: n.Remember | n.Forget) -> t.Statement | None:
    """The position is remembered as it is now, or those remembered are forgotten."""
    position = symbols.position(node.position, last_word(node.span, node.position))
    made = t.Remember if isinstance(node, n.Remember) else t.Forget
    return made(node.span, position) if position else None
