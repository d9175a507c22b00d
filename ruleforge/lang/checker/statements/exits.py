"""`return`, `leave`, `finish` -> how an effect, a phase or the game is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.names import first_word, last_word
from ruleforge.lang.checker.types import NOTHING, WORD, SetT, joined
from ruleforge.lang.parser import nodes as n

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope
    from ruleforge.lang.checker.statements.frame import Frame
    from ruleforge.lang.checker.symbols import Symbols


def returned(checker: Expressions, node: n.Return, scope: Scope, frame: Frame) -> t.Statement | None:
    if not frame.returns:
        checker.symbols.error("RF506", "only an event can return", node.span)
        return None
    if node.value is None:
        return t.Return(node.span, None)
    value = checker.kept(node.value, scope)
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
