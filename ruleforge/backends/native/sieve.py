"""Split a loop over slots: tests that can run on four slots at once, and the rest of each iteration.

    for c in 1..64:                       four at a time: row[15 + c] != 0
        if row[15 + c] != 0:                  for c of those: if f(c): offer c
            if f(c): offer c

Such a test cannot fail and does not depend on an earlier iteration. It can therefore run in any order and too
often.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from ruleforge.backends.native.code import Code
from ruleforge.backends.native.layers.addresses import ROW
from ruleforge.compiler import ir
from ruleforge.compiler.function_traits import HARMLESS
from ruleforge.compiler.visit import Expression, Node, arrays_written, assigned, statements, subexpressions
from ruleforge.support.records import dataclass

VECTOR = {
    "==": "i32x4.eq",
    "!=": "i32x4.ne",
    "<": "i32x4.lt_s",
    ">": "i32x4.gt_s",
    "<=": "i32x4.le_s",
    ">=": "i32x4.ge_s",
}
_SWAPPED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_STEADY = (ir.Const, ir.Local, ir.Load, ir.FrameLoad, ir.Table, ir.Negate, ir.LogicNot)
_QUIET = (*HARMLESS, ir.Offer, ir.Spend, ir.FrameStore)
_FRAME = "%frame"  # stands for all that a loop writes in its frame, which no slot of a column is part of


@dataclass(frozen=True, slots=True)
class Term:
    """Slot `base` + x of the row, or entry x of a table, compared with a value that is the same for all x."""

    op: str
    of: ir.Load | ir.Table
    value: Expression


@dataclass(frozen=True, slots=True)
class Either:
    """Holds where all terms of one of the ways do."""

    ways: tuple[tuple[Term, ...], ...]


Test = Term | Either


def terms_of(tests: tuple[Test, ...]) -> Iterator[Term]:
    for test in tests:
        if isinstance(test, Either):
            yield from (term for way in test.ways for term in way)
        else:
            yield test


def sieved(loop: ir.ForRange | ir.Scan) -> tuple[tuple[Test, ...], ir.Body]:
    """The tests of a loop, none if it changes anything, and what is left of its body."""
    inner = tuple(statements(loop.body))
    if not all(isinstance(s, _QUIET) for s in inner):
        return (), loop.body
    own = {name for s in (loop, *inner) for name in (*assigned(s), arrays_written(s)) if name is not None}
    own |= {_FRAME for s in inner if isinstance(s, ir.FrameStore)}
    terms: list[Test] = []
    body: ir.Body = loop.body
    # Only an iteration that is one `if` can be tested beforehand: a statement beside it runs in any case.
    while len(body) == 1 and isinstance(body[0], ir.If) and not body[0].other:
        test, then = body[0].test, body[0].then
        found = [(part, _test(part, loop.name, own)) for part in _parts(test, "and")]
        terms += [term for _, term in found if term is not None]
        rest = tuple(part for part, term in found if term is None)
        if rest:
            again: Expression = rest[0] if len(rest) == 1 else ir.Logic("and", rest)
            return tuple(terms), (ir.If(again, then, place=body[0].place),) if terms else loop.body
        body = then
    return tuple(terms), body


def _parts(e: Expression, op: str) -> tuple[Expression, ...]:
    return e.parts if isinstance(e, ir.Logic) and e.op == op else (e,)


def _test(e: Expression, name: str, own: set[str]) -> Test | None:
    """A term, or ways of which each is made of terms alone."""
    if not (isinstance(e, ir.Logic) and e.op == "or"):
        return _term(e, name, own)
    ways: list[tuple[Term, ...]] = []
    for way in e.parts:
        terms = [_term(part, name, own) for part in _parts(way, "and")]
        ways.append(tuple(term for term in terms if term is not None))
        if len(ways[-1]) < len(terms):
            return None
    return Either(tuple(ways))


def _term(e: Expression, name: str, own: set[str]) -> Term | None:
    match e:
        case ir.Binary(op=op, left=left, right=right) if op in VECTOR:
            if _is_slot(left, name) and _is_steady(right, own):
                return Term(op, left, right)
            if _is_slot(right, name) and _is_steady(left, own):
                return Term(_SWAPPED[op], right, left)
        case ir.Load() | ir.Table() if _is_slot(e, name):
            return Term("!=", e, ir.Const(0))
        case ir.LogicNot(value=value) if _is_slot(value, name):
            return Term("==", value, ir.Const(0))
    return None


def _is_slot(e: Expression, name: str) -> TypeGuard[ir.Load | ir.Table]:
    return isinstance(e, ir.Load | ir.Table) and e.index == ir.Local(name)


def _is_steady(e: Expression, own: set[str]) -> bool:
    return all(_stays(part, own) for part in subexpressions(e))


def _stays(part: Node, own: set[str]) -> bool:
    if isinstance(part, ir.Binary):
        return not part.checked and part.op in ("+", "-", "*", "&", "|", "^")
    if isinstance(part, ir.FrameLoad) and _FRAME in own:
        return False
    return isinstance(part, _STEADY) and not (isinstance(part, ir.Local) and part.name in own)


@dataclass(frozen=True, slots=True)
class VectorTest:
    """A term as instructions test it.

    `offset` is that of slot or entry 0, behind the row or in memory. `wanted` is a local with the value four
    times.
    """

    op: str
    in_row: bool
    offset: int
    wanted: str


@dataclass(frozen=True, slots=True)
class Ways:
    """The tests of an `Either`."""

    ways: tuple[tuple[VectorTest, ...], ...]


VectorTests = tuple[VectorTest | Ways, ...]


def ask(code: Code, vector_tests: VectorTests, at: str, first: int) -> None:
    """Leave ones if all tests hold for the slots first + 1 .. first + 4, relative to the position `at` in
    the row.
    """
    for number, vector_test in enumerate(vector_tests):
        if isinstance(vector_test, Ways):
            for other, way in enumerate(vector_test.ways):
                ask(code, way, at, first)
                if other:
                    code.op("v128.or")
        else:
            _compare(code, vector_test, at, first)
        if number:
            code.op("v128.and")


def _compare(code: Code, vector_test: VectorTest, at: str, first: int) -> None:
    code.get(at)
    if not vector_test.in_row:
        code.get(ROW)
        code.op("i32.sub")
    offset = vector_test.offset + 4 * (first + 1)
    if offset < 0:  # offsets have no sign
        code.const(offset)
        code.op("i32.add")
        offset = 0
    code.access("v128.load", offset)
    code.get(vector_test.wanted)
    code.op(VECTOR[vector_test.op])
