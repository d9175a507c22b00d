"""Decides whether a rule is conditional, limited or timed: a predicate that can fail, a use limit, a duration
that ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property

from ruleforge.analysis.effects.blocks import regular
from ruleforge.analysis.effects.ranges import Ranges
from ruleforge.analysis.effects.summary import Change, EffectSummary, Key, Who
from ruleforge.analysis.effects.uses import Uses
from ruleforge.analysis.effects.values import Known
from ruleforge.contracts.predicates import can_fail, can_hold, collect
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.checker.walk import all_nodes, phases_of, with_replaced_uses
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass


def usual_limit(rules: t.Checked) -> str:
    """The limit to advise: once in a turn or, where nothing is called so, each time the outermost loop comes round."""
    phases = list(phases_of(rules.flow))
    named = [phase.name for phase in phases if phase.name == "turn"]
    again = [phase.name for phase in phases if phase.repeat is not None]
    return f"limit: once per {[*named, *again, 'game'][0]}"


@dataclass(frozen=True)
class Circumstances:
    """The other rules of the packs, which decide how long things last."""

    rules: t.Checked
    ranges: Ranges
    removed: frozenset[str]  # kinds with things that some effect removes
    effects: tuple[EffectSummary, ...]
    owner: Callable[[Span], str]

    def passing(self, effect: EffectSummary) -> bool:
        """Whether its carrier comes and goes."""
        carrier = effect.carrier
        if carrier is not None and carrier.kind.pool:
            return carrier.kind in self.rules.lasts or carrier.kind.name in self.removed
        return any(_passes(column) for column in _read_by(effect.conditions))

    def ends(self, effect: EffectSummary) -> bool:
        """Whether the effect ends by itself, however the game is played, or as soon as it acts."""
        carrier = effect.carrier
        if removes_itself(effect) and self.timed(effect):
            return True
        if carrier is None or not carrier.kind.pool or carrier.kind in self.rules.lasts:
            return self.timed(effect)
        return self.timed(effect) and any(self.ends_in_time(d, carrier.kind) for d in self.effects)

    def ends_in_time(self, effect: EffectSummary, kind: t.Kind) -> bool:
        """Whether it removes things of a kind in every round, or as soon as a counter of theirs has run down."""
        if not effect.removes(kind.name):
            return False
        sunk = {w.column for d in self.effects if d.origin for w in d.writes if w.op == "down"}
        return self._recurs(effect, frozenset(column for column in sunk if column.kind is kind))

    def timed(self, effect: EffectSummary) -> bool:
        """Whether it comes and goes, and does not return each time."""
        if not self.passing(effect):
            return False
        carrier = effect.carrier
        if carrier is not None and carrier.kind.pool:
            return not self.renewed(carrier.kind)
        return any(_passes(c) and not self.upholds(c) for c in _read_by(effect.conditions))

    def renewed(self, kind: t.Kind) -> bool:
        """Whether the rules make a thing of this pool again and again by themselves, or by its like."""
        for maker in self.effects:
            made = [o for o in maker.occasions if o.what == "new" and o.about == kind.name]
            if made and _is_carried_by(maker, kind):
                return True
            if any(not o.conditions for o in made) and self._recurs(maker):
                return True
        return False

    def upholds(self, column: t.Column) -> bool:
        """Whether the rules of a pack raise an attribute again and again by themselves."""
        return any(
            write.column is column and write.op != "down" and write.amount.high > 0 and not write.conditions
            for effect in self.effects
            if effect.origin and self._recurs(effect)
            for write in effect.writes
        )

    def _recurs(self, effect: EffectSummary, counters: frozenset[t.Column] = frozenset()) -> bool:
        """Whether it happens in every round of the game, however it is played. Counters that run down end."""
        if effect.limit is not None and effect.limit.per == "game":
            return False
        if effect.form == "step":
            return bool(effect.origin)
        key = effect.listens
        comes = key is not None and (key[0] == "phase" or key in self._regular)
        if effect.form != "after" or not comes:
            return False
        return (
            self._can_fail(
                effect, lambda test: self._is_about_owner(test) or bool(counters & {*_read_by((test,))})
            )
            is False
        )

    @cached_property
    def _regular(self) -> frozenset[Key]:
        return regular(self.rules)

    def limited(self, effect: EffectSummary) -> bool:
        """Whether its uses end: by a limit, or by something finite that each use takes."""
        if effect.limit is not None:
            return True
        lowered = {
            write.column for write in effect.writes if write.op in ("down", "set") and not write.sealed
        }
        needed = set(_read_by(effect.conditions)) | set(_needed_by_events(effect))
        finite = {column for column in lowered if not _refilled(column, self.effects, effect)}
        return bool(finite & needed) or self._uses_up(effect)

    def _uses_up(self, effect: EffectSummary) -> bool:
        """Whether each use moves a thing of its own kind to a place without return. Their number is limited."""
        kind = effect.carrier.kind.name if effect.carrier is not None else ""
        moves = [o for d in self.effects for o in d.occasions if o.what == "move" and o.about == kind]
        left = {place for o in moves for place in o.sources if place != o.into}
        own = (o for o in effect.occasions if o.what == "move" and o.about == kind and not o.conditions)
        return any(o.into not in left for o in own)

    def conditional(self, effect: EffectSummary, more: tuple[t.Expr, ...] = ()) -> bool | None:
        """Whether some subject makes the predicate false. Ownership does not count. None: not decided."""
        own = self._exclusions(effect, more)
        if not own:
            return False
        halves = [own, *(tests for other in self.effects if (tests := self._equal_tests(other, effect)))]
        flag = own[0].type
        each = [t.Logic(tests[0].span, flag, "and", tuple(tests)) for tests in halves]
        whole: list[t.Expr] = [t.Logic(effect.span, flag, "or", tuple(each))]
        alone = can_fail(own, *self._at_first(effect))
        return alone and can_fail(whole, *self._at_first(effect)) is not False

    def _exclusions(self, effect: EffectSummary, more: tuple[t.Expr, ...] = ()) -> list[t.Expr]:
        """The conditions that exclude some subject."""
        tests = (*effect.conditions, *more)
        return [
            test
            for test in tests
            if not (self._is_about_owner(test) or self._is_upheld(test) or _is_any_carrier(test, effect))
        ]

    def _equal_tests(self, other: EffectSummary, effect: EffectSummary) -> list[t.Expr]:
        """When a second rule that is there whenever the first one is does the same, in the words of the first one."""
        one, two = effect.rule, other.rule
        if one is None or two is None or one is two or not other.origin or not _are_alike(one, two):
            return []
        assert one.pattern is not None and two.pattern is not None
        names = dict(zip(two.pattern.parameters, one.pattern.parameters, strict=False))
        if one.carrier is not None and two.carrier is not None:
            names[two.carrier.this] = one.carrier.this

        def replacement(use: t.Use) -> t.Expr:
            return replace(use, variable=names.get(use.variable, use.variable))

        return [
            with_replaced_uses(test, replacement)
            for test in self._exclusions(other, when_counted(two.amount)[0])
        ]

    def _can_fail(
        self, effect: EffectSummary, says_nothing: Callable[[t.Expr], bool], more: tuple[t.Expr, ...] = ()
    ) -> bool | None:
        tests = [test for test in (*effect.conditions, *more) if not says_nothing(test)]
        return can_fail(tests, *self._at_first(effect)) if tests else False

    def _at_first(self, effect: EffectSummary) -> tuple[Ranges, dict[t.Variable, Known]]:
        """The facts known before the conditions are evaluated: those that hold in every use of the trigger's names."""
        pattern = effect.rule.pattern if effect.rule is not None else None
        bound = pattern.parameters if pattern is not None else ()
        known = {v: k for v, k in effect.environment.items() if v not in bound and isinstance(k, Known)}
        ranges, values = self._uses.around(pattern)
        return ranges, {**values, **known}

    @cached_property
    def _uses(self) -> Uses:
        return Uses(self.rules, self.ranges, self.owner)

    def _is_about_owner(self, test: t.Expr) -> bool:
        """Says only whose it is: `owner(a) is me`, or `a.colour is white` where colours tell who controls it."""
        terms: list[t.Expr] = []
        collect(test, terms)
        return bool(terms) and all(_is_player(term) or self._tells_owner(term) for term in terms)

    def _tells_owner(self, term: t.Expr) -> bool:
        return isinstance(term, t.Read) and term.column.constant and term.column in self._of_owners

    @cached_property
    def _of_owners(self) -> frozenset[t.Column]:
        """The attributes by which kinds say who controls their things."""
        replacement = [c.controller.value for c in self.rules.conduct.values() if c.controller is not None]
        return frozenset(n.column for value in replacement for n in all_nodes(value) if isinstance(n, t.Read))

    def _is_upheld(self, test: t.Expr) -> bool:
        """Whether it only needs a mark that is set again and again."""
        marks = [node.column for node in all_nodes(test) if isinstance(node, t.Read)]
        raised = isinstance(test, t.Read) or (isinstance(test, t.Compare) and test.op in (">", ">="))
        return raised and len(marks) == 1 and not marks[0].constant and self.upholds(marks[0])

    def whose(self, change: Change) -> Who | None:
        """The owner of a moved thing, from its effect, or from all effects that bring things to its old place."""
        if change.who is not None or change.lay is None or change.lay[1] is None:
            return change.who
        moves = [c for effect in self.effects if effect.origin for c in effect.changes if c.kind == "move"]
        brought = [c for c in moves if c.name.endswith(f" into {change.lay[0]}")]
        is_new = any("into new" in name for c in brought for name in c.names)
        alike = all(c.who is not None and c.who == c.goal for c in brought)
        return change.lay[1] if is_new and alike else None

    def impossible(self, effect: EffectSummary) -> bool:
        """Whether no subject makes all conditions true."""
        return can_hold(list(effect.conditions), *self._at_first(effect)) is False


