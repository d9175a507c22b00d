"""Dice and random picks: drawn from the generator of the row, or a decision of chance if the set-up wants
it.
"""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower import branches, notes
from ruleforge.compiler.lower.context import Env, Lowering, add
from ruleforge.compiler.lower.decisions import choices
from ruleforge.compiler.lower.decisions.answers import Answer
from ruleforge.compiler.lower.decisions.choices import taken_apart
from ruleforge.compiler.lower.decisions.question import QuestionSpec
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import walks
from ruleforge.compiler.lower.sets.lists import capacity
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import INT_MAX, NumberT

ZERO, ONE = ir.Const(0), ir.Const(1)


def roll(low: Lowering, node: t.Roll, name: str, env: Env) -> ir.Body:
    bottom, top = values.value(low, node.low, env), values.value(low, node.high, env)
    die = low.fresh("die")
    if low.chance:
        throw = _chance_die(low, node, die, env)
    else:
        prelude, faces = _faces(low, node, bottom, top)
        throw = (
            *prelude,
            ir.Random(die, faces, is_reported=True),
            ir.Set(
                die,
                add(ir.Local(die), bottom)
                if isinstance(bottom, ir.Const)
                else ir.Binary("+", ir.Local(die), bottom),
            ),
        )
    note = low.note(notes.rolled(node.span, node.variable in low.infoflow.unseen_chance), ir.Local(die))
    if node.number == 1:
        return (*throw, note, ir.Set(name, ir.Local(die)))
    total = ir.Set(name, ir.Binary("+", ir.Local(name), ir.Local(die)))
    loop = ir.ForRange(low.fresh("dice"), ONE, ir.Const(node.number), (*throw, note, total))
    return (ir.Set(name, ZERO), loop)


def _faces(low: Lowering, node: t.Roll, bottom: ir.Expr, top: ir.Expr) -> tuple[ir.Body, ir.Expr]:
    """The number of faces of a die, and a test that there is one unless it is known."""
    if isinstance(bottom, ir.Const) and isinstance(top, ir.Const) and bottom.value <= top.value:
        return (), ir.Const(top.value - bottom.value + 1)
    assert isinstance(node.low.type, NumberT) and isinstance(node.high.type, NumberT)
    wide = node.high.type.high - node.low.type.low >= INT_MAX
    faces = (
        ir.Binary("+", ir.Binary("-", top, bottom, True), ONE, True)
        if wide
        else add(ir.Binary("-", top, bottom), 1)
    )
    return _some_face(low, node, ir.Binary(">", bottom, top)), faces


def _some_face(low: Lowering, node: t.Roll, none: ir.Expr) -> ir.Body:
    """Stop if there is nothing to roll, unless the ranges of both ends rule that out."""
    assert isinstance(node.low.type, NumberT) and isinstance(node.high.type, NumberT)
    if node.low.type.high <= node.high.type.low:
        return ()
    return (ir.If(none, (ir.Trap(low.fault("RF828", "a die without faces is rolled", node.span)),)),)


def _chance_die(low: Lowering, node: t.Roll, die: str, env: Env) -> ir.Body:
    assert isinstance(node.low.type, NumberT) and isinstance(node.high.type, NumberT)
    faces = t.Variable("result", NumberT(node.low.type.low, node.high.type.high), node.span)
    source = t.Interval(node.span, node.low.type, node.low, node.high)
    binder = t.Binder(node.span, faces, source)
    unseen = node.variable in low.infoflow.unseen_chance
    prompt = "a die is rolled"
    spec = QuestionSpec(who=ZERO, kind="roll", prompt=prompt, span=node.span, chance=True, unseen=unseen)
    question = choices.question(low, spec, (Answer("", (binder,), span=node.span),), env)
    (result,) = taken_apart(question.site.options[0], ir.Local(die))
    some = _some_face(low, node, ir.Binary("<", ir.Local(die), ZERO))
    return (question.ask(die), *some, ir.Set(die, result))


def random_pick(low: Lowering, node: t.RandomPick, binder: t.Binder, name: str, env: Env) -> ir.Body:
    """One of the matching things, all equally likely; 0 if there is none."""
    unseen = node.variable in low.infoflow.unseen_chance
    info = notes.drawn(low, binder.variable, node.span, unseen)
    if low.chance:
        answer = Answer("", (binder,), span=node.span)
        prompt = "drawn at random"
        spec = QuestionSpec(
            who=ZERO, kind="random", prompt=prompt, span=node.span, chance=True, unseen=unseen
        )
        question = choices.question(low, spec, (answer,), env)
        (result,) = taken_apart(question.site.options[0], ir.Local(name))
        got = ir.Set(name, branches.choose(ir.Binary("<", ir.Local(name), ZERO), ZERO, result))
        return (question.ask(name), got, low.note(info, ir.Local(name)))
    array, count, at = low.fresh("urn"), low.fresh("count"), low.fresh("at")

    def collect(e: Env) -> ir.Body:
        item = e.expr(binder.variable)
        return (ir.SetElement(array, ir.Local(count), item), ir.Set(count, add(ir.Local(count), 1)))

    draw = (ir.Random(at, ir.Local(count), is_reported=True), ir.Set(name, ir.Element(array, ir.Local(at))))
    return (
        ir.NewArray(array, capacity(low, binder.source)),
        ir.Set(count, ZERO),
        *walks.walk(low, binder, env, collect),
        ir.Set(name, ZERO),
        ir.If(ir.Binary(">", ir.Local(count), ZERO), draw),
        low.note(info, ir.Local(name)),
    )
