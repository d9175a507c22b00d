"""The forms of statements: a statement -> its typed form, made by whoever knows it, and what is known behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.names import last_word
from ruleforge.lang.checker.statements.assignments import assign
from ruleforge.lang.checker.statements.branches import branch
from ruleforge.lang.checker.statements.choices import choose, offer, picks, sealed
from ruleforge.lang.checker.statements.disclosures import show
from ruleforge.lang.checker.statements.events import perform, proceed
from ruleforge.lang.checker.statements.exits import finish, leave, returned
from ruleforge.lang.checker.statements.locals import let
from ruleforge.lang.checker.statements.loops import loop, repeat
from ruleforge.lang.checker.statements.moves import move, shuffle
from ruleforge.lang.checker.statements.payments import pay
from ruleforge.lang.checker.statements.pools import make, remove
from ruleforge.lang.parser import nodes as n

if TYPE_CHECKING:
    from ruleforge.lang.checker.scope import Scope
    from ruleforge.lang.checker.statements.checker import Statements
    from ruleforge.lang.checker.statements.frame import Frame
    from ruleforge.lang.checker.symbols import Symbols


def statement(
    checker: Statements, node: n.Statement, scope: Scope, frame: Frame
) -> tuple[t.Statement | None, Scope]:
    """One case for each form; None where it does nothing, or was complained about."""
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