def _are_alike(one: t.Rule, two: t.Rule) -> bool:
    """Whether two rules make the same change at the same time."""
    if one.pattern is None or two.pattern is None or one.pattern.subject is not two.pattern.subject:
        return False
    if (one.form, one.op) != (two.form, two.op) or (one.carrier is None) is not (two.carrier is None):
        return False
    if one.carrier is None or two.carrier is None:
        return True
    mine, theirs = one.carrier, two.carrier
    return (mine.kind, mine.things, mine.keyword) == (theirs.kind, theirs.things, theirs.keyword)


def _is_carried_by(effect: EffectSummary, kind: t.Kind) -> bool:
    return effect.carrier is not None and effect.carrier.kind is kind and effect.form != "action"


def removes_itself(effect: EffectSummary) -> bool:
    """Whether its carrier returns to its pool each time it acts."""
    carrier, body = effect.carrier, effect.rule.body if effect.rule is not None else None
    return (carrier is not None and carrier.kind.pool and body is not None) and any(
        isinstance(s, t.Remove) and isinstance(s.thing, t.Use) and s.thing.variable is carrier.this
        for s in body.statements
    )


def _passes(column: t.Column) -> bool:
    return column.resets is not None


def _read_by(tests: tuple[t.Expr, ...]) -> Iterator[t.Column]:
    for test in tests:
        for node in all_nodes(test):
            if isinstance(node, t.Read) and not node.column.constant:
                yield node.column


