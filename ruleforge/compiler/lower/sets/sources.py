"""The sources of a walk: their order, inlined formulas, relations of boards, and disjoint sources."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import BoundValue, Env, Lazy, Lowering, digits
from ruleforge.compiler.lower.expressions import values
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.geometry import ray_of
from ruleforge.lang.checker.types import NumbersT, SetT
from ruleforge.support.records import dataclass


def has_own_order(low: Lowering, source: t.Expr, env: Env) -> bool:
    """Whether a source has an order of its own. All others are walked in the order of their kind."""
    match source:
        case t.Interval() | t.Builtin(name="ray"):
            return True
        case t.Content(place=place):
            return place.ordered
        case t.Selection(binder=binder):
            return bool(binder.by) or has_own_order(low, binder.source, env)
        case t.Conditional(then=one, other=other) | t.Arithmetic(op="|", left=one, right=other):
            return has_own_order(low, one, env) or has_own_order(low, other, env)
        case t.Arithmetic(left=left):
            return has_own_order(low, left, env)
        case t.CallFormula(formula=formula) if read_in_place(low, source) and formula.body is not None:
            return has_own_order(low, formula.body, formula_env(low, source, env))
        case t.Use(variable=variable):
            value = env.values[variable]
            return isinstance(value, Lazy) and has_own_order(low, value.source, value.env)
    return False


# Formulas that give a set are inlined.


def read_in_place(low: Lowering, source: t.CallFormula) -> bool:
    if isinstance(source.type, NumbersT):
        return not low.is_modified(source.formula)
    return isinstance(source.type, SetT) and not low.stands_alone(source.formula)


def formula_env(low: Lowering, node: t.CallFormula, env: Env) -> Env:
    """The parameters of a formula that gives a set, which is always read in place."""
    given: dict[t.Variable, BoundValue] = {}
    for parameter, argument in zip(node.formula.parameters, node.arguments, strict=True):
        given[parameter] = (
            Lazy(argument, env) if isinstance(argument.type, SetT) else values.value(low, argument, env)
        )
    return Env(given)


# `ray` and `neighbours` become a relation and the key of a row in it.


def board_relation(low: Lowering, source: t.Builtin, env: Env) -> tuple[int, ir.Expr]:
    assert source.kind is not None
    geometry = low.rules.geometry[source.kind.name]
    cells = range(1, source.kind.size + 1)
    arguments = tuple(values.value(low, a, env) for a in source.arguments)
    if source.name == "neighbours":
        return low.relation(((), *geometry.near)), arguments[0]
    directions = low.kind("direction").things
    rows = ((), *(ray_of(geometry, c, d) for c in cells for d in directions))
    return low.relation(rows), digits(arguments, (source.kind.size, len(directions)))


# Two sets of cells are certainly disjoint if they lie in directions from one cell that never meet.


@dataclass(frozen=True, slots=True)
class _Way:
    """The cells in a direction from a cell: all of them, or the first."""

    board: t.Kind
    start: ir.Expr
    direction: int
    whole: bool

    def cells(self, low: Lowering, start: int) -> frozenset[int]:
        direction = low.kind("direction").things[self.direction - 1]
        met = ray_of(low.rules.geometry[self.board.name], start, direction)
        return frozenset(met if self.whole else met[:1])


def apart(low: Lowering, left: t.Expr, right: t.Expr, env: Env) -> bool:
    """Whether two sets are certainly disjoint: they lie in directions from one cell that never meet again."""
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
    """Whether a fact of a cell gives its neighbour in a direction."""
    board = low.rules.geometry.get(column.kind.name)
    return column.constant and board is not None and column.name in board.steps


def _never_meet(low: Lowering, one: _Way, other: _Way) -> bool:
    key = (one.board, one.direction, one.whole, other.direction, other.whole)
    if key not in low.meeting:
        cells = range(1, one.board.size + 1)
        low.meeting[key] = any(one.cells(low, cell) & other.cells(low, cell) for cell in cells)
    return not low.meeting[key]
