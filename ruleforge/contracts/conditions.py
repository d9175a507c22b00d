"""Is a rule conditional, limited or timed: a predicate that some subject fails, a use limit, a duration that ends."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from ruleforge.analysis.effects.facts import Change, Deed, Key, Range, Who
from ruleforge.analysis.effects.ranges import Ranges
from ruleforge.analysis.effects.regular import regular
from ruleforge.analysis.effects.values import Known, same
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FlagT, NumberT, SetT, ThingT
from ruleforge.lang.checker.walk import all_nodes, phases_of
from ruleforge.support.records import dataclass

MOST_CASES = 20_000
EVERY_VALUE = 40  # a number with at most so many values is tried with each of them


def usual_limit(rules: t.Checked) -> str:
    """The limit to advise: once in a turn or, where nothing is called so, each time the outermost loop comes round."""
    phases = list(phases_of(rules.flow))
    named = [phase.name for phase in phases if phase.name == "turn"]
    again = [phase.name for phase in phases if phase.repeat is not None]
    return f"limit: once per {[*named, *again, 'game'][0]}"


@dataclass(frozen=True)
class Circumstances:
    """What else the packs say that bears on how long things last."""

    rules: t.Checked
    ranges: Ranges
    removed: frozenset[str]  # kinds of which some effect removes things
    deeds: tuple[Deed, ...]

    def passing(self, deed: Deed) -> bool:
        """Does what carries it come and go?"""
        carrier = deed.carrier
        if carrier is not None and carrier.kind.pool:
            return carrier.kind in self.rules.lasts or carrier.kind.name in self.removed
        return any(_passes(column) for column in _read_by(deed.conditions))

    def ends(self, deed: Deed) -> bool:
        """Does it come to an end by itself, whatever is played?"""
        carrier = deed.carrier
        if carrier is None or not carrier.kind.pool or carrier.kind in self.rules.lasts:
            return self.timed(deed)
        return self.timed(deed) and any(self.ends_in_time(d, carrier.kind) for d in self.deeds)

    def ends_in_time(self, deed: Deed, kind: t.Kind) -> bool:
        """Does it remove things of a kind with every round, or as soon as a counter of theirs has run down?"""
        if not any(o.what == "remove" and o.about == kind.name for o in deed.occasions):
            return False
        sunk = {w.column for d in self.deeds if d.origin for w in d.writes if w.op == "down"}
        return self._recurs(deed, frozenset(column for column in sunk if column.kind is kind))

    def timed(self, deed: Deed) -> bool:
        """Does it come and go, and is not there again whenever it has gone?"""
        if not self.passing(deed):
            return False
        carrier = deed.carrier
        if carrier is not None and carrier.kind.pool:
            return not self.renewed(carrier.kind)
        return any(_passes(c) and not self.kept_up(c) for c in _read_by(deed.conditions))

    def renewed(self, kind: t.Kind) -> bool:
        """Is a thing of a pool made again and again without anybody's doing, or by its like?"""
        for maker in self.deeds:
            made = [o for o in maker.occasions if o.what == "new" and o.about == kind.name]
            if made and _is_carried_by(maker, kind):
                return True
            if any(not o.conditions for o in made) and self._recurs(maker):
                return True
        return False

    def kept_up(self, column: t.Column) -> bool:
        """Is an attribute of a pack raised again and again without anybody's doing?"""
        return any(
            write.column is column and write.op != "down" and write.amount.high > 0 and not write.conditions
            for deed in self.deeds
            if deed.origin and self._recurs(deed)
            for write in deed.writes
        )

    def _recurs(self, deed: Deed, counters: frozenset[t.Column] = frozenset()) -> bool:
        """Does it happen in every round of the game, whatever is played? Counters that run down come to their end."""
        if deed.limit is not None and deed.limit.per == "game":
            return False
        if deed.form == "step":
            return bool(deed.origin)
        key = deed.listens
        comes = key is not None and (key[0] == "phase" or key in self._regular)
        if deed.form != "after" or not comes:
            return False
        return (
            self._can_fail(
                deed, lambda test: self._is_about_owner(test) or bool(counters & {*_read_by((test,))})
            )
            is False
        )

    @cached_property
    def _regular(self) -> frozenset[Key]:
        return regular(self.rules)

    def limited(self, deed: Deed) -> bool:
        """Is there an end to its uses: a limit, or something finite that each use takes?"""
        if deed.limit is not None:
            return True
        lowered = {write.column for write in deed.writes if write.op in ("down", "set") and not write.sealed}
        needed = set(_read_by(deed.conditions)) | set(_needed_by_events(deed))
        finite = {column for column in lowered if not _refilled(column, self.deeds, deed)}
        return bool(finite & needed) or self._uses_up(deed)

    def _uses_up(self, deed: Deed) -> bool:
        """Does each use lay one of its own kind where nothing comes from again? There are only so many."""
        kind = deed.carrier.kind.name if deed.carrier is not None else ""
        moves = [o for d in self.deeds for o in d.occasions if o.what == "move" and o.about == kind]
        left = {place for o in moves for place in o.sources if place != o.into}
        own = (o for o in deed.occasions if o.what == "move" and o.about == kind and not o.conditions)
        return any(o.into not in left for o in own)

    def conditional(self, deed: Deed, more: tuple[t.Expr, ...] = ()) -> bool | None:
        """Is there a subject of which the predicate is false? Whose it is counts for nothing. None: not decided."""
        return self._can_fail(
            deed,
            lambda test: self._is_about_owner(test) or self._is_kept_up(test) or _is_any_carrier(test, deed),
            more,
        )

    def _can_fail(
        self, deed: Deed, says_nothing: Callable[[t.Expr], bool], more: tuple[t.Expr, ...] = ()
    ) -> bool | None:
        tests = [test for test in (*deed.conditions, *more) if not says_nothing(test)]
        return _can_fail(tests, self.ranges, _at_first(deed)) if tests else False

    def _is_about_owner(self, test: t.Expr) -> bool:
        """Says only whose it is: `owner(a) is me`, or `a.colour is white` where colours tell who controls it."""
        terms: list[t.Expr] = []
        _collect(test, terms)
        return bool(terms) and all(_is_player(term) or self._tells_owner(term) for term in terms)

    def _tells_owner(self, term: t.Expr) -> bool:
        return isinstance(term, t.Read) and term.column.constant and term.column in self._of_owners

    @cached_property
    def _of_owners(self) -> frozenset[t.Column]:
        """The attributes by which kinds say who controls their things."""
        said = [c.controller.value for c in self.rules.conduct.values() if c.controller is not None]
        return frozenset(n.column for value in said for n in all_nodes(value) if isinstance(n, t.Read))

    def _is_kept_up(self, test: t.Expr) -> bool:
        """Does it ask for nothing but a mark that is set again and again?"""
        marks = [node.column for node in all_nodes(test) if isinstance(node, t.Read)]
        raised = isinstance(test, t.Read) or (isinstance(test, t.Compare) and test.op in (">", ">="))
        return raised and len(marks) == 1 and not marks[0].constant and self.kept_up(marks[0])

    def whose(self, change: Change) -> Who | None:
        """Whose a moved thing is: as its effect says, or as all effects say that bring things to where it lay."""
        if change.who is not None or change.lay is None or change.lay[1] is None:
            return change.who
        moves = [c for deed in self.deeds if deed.origin for c in deed.changes if c.kind == "move"]
        brought = [c for c in moves if c.name.endswith(f" into {change.lay[0]}")]
        is_new = any("into new" in name for c in brought for name in c.names)
        alike = all(c.who is not None and c.who == c.goal for c in brought)
        return change.lay[1] if is_new and alike else None

    def impossible(self, deed: Deed) -> bool:
        """Is there no subject of which all conditions are true?"""
        return can_hold(list(deed.conditions), self.ranges, _at_first(deed)) is False


