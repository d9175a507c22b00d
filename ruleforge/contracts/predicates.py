"""`predicates` decides over finite domains whether some assignment makes predicates true, or false."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from ruleforge.analysis.effects.ranges import Ranges
from ruleforge.analysis.effects.values import Known, same
from ruleforge.analysis.intervals import Interval, single
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import INT_MAX, INT_MIN, FlagT, NumberT, SetT, ThingT
from ruleforge.lang.checker.walk import all_nodes, replaced

MOST_CASES = 20_000
_NUMBER = NumberT(INT_MIN, INT_MAX)
EVERY_VALUE = 40  # a number with at most so many values is tried with each of them


def can_fail(tests: list[t.Expr], ranges: Ranges, env: Mapping[t.Variable, object]) -> bool | None:
    """Is there an assignment of what the tests read that makes one of them false?"""
    found = _cases(tests, ranges, env)
    return None if found is None else any(not holds for holds in found)


def can_hold(tests: list[t.Expr], ranges: Ranges, env: Mapping[t.Variable, object]) -> bool | None:
    """Is there an assignment that makes all of them true?"""
    found = _cases(tests, ranges, env)
    return None if found is None else any(found)


def _cases(tests: list[t.Expr], ranges: Ranges, env: Mapping[t.Variable, object]) -> Iterator[bool] | None:
    """Whether the tests hold, for each assignment of what they read; None if there are too many."""
    terms: list[t.Expr] = []
    for test in tests:
        collect(test, terms)
    known = {variable: value for variable, value in env.items() if isinstance(value, Known)}
    constants = [node.value for test in tests for node in all_nodes(test) if isinstance(node, t.Constant)]
    domains = _cut([_domain(term, ranges, known, constants) for term in terms], terms, constants)
    cases = 1
    for domain in domains:
        cases *= max(1, len(domain))
        if cases > MOST_CASES:
            return None
    numbers = [t.Use(term.span, _NUMBER, t.Variable("it", _NUMBER)) for term in terms]
    in_numbers = [_in_numbers(test, terms, numbers) for test in tests]
    every = [{value: Known(single(value)) for value in domain} for domain in domains]

    def holds(values: tuple[int, ...]) -> bool:
        env = {use.variable: known[value] for use, known, value in zip(numbers, every, values, strict=True)}
        return all(ranges.of(test, env).low > 0 for test in in_numbers)

    return map(holds, itertools.product(*domains))


def _in_numbers(test: t.Expr, terms: list[t.Expr], numbers: list[t.Use]) -> t.Expr:
    """A predicate that asks for a number where it read something."""

    def number(node: t.Expr) -> t.Expr | None:
        return next((use for term, use in zip(terms, numbers, strict=True) if same(term, node)), None)

    return replaced(test, number)


def collect(node: t.Expr, terms: list[t.Expr]) -> None:
    """Collect the terms of a predicate: the sides of comparisons, and other parts without structure."""
    match node:
        case t.Logic(parts=parts):
            for part in parts:
                collect(part, terms)
        case t.Not(value=value):
            collect(value, terms)
        case t.Compare(left=left, right=right) if not isinstance(left.type, SetT):
            for side in (left, right):
                _collect_value(side, terms)
        case t.Constant():
            pass
        case _:
            _add(node, terms)


def _collect_value(node: t.Expr, terms: list[t.Expr]) -> None:
    match node:
        case t.Constant():
            pass
        case t.Arithmetic(op="+" | "-" | "*", left=left, right=right):
            _collect_value(left, terms)
            _collect_value(right, terms)
        case t.Negative(value=value):
            _collect_value(value, terms)
        case _:
            _add(node, terms)


def _add(node: t.Expr, terms: list[t.Expr]) -> None:
    if not any(same(node, term) for term in terms):
        terms.append(node)


def _domain(term: t.Expr, ranges: Ranges, env: Mapping[t.Variable, Known], constants: list[int]) -> list[int]:
    match term.type:
        case FlagT():
            return list(ranges.of(term, env).numbers())
        case ThingT(kind=kind, optional=optional):
            values = ranges.values(term, env)
            if values is not None:
                return sorted(values)
            things = ranges.things(term, env)
            numbers = sorted(things) if things else list(range(1, ranges.rules.kinds[kind].size + 1))
            return [*([0] if optional else []), *numbers]
        case NumberT():
            return _numbers(ranges.of(term, env), constants)
    return [0, 1]


def _cut(domains: list[list[int]], terms: list[t.Expr], constants: list[int]) -> list[list[int]]:
    """Shorten domains of many things: the first ones stand for all, with named ones and values of other terms."""
    found = []
    for domain, term in zip(domains, terms, strict=True):
        if len(domain) <= EVERY_VALUE or not _kind(term):
            found.append(domain)
            continue
        alike = [d for d, other in zip(domains, terms, strict=True) if _kind(other) == _kind(term)]
        named = {value for d in alike if len(d) <= EVERY_VALUE for value in d} | set(constants)
        found.append(sorted({*domain[:EVERY_VALUE], *(named & set(domain))}))
    return found


def _kind(term: t.Expr) -> str:
    return term.type.kind if isinstance(term.type, ThingT) else ""


def _numbers(span: Interval, constants: list[int]) -> list[int]:
    """Every value of a short range; of a long one its ends, and the constants with their neighbours."""
    if span.high - span.low <= EVERY_VALUE:
        return list(range(int(span.low), int(span.high) + 1))
    near = {c + d for c in (*constants, 0) for d in (-1, 0, 1)}
    ends = {int(end) for end in (span.low, span.high) if abs(end) < 10**9}
    return sorted(v for v in near | ends if span.low <= v <= span.high)
