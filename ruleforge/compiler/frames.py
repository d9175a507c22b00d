"""Move locals that outlive a pause into cells of the frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ruleforge.analysis.dataflow import Solver
from ruleforge.compiler import ir
from ruleforge.compiler.visit import (
    Expression,
    Node,
    arrays_written,
    assigned,
    expressions,
    placed,
    rewrite,
    same,
    statements,
    with_bodies,
    with_expressions,
)

Names = frozenset[str]
NONE: Names = frozenset()
Live = Callable[[int], Names]  # what is read from the start of a block on


def allocate(
    function: ir.Function,
    number: int,
    blocks: list[ir.Body],
    result_used: bool,
) -> ir.PausedFunction:
    """Choose the frame of one function and rewrite its blocks to it."""
    live = live_at_entry(blocks)
    arrays = {s.name: s.size for b in blocks for s in statements(b) if isinstance(s, ir.NewArray)}
    needed = set().union(*live) - set(function.parameters)
    # The choices of a site are listed while the game waits, from the row alone: their arguments must lie in it.
    for block in blocks:
        for wait in statements(block):
            if isinstance(wait, ir.Wait):
                needed |= {a.name for a in wait.arguments if isinstance(a, ir.Local)} - set(
                    function.parameters
                )
    saved: dict[str, int] = {}
    offset = ir.FRAME_LOCALS
    for name in function.parameters:
        saved[name], offset = offset, offset + 1
    # A fixed order, for frames are part of saved states.
    for name in sorted(needed, key=lambda n: (n in arrays, n)):
        saved[name], offset = offset, offset + arrays.get(name, 1)
    saved_arrays = {name: n for name, n in arrays.items() if name in saved}
    # Equal positions have to be equal rows, so a word that nothing reads any more must not keep its value.
    cleared, filled = _clear_dead(blocks, live, saved, saved_arrays, set(function.parameters))
    return ir.PausedFunction(
        name=function.name,
        number=number,
        parameters=function.parameters,
        frame_size=offset,
        blocks=tuple(_Rewriter(saved, saved_arrays).body(block) for block in cleared),
        saved=saved,
        arrays=saved_arrays,
        fixed=None,
        result_used=result_used,
        finishes=function.finishes,
        place=function.place,
        filled=tuple(filled.get(number, NONE) for number in range(len(blocks))),
    )


# --- which locals are needed later ---


def live_at_entry(blocks: list[ir.Body]) -> list[Names]:
    """The live locals at the start of each block: those that are read before they are written."""
    solver: Solver[int, Names] = Solver(
        lambda number, live: _live_body(blocks[number], NONE, NONE, live), NONE, frozenset.union
    )
    return list(solver.solve(range(len(blocks))).values())


def _used_by(node: Node) -> Names:
    """The locals that are read by the expressions directly inside a node."""
    names: list[str] = []
    found = [*expressions(node)]
    for e in found:  # which grows meanwhile
        kind = type(e)
        if kind is ir.Local:
            names.append(e.name)
        elif kind is not ir.Const:
            if kind is ir.Element:
                names.append(e.array)
            found += expressions(e)
    return frozenset(names) if names else NONE


def _live_body(body: ir.Body, after: Names, leave: Names, live: Live) -> Names:
    for statement in reversed(body):
        after = _live_before(statement, after, leave, live)
    return after


def _live_before(statement: Node, after: Names, leave: Names, live: Live) -> Names:
    # Control flow is structured within a block, so one walk backwards is enough; only jumps ask other blocks.
    match statement:
        case ir.Goto(block=block):
            return live(block)
        case ir.Wait(block=block) | ir.Push(block=block):
            return live(block) | _used_by(statement)
        case ir.Return() | ir.Finish() | ir.Trap():
            return _used_by(statement)
        case ir.Break():
            return leave
        case ir.If(then=then, other=other):
            sides = _live_body(then, after, leave, live) | _live_body(other, after, leave, live)
            return sides | _used_by(statement)
        case ir.While() | ir.ForRange() | ir.Each() | ir.Scan():
            own = frozenset(assigned(statement))
            again = after | (_used_by(statement) if isinstance(statement, ir.While) else NONE)
            inside = _live_body(statement.body, again, after, live) - own  # another iteration adds nothing
            return again | inside | _used_by(statement)
        case ir.NewArray(name=name):
            return after - {name}
        case ir.SetElement(array=array):
            return after | {array} | _used_by(statement)
    return (after - frozenset(assigned(statement))) | _used_by(statement)


# --- words of the frame that are not needed any more are 0 while waiting ---


def _clear_dead(
    blocks: list[ir.Body], live: list[Names], saved: dict[str, int], arrays: dict[str, int], keep: set[str]
) -> tuple[list[ir.Body], dict[int, Names]]:
    """Before each pause, set saved locals to 0 that may not be zero and are dead.

    Returns the blocks, and the locals that may not be zero at the start of each.
    """
    clearing = _Clearing(blocks, live, frozenset(saved) - keep, arrays)
    filled = clearing.filled()
    return [clearing.body(block, filled.get(n, NONE))[0] for n, block in enumerate(blocks)], filled


class _Clearing:
    """Tracks the saved locals that may not be zero."""

    def __init__(
        self, blocks: list[ir.Body], live: list[Names], saved: Names, arrays: dict[str, int]
    ) -> None:
        self.blocks, self.live, self.saved, self.arrays = blocks, live, saved, arrays
        self.solver: Solver[int, Names] = Solver(self.followed, NONE, frozenset.union)

    def filled(self) -> dict[int, Names]:
        """The locals that may not be zero at the start of each reachable block."""
        self.solver.solve([0])
        return self.solver.facts

    def followed(self, number: int, read: Live) -> Names:
        """Pass the locals that may not be zero to the successors of a block."""
        self.body(self.blocks[number], read(number))
        return NONE

    def body(self, body: ir.Body, filled: Names) -> tuple[ir.Body, Names]:
        """The body with its clears, and what may hold something after it."""
        out: list[Node] = []
        for statement in body:
            match statement:
                case ir.If(then=then, other=other):
                    then, after_then = self.body(then, filled)
                    other, after_other = self.body(other, filled)
                    saved_arrays = then is statement.then and other is statement.other
                    out.append(statement if saved_arrays else replace(statement, then=then, other=other))
                    filled = after_then | after_other
                    continue
                case ir.Wait(block=block) | ir.Push(block=block):
                    alive = self.live[block] | _used_by(statement)
                    out.extend(placed(tuple(map(self.clear, sorted(filled - alive))), statement.place))
                    self.solver.raise_to(block, filled & alive)
                case ir.Goto(block=block):
                    self.solver.raise_to(block, filled)
            out.append(statement)
            if self.saved:
                filled |= _written((statement,)) & self.saved
        return same(body, out), filled

    def clear(self, name: str) -> Node:
        size = self.arrays.get(name)
        return ir.Set(name, ir.Const(0)) if size is None else ir.NewArray(name, size)


def _written(body: ir.Body) -> Names:
    names: set[str] = set()
    for statement in statements(body):
        names.update(assigned(statement))
        array = arrays_written(statement)
        if array is not None:
            names.add(array)
    return frozenset(names)


# --- locals become words of the frame ---


class _Rewriter:
    def __init__(self, saved: dict[str, int], arrays: dict[str, int]) -> None:
        self.saved = saved
        self.arrays = arrays

    def expression(self, expression: Expression) -> Expression:
        return rewrite(expression, self.node)

    def node(self, node: Expression) -> Expression:
        match node:
            case ir.Local(name=name) if name in self.saved:
                return ir.FrameLoad(self.saved[name])
            case ir.Element(array=array, index=index) if array in self.arrays:
                return ir.FrameLoad(self.saved[array], index)
        return node

    def body(self, body: ir.Body) -> ir.Body:
        return tuple(s for statement in body for s in self.statement(statement))

    def statement(self, statement: Node) -> ir.Body:
        statement = with_bodies(with_expressions(statement, self.expression), self.body)
        return placed(self.store_in_frame(statement), statement.place)

    def store_in_frame(self, statement: Node) -> tuple[Node, ...]:
        match statement:
            case ir.Set(name=name, value=value) if name in self.saved:
                return (ir.FrameStore(self.saved[name], None, value),)
            case ir.NewArray(name=name, size=size) if name in self.arrays:
                return (ir.FrameClear(self.saved[name], size),)
            case ir.SetElement(array=array, index=index, value=value) if array in self.arrays:
                return (ir.FrameStore(self.saved[array], index, value),)
            # A loop binds a local of the running code. The frame gets a copy at the start of each iteration.
            case ir.ForRange(name=name) | ir.Scan(name=name) if name in self.saved:
                inner: Any = (self.keep(name), *statement.body)
                return (replace(statement, name=_plain(name), body=inner),)
            case ir.Each(names=names) if any(n in self.saved for n in names):
                stores: Any = tuple(self.keep(n) for n in names if n in self.saved)
                own = tuple(_plain(n) if n in self.saved else n for n in names)
                return (replace(statement, names=own, body=(*stores, *statement.body)),)
            case ir.Random(into=name) | ir.Perform(into=name) if name in self.saved:
                return (replace(statement, into=_plain(name)), self.keep(name))
        return (statement,)

    def keep(self, name: str) -> ir.FrameStore:
        return ir.FrameStore(self.saved[name], None, ir.Local(_plain(name)))


def _plain(name: str) -> str:
    return name + "#now"
