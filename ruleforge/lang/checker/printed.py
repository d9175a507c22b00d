"""Queries about printed material that only `checks` may use, and the keywords that no rule gives or takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from ruleforge.analysis.dataflow import reach
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FLAG, ErrorT, NumberT, ThingT
from ruleforge.lang.checker.walk import all_nodes, parts
from ruleforge.lang.parser import nodes as n
from ruleforge.support.spelling import is_or_are

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Function, Scope

Borne = t.Rule | t.Action
Carried = TypeVar("Carried", t.Rule, t.Action)


class Printed:
    """Turns each query into a computed fact, because its answer is known before play."""

    def __init__(self, borne: Iterable[Borne], columns: Mapping[tuple[str, str], t.Column]) -> None:
        self._borne, self._columns = tuple(borne), columns
        self._reach: dict[Borne, frozenset[str]] = {}  # several checks ask for the same

    def functions(self) -> Mapping[str, Function]:
        return MappingProxyType({"prints": self._prints, "same_title": self._same_title})

    # --- prints(thing, NAME) ---

    def _prints(self, checker: Expressions, node: n.Call, scope: Scope) -> t.Expr:
        """Can a rule or action printed on the thing, or of a keyword printed on it, reach a formula or event?"""
        symbols = checker.symbols
        found = _things(checker, node, scope, 1)
        if isinstance(found, t.Constant):
            return found
        named = node.arguments[1]
        if not isinstance(named, n.Name):
            return symbols.error("RF502", "expected the name of a formula or event here", named.span)
        sort = "formula" if named.id in symbols.formula_heads else "event"
        if named.id not in symbols.formula_heads and named.id not in symbols.event_heads:
            known = [*symbols.formula_heads, *symbols.event_heads]
            return symbols.unknown("formula or event", named.id, named.span, known)
        symbols.uses.name(sort, named.id, named.span)
        (of,), kind = found
        bearers = self._bearers(kind, named.id)
        values = tuple(int(number in bearers) for number in range(1, kind.size + 1))
        return t.Read(
            node.span, FLAG, t.Column(f"prints {named.id}", kind, FLAG, node.span, (), True, values), of
        )

    def _bearers(self, kind: t.Kind, name: str) -> set[int]:
        found: set[int] = set()
        for what in self._borne:
            if what.carrier is not None and what.carrier.kind is kind and name in self._reached(what):
                found.update(self._printed_on(what.carrier))
        return found

    def _reached(self, what: Borne) -> frozenset[str]:
        if what not in self._reach:
            self._reach[what] = _reached(what)
        return self._reach[what]

    def _printed_on(self, carrier: t.Carrier) -> tuple[int, ...]:
        """The things that bear it as printed; what all of a kind carry is printed on none of them."""
        if carrier.things is not None:
            return carrier.things
        if carrier.keyword is None:
            return ()
        printed = self._columns[carrier.kind.name, "keywords"].values
        number = carrier.keyword.number
        return tuple(i for i, has in enumerate(printed, 1) if isinstance(has, tuple) and number in has)

    # --- same_title(thing, thing) ---

    def _same_title(self, checker: Expressions, node: n.Call, scope: Scope) -> t.Expr:
        """Are two things called the same, upper and lower case alike?"""
        found = _things(checker, node, scope, 2)
        if isinstance(found, t.Constant):
            return found
        (first, second), kind = found
        titles = [kind.titles.get(name, name).casefold() for name in kind.things]
        first_of = {title: number for number, title in reversed([*enumerate(titles)])}
        values = tuple(first_of[title] for title in titles)
        type_ = NumberT(0, kind.size)
        column = t.Column("title", kind, type_, node.span, (), True, values)
        left, right = (t.Read(thing.span, type_, column, thing) for thing in (first, second))
        return t.Compare(node.span, FLAG, "==", left, right)


def _things(
    checker: Expressions, node: n.Call, scope: Scope, number: int
) -> tuple[tuple[t.Expr, ...], t.Kind] | t.Constant:
    """The first arguments, which are things of one kind; or what stands for a mistake in them."""
    symbols = checker.symbols
    if len(node.arguments) != 2:
        message = f"`{node.name}` takes 2 values, here {is_or_are(len(node.arguments))}"
        return symbols.error("RF504", message, node.span)
    first = checker.thing(node.arguments[0], scope)
    if isinstance(first.type, ErrorT):
        return t.Constant(node.span, first.type, 0)
    if not isinstance(first.type, ThingT):
        return symbols.error("RF502", f"`{node.name}` needs a thing, but this is {first.type}", first.span)
    kind = symbols.kinds[first.type.kind]
    rest = node.arguments[1:number]
    others = tuple(checker.wanted(a, scope, ThingT(kind.name), f"`{node.name}`") for a in rest)
    return (first, *others), kind


def _reached(what: Borne) -> frozenset[str]:
    """The names of the formulas and events that a rule or action can call, directly or by way of others."""
    tests = what.pattern.tests if isinstance(what, t.Rule) and what.pattern else ()
    found = reach(_called(*parts(what), *tests), lambda called: _called(*parts(called)))
    return frozenset(called.name for called in found)


def _called(*roots: object) -> Iterator[t.Formula | t.Event]:
    for node in chain.from_iterable(map(all_nodes, roots)):
        match node:
            case t.CallFormula(formula=formula):
                yield formula
            case t.Perform(event=event) | t.Can(event=event) | t.Would(event=event):
                yield event


# Keywords that no rule gives or takes: what hangs on them is simply printed on the things that bear them.


def print_fixed(
    borne: Iterable[Carried], rules: Iterable[t.Rule], columns: Mapping[tuple[str, str], t.Column]
) -> tuple[Carried, ...]:
    """Rules or actions, the bearers named of each whose keyword no rule lets change hands in play."""
    changing = _changing(rules)
    return tuple(_printed(what, changing, columns) for what in borne)


def _printed(
    what: Carried, changing: dict[str, set[int] | None], columns: Mapping[tuple[str, str], t.Column]
) -> Carried:
    carrier = what.carrier
    if carrier is None or carrier.keyword is None:
        return what
    given, number = changing.get(carrier.kind.name, set()), carrier.keyword.number
    if given is None or number in given:
        return what
    printed = columns[carrier.kind.name, "keywords"].values
    bearers = tuple(i for i, has in enumerate(printed, 1) if isinstance(has, tuple) and number in has)
    return replace(what, carrier=replace(carrier, things=bearers, keyword=None))


def _changing(rules: Iterable[t.Rule]) -> dict[str, set[int] | None]:
    """By kind, the numbers of the keywords that rules give; None if any keyword may come or go."""
    found: dict[str, set[int] | None] = {}
    for rule in rules:
        kind = rule.pattern.subject if rule.form == "modify" and rule.pattern else None
        if not isinstance(kind, t.Kind):
            continue
        known = found.setdefault(kind.name, set())
        amount = rule.amount
        members = amount.members if isinstance(amount, t.SetOf) else (amount,)
        numbers = {m.value for m in members if isinstance(m, t.Constant) and isinstance(m.value, int)}
        if rule.op != "add" or len(numbers) < len(members) or known is None:
            found[kind.name] = None
        else:
            known |= numbers
    return found
