"""The transfer function and the control dependence of each type of statement, as a table with a row for
every type.

The transfer function records which cells a statement writes. The control dependence is implicit flow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ruleforge.analysis.infoflow.bindings import Bindings, Control, Inflow
from ruleforge.analysis.infoflow.labels import NONE, Labels
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.checker.walk import roots

if TYPE_CHECKING:
    from ruleforge.analysis.infoflow.control import ControlDependence


def _keep_nothing(to: Bindings, node: t.Statement, control: Control) -> None:
    """Record nothing: the walk visits the children by themselves."""


def _nothing_decides(control: ControlDependence, node: t.Statement) -> Labels:
    """It acts in any case, and what it does is shown to those who may see it."""
    return NONE


class StatementRow(NamedTuple):
    """The inflows of a type of statement, and the information that controls whether, how often and on what
    it acts.
    """

    keeps: Callable[[Bindings, Any, Control], None] = _keep_nothing
    decides: Callable[[ControlDependence, Any], Labels] = _nothing_decides


# --- what goes into cells ---


def _keep_assign(to: Bindings, node: t.Assign, control: Control) -> None:
    to.add(node.variable, Inflow((node.value,), control), node.value)


def _keep_store(to: Bindings, node: t.Store, control: Control) -> None:
    to.add(node.column, Inflow((node.of, *node.index, node.value), control), node.value)


def _keep_pay(to: Bindings, node: t.Pay, control: Control) -> None:
    for pool in node.pools:
        to.add(pool.column, Inflow((node.who, node.amount), control))


def _keep_new(to: Bindings, node: t.New, control: Control) -> None:
    for column, value in node.given:
        to.add(column, Inflow((value,), control), value)
    to.add(node.kind, Inflow((), control))


def _keep_remove(to: Bindings, node: t.Remove, control: Control) -> None:
    if isinstance(node.thing.type, ThingT):
        to.add(to.kinds[node.thing.type.kind], Inflow((), control))


def _keep_remember(to: Bindings, node: t.Remember | t.Forget, control: Control) -> None:
    to.add(node.position, Inflow((), control))


def _keep_roll(to: Bindings, node: t.Roll, control: Control) -> None:
    to.chance[node.variable] = None
    to.add(node.variable, Inflow((node.low, node.high), control, indirect=True))


def _keep_random_pick(to: Bindings, node: t.RandomPick, control: Control) -> None:
    to.chance[node.variable] = node.binder


def _keep_perform(to: Bindings, node: t.Perform, control: Control) -> None:
    for value, parameter in zip(node.arguments, node.event.parameters, strict=True):
        to.pass_on(value, parameter)
    if node.into is not None:
        to.add(node.into, Inflow(node.arguments, control, node.event, indirect=True))


def _keep_sealed(to: Bindings, node: t.Sealed, control: Control) -> None:
    to.sealed |= {b.chosen if isinstance(b, t.Several) else b.variable for b in node.binders}


def _keep_offer(to: Bindings, node: t.Offer, control: Control) -> None:
    for value, parameter in zip(node.arguments, node.window.parameters, strict=True):
        to.add(parameter, Inflow((value,), control), value)


# --- what decides ---


def _decide_if(control: ControlDependence, node: t.If) -> Labels:
    return control.of(*(test for test, _ in node.branches))


def _decide_repeat(control: ControlDependence, node: t.Repeat) -> Labels:
    return control.lasting(control.of(node.times, node.condition), node)


def _decide_for(control: ControlDependence, node: t.For) -> Labels:
    return control.iterations(node.binder)


def _decide_perform(control: ControlDependence, node: t.Perform) -> Labels:
    happens = NONE if node in control.implied else control.happens(node.event, node.arguments)
    return control.which(*node.arguments) | happens


def _decide_store(control: ControlDependence, node: t.Store) -> Labels:
    given = (node.of, *node.index)
    return control.of(*given, node.value) | control.forbidden(node.column, given)


def _decide_move(control: ControlDependence, node: t.Move) -> Labels:
    where = control.which(node.thing) | control.of(*node.index)
    return where | control.forbidden(node.place.holds, (node.thing,))


def _decide_shuffle(control: ControlDependence, node: t.Shuffle) -> Labels:
    return control.of(*node.index)


def _decide_pay(control: ControlDependence, node: t.Pay) -> Labels:
    return control.of(node.who, node.amount)


def _decide_new(control: ControlDependence, node: t.New) -> Labels:
    return control.of(*(value for _, value in node.given))


def _decide_remove(control: ControlDependence, node: t.Remove) -> Labels:
    return control.which(node.thing)


def _decide_show(control: ControlDependence, node: t.Show) -> Labels:
    """Every player knows the number of things in a place."""
    flow, what = control.flow, node.what
    one = isinstance(what.type, ThingT) and flow.context.may_lie_hidden(what.type)
    return control.of(node.to) if one else control.of(node.to) | flow.reader.size(what)


STATEMENTS: dict[type[t.Statement], StatementRow] = {
    t.Assign: StatementRow(_keep_assign),
    t.Store: StatementRow(_keep_store, _decide_store),
    t.Overwrite: StatementRow(),
    t.Roll: StatementRow(_keep_roll),
    t.RandomPick: StatementRow(_keep_random_pick),
    t.Perform: StatementRow(_keep_perform, _decide_perform),
    t.Move: StatementRow(decides=_decide_move),
    t.Shuffle: StatementRow(decides=_decide_shuffle),
    t.Finish: StatementRow(),
    t.Return: StatementRow(),
    t.Remember: StatementRow(_keep_remember),
    t.Forget: StatementRow(_keep_remember),
    t.Leave: StatementRow(),
    t.If: StatementRow(decides=_decide_if),
    t.For: StatementRow(decides=_decide_for),
    t.Repeat: StatementRow(decides=_decide_repeat),
    t.Choose: StatementRow(),
    t.Pick: StatementRow(),
    t.Sealed: StatementRow(_keep_sealed),
    t.Together: StatementRow(),
    t.Pay: StatementRow(_keep_pay, _decide_pay),
    t.Proceed: StatementRow(),
    t.New: StatementRow(_keep_new, _decide_new),
    t.Remove: StatementRow(_keep_remove, _decide_remove),
    t.Show: StatementRow(decides=_decide_show),
    t.Tell: StatementRow(decides=_decide_show),
    t.Offer: StatementRow(_keep_offer),
}


def bindings_of(rules: t.Checked) -> Bindings:
    """The inflows of all texts of a ruleset."""
    found = Bindings(rules.kinds, lambda node: STATEMENTS[type(node)].keeps)
    for root in roots(rules):
        found.enter(root)
    for rule in rules.rules:
        match rule.pattern:
            case t.Pattern(subject=t.Column() as column, parameters=(*_, old, new)):
                found.observed |= {old: column, new: column}
        for variable, value in rule.before:
            found.add(variable, Inflow((value,), indirect=True))
    return found
