"""Effects: typed statements -> statements of the intermediate form."""

from __future__ import annotations

from ruleforge.check import typed as t
from ruleforge.check.types import NumberT, SetT, ThingT
from ruleforge.compiler import ir
from ruleforge.compiler.footprint import disturbs
from ruleforge.compiler.lower import places, sets, values
from ruleforge.compiler.lower.choices import Answer, Question, question, taken_apart
from ruleforge.compiler.lower.context import Env, Lowering, add, both

ZERO, ONE = ir.Const(0), ir.Const(1)


def block(low: Lowering, node: t.Block | None, env: Env) -> ir.Body:
    body, _ = _block(low, node, env)
    return body


def _block(low: Lowering, node: t.Block | None, env: Env) -> tuple[ir.Body, Env]:
    statements: list[ir.Statement] = []
    for statement in node.statements if node else ():
        lowered, env = _statement(low, statement, env)
        statements += lowered
    return tuple(statements), env


def _statement(low: Lowering, node: t.Statement, env: Env) -> tuple[ir.Body, Env]:
    match node:
        case t.Assign(variable=variable, value=value):
            name, env = _local(low, variable, env)
            return (ir.Set(name, values.value(low, value, env)),), env
        case t.Store():
            return store(low, node, env), env
        case t.Roll(variable=variable):
            name, env = _local(low, variable, env)
            return _roll(low, node, name, env), env
        case t.RandomPick(variable=variable, binder=binder):
            name, env = _local(low, variable, env)
            return _random(low, node, binder, name, env), env
        case t.Perform(event=event, arguments=arguments, into=into):
            given = tuple(values.value(low, a, env) for a in arguments)
            name = None
            if into is not None:
                name, env = _local(low, into, env)
            return (ir.Perform(event_function(low, event), given, name),), env
        case t.Move():
            return places.move(low, node, env), env
        case t.Shuffle(place=place, index=index):
            return places.shuffle(low, node, place, values.instance(low, place, index, env)), env
        case t.Finish(ending=ending, winners=winners):
            return _finish(low, node, ending, winners, env), env
        case t.Return(value=value):
            return (ir.Return(values.value(low, value, env) if value else ZERO),), env
        case t.Leave(phase=phase):
            return (ir.Store(ir.LEAVE, None, ir.Const(low.phases.index(phase) + 1)),), env
        case t.If():
            return _if(low, node, env), env
        case t.For(binder=binder, body=body):
            frozen = disturbs(body, binder)
            return sets.walk(low, binder, env, lambda e: block(low, body, e), frozen), env
        case t.Repeat():
            return _repeat(low, node, env), env
        case t.Choose():
            return _choose(low, node, env), env
        case t.Pick():
            return _pick(low, node, env), env
    raise AssertionError(node)


def _local(low: Lowering, variable: t.Variable, env: Env) -> tuple[str, Env]:
    """The IR name of a local; the first assignment makes it."""
    known = env.values.get(variable)
    if isinstance(known, ir.Local):
        return known.name, env
    name = low.fresh(variable.name)
    return name, env.bind(variable, ir.Local(name))


# --- attributes ---


def store(low: Lowering, node: t.Store, env: Env) -> ir.Body:
    """Write an attribute: cut or check the value against the range, record, store."""
    column = node.column
    of = values.value(low, node.of, env)
    index = tuple(values.value(low, i, env) for i in node.index)
    new = values.value(low, node.value, env)
    prelude: list[ir.Statement] = []
    limit = column.type if isinstance(column.type, NumberT) else None
    given = node.value.type
    if limit and isinstance(given, NumberT) and (given.low < limit.low or given.high > limit.high):
        if column.capped:
            new = ir.Binary("max", ir.Binary("min", new, ir.Const(limit.high)), ir.Const(limit.low))
        else:
            name = low.fresh("new")
            prelude += [ir.Set(name, new), _range_check(low, node, column, limit, given, ir.Local(name))]
            new = ir.Local(name)
    base, at = values.slot(low, column, of, index)
    slot = values.load(base, at)
    note = low.note(_column_note(low, node), of, *index, slot, new)
    return (*prelude, note, ir.Store(slot.base, slot.index, new))


