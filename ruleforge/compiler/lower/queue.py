"""Rules that wait: triggered rules in a queue, standing rules, endings that are watched for."""

from __future__ import annotations

from ruleforge.check import typed as t
from ruleforge.check.types import SetT
from ruleforge.compiler import ir
from ruleforge.compiler.footprint import Footprint, footprint
from ruleforge.compiler.lower import carriers, costs, endings, modifiers, sets, statements, values
from ruleforge.compiler.lower.context import Env, Inner, Lazy, Lowering, Words, add, times

ZERO, ONE = ir.Const(0), ir.Const(1)
SETTLE = "settle"
QUEUE_LENGTH = 64


# --- the queue ---


def reserve(low: Lowering) -> None:
    """Room in the row for rules that wait, if any rule ever does."""
    hooks = low.hooks
    hooks.queued = [r for rules in hooks.after.values() for r in rules]
    if not hooks.queued:
        return
    hooks.entry = 2 + max(_width(low, rule) for rule in hooks.queued)
    hooks.queue_length = low.rules.limits.get("queue", QUEUE_LENGTH)
    hooks.queue_slot = low.layout.reserve(hooks.queue_length * hooks.entry) + 1


def _width(low: Lowering, rule: t.Rule) -> int:
    return sum(_words(low, v) for v in _values(rule))


def _words(low: Lowering, variable: t.Variable) -> int:
    return sets.word_count(low, low.kind(variable.type.kind)) if isinstance(variable.type, SetT) else 1


def _values(rule: t.Rule) -> tuple[t.Variable, ...]:
    assert rule.pattern is not None
    return (*rule.pattern.parameters, *(v for v, _ in rule.before))


def pusher(low: Lowering, rule: t.Rule) -> Inner:
    return lambda env: _push(low, rule, env)


def _push(low: Lowering, rule: t.Rule, env: Env) -> ir.Body:
    """Remember a rule that was triggered, its carrier and the values it was triggered with."""
    hooks = low.hooks
    full = low.fault(
        "RF816", f"more than {hooks.queue_length} rules wait at once; see `limits: queue`", rule.span
    )
    number = ir.Const(hooks.queued.index(rule) + 1)
    held: list[ir.Expr] = [number, carriers.number(rule, env)]
    for variable in _values(rule):
        value = env.values[variable]
        assert not isinstance(value, Lazy)
        held += value.words if isinstance(value, Words) else [value]
    at = times(ir.Load(ir.QUEUE), hooks.entry)
    stores = tuple(ir.Store(hooks.queue_slot + i, at, v) for i, v in enumerate(held))
    grown = ir.Store(ir.QUEUE, None, add(ir.Load(ir.QUEUE), 1))
    test = ir.Binary(">=", ir.Load(ir.QUEUE), ir.Const(hooks.queue_length))
    return (ir.If(test, (ir.Trap(full),)), *stores, grown)


def _pop(low: Lowering) -> ir.Body:
    """Take the first entry into locals e0, e1, ...; the others move up, so that equal queues are equal rows."""
    hooks = low.hooks
    slot, entry = hooks.queue_slot, hooks.entry
    take = tuple(ir.Set(f"e{i}", ir.Load(slot + i)) for i in range(entry))
    rest = ir.Binary("*", add(ir.Load(ir.QUEUE), -1), ir.Const(entry))
    shift = ir.ForRange(
        "i", ZERO, add(rest, -1), (ir.Store(slot, ir.Local("i"), ir.Load(slot + entry, ir.Local("i"))),)
    )
    clear = ir.ForRange("i", rest, add(rest, entry - 1), (ir.Store(slot, ir.Local("i"), ZERO),))
    return (*take, shift, clear, ir.Store(ir.QUEUE, None, add(ir.Load(ir.QUEUE), -1)))


def _dispatch(low: Lowering) -> ir.Body:
    body: ir.Body = ()
    for number, rule in reversed(list(enumerate(low.hooks.queued, start=1))):
        width = 1 + _width(low, rule)
        run = ir.Perform(_rule_function(low, rule), tuple(ir.Local(f"e{i + 1}") for i in range(width)))
        body = (ir.If(ir.Binary("==", ir.Local("e0"), ir.Const(number)), (run,), body),)
    return body


def _rule_function(low: Lowering, rule: t.Rule) -> str:
    """A triggered rule resolves: it must still work; then it may be declined, paid for, and done."""
    name = f"rule {rule.name}"
    if name in low.functions:
        return name
    names, env = modifiers.parameters_of(low, _values(rule))
    parameters = ("carrier", *names)
    low.define(name, parameters, ())
    prelude: ir.Body = ()
    if rule.carrier is not None:
        env = env.bind(rule.carrier.this, ir.Local("carrier"))
        prelude, env = carriers.bound(low, rule.carrier, env)
    kind = low.layout.number(rule.carrier.kind) if rule.carrier else None
    note = low.note(
        ir.NoteInfo(f"rule {rule.name}", (("by", kind),), rule.span, rule.clauses), ir.Local("carrier")
    )
    works = carriers.works(low, rule.carrier, env)
    gone: ir.Body = () if works == ONE else (ir.If(values.negated(works), (ir.Return(ZERO),)),)
    body = costs.optional(low, rule, env, (note, *statements.block(low, rule.body, env)))
    low.define(name, parameters, (*gone, *prelude, *body), rule.span)
    return name


# --- standing rules and endings ---


