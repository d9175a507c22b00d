"""The names in scope at one place of a rule, and those known not to be none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from ruleforge.lang.checker.typed import Expr, Variable
from ruleforge.lang.parser import nodes as n
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions

    Function = Callable[[Expressions, n.Call, "Scope"], Expr]


@dataclass(frozen=True)
class Scope:
    """Immutable: entering a block or learning a fact makes a new scope."""

    variables: dict[str, Variable] = field(default_factory=dict)
    present: frozenset[n.Expr] = frozenset()
    looped: frozenset[n.Expr] = frozenset()  # of these, what the `where` of a loop made sure of at its entry
    functions: Mapping[str, Function] = field(
        default_factory=dict
    )  # that can be asked here and not everywhere
    forgotten: Mapping[n.Expr, Span] = field(default_factory=dict)  # what was known, and what ended that

    def bind(self, *variables: Variable) -> Scope:
        names = {v.name for v in variables}
        remaining = frozenset(e for e in self.present if not _mentions(e, names))
        known = {**self.variables, **{v.name: v for v in variables}}
        return Scope(known, remaining, self.looped, self.functions, self.forgotten)

    def knowing(self, facts: frozenset[n.Expr]) -> Scope:
        return self._with(self.present | facts) if facts else self

    def doubting(self, expr: n.Expr) -> Scope:
        """As if nothing were known of an expression."""
        return self._with(self.present - {expr})

    def in_loop(self, outside: Scope) -> Scope:
        """The scope of a loop's body: what its `where` settled may have changed when a later round begins."""
        # A local without assignments keeps its value; an attribute may be changed by the iteration before.
        learnt = frozenset(e for e in self.present - outside.present if not isinstance(e, n.Name))
        return Scope(self.variables, self.present, self.looped | learnt, self.functions, self.forgotten)

    def forgetting(self, before: Scope, by: Span) -> Scope:
        """Note the facts that were known before a statement and are lost after it, with the statement."""
        lost = before.present - self.present
        if not lost:
            return self
        forgotten = {**self.forgotten, **dict.fromkeys(lost, by)}
        return Scope(self.variables, self.present, self.looped, self.functions, forgotten)

    def after_change(self, assigned: str | None = None) -> Scope:
        """Something was written: only what is known of unassigned locals stays known."""
        remaining = frozenset(e for e in self.present if isinstance(e, n.Name) and e.id != assigned)
        return self if remaining == self.present else self._with(remaining)

    def _with(self, present: frozenset[n.Expr]) -> Scope:
        return Scope(self.variables, present, self.looped, self.functions, self.forgotten)


def _mentions(expr: n.Expr, names: set[str]) -> bool:
    match expr:
        case n.Name(id=name):
            return name in names
        case n.Attribute(of=of, index=index):
            return _mentions(of, names) or any(_mentions(i, names) for i in index)
        case n.Nth(of=of, number=number):
            return _mentions(of, names) or _mentions(number, names)
        case n.Call(arguments=arguments):
            return any(_mentions(a, names) for a in arguments)
    return False


Sure = Callable[[n.Expr], bool | None]  # None: nothing is known of it because of a mistake


def present_if_true(test: n.Expr, sure: Sure) -> frozenset[n.Expr]:
    """The expressions that cannot be none when the test holds; `sure` tells what can never be none."""
    match test:
        # If an `and` holds, all its parts do. Of an `or` that holds, no part is sure.
        case n.And(parts=parts):
            return frozenset[n.Expr]().union(*(present_if_true(p, sure) for p in parts))
        case n.Not(value=value):
            return present_if_false(value, sure)
        case n.Comparison(first=first, rest=rest):
            found: set[n.Expr] = set()
            left = first
            for op, right in rest:
                found |= _present_in(left, op, right, sure)
                left = right
            return frozenset(found)
    return frozenset()


def _present_in(left: n.Expr, op: str, right: n.Expr, sure: Sure) -> set[n.Expr]:
    if op == "is not" and (isinstance(right, n.NoneLiteral) or sure(right) is None):
        return {left}
    if op == "is":
        return ({left} if sure(right) else set()) | ({right} if sure(left) else set())
    return {left} if op == "in" else set()


def present_if_false(test: n.Expr, sure: Sure) -> frozenset[n.Expr]:
    """The expressions that cannot be none when the test fails."""
    match test:
        # If an `or` fails, all its parts do. Of an `and` that fails, no part is sure.
        case n.Or(parts=parts):
            return frozenset[n.Expr]().union(*(present_if_false(p, sure) for p in parts))
        case n.Not(value=value):
            return present_if_true(value, sure)
        case n.Comparison(first=first, rest=(("is", n.NoneLiteral()),)):
            return frozenset([first])
    return frozenset()
