"""Rules that wait: triggered rules in a queue, standing rules, endings that are watched for."""

from __future__ import annotations

from ruleforge.check import typed as t
from ruleforge.check.types import SetT
from ruleforge.check.walk import substitute
from ruleforge.compiler import ir
from ruleforge.compiler.footprint import Footprint, footprint
from ruleforge.compiler.lower import (
    carriers,
    costs,
    endings,
    filters,
    masks,
    modifiers,
    notes,
    order,
    sets,
    statements,
    values,
)
from ruleforge.compiler.lower.context import Env, Inner, Lazy, Lowering, Words, add, both, times

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
    hooks.entry = 3 + max(_width(low, rule) for rule in hooks.queued)
    hooks.queue_length = low.rules.limits.get("queue", QUEUE_LENGTH)
    if any(order.is_chosen(rule) for rule in hooks.queued):
        hooks.entry += 1
    hooks.queue_slot = low.layout.reserve(hooks.queue_length * hooks.entry) + 1


def _width(low: Lowering, rule: t.Rule) -> int:
    return sum(_words(low, v) for v in _values(rule))


def _words(low: Lowering, variable: t.Variable) -> int:
    return masks.word_count(low, low.kind(variable.type.kind)) if isinstance(variable.type, SetT) else 1


def _values(rule: t.Rule) -> tuple[t.Variable, ...]:
    assert rule.pattern is not None
    return (*rule.pattern.parameters, *(v for v, _ in rule.before))


MARK = "mark"


def marked(low: Lowering, rules: list[t.Rule], body: ir.Body) -> ir.Body:
    """Around the pushes of one event: rules set off by it are put in order among themselves."""
    return (ir.Set(MARK, ir.Load(ir.QUEUE)), *body) if any(_ordered(r) for r in rules) else body


def _ordered(rule: t.Rule) -> bool:
    return rule.carrier is not None and rule.carrier.conduct.trigger_order is not None


def pusher(low: Lowering, rule: t.Rule, others: list[t.Rule]) -> Inner:
    """What remembers a rule that was triggered; `others` are those that the same event can set off."""
    ordered = any(_ordered(r) for r in others)
    return lambda env: low.placed(_push(low, rule, env, ordered), rule.span)


def _push(low: Lowering, rule: t.Rule, env: Env, ordered: bool) -> ir.Body:
    """Remember a rule that was triggered, its carrier and the values it was triggered with."""
    hooks = low.hooks
    full = low.fault(
        "RF816", f"more than {hooks.queue_length} rules wait at once; see `limits: queue`", rule.span
    )
    number = ir.Const(hooks.queued.index(rule) + 1)
    held: list[ir.Expr] = [number, carriers.number(rule, env), _key(low, rule, env)]
    for variable in _values(rule):
        value = env.values[variable]
        assert not isinstance(value, Lazy)
        held += value.words if isinstance(value, Words) else [value]
    slot, entry = hooks.queue_slot, hooks.entry
    if any(order.is_chosen(r) for r in hooks.queued):
        held += [ZERO] * (entry - 1 - len(held)) + [order.controller_of(low, rule, env)]
    at = low.fresh("at")
    body: list[ir.Statement] = [ir.Set(at, ir.Load(ir.QUEUE))]
    if ordered:
        before = times(add(ir.Local(at), -1), entry)
        later = ir.Binary(">", ir.Load(slot + 2, before), held[2])
        word = low.fresh("word")
        up = ir.Store(slot + entry, ir.Local(word), ir.Load(slot, ir.Local(word)))
        shift = (
            ir.ForRange(word, before, add(before, entry - 1), (up,)),
            ir.Set(at, add(ir.Local(at), -1)),
        )
        body.append(ir.While(both(ir.Binary(">", ir.Local(at), ir.Local(MARK)), later), shift))
    place = times(ir.Local(at), entry)
    stores = tuple(ir.Store(slot + i, place, v) for i, v in enumerate(held))
    clear = tuple(ir.Store(slot + i, place, ZERO) for i in range(len(held), entry)) if ordered else ()
    test = ir.Binary(">=", ir.Load(ir.QUEUE), ir.Const(hooks.queue_length))
    return (ir.If(test, (ir.Trap(full),)), *body, *stores, *clear, _bump(ir.QUEUE, 1))


def _key(low: Lowering, rule: t.Rule, env: Env) -> ir.Expr:
    """Where a triggered rule stands among those of the same event: smallest first."""
    if rule.carrier is None or rule.carrier.conduct.trigger_order is None:
        return ZERO
    return values.value(low, substitute(rule.carrier.conduct.trigger_order, rule.carrier.this), env)


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
        given = ("e1", *(f"e{i}" for i in range(3, width + 2)))
        run = ir.Perform(_rule_function(low, rule), tuple(ir.Local(e) for e in given))
        mine = low.placed((run,), rule.span)
        body = (ir.If(ir.Binary("==", ir.Local("e0"), ir.Const(number)), mine, body),)
    return body


