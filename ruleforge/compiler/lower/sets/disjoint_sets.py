"""Two sets of cells -> whether they surely share nothing, for they lie in directions from one cell that never meet."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Lowering
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets.sources import formula_env, read_in_place
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.geometry import ray_of
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class _Way:
    """Cells that lie in a direction from a cell: all of them, or the first."""

    board: t.Kind
    start: ir.Expr
    direction: int
    whole: bool

    def cells(self, low: Lowering, start: int) -> frozenset[int]:
        direction = low.kind("direction").things[self.direction - 1]
        met = ray_of(low.rules.geometry[self.board.name], start, direction)
        return frozenset(met if self.whole else met[:1])


def apart(low: Lowering, left: t.Expr, right: t.Expr, env: Env) -> bool:
    """Do two sets surely share nothing: do they lie in directions from one cell that never meet again?"""
    one, other = _ways(low, left, env), _ways(low, right, env)
    if one is None or other is None:
        return False
    return all(
        a.board is b.board and a.start == b.start and _never_meet(low, a, b) for a in one for b in other
    )


def _ways(low: Lowering, source: t.Expr, env: Env) -> list[_Way] | None:
    """The directions a set is taken from; None if it may be anything else."""
    match source:
        case t.Builtin(name="ray" | "step", kind=kind, arguments=(start, way)) if kind is not None:
            direction = values.value(low, way, env)
            if not isinstance(direction, ir.Const):
                return None
            return [_Way(kind, values.value(low, start, env), direction.value, source.name == "ray")]
        case t.Read(column=column, of=of) if _is_step(low, column):
            number = low.kind("direction").things.index(column.name) + 1
            return [_Way(column.kind, values.value(low, of, env), number, False)]
        case t.Selection(binder=binder):
            return _ways(low, binder.source, env)
        case t.CallFormula(formula=formula) if read_in_place(low, source) and formula.body is not None:
            return _ways(low, formula.body, formula_env(low, source, env))
        case t.SetOf(members=members_):
            return _all_ways(low, members_, env)
        case t.Arithmetic(op="|", left=one, right=other) | t.Conditional(then=one, other=other):
            return _all_ways(low, (one, other), env)
    return None


def _all_ways(low: Lowering, sources: tuple[t.Expr, ...], env: Env) -> list[_Way] | None:
    found = [_ways(low, source, env) for source in sources]
    return None if None in found else [way for ways in found if ways for way in ways]


def _is_step(low: Lowering, column: t.Column) -> bool:
    """Is this the fact of a cell that says what lies in a direction?"""
    board = low.rules.geometry.get(column.kind.name)
    return column.constant and board is not None and column.name in board.steps


def _never_meet(low: Lowering, one: _Way, other: _Way) -> bool:
    key = (one.board, one.direction, one.whole, other.direction, other.whole)
    if key not in low.meeting:
        cells = range(1, one.board.size + 1)
        low.meeting[key] = any(one.cells(low, cell) & other.cells(low, cell) for cell in cells)
    return not low.meeting[key]
