"""The flow: set-up and phases -> one function that runs a whole game."""

from __future__ import annotations

from ruleforge.check import typed as t
from ruleforge.check.walk import all_nodes
from ruleforge.compiler import ir
from ruleforge.compiler.lower import places, sets, values
from ruleforge.compiler.lower.choices import Answer, Question, part_of, question, taken_apart
from ruleforge.compiler.lower.context import Env, Lowering, both
from ruleforge.compiler.lower.statements import block

ZERO, ONE = ir.Const(0), ir.Const(1)
MAIN = "main"


def main(low: Lowering) -> str:
    low.phases = _names(low.rules.flow)
    low.leaves = any(isinstance(n, t.Leave) for root in _effects(low.rules) for n in all_nodes(root))
    body: list[ir.Statement] = []
    for place in low.rules.places.values():
        body += _starting(low, place)
    body += block(low, low.rules.setup, Env())
    for phase in low.rules.flow:
        body += _phase(low, phase, Env())
    over = low.fault("RF815", "the flow came to its end, but no `finish` was reached", _end_of_flow(low))
    return low.define(MAIN, (), (*body, ir.Trap(over)))


def _names(phases: tuple[t.Phase, ...]) -> list[str]:
    return [name for p in phases for name in (p.name, *_names(p.steps))]


def _effects(rules: t.Checked) -> list[t.Block]:
    """Every effect text that can leave a phase."""
    blocks = [e.body for e in rules.events.values()] + [a.body for a in rules.actions.values()]
    todo = list(rules.flow)
    for phase in todo:
        blocks += [phase.body, phase.stuck, phase.end]
        todo += phase.steps
    return [b for b in blocks if b is not None]


def _end_of_flow(low: Lowering) -> t.Span:
    return low.rules.flow[-1].span if low.rules.flow else ir.NOWHERE


def _starting(low: Lowering, place: t.Place) -> ir.Body:
    """Put the things that begin in a place there, before anything else happens."""
    if place.starts is None:
        return ()
    name = low.fresh("thing")
    first = ir.Const(low.layout.places[place].first + 1)
    put = ir.Perform(places.mover(low, place.holds), (ir.Local(name), first, ZERO))
    return sets.members(low, place.starts, Env(), name, (put,))


# --- phases: when, repeat, each, then do, window, steps, end ---


def _phase(low: Lowering, phase: t.Phase, env: Env) -> ir.Body:
    body = _each(low, phase, env)
    if phase.repeat is not None:
        again = both(values.value(low, phase.repeat, env), _staying(low))
        fuse: ir.Body = () if _always_asks(phase) else (ir.Burn(),)
        body = (ir.While(again, (*fuse, *body)),)
    if low.leaves:
        left = ir.Binary("==", ir.Load(ir.LEAVE), ir.Const(low.phases.index(phase.name) + 1))
        body = (*body, ir.If(left, (ir.Store(ir.LEAVE, None, ZERO),)))
    if phase.when is not None:
        body = (ir.If(values.value(low, phase.when, env), body),)
    return body


def _staying(low: Lowering) -> ir.Expr:
    """True unless a phase is being left."""
    return ir.Binary("==", ir.Load(ir.LEAVE), ZERO) if low.leaves else ONE


def _unless_left(low: Lowering, body: ir.Body) -> ir.Body:
    return (ir.If(_staying(low), body),) if low.leaves and body else body


def _always_asks(phase: t.Phase) -> bool:
    """A window burns the fuse itself when there was nothing to choose."""
    return phase.window is not None or any(_always_asks(s) and s.when is None for s in phase.steps)


def _each(low: Lowering, phase: t.Phase, env: Env) -> ir.Body:
    """One round for each member; the order is fixed at entry, `where` is asked when a member's turn comes."""
    binder = phase.each
    if binder is None:
        return _round(low, phase, env)
    members = t.Binder(binder.span, binder.variable, binder.source, None, None, binder.by)

    def turn(e: Env) -> ir.Body:
        body = sets.guard(low, binder.where, e, lambda x: _round(low, phase, x))
        return (*body, ir.If(values.negated(_staying(low)), (ir.Break(),))) if low.leaves else body

    simple = isinstance(binder.source, t.All | t.Interval)
    return sets.walk(low, members, env, turn, frozen=not simple)


