"""The parts of a choice's code from its binders, and loops over all answers."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Inner, Lowering, Words
from ruleforge.compiler.lower.sets import filters, masks, walks
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NumberT, SetT, ThingT
from ruleforge.support.records import dataclass

WIDE_LOW, WIDE_SIZE = -(2**30), 2**31 - 2**20  # numbers of any size that can be answers; codes have 32 bits


@dataclass(frozen=True, eq=False)
class Together:
    """A set of a fixed size that is one answer: each set once, its members in the order of their kind."""

    node: t.Several
    members: tuple[t.Variable, ...]


Joint = t.Binder | Together


def joint(binder: t.Binder | t.Several) -> Joint | None:
    """The binder as a part of a larger answer; None for a set whose size is not known beforehand."""
    if isinstance(binder, t.Binder):
        return binder
    size = binder.size
    if size is None:
        return None
    one = binder.binder.variable
    return Together(binder, tuple(t.Variable(one.name, one.type, one.span) for _ in range(size)))


def bound_by(binder: Joint | t.Several) -> t.Variable:
    """The variable that holds the answer for later binders and conditions."""
    match binder:
        case t.Binder(variable=variable):
            return variable
        case Together(node=node):
            return node.chosen
    return binder.chosen


def digits_of(binder: Joint) -> tuple[t.Variable, ...]:
    """The locals that hold the parts of the answer, one for each."""
    return binder.members if isinstance(binder, Together) else (binder.variable,)


def parts_of(low: Lowering, binder: Joint) -> tuple[ir.Part, ...]:
    member = isinstance(binder, Together)
    return tuple(part_of(low, variable, member) for variable in digits_of(binder))


def part_of(low: Lowering, variable: t.Variable, member: bool = False) -> ir.Part:
    match variable.type:
        case ThingT(kind=kind):
            number = low.layout.number(low.kind(kind))
            return ir.Part(low.size(low.kind(kind)), number, 0, variable.name, member)
        case NumberT(low=bottom, high=top):
            if top - bottom >= WIDE_SIZE:
                return ir.Part(WIDE_SIZE, None, WIDE_LOW, variable.name)
            return ir.Part(top - bottom + 1, None, bottom, variable.name)
    raise AssertionError(variable.type)


def values_of(low: Lowering, binder: Joint, digits: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
    """The values of an answer with these parts: a set as its words."""
    return _words(low, binder.node, digits) if isinstance(binder, Together) else digits


def bind(low: Lowering, binder: Joint, digits: tuple[ir.Expr, ...], env: Env) -> Env:
    """The locals behind a binder whose answer has these parts."""
    for variable, digit in zip(digits_of(binder), digits, strict=True):
        env = env.bind(variable, digit)
    if isinstance(binder, Together):
        return env.bind(binder.node.chosen, Words(_words(low, binder.node, digits)))
    return env


def walk(low: Lowering, binder: Joint, env: Env, inner: Inner) -> ir.Body:
    """Run `inner` for all there is to answer."""
    if isinstance(binder, t.Binder):
        return walks.walk(low, binder, env, inner)
    return _sets(low, binder, env, inner, ())


def _sets(low: Lowering, binder: Together, env: Env, inner: Inner, taken: tuple[ir.Expr, ...]) -> ir.Body:
    """Nested loops over the members of a set in ascending order, so that no set occurs twice."""
    node = binder.node
    if len(taken) == len(binder.members):
        return filters.guard(low, node.such, bind(low, binder, taken, env), inner)

    def deeper(e: Env) -> ir.Body:
        item = e.expr(node.binder.variable)
        body = _sets(low, binder, e, inner, (*taken, item))
        return (ir.If(ir.Binary(">", item, taken[-1]), body),) if taken else body

    return walks.walk(low, node.binder, env, deeper)


def _words(low: Lowering, node: t.Several, members: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
    assert isinstance(node.chosen.type, SetT)
    words: tuple[ir.Expr, ...] = (ir.Const(0),) * masks.word_count(low, low.kind(node.chosen.type.kind))
    for member in members:
        words = masks.with_member(words, member)
    return words
