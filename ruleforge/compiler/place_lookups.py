"""Find the hidden places that an expression reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeGuard

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Lowering
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.questions import PlaceLookup
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import SetT
from ruleforge.lang.checker.walk import all_nodes, free_variables
from ruleforge.support.diagnostics import Span

Define = Callable[[ir.Expr, Span], str]  # makes a function of a value


def looks_of(low: Lowering, env: Env, define: Define, *nodes: object) -> tuple[PlaceLookup, ...]:
    """The hidden places that nodes read, through their formulas and events and the rules that modify or
    forbid those.
    """
    if not any(place.hidden for place in low.layout.places):
        return ()
    looking = _Looking(low, define)
    for node in nodes:
        looking.at(node, env)
    return tuple(looking.found.values())


class _Looking:
    def __init__(self, low: Lowering, define: Define) -> None:
        self._low, self._define = low, define
        self._met: set[tuple[object, ...]] = set()
        self.found: dict[tuple[object, ...], PlaceLookup] = {}

    def at(self, node: object, env: Env) -> None:
        nodes = tuple(all_nodes(node))
        counted = {one.binder.source for one in nodes if _only_counts(one)}
        for one in nodes:
            match one:
                case t.Content(place=place, index=index) if place.hidden and one not in counted:
                    known = _known(one, env)
                    self._into(place, values.instance(self._low, place, index, env) if known else None, one)
                case t.Family(place=place) if place.hidden and one not in counted:
                    self._into(place, None, one)
                case t.Whereabouts(places=places, of=of) if any(place.hidden for place in places):
                    thing = values.value(self._low, of, env) if _known(of, env) else None
                    self._learn(None, self._low.layout.number(places[0].holds), thing, of.span)
                case t.CallFormula(formula=formula, arguments=given):
                    body = () if formula.body is None else (formula.body,)
                    self._inside(formula, formula.parameters, given, env, body)
                case t.Can(event=event, arguments=given):
                    self._inside(event, event.parameters, given, env, event.needs)
                case t.KeywordsOf():
                    self._inside(self._low.kind(one.of.type.kind), (), (), env, ())  # type: ignore[union-attr]

    def _inside(
        self,
        what: object,
        parameters: tuple[t.Variable, ...],
        given: tuple[t.Expr, ...],
        env: Env,
        parts: tuple[t.Expr, ...],
    ) -> None:
        """Visit the body of a formula or the needs of an event, and their rules, with the given arguments."""
        inner = Env()
        for parameter, argument in zip(parameters, given, strict=True):
            if not isinstance(argument.type, SetT) and _known(argument, env):
                inner = inner.bind(parameter, values.value(self._low, argument, env))
        key = (what, *(inner.values.get(parameter) for parameter in parameters))
        if key in self._met:
            return
        self._met.add(key)
        for part in parts:
            self.at(part, inner)
        for part in changing(self._low, what):
            self.at(part, Env())

    def _into(self, place: t.Place, container: ir.Expr | None, node: t.Expr) -> None:
        number = list(self._low.layout.places).index(place)
        self._learn(number, self._low.layout.number(place.holds), container, node.span)

    def _learn(self, place: int | None, kind: int, one: ir.Expr | None, span: Span) -> None:
        key = (place, kind, one)
        if key not in self.found:
            self.found[key] = PlaceLookup(place, kind, None if one is None else self._define(one, span))


def _known(node: object, env: Env) -> bool:
    """Whether it speaks only of what is known where it is asked for."""
    return all(variable in env.values for variable in free_variables(node))


def changing(low: Lowering, what: object) -> Iterator[t.Expr]:
    """The expressions that rules read to modify a formula or forbid an event."""
    for rule in (*low.hooks.modify.get(what, ()), *low.hooks.forbid.get(what, ())):
        yield from read_by(rule)


def read_by(rule: t.Rule) -> Iterator[t.Expr]:
    """The expressions that decide whether a rule applies, and how."""
    yield from (e for e in (rule.amount, *rule.conditions) if e is not None)


def _only_counts(node: object) -> TypeGuard[t.Aggregate]:
    """Whether a node only counts the things in a place. Their number is open to all."""
    return (
        isinstance(node, t.Aggregate)
        and node.op == "count"
        and node.binder.where is None
        and node.binder.until is None
    )