def _range_check(
    low: Lowering, node: t.Store, column: t.Column, limit: NumberT, given: NumberT, new: ir.Expr
) -> ir.Statement:
    owner = column.kind.name
    message = f"`{owner}.{column.name}` would leave its range {limit.low}..{limit.high}"
    fault = low.fault("RF810", message, node.span)
    tests: list[ir.Expr] = []
    if given.low < limit.low:
        tests.append(ir.Binary("<", new, ir.Const(limit.low)))
    if given.high > limit.high:
        tests.append(ir.Binary(">", new, ir.Const(limit.high)))
    test = tests[0] if len(tests) == 1 else ir.Logic("or", tuple(tests))
    return ir.If(test, (ir.Trap(fault),))


def _column_note(low: Lowering, node: t.Store) -> ir.NoteInfo:
    column = node.column
    number = list(low.layout.columns).index(column)
    shown = None
    if isinstance(column.type, ThingT):
        shown = low.layout.number(low.kind(column.type.kind))
    things = (("of", low.layout.number(column.kind)), *(("index", low.layout.number(k)) for k in column.per))
    arguments = (*things, ("old", shown), ("new", shown))
    return ir.NoteInfo(f"set {column.kind.name}.{column.name}", arguments, node.span, column.clauses, column=number)


# --- events ---


def event_function(low: Lowering, event: t.Event) -> str:
    name = f"event {event.name}"
    if name not in low.functions:
        parameters = tuple(f"{p.name}_" for p in event.parameters)
        low.define(name, parameters, ())
        env = Env({p: ir.Local(f"{p.name}_") for p in event.parameters})
        shown = tuple((p.name, _shown(low, p)) for p in event.parameters)
        info = ir.NoteInfo(f"event {event.name}", shown, event.span, event.clauses)
        body = block(low, event.body, env)
        if event.needs:
            test = both(*(values.value(low, n, env) for n in event.needs))
            body = (ir.If(values.negated(test), (ir.Return(ZERO),)), *body)
        note = low.note(info, *(ir.Local(p) for p in parameters))
        low.define(name, parameters, (note, *body), event.span)
    return name


def _shown(low: Lowering, variable: t.Variable) -> int | None:
    return low.layout.number(low.kind(variable.type.kind)) if isinstance(variable.type, ThingT) else None


def _finish(low: Lowering, node: t.Finish, ending: t.Ending, winners: t.Expr | None, env: Env) -> ir.Body:
    who: ir.Expr = ZERO
    if winners is not None:
        who = values.value(low, winners, env)
        if not isinstance(winners.type, SetT):
            who = sets.bit(who)
    number = list(low.rules.endings.values()).index(ending)
    info = ir.NoteInfo(f"finish {ending.name}", (("winners", None),), node.span, ending.clauses)
    return (low.note(info, who), ir.Finish(number, who))


# --- control ---


def _if(low: Lowering, node: t.If, env: Env) -> ir.Body:
    other = block(low, node.otherwise, env)
    for test, body in reversed(node.branches):
        condition = values.value(low, test, env)
        if isinstance(condition, ir.Const):
            other = block(low, body, env) if condition.value else other
        else:
            other = (ir.If(condition, block(low, body, env), other),)
    return other


def _repeat(low: Lowering, node: t.Repeat, env: Env) -> ir.Body:
    name = low.fresh("round")
    body = block(low, node.body, env)
    if node.condition is not None:
        stop = ir.If(values.negated(values.value(low, node.condition, env)), (ir.Break(),))
        body = (stop, *body)
    return (ir.ForRange(name, ONE, values.value(low, node.times, env), body),)


# --- chance ---


def _roll(low: Lowering, node: t.Roll, name: str, env: Env) -> ir.Body:
    bottom, top = values.value(low, node.low, env), values.value(low, node.high, env)
    die = low.fresh("die")
    if low.chance:
        throw = _chance_die(low, node, die, env)
    else:
        span_ = add(ir.Binary("-", top, bottom), 1) if not _both_const(bottom, top) else ir.Const(_width(bottom, top))
        throw = (ir.Random(die, span_), ir.Set(die, add(ir.Local(die), bottom) if isinstance(bottom, ir.Const) else ir.Binary("+", ir.Local(die), bottom)))
    info = ir.NoteInfo("roll", (("result", None),), node.span)
    note = low.note(info, ir.Local(die))
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
    asked = question(low, "roll", "a die is rolled", (Answer("", (binder,), span=node.span),), env, node.span, chance=True)
    (result,) = taken_apart(asked.site.options[0], ir.Local(die))
    return (asked.ask(ZERO, die), ir.Set(die, result))


