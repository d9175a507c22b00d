"""All statements and binders of a ruleset -> what goes into each variable, attribute, position and pool of things.

This is the transfer function over statements: a table with a row for every type of statement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ruleforge.analysis.dataflow import reach
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.checker.walk import all_nodes, parts, roots, used_variables

Branching = t.If | t.For | t.Repeat
Control = tuple[Branching, ...]
Cell = t.Variable | t.Column | t.Position | t.Kind  # where values are kept


@dataclass(frozen=True, slots=True)
class Inflow:
    """Values that go into a cell, the result of an event, and the statements that decide whether this is done."""

    values: tuple[t.Expr, ...] = ()
    control: Control = ()
    event: t.Event | None = None
    indirect: bool = False


class Bindings:
    """What goes into each cell of the rules."""

    def __init__(self, kinds: Mapping[str, t.Kind]) -> None:
        self.kinds = kinds
        self.sources: dict[t.Variable, t.Expr] = {}  # variables that stand for members of a source
        self.inflows: dict[Cell, list[Inflow]] = {}
        self.sealed: set[t.Variable] = set()
        self.chance: dict[
            t.Variable, t.Binder | None
        ] = {}  # results of chance, and among what they were picked
        self.observed: dict[t.Variable, t.Column] = {}  # what a rule learns of the attribute it waits for
        self._destinations: dict[Cell, list[Cell]] = {}

    def bind(self, binder: t.Binder) -> None:
        self.sources[binder.variable] = binder.source

    def add(self, cell: Cell, inflow: Inflow, value: t.Expr | None = None) -> None:
        """Note an inflow; `value` is what is kept in the cell, where that is known."""
        self.inflows.setdefault(cell, []).append(inflow)
        self.pass_on(value, cell)

    def pass_on(self, value: t.Expr | None, cell: Cell) -> None:
        for variable in used_variables(value) if value is not None else ():
            self._destinations.setdefault(variable, []).append(cell)

    def enter(self, node: object, control: Control = ()) -> None:
        """Note all that a piece of the rules does, under the statements that decide about it."""
        match node:
            case t.Statement():
                STATEMENTS[type(node)](self, node, control)
            case t.Binder():
                self.bind(node)
            case t.Several(chosen=chosen, binder=binder):
                self.add(chosen, Inflow((binder.source,)))
        inside = (*control, node) if isinstance(node, Branching) else control
        for part in parts(node):
            self.enter(part, inside)

    def unseen_chance(self) -> frozenset[t.Variable]:
        """The results of chance that hidden attributes keep, and no open one."""
        return frozenset(variable for variable in self.chance if self._is_unseen(variable))

    def _is_unseen(self, variable: t.Variable) -> bool:
        starts: list[Cell] = [variable]
        cells = reach(starts, lambda cell: self._destinations.get(cell, []))
        hidden = [cell.hidden for cell in cells if isinstance(cell, t.Column)]
        return bool(hidden) and all(hidden)


def bindings_of(rules: t.Checked) -> Bindings:
    """Those of all texts of a ruleset."""
    found = Bindings(rules.kinds)
    for root in roots(rules):
        found.enter(root)
    for rule in rules.rules:
        match rule.pattern:
            case t.Pattern(subject=t.Column() as column, parameters=(*_, old, new)):
                found.observed |= {old: column, new: column}
        for variable, value in rule.before:
            found.add(variable, Inflow((value,), indirect=True))
    return found


# --- one row for each type of statement ---


def _nothing(to: Bindings, node: t.Statement, control: Control) -> None:
    """It keeps nothing: what is inside of it is entered by itself."""


def _assign(to: Bindings, node: t.Assign, control: Control) -> None:
    to.add(node.variable, Inflow((node.value,), control), node.value)


def _store(to: Bindings, node: t.Store, control: Control) -> None:
    to.add(node.column, Inflow((node.of, *node.index, node.value), control), node.value)


def _pay(to: Bindings, node: t.Pay, control: Control) -> None:
    for pool in node.pools:
        to.add(pool.column, Inflow((node.who, node.amount), control))


def _new(to: Bindings, node: t.New, control: Control) -> None:
    for column, value in node.given:
        to.add(column, Inflow((value,), control), value)
    to.add(node.kind, Inflow((), control))


def _remove(to: Bindings, node: t.Remove, control: Control) -> None:
    if isinstance(node.thing.type, ThingT):
        to.add(to.kinds[node.thing.type.kind], Inflow((), control))


def _remember(to: Bindings, node: t.Remember | t.Forget, control: Control) -> None:
    to.add(node.position, Inflow((), control))


def _roll(to: Bindings, node: t.Roll, control: Control) -> None:
    to.chance[node.variable] = None
    to.add(node.variable, Inflow((node.low, node.high), control, indirect=True))


def _random_pick(to: Bindings, node: t.RandomPick, control: Control) -> None:
    to.chance[node.variable] = node.binder


def _perform(to: Bindings, node: t.Perform, control: Control) -> None:
    for value, parameter in zip(node.arguments, node.event.parameters, strict=True):
        to.pass_on(value, parameter)
    if node.into is not None:
        to.add(node.into, Inflow(node.arguments, control, node.event, indirect=True))


def _sealed(to: Bindings, node: t.Sealed, control: Control) -> None:
    to.sealed |= {b.chosen if isinstance(b, t.Several) else b.variable for b in node.binders}


def _offer(to: Bindings, node: t.Offer, control: Control) -> None:
    for value, parameter in zip(node.arguments, node.window.parameters, strict=True):
        to.add(parameter, Inflow((value,), control), value)


STATEMENTS: dict[type[t.Statement], Callable[[Bindings, Any, Control], None]] = {
    t.Assign: _assign,
    t.Store: _store,
    t.Overwrite: _nothing,
    t.Roll: _roll,
    t.RandomPick: _random_pick,
    t.Perform: _perform,
    t.Move: _nothing,
    t.Shuffle: _nothing,
    t.Finish: _nothing,
    t.Return: _nothing,
    t.Remember: _remember,
    t.Forget: _remember,
    t.Leave: _nothing,
    t.If: _nothing,
    t.For: _nothing,
    t.Repeat: _nothing,
    t.Choose: _nothing,
    t.Pick: _nothing,
    t.Sealed: _sealed,
    t.Together: _nothing,
    t.Pay: _pay,
    t.Proceed: _nothing,
    t.New: _new,
    t.Remove: _remove,
    t.Show: _nothing,
    t.Tell: _nothing,
    t.Offer: _offer,
}


def is_pile(source: t.Expr) -> bool:
    """Is it all that lies in some hidden place? Everybody can see how many things that is."""
    match source:
        case t.Content(place=place) | t.Family(place=place):
            return place.hidden
        case t.Arithmetic(op="|", left=left, right=right):
            return is_pile(left) or is_pile(right)
    return False


def members_of(binder: t.Binder) -> t.Binder:
    """What a loop finds its members with: of `for one c in deck` the binder inside of the selection."""
    source = binder.source
    return source.binder if isinstance(source, t.Aggregate | t.Selection) else binder


def leaves(node: t.Statement) -> bool:
    """Can what comes after a statement be left out because of it?"""
    return any(isinstance(inner, t.Return | t.Leave) for inner in all_nodes(node))
