"""Lower set-up and phases to one function that runs a whole game."""

from __future__ import annotations

from ruleforge.analysis.effects.definitions import blocks_of
from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Begin, Env, Lowering, Mode, both
from ruleforge.compiler.lower.decisions import choices, windows
from ruleforge.compiler.lower.decisions.answers import Answer
from ruleforge.compiler.lower.decisions.question import QuestionSpec
from ruleforge.compiler.lower.effects import (
    contract_gate,
    occasions,
    places,
    queue,
    recall,
    statements,
    taint,
)
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.flow import settlement
from ruleforge.compiler.lower.sets import filters, modifiers, walks
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.ask_key import ALWAYS
from ruleforge.lang.checker.walk import all_nodes, ways_of
from ruleforge.support.diagnostics import NOWHERE, Span
from ruleforge.support.records import dataclass

ZERO, ONE = ir.Const(0), ir.Const(1)
MAIN = "main"


def number(low: Lowering) -> None:
    """Number the phases before lowering, because effects can leave any phase."""
    low.phases = _names(low.rules.flow)
    low.leaves = any(isinstance(n, t.Leave) for block in blocks_of(low.rules) for n in all_nodes(block))


def main(low: Lowering) -> str:
    body: list[ir.Statement] = []
    for place in low.rules.places.values():
        body += low.placed(_starting(low, place), place.span)
    body += statements.block(low, low.rules.setup, Env())
    sought = seek(low, low.begin)
    flow = _in_turn(low, low.rules.flow, Env(), sought)
    if low.begin is not None:
        # Numbered last, so that all else is as it is in other programs.
        body += waiting(low, low.begin, sought)
    body = list(settlement.after_set_up(low, tuple(body)))
    for phase in flow:
        body += phase
    over = low.fault("RF815", "the flow ended without a `finish`", _end_of_flow(low))
    return low.define(MAIN, (), (*body, ir.Trap(over)), _end_of_flow(low))


def _names(phases: tuple[t.Phase, ...]) -> list[str]:
    return [name for p in phases for name in (p.name, *_names(p.steps))]


def _end_of_flow(low: Lowering) -> Span:
    return low.rules.flow[-1].span if low.rules.flow else NOWHERE


def _starting(low: Lowering, place: t.Place) -> ir.Body:
    """Put the things that begin in a place there, before anything else happens."""
    starting = low.rules.starts.get(place)
    if starting is None:
        return ()
    name, env = low.fresh("thing"), Env()
    loops = [(variable, low.fresh(variable.name)) for variable in starting.index]
    for variable, index in loops:
        env = env.bind(variable, ir.Local(index))
    uses = tuple(t.Use(place.span, variable.type, variable) for variable in starting.index)
    put = ir.Perform(
        places.mover(low, place.holds), (ir.Local(name), values.instance(low, place, uses, env), ZERO)
    )
    body = walks.members(low, starting.things, env, name, (put,))
    for (_, index), (_, kind) in reversed(list(zip(loops, place.of, strict=True))):
        body = (ir.ForRange(index, ir.Const(1), ir.Const(low.size(kind)), body),)
    return body


# --- phases: when, repeat, each, then do, window, steps, end ---


def _in_turn(low: Lowering, phases: tuple[t.Phase, ...], env: Env, sought: Seek) -> list[ir.Body]:
    """Phases one after the other; those before the way to what is sought are passed over."""
    way = next((i for i, phase in enumerate(phases) if sought.passes(phase)), 0)
    bodies = [_phase(low, phase, env, sought) for phase in phases]
    return [sought.unless(body) if i < way else body for i, body in enumerate(bodies)]


def _phase(low: Lowering, phase: t.Phase, env: Env, sought: Seek) -> ir.Body:
    body = (*_each(low, phase, env, sought), *sought.missed(low, phase))
    mark = occasions.mark(low, phase.name)
    if phase.repeat is not None:
        again = both(sought.anyway(phase, values.value(low, phase.repeat, env)), _staying(low))
        asks = _always_asks(low, phase)
        link: ir.Body = () if asks else (ir.Link(),)
        body = (ir.While(again, (*link, *body), asks=asks),)
    if low.leaves:
        left = ir.Binary("==", ir.Load(ir.LEAVE), ir.Const(low.phases.index(phase.name) + 1))
        body = (*body, ir.If(left, (ir.Store(ir.LEAVE, None, ZERO),)))
    if mark is not None:
        body = (*occasions.noted(low, mark, ONE), *body, *occasions.noted(low, mark, ZERO))
    if phase.when is not None:
        body = (ir.If(sought.anyway(phase, values.value(low, phase.when, env)), body),)
    return low.placed(taint.phase(low, phase, body, env), phase.span)


