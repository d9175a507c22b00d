"""Limits and costs: the limits of use, whether a cost can be paid, consent to optional rules, and payment."""

from __future__ import annotations

from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.lower import branches, notes
from ruleforge.compiler.lower.context import Env, Lowering, Mode, Target, add, both, load
from ruleforge.compiler.lower.decisions import choices, ways
from ruleforge.compiler.lower.decisions.answers import Answer
from ruleforge.compiler.lower.decisions.choices import taken_apart
from ruleforge.compiler.lower.decisions.question import QuestionSpec
from ruleforge.compiler.lower.effects import contract_gate, event_gates, statements
from ruleforge.compiler.lower.expressions import values
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import INT_MAX, NumberT

ZERO, ONE = ir.Const(0), ir.Const(1)
PAY = "pay"


# --- limits ---


def within(
    low: Lowering, limit: t.Limit | None, carrier: t.Carrier | None, me: ir.Expr | None, env: Env
) -> ir.Expr:
    """Whether the limit allows one more use."""
    if limit is None:
        return ONE
    return ir.Binary("<", _counter(low, limit, carrier, me, env), ir.Const(limit.count))


def counted(
    low: Lowering, limit: t.Limit | None, carrier: t.Carrier | None, me: ir.Expr | None, env: Env
) -> ir.Body:
    if limit is None:
        return ()
    slot = _counter(low, limit, carrier, me, env)
    return (ir.Store(slot.base, slot.index, add(slot, 1)),)


def _counter(
    low: Lowering, limit: t.Limit, carrier: t.Carrier | None, me: ir.Expr | None, env: Env
) -> ir.Load:
    column = limit.counter
    if column.kind.seats and me is not None:
        of = me
    elif carrier is not None and column.kind is carrier.kind:
        of = env.expr(carrier.this)
    else:
        of = ONE
    return load(*values.slot(low, column, of, ()))


# --- optional rules ---


def optional(low: Lowering, rule: t.Rule, env: Env, body: ir.Body, asking: ir.Body = ()) -> ir.Body:
    """The effect of a rule under its limit, its cost, and the consent of the player who may decline it.

    `asking` runs before a player is asked. A trial asks no player, which counts as declined.
    """
    if rule.may and env.mode is not Mode.REAL:
        return ()
    me = env.values.get(rule.carrier.me) if rule.carrier and rule.carrier.me else None
    owner = me if isinstance(me, ir.Local | ir.Const) else None
    test = both(within(low, rule.limit, rule.carrier, owner, env), affordable(low, rule.cost, env))
    test = both(contract_gate.free(low, rule), test)
    paid = statements.block(low, rule.cost, ways.owing(rule.cost, env))
    used = (*contract_gate.claimed(low, rule), *counted(low, rule.limit, rule.carrier, owner, env))
    act = (*used, *paid, *body)
    if rule.may:
        assert rule.who is not None
        into = low.fresh("answer")
        word = rule.name.rsplit(".", 1)[-1]
        prompt = rule.text or f"use {word}?"
        answers = (Answer(word, (), span=rule.span), Answer("decline", (), span=rule.span))
        who = values.value(low, rule.who, env)
        spec = QuestionSpec(who=who, kind="may", prompt=prompt, span=rule.span, clauses=rule.clauses)
        question = choices.question(low, spec, answers, env)
        act = (*asking, question.ask(into), ir.If(ir.Binary("==", ir.Local(into), ZERO), act))
    return act if test == ONE else (ir.If(test, act),)


# --- costs ---


def affordable(low: Lowering, cost: t.Block | None, env: Env) -> ir.Expr:
    """Whether a whole cost can be paid. Independent parts are tested one by one, others in a trial."""
    if cost is None or not cost.statements:
        return ONE
    if independent(low, cost):
        return both(*(payable(low, s, env) for s in cost.statements))

    def body(e: Env) -> ir.Body:
        paid = statements.block(low, cost, ways.owing(cost, e.within(Mode.OWED)))
        return (*event_gates.trying(low, paid, (cost,)), ir.Return(ONE))

    call = low.helper("afford", values.captured(env, cost), env, cost.span, body)
    return ir.Binary("==", ir.Trial(call.function, call.arguments), ONE)