def _round(low: Lowering, phase: t.Phase, env: Env) -> ir.Body:
    """Do, window, steps; what follows a `leave` is skipped, but `end` is always run."""
    pieces = [block(low, phase.body, env)]
    if phase.window:
        pieces.append(_window(low, phase, env))
    pieces += [_phase(low, step, env) for step in phase.steps]
    body: ir.Body = ()
    for piece in reversed(pieces):
        body = (*piece, *_unless_left(low, body))
    return (*body, *block(low, phase.end, env))


# --- windows ---


def _window(low: Lowering, phase: t.Phase, env: Env) -> ir.Body:
    """`one`: an action must be taken; `maybe`: one or none; `many`: until done or nothing is left."""
    actions = [a for a in low.rules.actions.values() if phase.name in a.during]
    assert phase.me is not None
    if not actions:
        return block(low, phase.stuck, env)
    me = env.expr(phase.me)
    asked = _question(low, phase, actions, me)
    into = low.fresh("answer")
    stuck = block(low, phase.stuck, env) or (ir.Burn(),)
    act = _dispatch(low, asked, actions, me, ir.Local(into))
    nothing = ir.Binary("<", ir.Local(into), ZERO)
    ask = asked.ask(me, into)
    if phase.window == "one":
        return (ask, ir.If(nothing, stuck, act))
    last = asked.site.options[-1].first
    if phase.window == "maybe":
        return (ask, ir.If(_is_action(into, last), act))
    going = low.fresh("going")
    step = (ask, ir.If(_is_action(into, last), act, (ir.Set(going, ZERO),)))
    return (ir.Set(going, ONE), ir.While(both(ir.Binary("==", ir.Local(going), ONE), _staying(low)), step))


def _is_action(into: str, last: int) -> ir.Expr:
    return both(ir.Binary(">=", ir.Local(into), ZERO), ir.Binary("<", ir.Local(into), ir.Const(last)))


def _question(low: Lowering, phase: t.Phase, actions: list[t.Action], me: ir.Expr) -> Question:
    answers = tuple(_answer(low, a) for a in actions)
    env = Env({a.me: me for a in actions})
    words = () if phase.window == "one" else ("done",)
    return question(low, phase.name, phase.title, answers, env, phase.span, phase.clauses, lone=words)


def _answer(low: Lowering, action: t.Action) -> Answer:
    now = action.binders if action.joined else action.binders[:1]
    number = list(low.rules.actions.values()).index(action)
    return Answer(action.name, now, action.binders[len(now) :], action.needs, number, action.span)


def _dispatch(low: Lowering, asked: Question, actions: list[t.Action], me: ir.Expr, answer: ir.Expr) -> ir.Body:
    """Run the action that the answer's code belongs to."""
    body: ir.Body = ()
    for option, action in reversed(list(zip(asked.site.options, actions, strict=False))):
        run = (ir.Perform(_action_function(low, action), (me, *taken_apart(option, answer))),)
        within = ir.Binary("<", answer, ir.Const(option.first + option.count))
        body = (ir.If(within, run, body),) if body else run
    return body


def _action_function(low: Lowering, action: t.Action) -> str:
    """The rest of an action once its first choice is known: the other choices, then what it does."""
    name = f"action {action.name}"
    if name in low.functions:
        return name
    now = action.binders if action.joined else action.binders[:1]
    parameters = ("me", *(f"{b.variable.name}_" for b in now))
    low.define(name, parameters, ())
    env = Env({action.me: ir.Local("me")})
    for binder in now:
        env = env.bind(binder.variable, ir.Local(f"{binder.variable.name}_"))
    shown = [("me", 0), *((p.name, p.kind) for p in (part_of(low, b.variable) for b in now))]
    info = ir.NoteInfo(f"action {action.name}", tuple(shown), action.span, action.clauses)
    note = low.note(info, *(ir.Local(p) for p in parameters))
    body = _rest(low, action, action.binders[len(now) :], env)
    return low.define(name, parameters, (note, *body), action.span)


def _rest(low: Lowering, action: t.Action, binders: tuple[t.Binder, ...], env: Env) -> ir.Body:
    if not binders:
        return block(low, action.body, env)
    binder, later = binders[0], binders[1:]
    answer = Answer("", (binder,), later, action.needs, None, binder.span)
    prompt = f"{action.title}: choose {binder.variable.name}"
    asked = question(low, action.name, prompt, (answer,), env, binder.span, action.clauses)
    into, name = low.fresh("answer"), low.fresh(binder.variable.name)
    (chosen,) = taken_apart(asked.site.options[0], ir.Local(into))
    inner = _rest(low, action, later, env.bind(binder.variable, ir.Local(name)))
    return (asked.ask(env.expr(action.me), into), ir.Set(name, chosen), *inner)
