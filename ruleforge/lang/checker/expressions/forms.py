"""Dispatches each form of expression to its checker."""

from __future__ import annotations

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.expressions.attributes import attribute, numbered
from ruleforge.lang.checker.expressions.calls import call, can, would
from ruleforge.lang.checker.expressions.checker import Expressions
from ruleforge.lang.checker.expressions.named import named
from ruleforge.lang.checker.expressions.operators import (
    arithmetic,
    comparison,
    conditional,
    every,
    negative,
    some,
)
from ruleforge.lang.checker.expressions.paths import linked, reached
from ruleforge.lang.checker.expressions.sets import (
    aggregate,
    gathered,
    interval,
    literal,
    no_table,
    selection,
)
from ruleforge.lang.checker.scope import Scope
from ruleforge.lang.checker.types import FLAG, NONE, NumberT, Type
from ruleforge.lang.parser import nodes as n


class ExpressionForms(Expressions):
    """The checker that knows every form."""

    def _typed(self, node: n.Expr, scope: Scope, expect: Type | None) -> t.Expr:
        """One case for each form; `expect` is what is known of the type that is wanted."""
        match node:
            case n.Number(value=value):
                return t.Constant(node.span, NumberT(value, value), value)
            case n.Bool(value=value):
                return t.Constant(node.span, FLAG, int(value))
            case n.NoneLiteral():
                return t.Constant(node.span, NONE, 0)
            case n.Name():
                return named(self, node, scope, expect)
            case n.Attribute():
                return attribute(self, node, scope)
            case n.Call():
                return call(self, node, scope)
            case n.Negative():
                return negative(self, node, scope)
            case n.Arithmetic():
                return arithmetic(self, node, scope, expect)
            case n.Comparison():
                return comparison(self, node, scope)
            case n.Not(value=inner):
                return t.Not(node.span, FLAG, self.condition(inner, scope))
            case n.And():
                return every(self, node, scope)
            case n.Or():
                return some(self, node, scope)
            case n.Conditional():
                return conditional(self, node, scope, expect)
            case n.SetLiteral():
                return literal(self, node, scope, expect)
            case n.Table():
                return no_table(self, node)
            case n.Range():
                return interval(self, node, scope)
            case n.Selection():
                return selection(self, node, scope)
            case n.Gathering():
                return gathered(self, node, scope)
            case n.Aggregate():
                return aggregate(self, node, scope)
            case n.Nth():
                return numbered(self, node, scope)
            case n.Linked():
                return linked(self, node, scope)
            case n.Reached():
                return reached(self, node, scope)
            case n.Can():
                return can(self, node, scope)
            case n.Would():
                return would(self, node, scope, expect)
