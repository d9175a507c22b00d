"""Compile one typed expression into a small program that computes its value and its reads."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.analysis.dataflow import reach
from ruleforge.analysis.effects.calls import evaluated_nodes
from ruleforge.compiler import ir
from ruleforge.compiler.layout import value_type
from ruleforge.compiler.lower.context import Env, Lowering
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import masks, membership, modifiers
from ruleforge.compiler.place_lookups import changing, looks_of
from ruleforge.compiler.questions import PlaceLookup
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NoneT, NumbersT, SetT, Type
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

MEMBER = "member"


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers in `low..high` for which the function returns 1."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class ValueProgram:
    """The functions that compute a value: one for each of its cells, or a membership test for numbers."""

    type: ir.ValueType | Numbers | None
    functions: tuple[str, ...]
    looks: tuple[PlaceLookup, ...]
    tries: bool  # it looks at what would happen
    given: tuple[tuple[str, int], ...] = ()  # its parameters, each with its number of words


def lower_expression(low: Lowering, tree: t.Expr, given: tuple[t.Variable, ...] = ()) -> ValueProgram:
    """Functions for an expression without free locals except `given`, which become their parameters."""
    names, env = modifiers.parameters_of(low, given)
    looks = looks_of(low, Env(), lambda value, span: _define(low, value, span), tree)
    tries = any(isinstance(node, t.Can | t.Would | t.CanAct) for node in _all_read(low, tree))
    type_, results = _results(low, tree, env)
    parameters = (*((MEMBER,) if isinstance(type_, Numbers) else ()), *names)
    functions = tuple(_define(low, result, tree.span, parameters) for result in results)
    taken = tuple((variable.name, len(env.words(variable))) for variable in given)
    return ValueProgram(type_, functions, looks, tries, taken)


def _results(
    low: Lowering, tree: t.Expr, env: Env
) -> tuple[ir.ValueType | Numbers | None, tuple[ir.Expr, ...]]:
    type_: Type = tree.type
    match type_:
        case NoneT(empty=empty):
            return (Numbers(1, 0) if empty else None), ()
        case NumbersT(low=lowest, high=highest):
            test = membership.contains(low, tree, ir.Local(MEMBER), False, env)
            return Numbers(lowest, highest), (test,)
        case SetT():
            return value_type(low.layout, type_), masks.words(low, tree, env)
    return value_type(low.layout, type_), (values.value(low, tree, env),)


def _define(low: Lowering, result: ir.Expr, span: Span, parameters: tuple[str, ...] = ()) -> str:
    return low.define(low.fresh("asked"), parameters, (ir.Return(result),), span)


def _all_read(low: Lowering, tree: t.Expr) -> Iterator[object]:
    """All nodes of an expression, of its formulas and of the rules that modify them."""

    def modifying(root: t.Expr) -> Iterator[t.Expr]:
        for node in evaluated_nodes(root):
            what = node.formula if isinstance(node, t.CallFormula) else _keywords_of(low, node)
            yield from () if what is None else changing(low, what)

    for root in reach([tree], modifying):
        yield from evaluated_nodes(root)


def _keywords_of(low: Lowering, node: object) -> t.Kind | None:
    if not isinstance(node, t.KeywordsOf):
        return None
    return low.kind(node.of.type.kind)  # type: ignore[union-attr]
