"""`measure_limits` checks changes whose amount depends on a measure: a count or sum of something."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.analysis.effects.summary import EffectSummary, Write, name_of
from ruleforge.analysis.effects.values import conjuncts, opened
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.model import Flow
from ruleforge.contracts.predicates import can_hold
from ruleforge.contracts.trial import Trial, broken, subject
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NumberT
from ruleforge.lang.checker.walk import all_nodes, parts, roots


def breaches(trial: Trial, flow: Flow) -> Iterator[Fault]:
    return _Measures(trial, flow).run()


class _Measures:
    """Follows a measure through locals, formulas, events and attributes of packs to the changes that use it."""

    def __init__(self, trial: Trial, flow: Flow) -> None:
        self.trial, self.flow = trial, flow
        self.given: dict[t.Variable, list[t.Expr]] = {}
        self.made: list[tuple[t.Column, t.Expr]] = []  # what new things begin with
        for root in roots(trial.rules):
            for node in all_nodes(root):
                self._note(node)
        self.marks: set[t.Column] = {c for c in trial.rules.columns.values() if name_of(c) == flow.by}

    def run(self) -> Iterator[Fault]:
        writes = [
            (effect, w)
            for effect in self.trial.summaries.effects
            for w in effect.writes
            if w.store is not None
        ]
        while more := self._marked(writes) - self.marks:
            self.marks |= more
        measured = set()
        for effect, write in writes:
            if name_of(write.column) not in self.flow.into or write.sealed or write.span in measured:
                continue
            if self._measured(write) or (write.op != "down" and self._reads_measure(effect, write)):
                measured.add(write.span)
                yield self._fault(effect, write)

    def _marked(self, writes: list[tuple[EffectSummary, Write]]) -> set[t.Column]:
        made = {column for column, value in self.made if self._reads(value, set())}
        return made | {write.column for effect, write in writes if self._is_mark(effect, write)}

    def _is_mark(self, effect: EffectSummary, write: Write) -> bool:
        """Does an attribute of a pack keep the measure for later?"""
        ours = bool(self.trial.owner(write.column.span)) and not write.sealed
        return ours and (self._measured(write) or (write.op != "down" and self._reads_measure(effect, write)))

    def _fault(self, effect: EffectSummary, write: Write) -> Fault:
        name = name_of(write.column)
        if self._measured(write):
            why = f"{subject(effect)} changes `{name}` by how much there is of `{self.flow.by}`"
            repair = f"let it change by an amount that does not depend on `{self.flow.by}`"
        else:
            why = f"{subject(effect)} gives `{name}` only where there is `{self.flow.by}`"
            repair = f"let it depend on something other than `{self.flow.by}`"
        return broken("RF910", effect, self.flow, why, repair, write.span)

    # --- amounts ---

    def _measured(self, write: Write) -> bool:
        amounts = (*write.counts, write.store.value) if write.store is not None else ()
        return any(self._reads(amount, set()) for amount in amounts)

    def _reads(self, node: object, seen: set[object]) -> bool:
        """Whether an amount comes from the measure. In `a if test else b` the test decides when, not how much."""
        match node:
            case t.Read(column=column) if column in self.marks:
                return True
            case t.Use(variable=variable) if variable not in seen:
                seen.add(variable)
                return any(self._reads(value, seen) for value in self.given.get(variable, ()))
            case t.CallFormula(formula=formula) if formula.name not in seen and formula.body is not None:
                seen.add(formula.name)
                if self._reads(formula.body, seen):
                    return True
            case t.Conditional(then=then, other=other):
                return self._reads(then, seen) or self._reads(other, seen)
        return any(self._reads(part, seen) for part in parts(node))

    def _note(self, node: object) -> None:
        """Note the sources of the locals of effects."""
        match node:
            case t.Assign(variable=variable, value=value):
                self.given.setdefault(variable, []).append(value)
            case t.Perform(event=event, arguments=arguments) if self.trial.owner(event.span):
                for parameter, argument in zip(event.parameters, arguments, strict=False):
                    self.given.setdefault(parameter, []).append(argument)
            case t.Binder(variable=variable, source=t.Interval() as source, where=where):
                self.given.setdefault(variable, []).extend([source, *([where] if where is not None else [])])
            case t.New(given=given):
                self.made += [(column, value) for column, value in given if self.trial.owner(column.span)]

    # --- conditions ---

    def _reads_measure(self, effect: EffectSummary, write: Write) -> bool:
        """Do the conditions, or the amount, come to nothing where there is none of the measure?"""
        if write.store is None:
            return False
        tests = conjuncts(*(opened(test) for test in (*effect.conditions, *write.conditions)))
        return any(
            self._needs(test, read)
            for test in (*tests, *_tests_of(write.store.value))
            for read in all_nodes(test)
            if isinstance(read, t.Read) and read.column in self.marks and self._perhaps_of(read, write.store)
        )

    def _needs(self, test: t.Expr, read: t.Read) -> bool:
        if not isinstance(read.type, NumberT):
            return test is read
        none = t.Compare(read.span, test.type, "==", read, t.Constant(read.span, read.type, 0))
        return can_hold([test, none], self.trial.ranges, {}) is False

    def _perhaps_of(self, read: t.Read, store: t.Store) -> bool:
        """Whether the measure may belong to the player who gains. Two locals, or a player and the next one, are two
        players.
        """
        ones, others = self._meant(read.of), self._meant(store.of)
        return any(_may_be_one(one, other) for one in ones for other in others)

    def _meant(self, node: t.Expr) -> list[t.Expr]:
        """The arguments of a parameter of a pack's event; any other expression stands for itself."""
        if not isinstance(node, t.Use) or node.variable not in self.given:
            return [node]
        return [node, *self.given[node.variable]]


def _tests_of(value: t.Expr) -> Iterator[t.Expr]:
    """The tests under which an amount is not zero: `x if test else 0`, also inside of a sum."""
    for node in all_nodes(value):
        if isinstance(node, t.Conditional):
            if isinstance(node.other, t.Constant) and node.other.value == 0:
                yield opened(node.test)
            if isinstance(node.then, t.Constant) and node.then.value == 0:
                yield opened(t.Not(node.span, node.test.type, node.test))


def _may_be_one(one: t.Expr, other: t.Expr) -> bool:
    if isinstance(one, t.Use) and isinstance(other, t.Use):
        return one.variable is other.variable
    return not any(isinstance(side, t.Opponent) or _is_neighbour(side) for side in (one, other))


def _is_neighbour(node: t.Expr) -> bool:
    return isinstance(node, t.Builtin) and node.name in ("next", "previous")
