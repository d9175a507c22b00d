"""Loops that do something with slots which are not 0, or with the first of them -> which slots are not 0, as 64 bits.

    for t in north(c):                  taken = a bit for each slot that is not 0, once for all loops
        if row[15 + t] != 0:            found = taken & north_bits(c)
            ...                         if found: t = the first of them, ...
            break

How far a line is free is hard to foretell, so that a loop would mostly be left at an unexpected moment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from ruleforge.backends.native.code import Code
from ruleforge.backends.native.memory import WORD
from ruleforge.backends.native.scan import splat, take_word
from ruleforge.backends.native.sieve import Lane
from ruleforge.compiler import ir
from ruleforge.compiler.function_traits import HARMLESS
from ruleforge.compiler.visit import statements
from ruleforge.support.records import dataclass

FEWEST = 3  # lines that one look at all slots is worth
_QUIET = (*HARMLESS, ir.Offer, ir.Meter)


@dataclass(frozen=True, slots=True)
class Meeting:
    """A loop that comes to its statements with numbers whose slot is not 0: with all of them, or with the first."""

    name: str
    base: int
    relation: int
    key: ir.Expr
    then: ir.Body

    @property
    def first(self) -> bool:
        return isinstance(self.then[-1], ir.Break)


def meeting(loop: ir.Each) -> Meeting | None:
    """None if it is another loop."""
    match loop:
        case ir.Each(
            names=(name,),
            body=(
                ir.If(
                    test=ir.Binary(
                        op="!=", left=ir.Load(base=base, index=ir.Local(name=index)), right=ir.Const(value=0)
                    ),
                    then=then,
                    other=(),
                ),
            ),
        ) if index == name and then:
            return Meeting(name, base, loop.relation, loop.key, then)
    return None


def bases(body: ir.Body, fits: Callable[[int], bool]) -> tuple[int, ...]:
    """The bases whose slots are worth a look when a function begins: it changes nothing, and follows several lines."""
    inner = tuple(statements(body))
    if not all(isinstance(s, _QUIET) for s in inner):
        return ()
    found = (meeting(s) for s in inner if isinstance(s, ir.Each))
    counted = Counter(one.base for one in found if one is not None and one.first and fits(one.relation))
    return tuple(base for base, times in counted.items() if times >= FEWEST)


def take_bits(code: Code, base: int, into: str) -> None:
    """A local gets a bit for each of the slots base + 1 .. base + 64 that is not 0."""
    code.const(0)
    take_word(code, (Lane("!=", True, 4 * base, splat(code)),), WORD, into)
