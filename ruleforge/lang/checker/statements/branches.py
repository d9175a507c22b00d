"""`if`, `elif`, `else` -> branches, each of which knows which tests held before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.statements.blocks import ends
from ruleforge.lang.parser import nodes as n

if TYPE_CHECKING:
    from ruleforge.lang.checker.scope import Scope
    from ruleforge.lang.checker.statements.checker import Statements
    from ruleforge.lang.checker.statements.frame import Frame


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
