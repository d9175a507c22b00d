"""Dice and random picks: drawn from the row's generator, or a decision of chance where that is wanted."""

from __future__ import annotations

from ruleforge.check import typed as t
from ruleforge.check.types import NumberT
from ruleforge.compiler import ir
from ruleforge.compiler.lower import notes
from ruleforge.compiler.lower.context import Env, Lowering, add
from ruleforge.compiler.lower.decisions import choices
from ruleforge.compiler.lower.decisions.asked import Asked
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import walks

ZERO, ONE = ir.Const(0), ir.Const(1)


def roll(low: Lowering, node: t.Roll, name: str, env: Env) -> ir.Body:
    bottom, top = values.value(low, node.low, env), values.value(low, node.high, env)
    die = low.fresh("die")
    if low.chance:
        throw = _chance_die(low, node, die, env)
    else:
        span_ = (
            add(ir.Binary("-", top, bottom), 1)
            if not _both_const(bottom, top)
            else ir.Const(_width(bottom, top))
        )
        throw = (
            ir.Random(die, span_),
            ir.Set(
                die,
                add(ir.Local(die), bottom)
                if isinstance(bottom, ir.Const)
                else ir.Binary("+", ir.Local(die), bottom),
            ),
        )
    note = low.note(notes.rolled(node.span), ir.Local(die))
    if node.number == 1:
        return (*throw, note, ir.Set(name, ir.Local(die)))
    total = ir.Set(name, ir.Binary("+", ir.Local(name), ir.Local(die)))
    loop = ir.ForRange(low.fresh("dice"), ONE, ir.Const(node.number), (*throw, note, total))
    return (ir.Set(name, ZERO), loop)


def _both_const(a: ir.Expr, b: ir.Expr) -> bool:
    return isinstance(a, ir.Const) and isinstance(b, ir.Const)


def _width(a: ir.Expr, b: ir.Expr) -> int:
    assert isinstance(a, ir.Const) and isinstance(b, ir.Const)
    return b.value - a.value + 1


def _chance_die(low: Lowering, node: t.Roll, die: str, env: Env) -> ir.Body:
    assert isinstance(node.low.type, NumberT) and isinstance(node.high.type, NumberT)
    faces = t.Variable("result", NumberT(node.low.type.low, node.high.type.high), node.span)
    source = t.Interval(node.span, node.low.type, node.low, node.high)
    binder = t.Binder(node.span, faces, source)
    asked = Asked(who=ZERO, kind="roll", prompt="a die is rolled", span=node.span, chance=True)
    question = choices.question(low, asked, (choices.Answer("", (binder,), span=node.span),), env)
    (result,) = choices.taken_apart(question.site.options[0], ir.Local(die))
    return (question.ask(die), ir.Set(die, result))


def random_pick(low: Lowering, node: t.RandomPick, binder: t.Binder, name: str, env: Env) -> ir.Body:
    """One of the matching things, all equally likely; 0 if there is none."""
    info = notes.drawn(low, binder.variable, node.span)
    if low.chance:
        answer = choices.Answer("", (binder,), span=node.span)
        asked = Asked(who=ZERO, kind="random", prompt="drawn at random", span=node.span, chance=True)
        question = choices.question(low, asked, (answer,), env)
        (result,) = choices.taken_apart(question.site.options[0], ir.Local(name))
        got = ir.Set(name, values.choose(ir.Binary("<", ir.Local(name), ZERO), ZERO, result))
        return (question.ask(name), got, low.note(info, ir.Local(name)))
    array, count, at = low.fresh("urn"), low.fresh("count"), low.fresh("at")

    def collect(e: Env) -> ir.Body:
        item = e.expr(binder.variable)
        return (ir.SetElement(array, ir.Local(count), item), ir.Set(count, add(ir.Local(count), 1)))

    draw = (ir.Random(at, ir.Local(count)), ir.Set(name, ir.Element(array, ir.Local(at))))
    return (
        ir.NewArray(array, walks.capacity(low, binder.source)),
        ir.Set(count, ZERO),
        *walks.walk(low, binder, env, collect),
        ir.Set(name, ZERO),
        ir.If(ir.Binary(">", ir.Local(count), ZERO), draw),
        low.note(info, ir.Local(name)),
    )