def _random(low: Lowering, node: t.RandomPick, binder: t.Binder, name: str, env: Env) -> ir.Body:
    """One of the matching things, all equally likely; 0 if there is none."""
    info = ir.NoteInfo("random", (("result", _shown(low, binder.variable)),), node.span)
    if low.chance:
        answer = Answer("", (binder,), span=node.span)
        asked = question(low, "random", "drawn at random", (answer,), env, node.span, chance=True)
        (result,) = taken_apart(asked.site.options[0], ir.Local(name))
        got = ir.Set(name, values.choose(ir.Binary("<", ir.Local(name), ZERO), ZERO, result))
        return (asked.ask(ZERO, name), got, low.note(info, ir.Local(name)))
    array, count, at = low.fresh("urn"), low.fresh("count"), low.fresh("at")

    def collect(e: Env) -> ir.Body:
        item = e.expr(binder.variable)
        return (ir.SetElement(array, ir.Local(count), item), ir.Set(count, add(ir.Local(count), 1)))

    draw = (ir.Random(at, ir.Local(count)), ir.Set(name, ir.Element(array, ir.Local(at))))
    return (
        ir.NewArray(array, sets.capacity(low, binder.source)),
        ir.Set(count, ZERO),
        *sets.walk(low, binder, env, collect),
        ir.Set(name, ZERO),
        ir.If(ir.Binary(">", ir.Local(count), ZERO), draw),
        low.note(info, ir.Local(name)),
    )


# --- decisions inside effects ---


def _choose(low: Lowering, node: t.Choose, env: Env) -> ir.Body:
    """Ask binder by binder; each value is offered only if the rest can be answered."""
    who = low.fresh("chooser")
    otherwise = block(low, node.otherwise, env)
    body = _choose_from(low, node, 0, ir.Local(who), env, otherwise)
    return (ir.Set(who, values.value(low, node.who, env)), *body)


def _choose_from(
    low: Lowering, node: t.Choose, step: int, who: ir.Expr, env: Env, otherwise: ir.Body
) -> ir.Body:
    if step == len(node.binders):
        return block(low, node.body, env)
    binder = node.binders[step]
    answer = Answer("", (binder,), node.binders[step + 1 :], span=binder.span)
    words = ("decline",) if node.optional and step == 0 else ()
    prompt = f"choose {binder.variable.name}"
    asked = question(low, "choose", prompt, (answer,), env, binder.span, lone=words)
    into, name = low.fresh("answer"), low.fresh(binder.variable.name)
    (chosen,) = taken_apart(asked.site.options[0], ir.Local(into))
    inner = _choose_from(low, node, step + 1, who, env.bind(binder.variable, ir.Local(name)), ())
    taken = (ir.Set(name, chosen), *inner)
    if step > 0:
        return (asked.ask(who, into), *taken)
    last = asked.site.options[0].count
    some = both(ir.Binary(">=", ir.Local(into), ZERO), ir.Binary("<", ir.Local(into), ir.Const(last)))
    return (asked.ask(who, into), ir.If(some, taken, otherwise))


def _pick(low: Lowering, node: t.Pick, env: Env) -> ir.Body:
    answers = tuple(
        Answer(word, (), needs=(test,) if test else (), span=node.span) for word, test, _ in node.options
    )
    asked = question(low, "pick", "pick one", answers, env, node.span)
    into = low.fresh("answer")
    body: ir.Body = ()
    for option, (_, _, effect) in reversed(list(zip(asked.site.options, node.options, strict=True))):
        body = (ir.If(ir.Binary("==", ir.Local(into), ir.Const(option.first)), block(low, effect, env), body),)
    return (asked.ask(values.value(low, node.who, env), into), *body)


__all__ = ["Question", "block", "event_function"]