def settled(low: Lowering, node: t.Statement | None, touched: Footprint | None = None) -> ir.Body:
    """After a statement: let whatever it may have set off happen, before the next one."""
    if low.trying:
        return ()
    touched = touched or footprint([node], low.rules, low.hooks.modify)
    watchers = _watchers(low, touched)
    queues = low.hooks.queued and _may_queue(low, touched)
    if not watchers and not queues:
        return ()
    free = ir.Binary("==", ir.Load(ir.HOLD), ZERO)
    test = ir.CallExpr(_unsettled(low, watchers), ())
    return (ir.If(ir.Logic("and", (free, test)), (ir.Perform(settle(low), ()),)),)


def _may_queue(low: Lowering, touched: Footprint) -> bool:
    subjects: set[object] = {*touched.events, *touched.writes, *touched.moves}
    return any(s in low.hooks.after for s in subjects)


def _watchers(low: Lowering, touched: Footprint) -> tuple[t.Rule | t.Ending, ...]:
    """The standing rules and watched endings that a change may concern."""
    found: list[t.Rule | t.Ending] = []
    for rule in low.hooks.always:
        if touched.disturbs(_read_by(low, rule)):
            found.append(rule)
    for ending in low.rules.endings.values():
        if ending.when is not None and ending.at is None and touched.disturbs(_read_by(low, ending)):
            found.append(ending)
    return tuple(found)


def _read_by(low: Lowering, watcher: t.Rule | t.Ending) -> set[t.Column | t.Place]:
    cached = low.reads_of.get(watcher)
    if cached is None:
        if isinstance(watcher, t.Ending):
            nodes: list[object] = [watcher.when]
        else:
            nodes = [watcher.binder, watcher.when]
            if watcher.carrier is not None:
                nodes.append(carriers.binder_of(watcher.carrier))
        cached = low.reads_of[watcher] = footprint(nodes, low.rules, low.hooks.modify).reads
    return cached


def _unsettled(low: Lowering, watchers: tuple[t.Rule | t.Ending, ...]) -> str:
    """Does anything wait, is any of these standing rules or endings due?"""
    key = tuple(w.name for w in watchers)
    if key in low.unsettled:
        return low.unsettled[key]
    name = low.unsettled[key] = low.fresh("unsettled")
    low.define(name, (), ())
    body: list[ir.Statement] = []
    if low.hooks.queued:
        body.append(ir.If(ir.Binary(">", ir.Load(ir.QUEUE), ZERO), (ir.Return(ONE),)))
    for watcher in watchers:
        if isinstance(watcher, t.Ending):
            assert watcher.when is not None
            body.append(ir.If(values.value(low, watcher.when, Env()), (ir.Return(ONE),)))
        else:
            body += _violations(low, watcher, Env(), lambda _: (ir.Return(ONE),))
    low.define(name, (), (*body, ir.Return(ZERO)))
    return name


def _violations(low: Lowering, rule: t.Rule, env: Env, inner: Inner, frozen: bool = False) -> ir.Body:
    """For all that a standing rule finds now."""
    assert rule.binder is not None
    binder = rule.binder

    def each(e: Env) -> ir.Body:
        return sets.walk(low, binder, e, lambda x: sets.guard(low, rule.when, x, inner), frozen)

    return carriers.walk(low, rule.carrier, env, each)


def settle(low: Lowering) -> str:
    """Standing rules until none applies, then the next waiting rule, until nothing is left."""
    if SETTLE in low.functions:
        return SETTLE
    low.define(SETTLE, (), ())
    body: list[ir.Statement] = [ir.Burn(), ir.Set("fired", ZERO)]
    for rule in low.hooks.always:
        body.append(ir.Perform(_always(low, rule), (), "now"))
        body.append(ir.Set("fired", ir.Binary("|", ir.Local("fired"), ir.Local("now"))))
    for ending in low.rules.endings.values():
        if ending.when is not None and ending.at is None:
            body += ended(low, ending)
    stop = (ir.Set("going", ZERO),)
    if low.hooks.queued:
        empty = ir.Binary("==", ir.Load(ir.QUEUE), ZERO)
        then: ir.Body = (ir.If(empty, stop, (*_pop(low), *_dispatch(low))),)
    else:
        then = stop
    body.append(ir.If(ir.Binary("==", ir.Local("fired"), ZERO), then))
    loop = ir.While(ir.Binary("==", ir.Local("going"), ONE), tuple(body))
    up = ir.Store(ir.HOLD, None, add(ir.Load(ir.HOLD), 1))
    down = ir.Store(ir.HOLD, None, add(ir.Load(ir.HOLD), -1))
    return low.define(SETTLE, (), (up, ir.Set("going", ONE), loop, down))


def _always(low: Lowering, rule: t.Rule) -> str:
    """One round of a standing rule: all it finds first, then what it does for each that still counts."""
    name = f"always {rule.name}"
    if name in low.functions:
        return name
    low.define(name, (), ())
    assert rule.binder is not None
    where = rule.binder.where
    kind = low.layout.number(rule.carrier.kind) if rule.carrier else None
    info = ir.NoteInfo(f"rule {rule.name}", (("by", kind),), rule.span, rule.clauses)

    def act(e: Env) -> ir.Body:
        note = low.note(info, carriers.number(rule, e))
        done = (
            ir.Set("fired", ONE),
            note,
            *costs.optional(low, rule, e, statements.block(low, rule.body, e)),
        )
        return sets.guard(low, where, e, lambda _: done)

    body = _violations(low, rule, Env(), act, frozen=True)
    return low.define(name, (), (ir.Set("fired", ZERO), *body, ir.Return(ir.Local("fired"))), rule.span)


def ended(low: Lowering, ending: t.Ending) -> ir.Body:
    """End the game for this reason if its condition holds."""
    assert ending.when is not None
    return (
        ir.If(
            values.value(low, ending.when, Env()),
            endings.finished(low, ending.span, ending, ending.winners, Env()),
        ),
    )
