"""The forms of expressions: a syntax tree -> its typed tree, made by whoever knows the form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.check import typed as t
from ruleforge.check.expressions.aggregates import aggregate
from ruleforge.check.expressions.attributes import attribute
from ruleforge.check.expressions.calls import call
from ruleforge.check.expressions.comparisons import comparison
from ruleforge.check.expressions.computing import arithmetic, negative
from ruleforge.check.expressions.gathering import gathered
from ruleforge.check.expressions.logic import conditional, every, some
from ruleforge.check.expressions.named import named
from ruleforge.check.expressions.numbered import numbered
from ruleforge.check.expressions.paths import linked, reached
from ruleforge.check.expressions.sets import interval, literal, no_table, selection
from ruleforge.check.expressions.trials import can, would
from ruleforge.check.types import FLAG, NONE, NumberT, Type
from ruleforge.dsl import nodes as n

if TYPE_CHECKING:
    from ruleforge.check.expressions.checker import Expressions
    from ruleforge.check.scope import Scope


def typed(checker: Expressions, node: n.Expr, scope: Scope, expect: Type | None) -> t.Expr:
    """One case for each form; `expect` is what is known of the type that is wanted."""
    match node:
        case n.Number(value=value):
            return t.Constant(node.span, NumberT(value, value), value)
        case n.Bool(value=value):
            return t.Constant(node.span, FLAG, int(value))
        case n.NoneLiteral():
            return t.Constant(node.span, NONE, 0)
        case n.Name():
            return named(checker, node, scope, expect)
        case n.Attribute():
            return attribute(checker, node, scope)
        case n.Call():
            return call(checker, node, scope)
        case n.Negative():
            return negative(checker, node, scope)
        case n.Arithmetic():
            return arithmetic(checker, node, scope, expect)
        case n.Comparison():
            return comparison(checker, node, scope)
        case n.Not(value=inner):
            return t.Not(node.span, FLAG, checker.condition(inner, scope))
        case n.And():
            return every(checker, node, scope)
        case n.Or():
            return some(checker, node, scope)
        case n.Conditional():
            return conditional(checker, node, scope, expect)
        case n.SetLiteral():
            return literal(checker, node, scope, expect)
        case n.Table():
            return no_table(checker, node)
        case n.Range():
            return interval(checker, node, scope)
        case n.Selection():
            return selection(checker, node, scope)
        case n.Gathering():
            return gathered(checker, node, scope)
        case n.Aggregate():
            return aggregate(checker, node, scope)
        case n.Nth():
            return numbered(checker, node, scope)
        case n.Linked():
            return linked(checker, node, scope)
        case n.Reached():
            return reached(checker, node, scope)
        case n.Can():
            return can(checker, node, scope)
        case n.Would():
            return would(checker, node, scope, expect)
