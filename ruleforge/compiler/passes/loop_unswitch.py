"""Move an invariant test out of a loop.

    for c in hand:                          asked = any_of(led)
        if led == 0:                        if led == 0:
            offer c                             for c in hand: offer c
        elif asked(any_of(led)):            elif asked:
            ...                                 ...

The pass handles loops that write no cell of the row, and tests that cannot fail. Before a loop without
iterations, such a test is superfluous but harmless.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.function_traits import HARMLESS, Traits, may_fail
from ruleforge.compiler.visit import (
    Expression,
    Node,
    arrays_written,
    assigned,
    count,
    same,
    statements,
    subexpressions,
    with_bodies,
)

LONGEST = 600  # nodes of a loop that is written twice
_LOOPS = (ir.ForRange, ir.Each, ir.Scan)
_QUIET = (*HARMLESS, ir.Offer)
_DEAR = (ir.CallExpr, ir.Trial, ir.Connected)


def unswitched(lowered: ir.Lowered) -> ir.Lowered:
    """The same program with tests before loops."""
    unswitching = _Unswitching(lowered.functions)
    changed = {name: unswitching.function(f) for name, f in lowered.functions.items()}
    return replace(lowered, functions=changed)


class _Unswitching:
    def __init__(self, functions: Mapping[str, ir.Function]) -> None:
        self.traits = Traits(functions)

    def function(self, function: ir.Function) -> ir.Function:
        """Optimise a function.

        A function that may wait for a player stays unchanged, with the words of its frames.
        """
        if function.pauses:
            return function
        body = self.body(function.body)
        return function if body is function.body else replace(function, body=body)

    def body(self, body: ir.Body) -> ir.Body:
        out: list[Node] = []
        for statement in body:
            statement = with_bodies(statement, self.body)
            out += self.loop(statement) if isinstance(statement, _LOOPS) else (statement,)
        return same(body, out)

    def loop(self, loop: Node) -> ir.Body:
        """The loop, or what is known of all its iterations and a loop for each way they can go."""
        inner = tuple(statements(loop.body))
        # The loop is written once for each way, so a long one would grow without an end.
        if not all(isinstance(s, _QUIET) for s in inner) or count(loop.body) > LONGEST:
            return (loop,)
        own = {name for s in (loop, *inner) for name in (*assigned(s), arrays_written(s)) if name is not None}
        first, rest = self.split_questions(loop.body, own)
        match rest:
            case (ir.If() as way,) if self.is_known(way.test, own):
                then, other = self.iterations(loop, way.then), self.iterations(loop, way.other)
                return (*first, replace(way, then=then, other=other))
        known, rest = self.known_first(rest, own)
        if known:
            return (*first, ir.If(joined(known), self.iterations(loop, rest), place=loop.place))
        return (*first, replace(loop, body=rest)) if first else (loop,)

    def known_first(self, body: ir.Body, own: set[str]) -> tuple[list[Expression], ir.Body]:
        """Split nested tests into the cheap invariant ones and the rest of the loop body."""
        match body:
            case (ir.If(other=()) as way,):
                known, then = self.known_first(way.then, own)
                parts = (
                    way.test.parts if isinstance(way.test, ir.Logic) and way.test.op == "and" else (way.test,)
                )
                mine = [part for part in parts if _costs_nothing(part) and self.is_known(part, own)]
                others = [part for part in parts if part not in mine]
                if mine or known:
                    remaining = (replace(way, test=joined(others), then=then),) if others else then
                    return [*mine, *known], remaining
        return [], body

    def iterations(self, loop: Node, body: ir.Body) -> ir.Body:
        return self.loop(replace(loop, body=body)) if body else ()

    def split_questions(self, body: ir.Body, own: set[str]) -> tuple[ir.Body, ir.Body]:
        """The questions at the start of each iteration that are asked once (`loop_invariants.py`), and the rest."""
        for number, statement in enumerate(body):
            match statement:
                case ir.If(
                    test=ir.Binary(op="==", left=ir.Local(name=known), right=ir.Const(value=0)),
                    then=(ir.Set(name=known_name, value=value), ir.Set(name=learnt)),
                    other=(),
                ) if known == learnt and self.is_known(value, own):
                    own -= {known_name, known}
                case _:
                    return body[:number], body[number:]
        return body, ()

    def is_known(self, e: Expression, own: set[str]) -> bool:
        """Whether a value is the same in all iterations, and can be had before."""
        return all(self._is_known(part, own) for part in subexpressions(e))

    def _is_known(self, part: Expression, own: set[str]) -> bool:
        match part:
            case ir.Local(name=name) | ir.Element(array=name):
                return name not in own
            case ir.CallExpr(function=function):
                return self.traits.of(function).pure
            case ir.Trial(function=function):
                return self.traits.of(function).quiet
            case ir.Binary(op="//" | "%", right=right):
                return isinstance(right, ir.Const)
        return not may_fail(part)


def joined(parts: list[Expression]) -> Expression:
    """The conjunction of tests."""
    return parts[0] if len(parts) == 1 else ir.Logic("and", tuple(parts))


def _costs_nothing(e: Expression) -> bool:
    return not any(isinstance(part, _DEAR) for part in subexpressions(e))