def independent(low: Lowering, cost: t.Block) -> bool:
    """Whether a cost has only simple parts on separate pools, none of which reads a pool that another
    changes.

    The cost of an event is its needs, unless a rule replaces it.
    """
    written: list[t.Column] = []
    for part in cost.statements:
        match part:
            case t.Store(column=column) if isinstance(column.type, NumberT):
                written.append(column)
            case t.Pay(pools=pools):
                written += [p.column for p in pools]
            case t.Perform(event=event):
                if len(cost.statements) > 1 or not event.needs or event in low.hooks.instead:
                    return False
            case _:
                return False
    return len(set(written)) == len(written)


def payable(low: Lowering, part: t.Statement, env: Env) -> ir.Expr:
    """Whether one part of a cost can be paid, regardless of the others."""
    match part:
        case t.Store(column=column, value=new):
            assert isinstance(column.type, NumberT)
            value = values.value(low, new, env)
            at_least = ir.Binary(">=", value, ir.Const(column.type.low))
            return both(at_least, ir.Binary("<=", value, ir.Const(column.type.high)))
        case t.Pay(amount=amount, pools=pools):
            return ir.Binary("<=", values.value(low, amount, env), _available(low, pools, env))
        case t.Perform(event=event, arguments=arguments):
            return event_gates.can(low, event, values.flat(low, arguments, env))
    raise AssertionError(part)


def _available(low: Lowering, pools: tuple[t.Read, ...], env: Env) -> ir.Expr:
    """The total of all pools. Two names of one pool count once."""
    total: ir.Expr | None = None
    for i, pool in enumerate(pools):
        assert isinstance(pool.column.type, NumberT)
        own = add(values.value(low, pool, env), -pool.column.type.low)
        same = [_same_pool(low, pool, other, env) for other in pools[:i] if other.column is pool.column]
        for test in same:
            own = branches.choose(test, ZERO, own)
        total = own if total is None else ir.Binary("+", total, own, True)
    assert total is not None
    return total


def _same_pool(low: Lowering, one: t.Read, other: t.Read, env: Env) -> ir.Expr:
    pairs = zip((one.of, *one.index), (other.of, *other.index), strict=True)
    return both(*(values.same(values.value(low, a, env), values.value(low, b, env)) for a, b in pairs))


def pay(low: Lowering, node: t.Pay, env: Env) -> ir.Body:
    """Take the amount from the pools. With several, the payer chooses the share of each but the last."""
    due = low.fresh("due")
    body: list[ir.Statement] = [ir.Set(due, ir.Binary("max", values.value(low, node.amount, env), ZERO))]
    short = low.fault("RF817", "a payment is larger than the amount available", node.span)
    for i, pool in enumerate(node.pools[:-1]):
        share = low.fresh("share")
        body += _share(low, node, i, due, share, env)
        body += _taken(low, node, pool, ir.Local(share), env)
        body.append(ir.Set(due, ir.Binary("-", ir.Local(due), ir.Local(share))))
    last = node.pools[-1]
    enough = ir.Binary(">", ir.Local(due), _available(low, (last,), env))
    return (*body, ir.If(enough, (ir.Trap(short),)), *_taken(low, node, last, ir.Local(due), env))