def _needed_by_events(effect: EffectSummary) -> Iterator[t.Column]:
    """Attributes that are read by the needs of the events that are called: `s.left > 0`."""
    action = effect.action
    for block in (action.cost, action.body) if action is not None else ():
        for node in all_nodes(block) if block is not None else ():
            if isinstance(node, t.Perform):
                yield from _read_by(node.event.needs)


def _refilled(column: t.Column, effects: tuple[EffectSummary, ...], user: EffectSummary) -> bool:
    """Whether any effect gives back the things that a use takes."""
    if column.resets is not None:
        return column.resets not in ("game",)
    others = (write for effect in effects if effect is not user for write in effect.writes)
    return any(write.column is column and write.op in ("up", "set") for write in others)


def _is_player(term: t.Expr) -> bool:
    return isinstance(term.type, ThingT) and term.type.kind == "player"


def _is_any_carrier(test: t.Expr, effect: EffectSummary) -> bool:
    """`a is self`, where every thing of the kind carries the rule: of each there is one that is it."""
    carrier = effect.carrier
    if carrier is None or carrier.things is not None or carrier.keyword is not None or carrier.kind.pool:
        return False
    if carrier.works is not None or not isinstance(test, t.Compare) or test.op != "==":
        return False
    sides = [side.variable for side in (test.left, test.right) if isinstance(side, t.Use)]
    return len(sides) == 2 and carrier.this in sides


def when_counted(amount: t.Expr | None) -> tuple[tuple[t.Expr, ...], t.Expr | None]:
    """The tests under which an amount is not zero, and the amount: `5 if t.damage > 0 else 0`."""
    tests: tuple[t.Expr, ...] = ()
    while isinstance(amount, t.Conditional) and _is_nothing(amount.other):
        tests, amount = (*tests, amount.test), amount.then
    return tests, amount


def _is_nothing(node: t.Expr) -> bool:
    return isinstance(node, t.Constant) and node.value == 0