def _rule_function(low: Lowering, rule: t.Rule) -> str:
    """A triggered rule resolves: it must still work; then it may be declined, paid for, and done."""
    name = f"rule {rule.name}"
    if name in low.functions:
        return name
    names, env = modifiers.parameters_of(low, _values(rule))
    parameters = ("carrier", *names)
    low.reserve(name, parameters)
    prelude: ir.Body = ()
    if rule.carrier is not None:
        env = env.bind(rule.carrier.this, ir.Local("carrier"))
        prelude, env = carriers.bound(low, rule.carrier, env)
    note = low.note(notes.applied(low, rule), ir.Local("carrier"))
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
    for ending, watch in low.rules.watches.items():
        if watch.at is None and touched.disturbs(_read_by(low, ending)):
            found.append(ending)
    return tuple(found)


def _read_by(low: Lowering, watcher: t.Rule | t.Ending) -> set[t.Column | t.Place]:
    cached = low.reads_of.get(watcher)
    if cached is None:
        if isinstance(watcher, t.Ending):
            nodes: list[object] = [low.rules.watches[watcher].when]
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
    low.reserve(name, ())
    body: list[ir.Statement] = []
    if low.hooks.queued:
        waiting = ir.Binary(">", ir.Load(ir.QUEUE), ZERO)
        idle = ir.Binary("==", ir.Load(ir.DRAINING), ZERO)
        body.append(ir.If(ir.Logic("and", (waiting, idle)), (ir.Return(ONE),)))
    for watcher in watchers:
        if isinstance(watcher, t.Ending):
            when = low.rules.watches[watcher].when
            due: ir.Body = (ir.If(values.value(low, when, Env()), (ir.Return(ONE),)),)
        else:
            due = _violations(low, watcher, Env(), lambda _: (ir.Return(ONE),))
        body += low.placed(due, watcher.span)
    return low.define(name, (), (*body, ir.Return(ZERO)), (*watchers, *low.hooks.queued)[0].span)


def _violations(low: Lowering, rule: t.Rule, env: Env, inner: Inner, frozen: bool = False) -> ir.Body:
    """For all that a standing rule finds now."""
    assert rule.binder is not None
    binder = rule.binder

    def each(e: Env) -> ir.Body:
        return sets.walk(low, binder, e, lambda x: filters.guard(low, rule.when, x, inner), frozen)

    return carriers.walk(low, rule.carrier, env, each, ordered=frozen)


def settle(low: Lowering) -> str:
    """Standing rules until none applies, then the next waiting rule, until nothing is left.

    While a waiting rule is resolved its steps settle too, but the rules behind it go on waiting.
    """
    if SETTLE in low.functions:
        return SETTLE
    low.reserve(SETTLE, ())
    body: list[ir.Statement] = [ir.Burn(), ir.Set("fired", ZERO), _bump(ir.HOLD, 1)]
    for rule in low.hooks.always:
        fired = ir.Set("fired", ir.Binary("|", ir.Local("fired"), ir.Local("now")))
        body += low.placed((ir.Perform(_always(low, rule), (), "now"), fired), rule.span)
    body.append(_bump(ir.HOLD, -1))
    watched = [ending for ending, watch in low.rules.watches.items() if watch.at is None]
    for ending in watched:
        body += ended(low, ending)
    stop = (ir.Set("going", ZERO),)
    then: ir.Body = stop
    if low.hooks.queued:
        empty = ir.Binary("==", ir.Load(ir.QUEUE), ZERO)
        busy = ir.Binary("!=", ir.Load(ir.DRAINING), ZERO)
        resolve = (
            *order.chosen_first(low),
            *_pop(low),
            ir.Store(ir.DRAINING, None, ONE),
            *_dispatch(low),
            ir.Store(ir.DRAINING, None, ZERO),
        )
        then = (ir.If(ir.Logic("or", (empty, busy)), stop, resolve),)
    body.append(ir.If(ir.Binary("==", ir.Local("fired"), ZERO), then))
    loop = ir.While(ir.Binary("==", ir.Local("going"), ONE), tuple(body))
    reasons = [r.span for r in (*low.hooks.always, *low.hooks.queued)] + [e.span for e in watched]
    return low.define(SETTLE, (), (ir.Set("going", ONE), loop), reasons[0])


def _bump(slot: int, by: int) -> ir.Store:
    return ir.Store(slot, None, add(ir.Load(slot), by))


def _always(low: Lowering, rule: t.Rule) -> str:
    """One round of a standing rule: all it finds first, then what it does for each that still counts."""
    name = f"always {rule.name}"
    if name in low.functions:
        return name
    low.reserve(name, ())
    assert rule.binder is not None
    where = rule.binder.where

    def act(e: Env) -> ir.Body:
        note = low.note(notes.applied(low, rule), carriers.number(rule, e))
        done = (
            ir.Set("fired", ONE),
            note,
            *costs.optional(low, rule, e, statements.block(low, rule.body, e)),
        )
        return filters.guard(low, where, e, lambda _: done)

    body = _violations(low, rule, Env(), act, frozen=True)
    return low.define(name, (), (ir.Set("fired", ZERO), *body, ir.Return(ir.Local("fired"))), rule.span)


def ended(low: Lowering, ending: t.Ending) -> ir.Body:
    """End the game for this reason if its condition holds."""
    watch = low.rules.watches[ending]
    due = values.value(low, watch.when, Env())
    over = endings.finished(low, ending.span, ending, watch.winners, Env())
    return low.placed((ir.If(due, over),), ending.span)
