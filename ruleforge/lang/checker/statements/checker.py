"""The checker of statements: a block -> typed statements, with what is known flowing from one to the next."""

from __future__ import annotations

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.expressions.checker import Expressions
from ruleforge.lang.checker.scope import Scope
from ruleforge.lang.checker.statements.blocks import reassigned
from ruleforge.lang.checker.statements.forms import statement
from ruleforge.lang.checker.statements.frame import Frame
from ruleforge.lang.checker.statements.loops import for_random
from ruleforge.lang.checker.types import Type
from ruleforge.lang.parser import nodes as n


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