def _staying(low: Lowering) -> ir.Expr:
    """True unless a phase is being left."""
    return ir.Binary("==", ir.Load(ir.LEAVE), ZERO) if low.leaves else ONE


def _unless_left(low: Lowering, body: ir.Body) -> ir.Body:
    return (ir.If(_staying(low), body),) if low.leaves and body else body


def _always_asks(low: Lowering, phase: t.Phase) -> bool:
    """Whether every pass reaches a window. A window without choices counts a link of the chain itself."""
    if low.leaves or not _has_rounds(phase.each):
        return False
    return phase.window is not None or any(
        _always_asks(low, s) and s.when is None and s.repeat is None for s in phase.steps
    )


def _has_rounds(each: t.Binder | None) -> bool:
    """Whether a phase certainly runs for at least one player."""
    if each is None:
        return True
    return isinstance(each.source, t.All) and each.source.kind.seats and each.where is None


def _each(low: Lowering, phase: t.Phase, env: Env, sought: Seek) -> ir.Body:
    """One round for each member. The order is fixed at entry, `where` is tested at the turn of a member."""
    binder = phase.each
    again = taint.another_round(low, phase, env)
    if binder is None:
        return (*_round(low, phase, env, sought), *(again if phase.repeat is not None else ()))
    members = t.Binder(binder.span, binder.variable, binder.source, None, None, binder.by)

    def turn(e: Env) -> ir.Body:
        body = filters.guard(low, binder.where, e, lambda x: (*_round(low, phase, x, sought), *again))
        body = sought.for_whom(phase, e.expr(binder.variable), body)
        return (*body, ir.If(values.negated(_staying(low)), (ir.Break(),))) if low.leaves else body

    simple = isinstance(binder.source, t.All | t.Interval)
    return walks.walk(low, members, env, turn, frozen=not simple)


def _round(low: Lowering, phase: t.Phase, env: Env, sought: Seek) -> ir.Body:
    """Do, window, steps; what follows a `leave` is skipped, but `end` is always run."""
    pieces: list[ir.Body] = [(*_begin(low, phase, env), *statements.block(low, phase.body, env))]
    if phase.window:
        pieces.append(_window(low, phase, env))
    if sought.ends_at(phase):
        pieces.insert(0, (ir.Set(sought.flag, ZERO),))
    elif sought.passes(phase):
        pieces = [_turn_of(phase, env), *map(sought.unless, pieces)]
    pieces += _in_turn(low, phase.steps, env, sought)
    body: ir.Body = ()
    for piece in reversed(pieces):
        body = (*piece, *_unless_left(low, body))
    return (*body, *statements.block(low, phase.end, env), *_edge(low, "end", phase))


def _begin(low: Lowering, phase: t.Phase, env: Env) -> ir.Body:
    """A round begins: whose turn it is, counters that start anew, what waits for this moment."""
    body: list[ir.Statement] = [*_turn_of(phase, env)]
    for column in low.rules.columns.values():
        if column.resets == phase.name:
            body += places.reset_column(low, column)
    body += contract_gate.anew(low, phase.name)
    if phase.me is not None:
        body += contract_gate.opened(low, phase.name, env.expr(phase.me))
    return (*body, *_edge(low, "start", phase))


def _turn_of(phase: t.Phase, env: Env) -> ir.Body:
    """Store the active player, if the rounds of the phase are those of players."""
    if phase.each is None or phase.me is not phase.each.variable:
        return ()
    return (ir.Store(ir.ACTIVE, None, env.expr(phase.me)),)


def _edge(low: Lowering, edge: str, phase: t.Phase) -> ir.Body:
    """The start or end of a phase: remove expired things, trigger rules, test endings."""
    moment = (edge, phase.name)
    body: list[ir.Statement] = []
    for kind, last in low.rules.lasts.items():
        if last.subject == moment:
            body += places.gone(low, kind)
    waiting = low.hooks.after.get(moment, [])
    body += queue.marked(low, waiting, ())
    ordered = queue.in_order(waiting)
    for rule in waiting:
        remembered, env, known = recall.recall_values(low, rule, Env())
        body += remembered
        pushed = modifiers.matching(low, rule, env, queue.pusher(low, rule, ordered), known=known)
        body += taint.rule(low, rule, pushed, env)
    if waiting or (low.hooks.always and (body or _changes(low, edge, phase))):
        body += settlement.looked(low, low.hooks.always)
        body.append(
            ir.If(
                ir.Binary("==", ir.Load(ir.HOLD), ZERO), (ir.Perform(settlement.settle(low, Mode.REAL), ()),)
            )
        )
    body += contract_gate.looked_at(low, "commit")
    if edge == "end" and phase.each is not None and phase.me is phase.each.variable:
        body += contract_gate.looked_at(low, "turn_end")
    for ending, watch in low.rules.watches.items():
        if watch.at is not None and watch.at.subject == moment:
            body += settlement.ended(low, ending)
    return tuple(body)