def _is_carried_by(deed: Deed, kind: t.Kind) -> bool:
    return deed.carrier is not None and deed.carrier.kind is kind and deed.form != "action"


def _at_first(deed: Deed) -> dict[t.Variable, object]:
    """What is known before the conditions are asked: of what the trigger binds, nothing."""
    bound = deed.rule.pattern.parameters if deed.rule is not None and deed.rule.pattern is not None else ()
    return {variable: known for variable, known in deed.environment.items() if variable not in bound}


def _passes(column: t.Column) -> bool:
    return column.resets is not None


def _read_by(tests: tuple[t.Expr, ...]) -> Iterator[t.Column]:
    for test in tests:
        for node in all_nodes(test):
            if isinstance(node, t.Read) and not node.column.constant:
                yield node.column


def _needed_by_events(deed: Deed) -> Iterator[t.Column]:
    """Attributes that are read by the needs of the events that are called: `s.left > 0`."""
    action = deed.action
    for block in (action.cost, action.body) if action is not None else ():
        for node in all_nodes(block) if block is not None else ():
            if isinstance(node, t.Perform):
                yield from _read_by(node.event.needs)


def _refilled(column: t.Column, deeds: tuple[Deed, ...], user: Deed) -> bool:
    """Does anything give back what a use takes?"""
    if column.resets is not None:
        return column.resets not in ("game",)
    others = (write for deed in deeds if deed is not user for write in deed.writes)
    return any(write.column is column and write.op in ("up", "set") for write in others)


