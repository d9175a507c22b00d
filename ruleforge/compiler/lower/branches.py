"""Choices between many ways or values: shallow nested tests, or a table if the selector is known."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Lowering

LONGEST = 16  # tests in one chain of else-branches


def by_number(number: ir.Expr, cases: Sequence[tuple[int, ir.Body]]) -> ir.Body:
    """The body of the first case whose end is above the number, by binary search.

    Ends ascend, the last is open.
    """
    if not cases:
        return ()
    if len(cases) == 1:
        return cases[0][1]
    middle = len(cases) // 2
    test = ir.Binary("<", number, ir.Const(cases[middle - 1][0]))
    below, above = by_number(number, cases[:middle]), by_number(number, cases[middle:])
    return above if below == above else (ir.If(test, below, above),)


def by_value(number: ir.Expr, cases: Sequence[tuple[int, ir.Body]]) -> ir.Body:
    """The body of the case that equals the number, which ascend; nothing is done for a number that is none of them."""
    spread: list[tuple[int, ir.Body]] = []
    for value, body in cases:
        if not spread or spread[-1][0] < value:
            spread.append((value, ()))
        spread.append((value + 1, body))
    return by_number(number, [*spread, (0, ())] if spread else ())


def first_true(low: Lowering, branches: Sequence[tuple[ir.Expr, ir.Body]], otherwise: ir.Body) -> ir.Body:
    """The body of the first test that holds. A long chain is cut; each piece says whether the next has to look."""
    if len(branches) <= LONGEST:
        return _chain(branches, otherwise)
    name = low.fresh("looking")
    looking, found = ir.Set(name, ir.Const(1)), ir.Set(name, ir.Const(0))
    still = ir.Binary("==", ir.Local(name), ir.Const(1))
    pieces = [branches[i : i + LONGEST] for i in range(0, len(branches), LONGEST)]
    first, *rest = [(found, *_chain(piece, (looking,))) for piece in pieces]
    return (*first, *(ir.If(still, piece) for piece in rest), ir.If(still, otherwise))


def _chain(branches: Sequence[tuple[ir.Expr, ir.Body]], otherwise: ir.Body) -> ir.Body:
    for test, body in reversed(branches):
        otherwise = (ir.If(test, body, otherwise),)
    return otherwise


# Tables and choices between values, evaluated at once if the selector is constant.


def lookup(low: Lowering, values: tuple[int, ...], index: ir.Expr) -> ir.Expr:
    """A constant vector read at an index; known at once if the index is."""
    if isinstance(index, ir.Const):
        return ir.Const(values[index.value])
    if values == tuple(range(len(values))):
        return index
    return ir.Table(low.table(values), index)


def choose(test: ir.Expr, then: ir.Expr, other: ir.Expr) -> ir.Expr:
    if isinstance(test, ir.Const):
        return then if test.value else other
    return ir.Select(test, then, other)
