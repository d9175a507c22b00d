"""Lower typed statements to statements of the IR."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower import branches, notes
from ruleforge.compiler.lower.context import Env, Lowering, Mode, Target, Words, add, both, load
from ruleforge.compiler.lower.effects import contract_gate, event_gates, knowledge, places, positions, taint
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import masks, walks
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NumberT, SetT, ThingT
from ruleforge.lang.checker.walk import all_nodes
from ruleforge.support.diagnostics import Span

ZERO, ONE = ir.Const(0), ir.Const(1)
# Single steps, after which waiting rules may act; compound statements consist of such steps.
_FORKS = (t.If, t.Choose, t.Pick, t.Pay)  # from inside which one looks ahead to what is owed behind
_STEPS = (t.Store, t.Perform, t.Move, t.Shuffle, t.Together, t.Pay, t.Proceed, t.New, t.Remove)


def block(low: Lowering, node: t.Block | None, env: Env) -> ir.Body:
    body, _ = _block(low, node, env)
    return body


def _block(low: Lowering, node: t.Block | None, env: Env) -> tuple[ir.Body, Env]:
    statements: list[ir.Statement] = []
    owes = env.owes
    for number, statement in enumerate(node.statements if node else ()):
        if owes is not None:
            assert node is not None
            env = env.owing(
                (*node.statements[number + 1 :], *owes) if isinstance(statement, _FORKS) else None
            )
        lowered, env = _statement(low, statement, env)
        lowered = (*contract_gate.chanced(low, statement), *lowered, *contract_gate.upheld(low, statement))
        if isinstance(statement, _STEPS):
            lowered = (
                *lowered,
                *taint.combined(low, statement, low.above.settled(low, statement, env), env),
            )
        lowered = taint.statement(low, statement, lowered, env)
        statements += low.placed(lowered, statement.span)
    return tuple(statements), env.owing(owes)


def _statement(low: Lowering, node: t.Statement, env: Env) -> tuple[ir.Body, Env]:
    match node:
        case t.Assign(variable=variable, value=value):
            assign = _assign_set if isinstance(value.type, SetT) else _assign
            return assign(low, variable, value, env)
        case t.Store():
            return _store(low, node, env), env
        case t.Perform():
            return _perform(low, node, env)
        case t.Move():
            return places.move(low, node, env), env
        case t.Shuffle():
            return _shuffle(low, node, env), env
        case t.Remember():
            return positions.remember(low, node), env
        case t.Forget():
            return positions.forget(low, node), env
        case t.Finish(ending=ending, winners=winners):
            return finished(low, node.span, ending, winners, env), env
        case t.Return(value=value):
            return (ir.Return(values.value(low, value, env) if value else ZERO),), env
        case t.Leave(phase=phase):
            return (ir.Store(ir.LEAVE, None, ir.Const(low.phases.index(phase) + 1)),), env
        case t.If():
            return _if(low, node, env), env
        case t.For():
            return _for(low, node, env), env
        case t.Repeat():
            return _repeat(low, node, env), env
        case t.Together(body=body):
            return event_gates.as_one_step(block(low, body, env)), env
        case t.Proceed(arguments=arguments):
            return (low.proceeding[-1](values.flat(low, arguments, env)),), env
        case t.New():
            return _new(low, node, env)
        case t.Remove(thing=thing):
            kind = low.kind(thing.type.kind)  # type: ignore[union-attr]
            return (ir.Perform(places.remover(low, kind), (values.value(low, thing, env),)),), env
        case t.Tell():
            return knowledge.tell(low, node, env), env
        case t.Show():
            return knowledge.show(low, node, env), env
    return low.above.decision(low, node, env)


def local(low: Lowering, variable: t.Variable, env: Env) -> tuple[str, Env]:
    """The IR name of a local; the first assignment makes it."""
    known = env.values.get(variable)
    if isinstance(known, ir.Local):
        return known.name, env
    name = low.fresh(variable.name)
    return name, env.bind(variable, ir.Local(name))


def _assign(low: Lowering, variable: t.Variable, value: t.Expr, env: Env) -> tuple[ir.Body, Env]:
    new = values.value(low, value, env)
    name, env = local(low, variable, env)
    return (ir.Set(name, new),), env


def _assign_set(low: Lowering, variable: t.Variable, value: t.Expr, env: Env) -> tuple[ir.Body, Env]:
    made, words = masks.made_words(low, value, env)
    known = env.values.get(variable)
    if isinstance(known, Words):
        names = [w.name for w in known.words if isinstance(w, ir.Local)]
    else:
        names = [low.fresh(variable.name) for _ in words]
    fresh = [low.fresh("word") for _ in words]
    computed = tuple(ir.Set(f, w) for f, w in zip(fresh, words, strict=True))
    copied = tuple(ir.Set(n, ir.Local(f)) for n, f in zip(names, fresh, strict=True))
    return (*made, *computed, *copied), env.bind(variable, Words(tuple(ir.Local(n) for n in names)))


def _perform(low: Lowering, node: t.Perform, env: Env) -> tuple[ir.Body, Env]:
    given = values.flat(low, node.arguments, env)
    result: str | None = None
    if node.into is not None:
        result, env = local(low, node.into, env)
    must = _must(low, node, given, env.mode)
    return (*must, ir.Perform(event_gates.event_function(low, node.event, env.mode), given, result)), env


def _must(low: Lowering, node: t.Perform, given: tuple[ir.Expr, ...], mode: Mode) -> ir.Body:
    """While a cost is only tried, an event that cannot happen means that it cannot be paid."""
    if mode is not Mode.OWED:
        return ()
    fault = low.fault("RF817", f"`{node.event.name}` cannot happen", node.span)
    return (ir.If(values.negated(event_gates.can(low, node.event, given)), (ir.Trap(fault),)),)


def _shuffle(low: Lowering, node: t.Shuffle, env: Env) -> ir.Body:
    if env.mode is not Mode.REAL:  # a trial foresees nothing
        return ()
    return places.shuffle(low, node, node.place, values.instance(low, node.place, node.index, env))


def _for(low: Lowering, node: t.For, env: Env) -> ir.Body:
    """The members are those at the beginning: fixed first where the body, or what waits for it, may change them."""
    done = low.effects(node.body)
    read = low.effects(node.binder).reads
    frozen = done.disturbs(read) or (bool(low.hooks.queued or low.hooks.always) and bool(read))
    return walks.walk(low, node.binder, env, lambda e: block(low, node.body, e), frozen)


# --- attributes ---


def _store(low: Lowering, node: t.Store, env: Env) -> ir.Body:
    of = values.value(low, node.of, env)
    index = tuple(values.value(low, i, env) for i in node.index)
    column = node.column
    if isinstance(column.type, SetT):
        return _store_set(low, node, of, index, env)
    new = values.value(low, node.value, env)
    return write(low, node.span, Target(column, of, index), new, env.mode, _sure_range(node.value))


def _sure_range(value: t.Expr) -> NumberT | None:
    """The safe range of a value. None if it depends on the declared range of a parameter."""
    promised = any(
        isinstance(node, t.CallFormula) or (isinstance(node, t.Use) and isinstance(node.type, NumberT))
        for node in all_nodes(value)
    )
    return value.type if isinstance(value.type, NumberT) and not promised else None


def _store_set(low: Lowering, node: t.Store, of: ir.Expr, index: tuple[ir.Expr, ...], env: Env) -> ir.Body:
    """Compute all words before the first is written, because the new set may depend on the old one."""
    base, at = values.slot(low, node.column, of, index)
    made, words = masks.made_words(low, node.value, env)
    names = [low.fresh("word") for _ in words]
    computed = tuple(ir.Set(n, w) for n, w in zip(names, words, strict=True))
    slots = [load(base + j, at) for j in range(len(words))]
    new = (ir.Local(name) for name in names)
    note = low.note(notes.changed(low, node.column, node.span), of, *index, *slots, *new)
    stores = tuple(ir.Store(s.base, s.index, ir.Local(n)) for s, n in zip(slots, names, strict=True))
    return (*made, *computed, note, *stores)


def write(
    low: Lowering,
    span: Span,
    target: Target,
    new: ir.Expr,
    mode: Mode,
    given: NumberT | None = None,
) -> ir.Body:
    """Write an attribute, through the rules that watch it; `given` is what is known of the new value."""
    column = target.column
    if low.hooks.on(column):
        return (event_gates.change(low, target, new, mode),)
    base, at = values.slot(low, column, target.of, target.index)
    slot = load(base, at)
    prelude, new = _in_range(low, span, column, new, given)
    note = low.note(notes.changed(low, column, span), target.of, *target.index, slot, new)
    return (*prelude, note, ir.Store(slot.base, slot.index, new))


def stored(low: Lowering, column: t.Column, slot: ir.Load, names: tuple[str, ...]) -> ir.Body:
    """The end of the gate: `names` are the thing, the indices, old and new."""
    prelude, new = _in_range(low, column.span, column, ir.Local("new"), None)
    note = low.note(notes.changed(low, column, column.span), *(ir.Local(n) for n in names[:-2]), slot, new)
    return (*prelude, note, ir.Store(slot.base, slot.index, new))


def _in_range(
    low: Lowering, span: Span, column: t.Column, new: ir.Expr, given: NumberT | None
) -> tuple[ir.Body, ir.Expr]:
    """Cut a value to the range of a capped attribute; check any other, unless it is known to fit."""
    limit = column.type
    if not isinstance(limit, NumberT) or (given and limit.low <= given.low and given.high <= limit.high):
        return (), new
    if column.capped:
        return (), ir.Binary("max", ir.Binary("min", new, ir.Const(limit.high)), ir.Const(limit.low))
    name = low.fresh("new")
    message = f"`{column.kind.name}.{column.name}` would leave its range {limit.low}..{limit.high}"
    fault = low.fault("RF810", message, span)
    tests: list[ir.Expr] = []
    if given is None or given.low < limit.low:
        tests.append(ir.Binary("<", ir.Local(name), ir.Const(limit.low)))
    if given is None or given.high > limit.high:
        tests.append(ir.Binary(">", ir.Local(name), ir.Const(limit.high)))
    test = tests[0] if len(tests) == 1 else ir.Logic("or", tuple(tests))
    return (ir.Set(name, new), ir.If(test, (ir.Trap(fault),))), ir.Local(name)


# --- pools ---


def _new(low: Lowering, node: t.New, env: Env) -> tuple[ir.Body, Env]:
    """Take the first free thing of a pool and give it its attributes."""
    name = low.fresh("made")
    body: list[ir.Statement] = [ir.Perform(places.maker(low, node.kind, node.among), (), name)]
    for column, value in node.given:
        store = t.Store(node.span, column, _as_thing(node, name), (), value)
        body += _store(low, store, env.bind(_made(store), ir.Local(name)))
    if node.variable is not None:
        own, env = local(low, node.variable, env)
        body.append(ir.Set(own, ir.Local(name)))
    return tuple(body), env


def _as_thing(node: t.New, name: str) -> t.Use:
    type = ThingT(node.kind.name)
    return t.Use(node.span, type, t.Variable(name, type, node.span))


def _made(store: t.Store) -> t.Variable:
    assert isinstance(store.of, t.Use)
    return store.of.variable


# --- control ---


def _if(low: Lowering, node: t.If, env: Env) -> ir.Body:
    open_branches: list[tuple[ir.Expr, ir.Body]] = []
    for test, body in node.branches:
        condition = values.value(low, test, env)
        if not isinstance(condition, ir.Const):
            open_branches.append((condition, block(low, body, env)))
        elif condition.value:
            return branches.first_true(low, open_branches, block(low, body, env))
    return branches.first_true(low, open_branches, block(low, node.otherwise, env))


def _repeat(low: Lowering, node: t.Repeat, env: Env) -> ir.Body:
    name = low.fresh("round")
    body = block(low, node.body, env)
    if node.condition is not None:
        stop = ir.If(values.negated(values.value(low, node.condition, env)), (ir.Break(),))
        body = (stop, *body)
    return (ir.ForRange(name, ONE, values.value(low, node.times, env), body),)


# Ending a game: the record of it, the statement that does it, and what it is worth where a game can be lost
# by all.


def finished(low: Lowering, span: Span, ending: t.Ending, winners: t.Expr | None, env: Env) -> ir.Body:
    if env.mode is not Mode.REAL:  # the effect is over; the caller of the trial reads the outcome
        return (ir.Store(ir.OUTCOME, None, ir.Const(1)), ir.Return(ir.Const(1)))
    who: ir.Expr = ir.Const(0)
    if winners is not None:
        who = values.value(low, winners, env)
        if not isinstance(winners.type, SetT):
            who = masks.bit(who)
    number = list(low.rules.endings.values()).index(ending)
    return (low.note(notes.finished(low, ending, span), who), ir.Finish(number, who))


def score(low: Lowering) -> str | None:
    """The score of a player in a game that all can lose, and so win together; others have it from the winners alone."""
    lost = [number for number, ending in enumerate(low.rules.endings.values(), 1) if ending.lost]
    if not lost:
        return None
    bit = ir.Binary(">>", ir.Load(ir.WINNERS), add(ir.Local("player"), -1))
    nobody = ir.Binary("==", ir.Load(ir.WINNERS), ZERO)
    others = (ir.Binary("!=", ir.Load(ir.OUTCOME), ir.Const(number)) for number in lost)
    body = (
        ir.If(ir.Binary("&", bit, ONE), (ir.Return(ONE),)),
        ir.If(both(nobody, *others), (ir.Return(ZERO),)),
        ir.Return(ir.Const(-1)),
    )
    return low.define("score", ("player",), body, next(iter(low.rules.endings.values())).span)