def _is_player(term: t.Expr) -> bool:
    return isinstance(term.type, ThingT) and term.type.kind == "player"


def _is_any_carrier(test: t.Expr, deed: Deed) -> bool:
    """`a is self`, where every thing of the kind carries the rule: of each there is one that is it."""
    carrier = deed.carrier
    if carrier is None or carrier.things is not None or carrier.keyword is not None or carrier.kind.pool:
        return False
    if carrier.works is not None or not isinstance(test, t.Compare) or test.op != "==":
        return False
    sides = [side.variable for side in (test.left, test.right) if isinstance(side, t.Use)]
    return len(sides) == 2 and carrier.this in sides


def when_counted(amount: t.Expr | None) -> tuple[tuple[t.Expr, ...], t.Expr | None]:
    """What must hold for an amount to be more than nothing, and the amount: `5 if t.damage > 0 else 0`."""
    tests: tuple[t.Expr, ...] = ()
    while isinstance(amount, t.Conditional) and _is_nothing(amount.other):
        tests, amount = (*tests, amount.test), amount.then
    return tests, amount


def _is_nothing(node: t.Expr) -> bool:
    return isinstance(node, t.Constant) and node.value == 0


# --- predicates over finite domains ---


def _can_fail(tests: list[t.Expr], ranges: Ranges, env: Mapping[t.Variable, object]) -> bool | None:
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
        _collect(test, terms)
    known = {variable: value for variable, value in env.items() if isinstance(value, Known)}
    constants = [node.value for test in tests for node in all_nodes(test) if isinstance(node, t.Constant)]
    domains = _cut([_domain(term, ranges, known, constants) for term in terms], terms, constants)
    cases = 1
    for domain in domains:
        cases *= max(1, len(domain))
        if cases > MOST_CASES:
            return None
    products = itertools.product(*domains)
    return (all(_holds(test, terms, values) for test in tests) for values in products)


def _collect(node: t.Expr, terms: list[t.Expr]) -> None:
    """What a predicate reads: the sides of comparisons, and whatever cannot be looked into."""
    match node:
        case t.Logic(parts=parts):
            for part in parts:
                _collect(part, terms)
        case t.Not(value=value):
            _collect(value, terms)
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
            return [0, 1]
        case ThingT(kind=kind, optional=optional):
            things = ranges.things(term, env)
            numbers = sorted(things) if things else list(range(1, ranges.rules.kinds[kind].size + 1))
            return [*([0] if optional else []), *numbers]
        case NumberT():
            return _numbers(ranges.of(term, env), constants)
    return [0, 1]


def _cut(domains: list[list[int]], terms: list[t.Expr], constants: list[int]) -> list[list[int]]:
    """Of many things the first ones stand for all, with those that are named or are all that another term can be."""
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


def _numbers(span: Range, constants: list[int]) -> list[int]:
    """Every value of a short range; of a long one its ends, and the constants with their neighbours."""
    if span.high - span.low <= EVERY_VALUE:
        return list(range(int(span.low), int(span.high) + 1))
    near = {c + d for c in (*constants, 0) for d in (-1, 0, 1)}
    ends = {int(end) for end in (span.low, span.high) if abs(end) < 10**9}
    return sorted(v for v in near | ends if span.low <= v <= span.high)


def _holds(node: t.Expr, terms: list[t.Expr], values: tuple[int, ...]) -> bool:
    match node:
        case t.Logic(op="and", parts=parts):
            return all(_holds(part, terms, values) for part in parts)
        case t.Logic(parts=parts):
            return any(_holds(part, terms, values) for part in parts)
        case t.Not(value=value):
            return not _holds(value, terms, values)
        case t.Compare(op=op, left=left, right=right) if not isinstance(left.type, SetT):
            a, b = _value(left, terms, values), _value(right, terms, values)
            return {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]
        case t.Constant(value=value):
            return bool(value)
    return bool(_value(node, terms, values))


def _value(node: t.Expr, terms: list[t.Expr], values: tuple[int, ...]) -> int:
    match node:
        case t.Constant(value=value):
            return value
        case t.Arithmetic(op=op, left=left, right=right) if op in "+-*":
            a, b = _value(left, terms, values), _value(right, terms, values)
            return a + b if op == "+" else a - b if op == "-" else a * b
        case t.Negative(value=inner):
            return -_value(inner, terms, values)
    return next(value for term, value in zip(terms, values, strict=True) if same(term, node))
