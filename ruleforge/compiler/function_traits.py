"""The traits of functions: observable effects, possible faults, cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ruleforge.analysis.dataflow import reach
from ruleforge.compiler import ir
from ruleforge.compiler.visit import LOOPS, Expression, Node, all_expressions, statements
from ruleforge.support.records import dataclass

HARMLESS = (ir.Set, ir.If, ir.Return, ir.Break, ir.NewArray, ir.SetElement, *LOOPS)
_SURE = (*HARMLESS, ir.Store, ir.Note, ir.Perform)


@dataclass(frozen=True, slots=True)
class Trait:
    """`quiet`: it changes no state. `sure`: it cannot fail. `dear`: its result is worth caching."""

    quiet: bool
    sure: bool
    dear: bool

    @property
    def pure(self) -> bool:
        """It can be evaluated at any time, any number of times."""
        return self.quiet and self.sure


_UNKNOWN = Trait(False, False, True)


class Traits:
    """The traits of the functions of one program, computed once for each."""

    def __init__(self, functions: Mapping[str, ir.Function]) -> None:
        self._functions = functions
        self._known: dict[str, Trait] = {}

    def of(self, name: str) -> Trait:
        if name not in self._known:
            self._known[name] = _UNKNOWN  # during its own analysis: recursive functions are unknown
            self._known[name] = self._looked_at(self._functions[name])
        return self._known[name]

    def _looked_at(self, function: ir.Function) -> Trait:
        quiet = sure = not function.pauses
        dear = False
        for statement in statements(function.body):
            quiet = quiet and isinstance(statement, HARMLESS)
            sure = sure and isinstance(statement, _SURE) and self._is_sure(statement)
            dear = dear or isinstance(statement, LOOPS)
        for e in all_expressions(function.body) if quiet or sure else ():
            if isinstance(e, ir.CallExpr | ir.Trial):
                callee = self.of(e.function)
                quiet = quiet and (callee.quiet or isinstance(e, ir.Trial))
                sure = sure and (callee.sure or isinstance(e, ir.Trial))
                dear = dear or callee.dear
            sure = sure and not may_fail(e)
            dear = dear or isinstance(e, ir.Connected)
        return Trait(quiet, sure, dear)

    def _is_sure(self, statement: Node) -> bool:
        return not isinstance(statement, ir.Perform) or self.of(statement.function).sure


def may_fail(e: Expression) -> bool:
    """Whether an expression itself can stop the rules, without its parts.

    A division by a possible 0 is a call that traps. A negation that can overflow is checked.
    """
    return isinstance(e, ir.Binary) and e.checked


# Close `pauses`, `finishes` and `offers` of functions over everything they perform.


def close_effects(functions: Mapping[str, ir.Function]) -> dict[str, ir.Function]:
    """Mark functions that may wait for a choice, end the game or offer choices, directly or through others."""
    callers: dict[str, set[str]] = {name: set() for name in functions}
    pauses: set[str] = set()
    finishes: set[str] = set()
    offers: set[str] = set()
    for name, function in functions.items():
        for statement in statements(function.body):
            match statement:
                case ir.Perform(function=callee):
                    callers[callee].add(name)
                case ir.Ask():
                    pauses.add(name)
                case ir.Finish():
                    finishes.add(name)
                case ir.Offer():
                    offers.add(name)
    pauses, finishes, offers = ({*reach(some, callers.__getitem__)} for some in (pauses, finishes, offers))
    return {
        name: replace(function, pauses=name in pauses, finishes=name in finishes, offers=name in offers)
        for name, function in functions.items()
    }
