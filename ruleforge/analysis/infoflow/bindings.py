"""Collect the inflows of each variable, attribute, position and pool of things of a ruleset."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ruleforge.analysis.dataflow import reach
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import all_nodes, parts, used_variables

Branching = t.If | t.For | t.Repeat
Control = tuple[Branching, ...]
Keeps = Callable[["Bindings", Any, Control], None]  # enters what a statement keeps
Cell = t.Variable | t.Column | t.Position | t.Kind  # where values are kept


@dataclass(frozen=True, slots=True)
class Inflow:
    """Values that flow into a cell, an event result, and the statements that control this flow."""

    values: tuple[t.Expr, ...] = ()
    control: Control = ()
    event: t.Event | None = None
    indirect: bool = False


class Bindings:
    """The inflows of each cell of the rules."""

    def __init__(self, kinds: Mapping[str, t.Kind], row_of: Callable[[t.Statement], Keeps]) -> None:
        self.kinds, self._row_of = kinds, row_of
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
        """Record an inflow. `value` is the value in the cell, if it is known."""
        self.inflows.setdefault(cell, []).append(inflow)
        self.pass_on(value, cell)

    def pass_on(self, value: t.Expr | None, cell: Cell) -> None:
        for variable in used_variables(value) if value is not None else ():
            self._destinations.setdefault(variable, []).append(cell)

    def enter(self, node: object, control: Control = ()) -> None:
        """Record all inflows of a piece of the rules, with the statements that control them."""
        match node:
            case t.Statement():
                self._row_of(node)(self, node, control)
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


def is_pile(source: t.Expr) -> bool:
    """Whether a source is the whole content of a hidden place. Every player can see its size."""
    match source:
        case t.Content(place=place) | t.Family(place=place):
            return place.hidden
        case t.Arithmetic(op="|", left=left, right=right):
            return is_pile(left) or is_pile(right)
    return False


def members_of(binder: t.Binder) -> t.Binder:
    """The binder that finds the members of a loop: for `for one c in deck`, the binder inside the selection."""
    source = binder.source
    return source.binder if isinstance(source, t.Aggregate | t.Selection) else binder


def leaves(node: t.Statement) -> bool:
    """Whether a statement can skip the statements after it."""
    return any(isinstance(inner, t.Return | t.Leave) for inner in all_nodes(node))
