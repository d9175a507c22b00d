"""Settlement between the steps of effects: standing rules, watched endings, and waiting rules one by one."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.analysis.effects.closure import Effects
from ruleforge.analysis.effects.foresight import foreseen
from ruleforge.compiler import ir
from ruleforge.compiler.lower import branches, notes
from ruleforge.compiler.lower.context import Env, Lowering, Mode
from ruleforge.compiler.lower.decisions import costs, order
from ruleforge.compiler.lower.effects import queue, statements, taint
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.flow import standing_rules
from ruleforge.compiler.lower.sets import carriers, modifiers
from ruleforge.lang.checker import typed as t

ZERO, ONE = ir.Const(0), ir.Const(1)
SETTLE = "settle"


def settled(low: Lowering, node: t.Statement, env: Env) -> ir.Body:
    """The reactions to a statement, before the next one.

    Only standing rules and endings that read a cell the statement can write are evaluated. Without such
    rules, the statement costs nothing more.
    """
    mode = env.mode
    done = low.effects(node)
    watchers = _watchers(low, done, mode)
    if not watchers and not _may_queue(low, done, mode):
        return _stop() if done.finishes and mode is not Mode.REAL else ()
    free = ir.Binary("==", ir.Load(ir.HOLD), ZERO)
    test = ir.CallExpr(_unsettled(low, watchers), ())
    act = ir.If(ir.Logic("and", (free, test)), (ir.Perform(settle(low, mode), ()),))
    if mode is not Mode.REAL:
        return (act, *_stop())
    return (*looked(low, watchers), act)


def looked(low: Lowering, watchers: Sequence[t.Rule | t.Ending]) -> ir.Body:
    """Mark the evaluation of standing rules in the log: they may read hidden information."""
    rules = [watcher for watcher in watchers if isinstance(watcher, t.Rule)]
    return tuple(mark for rule in rules for mark in taint.rule(low, rule, (), Env()))


def _stop() -> ir.Body:
    """End a trial at the end of the game."""
    return (ir.If(ir.Binary("!=", ir.Load(ir.OUTCOME), ZERO), (ir.Return(ONE),)),)


def listens(low: Lowering, nodes: Sequence[object]) -> bool:
    """Whether rules can act, or endings come, after these nodes in a trial."""
    done = low.effects(*nodes)
    return bool(_watchers(low, done, Mode.TRIED)) or _may_queue(low, done, Mode.TRIED)


def _may_queue(low: Lowering, done: Effects, mode: Mode) -> bool:
    return any(acts(rule, mode) for what in done.happenings for rule in low.hooks.after.get(what, ()))


def acts(rule: t.Rule, mode: Mode) -> bool:
    """Whether a rule acts. In a trial, only rules without questions and chance act."""
    return mode is Mode.REAL or foreseen(rule)


def _watchers(low: Lowering, done: Effects, mode: Mode) -> tuple[t.Rule | t.Ending, ...]:
    """The standing rules and watched endings that a change may concern."""
    found: list[t.Rule | t.Ending] = []
    for rule in low.hooks.always:
        if acts(rule, mode) and done.disturbs(_read_by(low, rule)):
            found.append(rule)
    for ending, watch in low.rules.watches.items():
        if watch.at is None and done.disturbs(_read_by(low, ending)):
            found.append(ending)
    return tuple(found)


def _read_by(low: Lowering, watcher: t.Rule | t.Ending) -> frozenset[object]:
    cached = low.reads_of.get(watcher)
    if cached is None:
        if isinstance(watcher, t.Ending):
            nodes: list[object] = [low.rules.watches[watcher].when]
        else:
            nodes = [watcher.binder, watcher.when]
            if watcher.carrier is not None:
                nodes.append(carriers.binder_of(watcher.carrier))
        cached = low.reads_of[watcher] = low.effects(*nodes).reads
    return cached


def _unsettled(low: Lowering, watchers: tuple[t.Rule | t.Ending, ...]) -> str:
    """Whether a rule waits, or one of these standing rules or endings is due."""
    key = tuple(w.name for w in watchers)
    if key in low.unsettled:
        return low.unsettled[key]
    name = low.unsettled[key] = low.fresh("unsettled")
    low.reserve(name, ())
    body: list[ir.Statement] = []
    if low.hooks.queued:
        waiting = ir.Binary(">", ir.Load(ir.QUEUE), ZERO)
        idle = ir.Binary("==", ir.Load(ir.DRAINING), ZERO)
        due = ir.Logic("and", (waiting, idle))
        if not watchers:
            return low.define(name, (), (ir.Return(due),), next(iter(low.hooks.queued)).span)
        body.append(ir.If(due, (ir.Return(ONE),)))
    for watcher in watchers:
        if isinstance(watcher, t.Ending):
            found: ir.Body = (ir.If(_due(low, low.rules.watches[watcher]), (ir.Return(ONE),)),)
        else:
            found = standing_rules.due(low, watcher)
        body += low.placed(found, watcher.span)
    return low.define(name, (), (*body, ir.Return(ZERO)), watchers[0].span)


def settle(low: Lowering, mode: Mode) -> str:
    """Run standing rules until none applies, then the next waiting rule, until the queue is empty.

    While a waiting rule runs, its steps settle too, but the rules behind it keep waiting.
    """
    mode = Mode.REAL if mode is Mode.REAL else Mode.TRIED  # what rules do is no part of a cost
    name = mode.own(SETTLE)
    if name in low.functions:
        return name
    low.reserve(name, ())
    over = () if mode is Mode.REAL else _stop()
    body: list[ir.Statement] = [ir.Set("fired", ZERO), queue.bump(ir.HOLD, 1)]
    for rule in (r for r in low.hooks.always if acts(r, mode)):
        fired = ir.Set("fired", ir.Binary("|", ir.Local("fired"), ir.Local("now")))
        body += low.placed(
            (ir.Perform(standing_rules.always(low, rule, mode), (), "now"), *over, fired), rule.span
        )
    body.append(queue.bump(ir.HOLD, -1))
    watched = [ending for ending, watch in low.rules.watches.items() if watch.at is None]
    for ending in watched:
        body += ended(low, ending, mode)
    stop = (ir.Set("going", ZERO),)
    then: ir.Body = stop
    if low.hooks.queued:
        empty = ir.Binary("==", ir.Load(ir.QUEUE), ZERO)
        busy = ir.Binary("!=", ir.Load(ir.DRAINING), ZERO)
        resolve = (
            ir.Link(),
            *(order.chosen_first(low) if mode is Mode.REAL else ()),
            *queue.pop(low),
            ir.Store(ir.DRAINING, None, ONE),
            *_dispatch(low, mode),
            *over,
            ir.Store(ir.DRAINING, None, ZERO),
        )
        then = (ir.If(ir.Logic("or", (empty, busy)), stop, resolve),)
    body.append(ir.If(ir.Binary("==", ir.Local("fired"), ZERO), then, (ir.Link(),)))
    loop = ir.While(ir.Binary("==", ir.Local("going"), ONE), tuple(body))
    reasons = [r.span for r in (*low.hooks.always, *low.hooks.queued)] + [e.span for e in watched]
    return low.define(name, (), (ir.Set("going", ONE), loop), reasons[0])


def ended(low: Lowering, ending: t.Ending, mode: Mode = Mode.REAL) -> ir.Body:
    """End the game for this reason if its condition holds."""
    watch = low.rules.watches[ending]
    due = _due(low, watch)
    over = statements.finished(low, ending.span, ending, watch.winners, Env(mode=mode))
    return low.placed((ir.If(due, over),), ending.span)


def _due(low: Lowering, watch: t.Watch) -> ir.Expr:
    """Whether an ending has come.

    It is not evaluated during set-up, when most conditions are not meaningful.
    """
    playing = ir.Binary("!=", ir.Load(ir.LEAVE), ir.Const(ir.SETTING_UP))
    holds = values.value(low, watch.when, Env())
    return holds if watch.at is not None else ir.Logic("and", (playing, holds))


def after_set_up(low: Lowering, laying: ir.Body) -> ir.Body:
    """The set-up, and then a look for the endings that were not asked for in it."""
    watched = tuple(ending for ending, watch in low.rules.watches.items() if watch.at is None)
    if not watched or not laying:
        return laying
    look = ir.If(ir.CallExpr(_unsettled(low, watched), ()), (ir.Perform(settle(low, Mode.REAL), ()),))
    return (
        ir.Store(ir.LEAVE, None, ir.Const(ir.SETTING_UP)),
        *laying,
        ir.Store(ir.LEAVE, None, ZERO),
        look,
    )


# --- waiting rules ---


def _dispatch(low: Lowering, mode: Mode) -> ir.Body:
    cases: list[tuple[int, ir.Body]] = []
    for rule, number in low.hooks.queued.items():
        if not acts(rule, mode):
            continue
        width = 1 + queue.width(low, rule)
        given = ("e1", *(f"e{i}" for i in range(3, width + 2)))
        run = ir.Perform(_rule_function(low, rule, mode), tuple(ir.Local(e) for e in given))
        cases.append((number, low.placed((run,), rule.span)))
    return branches.by_value(ir.Local("e0"), cases)


def _rule_function(low: Lowering, rule: t.Rule, mode: Mode) -> str:
    """A triggered rule resolves: it must still work; then it may be declined, paid for, and done."""
    name = mode.own(f"rule {rule.name}")
    if name in low.functions:
        return name
    names, env = modifiers.parameters_of(low, queue.remembered(rule))
    env = env.within(mode)
    parameters = ("carrier", *names)
    low.reserve(name, parameters)
    prelude: ir.Body = ()
    if rule.carrier is not None:
        env = env.bind(rule.carrier.this, ir.Local("carrier"))
        prelude, env = carriers.bound(low, rule.carrier, env)
    note, over = low.note(notes.applied(low, rule), ir.Local("carrier")), low.note(notes.rested(rule))
    works = carriers.works(low, rule.carrier, env)
    gone: ir.Body = () if works == ONE else (ir.If(values.negated(works), (ir.Return(ZERO),)),)
    body = costs.optional(low, rule, env, (note, *statements.block(low, rule.body, env), over))
    low.define(name, parameters, _due_now(low, rule, (*gone, *prelude, *body), env), rule.span)
    return name


def _due_now(low: Lowering, rule: t.Rule, body: ir.Body, env: Env) -> ir.Body:
    """Mark a queued rule in the log, from its turn to its end."""
    if env.mode is not Mode.REAL or not low.rules.sight:
        return body
    over = (low.note(notes.untainted(rule.span)),)
    return (low.note(notes.due(rule)), *taint.closed(taint.rule(low, rule, body, env), over), *over)
