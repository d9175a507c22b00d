"""The gate: events, changes and moves with the rules that forbid, replace or follow them.

All three work the same way. Is it allowed? Does a rule act instead, and does that rule let it `proceed`? Only
then it happens, and triggers the rules that listen to it.

If no loaded rule names an event, its function is just its body; a change is a store, a move a move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ruleforge.compiler import ir
from ruleforge.compiler.lower import notes
from ruleforge.compiler.lower.context import Env, Lowering, Mode, Target, both, load
from ruleforge.compiler.lower.effects import contract_gate, places, queue, recall, statements, taint
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import carriers, modifiers
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FlagT, ThingT
from ruleforge.lang.checker.walk import substitute
from ruleforge.support.records import dataclass

ZERO, ONE = ir.Const(0), ir.Const(1)
Link = Callable[[tuple[ir.Expr, ...]], ir.Perform]  # arguments -> the rest of a chain of replacements

Watched = t.Event | t.Column | t.Kind  # subjects of rules: an event, changes of an attribute, moves of a kind

# --- events ---


def event_function(low: Lowering, event: t.Event, mode: Mode) -> str:
    """The function that lets an event happen: tested, perhaps replaced, done, noted for those who wait."""
    name = mode.own(f"event {event.name}")
    if name in low.functions:
        return name
    parameters, env = modifiers.parameters_of(low, event.parameters)
    low.reserve(name, parameters)
    note = low.note(notes.happened(low, event), *_locals(parameters))
    test = _due(low, event, parameters, env)
    blocked: ir.Body = () if test == ONE else (ir.If(values.negated(test), (ir.Return(ZERO),)),)
    before = contract_gate.before(low, event, _locals(parameters))
    body = _together(event, statements.block(low, event.body, env.within(mode)))
    if low.hooks.on(event):
        low.define(f"{name} itself", parameters, body, event.span)
        body = _chain(low, _Gate(event, name, parameters, (), f"{name} itself", mode))
    over = low.note(notes.over(event))
    last = (*contract_gate.entered(low, event, -1), over)
    low.define(name, parameters, (*blocked, *before, note, *taint.closed(body, last), *last), event.span)
    return name


def _together(event: t.Event, body: ir.Body) -> ir.Body:
    return as_one_step(body) if event.together else body


def as_one_step(body: ir.Body) -> ir.Body:
    """Run several steps as one, without reactions in between."""
    up = ir.Store(ir.HOLD, None, ir.Binary("+", ir.Load(ir.HOLD), ONE))
    down = ir.Store(ir.HOLD, None, ir.Binary("-", ir.Load(ir.HOLD), ONE))
    return (up, *body, down)


def _locals(names: tuple[str, ...]) -> tuple[ir.Expr, ...]:
    return tuple(ir.Local(n) for n in names)


def _possible(low: Lowering, event: t.Event, parameters: tuple[str, ...], env: Env) -> ir.Expr:
    """It is due, and packs have not used up what the contract grants them of it."""
    return both(_due(low, event, parameters, env), contract_gate.free(low, event))


def _due(low: Lowering, event: t.Event, parameters: tuple[str, ...], env: Env) -> ir.Expr:
    """Its needs hold and no rule forbids it."""
    needs = both(*(values.value(low, n, env) for n in event.needs))
    return both(needs, _allowed(low, event, _locals(parameters)))


def _allowed(low: Lowering, subject: object, arguments: tuple[ir.Expr, ...]) -> ir.Expr:
    tests = [
        values.negated(ir.CallExpr(_forbids(low, rule), arguments))
        for rule in low.hooks.forbid.get(subject, [])
    ]
    return both(*tests)


def forbidding(low: Lowering, subject: Watched) -> tuple[tuple[t.Rule, str], ...]:
    """The rules that may forbid something, each with its function.

    The function takes the arguments and gives 1 to forbid.
    """
    return tuple((rule, _forbids(low, rule)) for rule in low.hooks.forbid.get(subject, ()))


def _forbids(low: Lowering, rule: t.Rule) -> str:
    name = f"forbids {rule.name}"
    if name not in low.functions:
        assert rule.pattern is not None
        parameters, env = modifiers.parameters_of(low, rule.pattern.parameters)
        low.reserve(name, parameters)
        body = (*modifiers.matching(low, rule, env, lambda _: (ir.Return(ONE),)), ir.Return(ZERO))
        low.define(name, parameters, body, rule.span)
    return name


def can(low: Lowering, event: t.Event, arguments: tuple[ir.Expr, ...]) -> ir.Expr:
    name = f"can {event.name}"
    if name not in low.functions:
        parameters, env = modifiers.parameters_of(low, event.parameters)
        low.reserve(name, parameters)
        low.define(name, parameters, (ir.Return(_possible(low, event, parameters, env)),), event.span)
    return ir.CallExpr(name, arguments)


def would(low: Lowering, node: t.Would, env: Env) -> ir.Expr:
    """Run the event on a copy, with all that follows from it, and look at a value there.

    If the rules stop that, a trial gives -1: nothing is true then, and no thing is meant.
    """

    def body(e: Env) -> ir.Body:
        perform = ir.Perform(_whole(low, node), values.flat(low, node.arguments, e))
        done = trying(low, (perform,), (_performed(node),))
        return (*done, ir.Return(values.value(low, node.value, e)))

    call = low.helper("would", values.captured(env, node), env, node.span, body)
    trial = ir.Trial(call.function, call.arguments)
    match node.value.type:
        case FlagT():
            return ir.Binary("==", trial, ONE)
        case ThingT():
            return ir.Binary("max", trial, ZERO)
    return trial


def _performed(node: t.Would) -> t.Perform:
    return t.Perform(node.span, node.event, node.arguments, None)


def _whole(low: Lowering, node: t.Would) -> str:
    """The function that tries an event and lets rules act on it; it is left as soon as the game is over."""
    name = Mode.TRIED.own(f"whole {node.event.name}")
    if name not in low.functions:
        parameters, env = modifiers.parameters_of(low, node.event.parameters)
        low.reserve(name, parameters)
        perform = ir.Perform(event_function(low, node.event, Mode.TRIED), _locals(parameters))
        after = low.above.settled(low, _performed(node), env.within(Mode.TRIED))
        low.define(name, parameters, (perform, *after), node.event.span)
    return name


def trying(low: Lowering, body: ir.Body, nodes: Sequence[object]) -> ir.Body:
    """The body of a trial. Rules that already wait are ignored, rules that it triggers act.

    In a trial inside a trial they do not act, so that every trial ends.
    """
    if not sets_off(low, nodes):
        return body
    if not low.above.listens(low, nodes):
        return as_one_step(body)
    if not low.hooks.trying:
        low.hooks.trying = low.layout.reserve(1) + 1
    flag = low.hooks.trying
    # The trial starts with an empty queue of its own. All of it is undone in the end, so nothing is put back here.
    alone = tuple(ir.Store(slot, None, ZERO) for slot in (ir.HOLD, ir.QUEUE, ir.DRAINING))
    first = (*alone, ir.Store(flag, None, ONE))
    inner = (ir.Store(ir.HOLD, None, ir.Binary("+", ir.Load(ir.HOLD), ONE)),)
    return (ir.If(ir.Binary("==", ir.Load(flag), ZERO), first, inner), *body)


def sets_off(low: Lowering, nodes: Sequence[object]) -> bool:
    """Whether rules can act in a trial of these effects, as replacements or reactions."""
    happenings = low.effects(*nodes).happenings
    return not happenings.isdisjoint(low.hooks.instead) or low.above.listens(low, nodes)


# --- the chain of replacements: each rule and carrier at most once for one event ---


@dataclass(frozen=True)
class _Gate:
    """A watched thing and the function `name` that lets it happen. `itself` is the function that does it.

    Rules see the parameters `visible`. The `extra` ones are only passed on.
    """

    subject: Watched
    name: str
    visible: tuple[str, ...]
    extra: tuple[str, ...]
    itself: str
    mode: Mode

    @property
    def parameters(self) -> tuple[str, ...]:
        return (*self.visible, *self.extra)


def _chain(low: Lowering, gate: _Gate) -> ir.Body:
    """Call the first link; the last does the thing and notes it for rules that wait.

    Links are made from the last to the first, because each has to know the one that follows it.
    """
    done = _last_link(low, gate)

    def following(given: tuple[ir.Expr, ...]) -> ir.Perform:
        return ir.Perform(done, given, "result")

    link: Link = following
    for number, rule in reversed(list(enumerate(low.hooks.instead.get(gate.subject, [])))):
        link = _link(low, gate, rule, f"{gate.name} replaced {number}", link)
    return (link(_locals(gate.parameters)), ir.Return(ir.Local("result")))


def _last_link(low: Lowering, gate: _Gate) -> str:
    """The function that runs if no rule replaces the event. Rules that wait for it may save values first."""
    waiting = low.hooks.after.get(gate.subject, [])
    if not waiting:
        return gate.itself
    last = f"{gate.name} and after"
    low.reserve(last, gate.parameters)
    before: list[ir.Statement] = []
    after: list[ir.Statement] = []
    ordered = queue.in_order(waiting)
    for rule in waiting:
        assert rule.pattern is not None
        names, env = modifiers.parameters_of(low, rule.pattern.parameters)
        env = env.renamed(dict(zip(names, gate.visible, strict=True)))
        remembered, env, known = recall.recall_values(low, rule, env)
        before += remembered
        pushed = modifiers.matching(low, rule, env, queue.pusher(low, rule, ordered), known=known)
        after += taint.rule(low, rule, pushed, env.within(gate.mode))
    do = ir.Perform(gate.itself, _locals(gate.parameters), "result")
    body = (*before, do, *queue.marked(low, waiting, tuple(after)), ir.Return(ir.Local("result")))
    return low.define(last, gate.parameters, body, gate.subject.span)


def _link(low: Lowering, gate: _Gate, rule: t.Rule, name: str, following: Link) -> Link:
    """One replacing rule: its first matching carrier behind `past` acts; `proceed` continues behind that
    carrier.

    Every carrier acts at most once, in order, and a rule never replaces its own effect.
    """
    assert rule.pattern is not None
    visible, env = modifiers.parameters_of(low, rule.pattern.parameters)
    extra = gate.extra
    parameters = (*visible, *extra, "past")
    low.reserve(name, parameters)
    finder = _next_carrier(low, rule, f"{name} by", visible, env)
    found = ir.CallExpr(finder, (*_locals(visible), ir.Local("past")))
    rest = following((*_locals(visible), *_locals(extra)))
    bound = env.bind(rule.carrier.this, ir.Local("by")) if rule.carrier else env
    prelude, bound = carriers.bound(low, rule.carrier, bound) if rule.carrier else ((), bound)
    past = ir.Local("by")
    # `proceed` in the body of the rule means: the same link again, behind the carrier that acts now.
    low.proceeding.append(lambda given: ir.Perform(name, (*given, *_locals(extra), past), "result"))
    result = ir.Return(ir.Local("result"))
    done = statements.block(low, rule.body, bound.within(gate.mode))
    noted = low.note(notes.applied(low, rule), past)
    acts = low.placed((noted, ir.Set("result", ZERO), *done, result), rule.span)
    low.proceeding.pop()
    tried = low.above.optional(low, rule, bound.within(gate.mode), acts)
    passed = ir.Perform(name, (*_locals(visible), *_locals(extra), past), "result")
    tried_steps = (*prelude, *tried, *(() if tried == acts else (passed, result)))
    body = (ir.Set("by", found), ir.If(ir.Binary("!=", ir.Local("by"), ZERO), tried_steps), rest, result)
    low.define(name, parameters, taint.rule(low, rule, body, env.within(gate.mode)), rule.span)
    return lambda given: ir.Perform(name, (*given, ZERO), "result")


def _next_carrier(low: Lowering, rule: t.Rule, name: str, visible: tuple[str, ...], env: Env) -> str:
    """The first fitting carrier with a number above `past`; 1 stands for a rule that nothing carries."""
    parameters = (*visible, "past")

    def hit(e: Env) -> ir.Body:
        number = carriers.number(rule, e) if rule.carrier else ONE
        return (ir.If(_behind(low, rule, number, e), (ir.Return(number),)),)

    low.reserve(name, parameters)
    found = modifiers.matching(low, rule, env, hit, ordered=True)
    low.define(name, parameters, (*found, ir.Return(ZERO)), rule.span)
    return name


def _behind(low: Lowering, rule: t.Rule, number: ir.Expr, env: Env) -> ir.Expr:
    """Whether a carrier comes after the one that acted last, in their order."""
    past = ir.Local("past")
    later = ir.Binary(">", number, past)
    order = rule.carrier.conduct.trigger_order if rule.carrier else None
    if rule.carrier is None or order is None:
        return later
    key = substitute(order, rule.carrier.this)
    own = values.value(low, key, env)
    last = values.value(low, key, env.bind(rule.carrier.this, past))
    tied = both(ir.Binary("==", own, last), later)
    return ir.Logic("or", (ir.Binary("==", past, ZERO), ir.Binary(">", own, last), tied))


# --- changes of attributes ---


def change(low: Lowering, target: Target, new: ir.Expr, mode: Mode) -> ir.Statement:
    """Write an attribute that rules watch."""
    column = target.column
    name = mode.own(f"set {column.kind.name}.{column.name}")
    if name not in low.functions:
        _change(low, column, name, mode)
    return ir.Perform(name, (target.of, *target.index, new))


def _change(low: Lowering, column: t.Column, name: str, mode: Mode) -> None:
    thing = ("it", *(f"index{i}" for i in range(len(column.per))))
    low.reserve(name, (*thing, "new"))
    base, at = values.slot(low, column, ir.Local("it"), _locals(thing[1:]))
    slot = load(base, at)
    visible = (*thing, "old", "new")
    low.define(f"{name} itself", visible, statements.stored(low, column, slot, visible), column.span)
    allowed = _allowed(low, column, _locals(visible))
    stop: ir.Body = () if allowed == ONE else (ir.If(values.negated(allowed), (ir.Return(ZERO),)),)
    chain = _chain(low, _Gate(column, name, visible, (), f"{name} itself", mode))
    low.define(name, (*thing, "new"), (ir.Set("old", slot), *stop, *chain), column.span)


# --- moves ---


def moving(
    low: Lowering, kind: t.Kind, thing: ir.Expr, to: ir.Expr, top: ir.Expr, mode: Mode
) -> ir.Statement:
    """Move a thing, through the rules that watch moves of its kind."""
    itself = places.mover(low, kind)
    if not low.hooks.on(kind):
        return ir.Perform(itself, (thing, to, top))
    name = mode.own(f"moving {kind.name}")
    if name not in low.functions:
        _moving(low, kind, name, itself, mode)
    return ir.Perform(name, (thing, to, top))


def _moving(low: Lowering, kind: t.Kind, name: str, itself: str, mode: Mode) -> None:
    low.reserve(name, ("thing", "to", "top"))
    where = next(i for p, i in low.layout.places.items() if p.holds is kind).where
    visible = ("it", "source", "to")
    inner = f"{name} itself"
    given = _locals(("it", "to", "top"))
    do = (*places.moved(low, kind, *given), ir.Perform(itself, given))
    low.define(inner, (*visible, "top"), do, kind.span)
    allowed = _allowed(low, kind, _locals(visible))
    stop: ir.Body = () if allowed == ONE else (ir.If(values.negated(allowed), (ir.Return(ZERO),)),)
    start = (ir.Set("it", ir.Local("thing")), ir.Set("source", load(where, ir.Local("it"))))
    chain = _chain(low, _Gate(kind, name, visible, ("top",), inner, mode))
    low.define(name, ("thing", "to", "top"), (*start, *stop, *chain), kind.span)