def _share(low: Lowering, node: t.Pay, i: int, due: str, share: str, env: Env) -> ir.Body:
    """The amount from pool i: at least the part that the others cannot give, at most its content."""
    rest = _available(low, node.pools[i + 1 :], env)
    least, most = low.fresh("least"), low.fresh("most")
    bounds = (
        ir.Set(least, ir.Binary("max", ir.Binary("-", ir.Local(due), rest), ZERO)),
        ir.Set(most, ir.Binary("min", ir.Local(due), _available(low, (node.pools[i],), env))),
    )
    ahead = ways.looks_ahead(node, env)
    if env.mode is not Mode.REAL and not ahead:
        return (*bounds, ir.Set(share, ir.Local(least)))
    ceiling = _ceiling(node.pools[i])
    span = node.span
    low_end, high_end, amount = (t.Variable(w, NumberT(0, ceiling), span) for w in ("least", "most", "share"))
    owed = t.Variable("due", NumberT(0, INT_MAX), span)
    uses = [t.Use(span, v.type, v) for v in (low_end, high_end, owed)]
    source = t.Interval(span, NumberT(0, ceiling), uses[0], uses[1])
    inner = env.bind(low_end, ir.Local(least)).bind(high_end, ir.Local(most)).bind(owed, ir.Local(due))
    if env.mode is not Mode.REAL:
        fault = low.fault("RF817", "there is no way to pay the rest", span)
        tried = ir.If(
            _rest_payable(low, node, i, (owed, amount), inner.bind(amount, ir.Local(share))), ways.FOUND
        )
        return (*bounds, ir.ForRange(share, ir.Local(least), ir.Local(most), (tried,)), ir.Trap(fault))
    name = node.purses[i]
    prompt = f"how much of it from {name}?"
    who = values.value(low, node.who, env)
    spec = QuestionSpec(who=who, kind=PAY, prompt=prompt, span=span, bound=(("due", due),))
    answer = Answer(name, (t.Binder(span, amount, source),), span=span)
    if ahead:
        assert env.owes is not None
        answer = replace(
            answer,
            test=lambda e: _rest_payable(low, node, i, (owed, amount), e.owing(env.owes)),
            uses=(uses[2], node, *env.owes),
        )
    question = choices.question(low, spec, (answer,), inner)
    into = low.fresh("answer")
    (chosen,) = taken_apart(question.site.options[0], ir.Local(into))
    ask = (question.ask(into), ir.Set(share, chosen))
    decided = ir.Binary(">=", ir.Local(least), ir.Local(most))
    usual = low.note(notes.usual(question.site, 0), question.who, ir.Local(least))
    return (*bounds, usual, ir.If(decided, (ir.Set(share, ir.Local(least)),), ask))


def _rest_payable(
    low: Lowering, node: t.Pay, i: int, own: tuple[t.Variable, t.Variable], env: Env
) -> ir.Expr:
    """Whether a share from pool i leaves a way to pay the rest and all that is owed after it."""
    due, share = own
    left = t.Variable("left", due.type, node.span)
    use = t.Use(node.span, left.type, left)
    rest = t.Pay(node.span, node.who, use, node.pools[i + 1 :], node.purses[i + 1 :])

    def first(e: Env) -> tuple[ir.Body, Env]:
        name = low.fresh("left")
        body = (
            ir.Set(name, ir.Binary("-", e.expr(due), e.expr(share))),
            *_taken(low, node, node.pools[i], e.expr(share), e),
        )
        return body, e.bind(left, ir.Local(name))

    assert env.owes is not None
    also = values.captured(env, node.pools[i])
    return ways.payable(low, (rest, *env.owes), env, (*own, *also), first)


def _ceiling(pool: t.Read) -> int:
    assert isinstance(pool.column.type, NumberT)
    return min(pool.column.type.high - min(0, pool.column.type.low), INT_MAX - 1)


def _taken(low: Lowering, node: t.Pay, pool: t.Read, amount: ir.Expr, env: Env) -> ir.Body:
    of = values.value(low, pool.of, env)
    index = tuple(values.value(low, i, env) for i in pool.index)
    new = ir.Binary("-", values.value(low, pool, env), amount)
    some = ir.Binary(">", amount, ZERO)
    return (ir.If(some, statements.write(low, node.span, Target(pool.column, of, index), new, env.mode)),)
