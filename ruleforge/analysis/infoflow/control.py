"""Find the hidden information that controls whether, how often and with which values statements act.

This is implicit flow. The table `statements` holds the control dependence of statements. Rules and phases
have one method each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from ruleforge.analysis.dataflow import reach
from ruleforge.analysis.infoflow.bindings import members_of
from ruleforge.analysis.infoflow.flow import InfoFlow
from ruleforge.analysis.infoflow.implied import implied
from ruleforge.analysis.infoflow.labels import NONE, Labels, Mark, fresh_in, is_about_things
from ruleforge.analysis.infoflow.statements import STATEMENTS
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import all_nodes, substitute, used_variables


class ControlDependence:
    """The control dependence of each statement, rule and phase on information that a player may not know.

    A label without an owner means that its owner is unknown before the statement.
    """

    def __init__(self, flow: InfoFlow) -> None:
        self.flow, self.reader = flow, flow.reader
        self._hides = bool(flow.rules.sight)
        self.implied = implied(flow.rules) if self._hides else frozenset()

    def statement(self, node: t.Statement) -> Labels:
        """The information that controls whether, how often, in which order and with which values a statement
        acts.
        """
        return self.flow.in_play(STATEMENTS[type(node)].decides(self, node)) if self._hides else NONE

    def rule(self, rule: t.Rule) -> Labels:
        """The information that controls whether a rule acts, and in which order among others."""
        if not self._hides:
            return NONE
        found = self.of(*rule.conditions)
        if rule.binder is not None:
            found |= self.iterations(rule.binder)
        if rule.carrier is not None and rule.carrier.conduct.trigger_order is not None:
            found |= self.of(substitute(rule.carrier.conduct.trigger_order, rule.carrier.this))
        if rule.cost is not None:
            found |= fresh_in(self.reader.inside(rule.cost), [rule.cost])
        return self.flow.in_play(found)

    def phase(self, phase: t.Phase) -> Labels:
        """The information that controls whether a phase runs, how often, and for which players."""
        if not self._hides:
            return NONE
        each = self.iterations(phase.each) if phase.each is not None else NONE
        return self.flow.in_play(self.of(phase.when, phase.repeat) | each)

    def combined(self, node: t.Statement) -> Labels:
        """The information that controls any step of a combined statement: rules react only when it is over."""
        if not isinstance(node, t.Together) and not (isinstance(node, t.Perform) and node.event.together):
            return NONE
        here = {inner for inner in all_nodes(node) if isinstance(inner, t.Statement)}
        found = NONE
        for inner in _done_in(node):
            if inner is not node:
                labels = self.statement(inner)
                found |= self.lasting(labels, node) if inner in here else ownerless(labels)
        return found

    # --- what the rows ask ---

    def of(self, *tests: t.Expr | None) -> Labels:
        """The information that values depend on, without the variables that they bind themselves.

        The step that opens a secret answer controls its disclosure, so the answer's own variable adds
        nothing.
        """
        conditions = [test for test in tests if test is not None]
        own = used_variables(*conditions)
        found = fresh_in(self.flow.labels(*conditions), conditions)
        return frozenset(x for x in found if x.what is not Mark.SEALED or x.via not in own)

    def which(self, *values: t.Expr) -> Labels:
        """The information that values depend on. For things that may lie hidden, labels about things are
        left out.

        The event log shows such things only to the players who see them.
        """
        lying = [value for value in values if self.flow.context.may_lie_hidden(value.type)]
        plain = self.of(*(value for value in values if value not in lying))
        return plain | {label for label in self.of(*lying) if not is_about_things(label)}

    def is_hidden(self, variable: t.Variable) -> bool:
        """Whether a variable may hold a value that a player does not know."""
        return self._hides and bool(self.flow.in_play(self.reader.read(variable)))

    def iterations(self, binder: t.Binder) -> Labels:
        """The information that controls the number and the order of the iterations of a loop."""
        return fresh_in(self.reader.iterations(binder), [binder], (members_of(binder).variable,))

    def lasting(self, labels: Labels, node: t.Statement) -> Labels:
        """The labels. An owner stays only if the statement cannot change it."""
        changed = {*_assigned(node)}
        return frozenset(
            label if all(_is_as_before(whose, changed) for whose in label.whose) else replace(label, whose=())
            for label in labels
        )

    def happens(self, event: t.Event, given: tuple[t.Expr, ...]) -> Labels:
        """The information that controls whether an event can happen."""
        return self.reader.needed_by(event, given)

    def forbidden(self, subject: object, given: tuple[t.Expr, ...]) -> Labels:
        """The information that controls whether rules forbid a subject."""
        return self.reader.hooked("forbid", subject, given)


# --- whose it is, later on ---


def ownerless(labels: Labels) -> Labels:
    return frozenset(replace(label, whose=()) if label.whose else label for label in labels)


def _assigned(node: t.Statement) -> Iterator[t.Variable]:
    for inner in all_nodes(node):
        match inner:
            case t.Assign(variable=variable) | t.Roll(variable=variable) | t.RandomPick(variable=variable):
                yield variable
            case t.Perform(into=t.Variable() as variable) | t.New(variable=t.Variable() as variable):
                yield variable


def _is_as_before(whose: t.Expr, changed: Collection[t.Variable]) -> bool:
    return all(_is_fixed(node, changed) for node in all_nodes(whose))


def _is_fixed(node: object, changed: Collection[t.Variable]) -> bool:
    match node:
        case t.Use(variable=variable):
            return variable not in changed
        case t.Read(column=column):
            return column.constant
    return isinstance(node, t.Constant)


def _done_in(node: t.Statement) -> Iterator[t.Statement]:
    """All statements inside a statement, also those of performed events."""
    starts: list[t.Statement | t.Block] = [node]
    for root in reach(starts, _bodies):
        yield from (inner for inner in all_nodes(root) if isinstance(inner, t.Statement))


def _bodies(root: t.Statement | t.Block) -> Iterable[t.Statement | t.Block]:
    performed = (inner.event.body for inner in all_nodes(root) if isinstance(inner, t.Perform))
    return [body for body in performed if body is not None]