def _changes(low: Lowering, edge: str, phase: t.Phase) -> bool:
    """Whether the beginning of a round changes a value that a standing rule may read."""
    resets = any(column.resets == phase.name for column in low.rules.columns.values())
    return edge == "start" and (resets or phase.each is not None)


def _window(low: Lowering, phase: t.Phase, env: Env) -> ir.Body:
    assert phase.me is not None and phase.window is not None
    spec = QuestionSpec(
        who=env.expr(phase.me),
        kind=phase.name,
        prompt=phase.title,
        span=phase.span,
        clauses=phase.clauses,
        openly=phase.openly,
        always=phase.ask == ALWAYS,
        flow=True,
    )
    stuck = statements.block(low, phase.stuck, env)
    occasion = windows.Occasion(spec, phase.window, stuck, phase.holds, phase.me, _staying(low))
    return windows.open_window(low, occasion, Env())


# A flow that begins in the middle: what comes before the phase that is sought is passed over, once.
#
# After the set-up one choice is waited for, so that the position can be made another before anything happens.
# The phases around the one that is sought are under way then: nothing of theirs is done but what comes after
# it.


@dataclass(frozen=True)
class Seek:
    """The phases on the way to a phase, outermost first, and its player.

    `flag` is 1 until the phase is reached.
    """

    path: tuple[t.Phase, ...] = ()
    flag: str = ""
    player: int = 0

    @property
    def on(self) -> ir.Expr:
        """Whether the phase is not reached yet."""
        return ir.Local(self.flag) if self.path else ZERO

    def passes(self, phase: t.Phase) -> bool:
        """Whether the way leads through a phase."""
        return phase in self.path

    def ends_at(self, phase: t.Phase) -> bool:
        return bool(self.path) and phase is self.path[-1]

    def unless(self, body: ir.Body) -> ir.Body:
        """Run a body only after the phase was reached."""
        return (ir.If(values.negated(self.on), body),) if self.path and body else body

    def anyway(self, phase: t.Phase, test: ir.Expr) -> ir.Expr:
        """A condition that does not count on the way."""
        return values.either([self.on, test]) if self.passes(phase) else test

    def for_whom(self, phase: t.Phase, who: ir.Expr, body: ir.Body) -> ir.Body:
        """The round of a player. Rounds before the requested player are skipped."""
        turns = [p for p in self.path if p.each is not None and p.me is p.each.variable]
        if not self.player or not turns or phase is not turns[-1]:
            return body
        mine = ir.Binary("==", who, ir.Const(self.player))
        return (ir.If(values.either([values.negated(self.on), mine]), body),)

    def missed(self, low: Lowering, phase: t.Phase) -> ir.Body:
        """Fail if a phase on the way ended without reaching the target."""
        if not self.passes(phase):
            return ()
        sought = self.path[-1]
        whose = f" of {low.kind('player').things[self.player - 1]}" if self.player else ""
        fault = low.fault("RF856", f"the flow does not reach `{sought.name}`{whose} here", sought.span)
        return (ir.If(self.on, (ir.Trap(fault),)),)


NOTHING = Seek()


def seek(low: Lowering, begin: Begin | None) -> Seek:
    if begin is None:
        return NOTHING
    way = next(way for way in ways_of(low.rules.flow) if way[-1].name == begin.phase)
    return Seek(way, low.fresh("seeking"), begin.player)


def waiting(low: Lowering, begin: Begin, found: Seek) -> ir.Body:
    """The set-up is over: one choice is waited for, and then the phase is sought."""
    spec = QuestionSpec(who=ir.Const(found.player or 1), kind=begin.word, prompt="Begin", span=NOWHERE)
    question = choices.question(low, spec, (Answer(begin.word, ()),), Env())
    return (question.ask(low.fresh("begun")), ir.Set(found.flag, ONE))
