"""Statements, rules and phases -> the hidden information that decides whether, how often and with what they act.

This is implicit flow. What decides about a statement stands in a table with a row for every type of statement; what
decides about a rule or a phase stands in one method each.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any

from ruleforge.analysis.dataflow import reach
from ruleforge.analysis.infoflow.bindings import members_of
from ruleforge.analysis.infoflow.flow import InfoFlow
from ruleforge.analysis.infoflow.implied import implied
from ruleforge.analysis.infoflow.labels import NONE, Labels, Mark, fresh_in, is_about_things
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.checker.walk import all_nodes, substitute, used_variables


class ControlDependence:
    """What decides about each statement, rule and phase, and may be unknown to a player.

    Labels without an owner mean: whose it is cannot be said before the statement.
    """

    def __init__(self, flow: InfoFlow) -> None:
        self.flow, self.reader = flow, flow.reader
        self._hides = bool(flow.rules.sight)
        self.implied = implied(flow.rules) if self._hides else frozenset()

    def statement(self, node: t.Statement) -> Labels:
        """What decides whether, how often, in which order and with which values a statement acts."""
        return self.flow.in_play(DECIDING[type(node)](self, node)) if self._hides else NONE

    def rule(self, rule: t.Rule) -> Labels:
        """What decides whether, or in which order among others, a rule acts."""
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
        """What decides whether and how often a phase is run, and for whom."""
        if not self._hides:
            return NONE
        each = self.iterations(phase.each) if phase.each is not None else NONE
        return self.flow.in_play(self.of(phase.when, phase.repeat) | each)

    def combined(self, node: t.Statement) -> Labels:
        """What decides about anything inside of steps that count as one: nothing reacts until they are over."""
        if not isinstance(node, t.Together) and not (isinstance(node, t.Perform) and node.event.together):
            return NONE
        here = {inner for inner in all_nodes(node) if isinstance(inner, t.Statement)}
        found = NONE
        for inner in _done_in(node):
            if inner is not node:
                labels = self.statement(inner)
                found |= lasting(labels, node) if inner in here else ownerless(labels)
        return found

    # --- what the rows ask ---

    def of(self, *tests: t.Expr | None) -> Labels:
        """What values depend on; what they bind themselves is met by itself.

        Whether an answer in secret is told is decided where it is opened, so its own variable adds nothing.
        """
        asked = [test for test in tests if test is not None]
        own = used_variables(*asked)
        found = fresh_in(self.flow.labels(*asked), asked)
        return frozenset(x for x in found if x.what is not Mark.SEALED or x.via not in own)

    def which(self, *values: t.Expr) -> Labels:
        """What values depend on; of things that may lie hidden only what does not depend on where things lie.

        Such things are told to those who see them.
        """
        lying = [value for value in values if self.flow.context.may_lie_hidden(value.type)]
        plain = self.of(*(value for value in values if value not in lying))
        return plain | {label for label in self.of(*lying) if not is_about_things(label)}

    def is_hidden(self, variable: t.Variable) -> bool:
        """May a variable hold something that a player does not know?"""
        return self._hides and bool(self.flow.in_play(self.reader.read(variable)))

    def iterations(self, binder: t.Binder) -> Labels:
        """What decides how often a loop goes round, and in which order."""
        return fresh_in(self.reader.iterations(binder), [binder], (members_of(binder).variable,))

    def happens(self, event: t.Event, given: tuple[t.Expr, ...]) -> Labels:
        """What decides whether an event can happen."""
        return self.reader.needed_by(event, given)

    def forbidden(self, subject: object, given: tuple[t.Expr, ...]) -> Labels:
        """What decides whether rules forbid something."""
        return self.reader.hooked("forbid", subject, given)


# --- whose it is, later on ---


def ownerless(labels: Labels) -> Labels:
    return frozenset(replace(label, whose=()) if label.whose else label for label in labels)


def lasting(labels: Labels, node: t.Statement) -> Labels:
    """The labels with owners only where the statement cannot change whose it is."""
    changed = {*_assigned(node)}
    return frozenset(
        label if all(_is_as_before(whose, changed) for whose in label.whose) else replace(label, whose=())
        for label in labels
    )


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
    """All that is done in a statement, also by the events that it performs."""
    starts: list[t.Statement | t.Block] = [node]
    for root in reach(starts, _bodies):
        yield from (inner for inner in all_nodes(root) if isinstance(inner, t.Statement))


def _bodies(root: t.Statement | t.Block) -> Iterable[t.Statement | t.Block]:
    performed = (inner.event.body for inner in all_nodes(root) if isinstance(inner, t.Perform))
    return [body for body in performed if body is not None]


# --- one row for each type of statement ---


def _nothing(control: ControlDependence, node: t.Statement) -> Labels:
    """It acts in any case, and what it does is shown to those who may see it."""
    return NONE


def _if(control: ControlDependence, node: t.If) -> Labels:
    return control.of(*(test for test, _ in node.branches))


def _repeat(control: ControlDependence, node: t.Repeat) -> Labels:
    return lasting(control.of(node.times, node.condition), node)


def _for(control: ControlDependence, node: t.For) -> Labels:
    return control.iterations(node.binder)


def _perform(control: ControlDependence, node: t.Perform) -> Labels:
    happens = NONE if node in control.implied else control.happens(node.event, node.arguments)
    return control.which(*node.arguments) | happens


def _store(control: ControlDependence, node: t.Store) -> Labels:
    given = (node.of, *node.index)
    return control.of(*given, node.value) | control.forbidden(node.column, given)


def _move(control: ControlDependence, node: t.Move) -> Labels:
    where = control.which(node.thing) | control.of(*node.index)
    return where | control.forbidden(node.place.holds, (node.thing,))


def _shuffle(control: ControlDependence, node: t.Shuffle) -> Labels:
    return control.of(*node.index)


def _pay(control: ControlDependence, node: t.Pay) -> Labels:
    return control.of(node.who, node.amount)


def _new(control: ControlDependence, node: t.New) -> Labels:
    return control.of(*(value for _, value in node.given))


def _remove(control: ControlDependence, node: t.Remove) -> Labels:
    return control.which(node.thing)


def _show(control: ControlDependence, node: t.Show) -> Labels:
    """How many things lie in a place everybody knows."""
    flow, what = control.flow, node.what
    one = isinstance(what.type, ThingT) and flow.context.may_lie_hidden(what.type)
    return control.of(node.to) if one else control.of(node.to) | flow.reader.size(what)


DECIDING: dict[type[t.Statement], Callable[[ControlDependence, Any], Labels]] = {
    t.Assign: _nothing,
    t.Store: _store,
    t.Overwrite: _nothing,
    t.Roll: _nothing,
    t.RandomPick: _nothing,
    t.Perform: _perform,
    t.Move: _move,
    t.Shuffle: _shuffle,
    t.Finish: _nothing,
    t.Return: _nothing,
    t.Remember: _nothing,
    t.Forget: _nothing,
    t.Leave: _nothing,
    t.If: _if,
    t.For: _for,
    t.Repeat: _repeat,
    t.Choose: _nothing,
    t.Pick: _nothing,
    t.Sealed: _nothing,
    t.Together: _nothing,
    t.Pay: _pay,
    t.Proceed: _nothing,
    t.New: _new,
    t.Remove: _remove,
    t.Show: _show,
    t.Tell: _show,
    t.Offer: _nothing,
}
