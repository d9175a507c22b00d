"""One typed expression -> a small program on the row of the game, which gives its value and says what it looks at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from ruleforge.check import typed as t
from ruleforge.check.types import NoneT, NumbersT, SetT, Type
from ruleforge.check.walk import free_variables
from ruleforge.compiler import ir
from ruleforge.compiler.layout import value_type
from ruleforge.compiler.lower.context import Env, Lowering
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import masks, membership, modifiers
from ruleforge.compiler.questions import reads
from ruleforge.diagnostics import Span
from ruleforge.quick import dataclass

MEMBER = "member"


@dataclass(frozen=True, slots=True)
class Numbers:
    """Some of the numbers low..high: those for which the function says so."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Look:
    """What an expression learns from a hidden place: who lies in a container, or where a thing lies.

    `place` and `kind` are indices into the program's own; the function gives the container or the thing, None means all.
    """

    place: int | None
    kind: int
    function: str | None


@dataclass(frozen=True, slots=True)
class Asked:
    """How to get a value: a function for each of its words (of numbers: one that tells members); None if it is none."""

    type: ir.ValueType | Numbers | None
    functions: tuple[str, ...]
    looks: tuple[Look, ...]
    tries: bool  # it looks at what would happen
    given: tuple[
        tuple[str, int], ...
    ] = ()  # the locals it is worked out with, each with how many words it has


def lower_expression(low: Lowering, tree: t.Expr, given: tuple[t.Variable, ...] = ()) -> Asked:
    """Functions for an expression without free locals but those `given`, whose words they take."""
    names, env = modifiers.parameters_of(low, given)
    nodes = tuple(_all_read(low, tree))
    counted = {node.binder.source for node in nodes if _only_counts(node)}
    looks = tuple(look for node in nodes if node not in counted for look in _look(low, node))
    tries = any(isinstance(node, t.Can | t.Would) for node in nodes)
    type_, results = _results(low, tree, env)
    parameters = (*((MEMBER,) if isinstance(type_, Numbers) else ()), *names)
    functions = tuple(_define(low, result, tree.span, parameters) for result in results)
    taken = tuple((variable.name, len(env.words(variable))) for variable in given)
    return Asked(type_, functions, looks, tries, taken)


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
    """All nodes of an expression, of the formulas it calls and of the rules that modify those."""
    todo: list[t.Expr] = [tree]
    met: set[object] = set()
    while todo:
        for node in reads(todo.pop()):
            yield node
            changed = node.formula if isinstance(node, t.CallFormula) else _keywords_of(low, node)
            if changed is None or changed in met:
                continue
            met.add(changed)
            for rule in low.hooks.modify.get(changed, ()):
                works = rule.carrier.works if rule.carrier else None
                tests = rule.pattern.tests if rule.pattern else ()
                todo += [e for e in (rule.amount, rule.when, works, *tests) if e is not None]


def _keywords_of(low: Lowering, node: object) -> t.Kind | None:
    if not isinstance(node, t.KeywordsOf):
        return None
    return low.kind(node.of.type.kind)  # type: ignore[union-attr]


def _only_counts(node: object) -> TypeGuard[t.Aggregate]:
    """How many things lie in a place is open to all."""
    return (
        isinstance(node, t.Aggregate)
        and node.op == "count"
        and node.binder.where is None
        and node.binder.until is None
    )


def _look(low: Lowering, node: object) -> Iterator[Look]:
    match node:
        case t.Content(place=place) | t.Family(place=place) if place.hidden:
            number = list(low.layout.places).index(place)
            yield Look(number, low.layout.number(place.holds), _container(low, node))
        case t.Whereabouts(places=places, of=of) if any(place.hidden for place in places):
            closed = not free_variables(of)
            thing = _define(low, values.value(low, of, Env()), of.span) if closed else None
            yield Look(None, low.layout.number(places[0].holds), thing)


def _container(low: Lowering, node: t.Content | t.Family) -> str | None:
    if isinstance(node, t.Family) or free_variables(node):
        return None
    return _define(low, values.instance(low, node.place, node.index, Env()), node.span)
