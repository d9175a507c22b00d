"""`standstill` finds packs that stop standing rules of the core, and phases that no action can leave."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ruleforge.analysis.effects.ranges import Ranges
from ruleforge.analysis.effects.summary import EffectSummary
from ruleforge.analysis.effects.values import same
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.model import Loops
from ruleforge.contracts.trial import Trial, broken, subject
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import all_nodes, conjuncts, phases_of, with_replaced_uses


def stalled(trial: Trial, loops: Loops) -> Iterator[Fault]:
    """Standing rules of the core that packs keep from what they do: such a rule would act without end."""
    standing = [d.rule for d in trial.summaries.core if d.form == "always" and d.rule is not None]
    for effect in trial.summaries.effects:
        for rule in standing:
            yield from _stalled(effect, rule, loops)


def _stalled(effect: EffectSummary, rule: t.Rule, loops: Loops) -> Iterator[Fault]:
    step = _only_step(rule)
    if step is None or not _stops(effect, step.event) or _leaves_alone(effect, rule, step):
        return
    cites = tuple(dict.fromkeys((*rule.clauses, *loops.cites)))
    why = f"{subject(effect)} keeps `{step.event.name}` from happening where `{rule.name}` does it until it is done"
    place = ((f"the standing rule `{rule.name}`", rule.span),)
    repair = f"leave out, with `when`, what `{rule.name}` acts on"
    yield replace(broken("RF911", effect, loops, why, repair), clauses=cites, core=place)


def _only_step(rule: t.Rule) -> t.Perform | None:
    """The event that is all a standing rule does."""
    statements = rule.body.statements if rule.body is not None and not rule.may else ()
    only = statements[0] if len(statements) == 1 else None
    return only if isinstance(only, t.Perform) else None


def _stops(effect: EffectSummary, event: t.Event) -> bool:
    """Whether it forbids the event, or replaces it by nothing."""
    pattern = effect.rule.pattern if effect.rule is not None else None
    if pattern is None or pattern.subject is not event:
        return False
    idle = not (effect.proceeds or effect.writes or effect.emits or effect.occasions)
    return effect.form == "forbid" or (effect.form == "instead" and idle and effect.limit is None)


def _leaves_alone(effect: EffectSummary, rule: t.Rule, step: t.Perform) -> bool:
    """Whether its conditions exclude the things of the standing rule: `fits(c, c.home)`, `self in side`."""
    binder, stopping = rule.binder, effect.rule
    pattern = stopping.pattern if stopping is not None else None
    if binder is None or stopping is None or pattern is None:
        return False
    acted = next(
        (p for p, a in zip(pattern.parameters, step.arguments, strict=False) if _is(a, binder)), None
    )
    if acted is None:
        return False
    stands = t.Use(pattern.span, acted.type, acted)
    names = [acted, *_same_as(effect, acted)]
    where = conjuncts(binder.where)
    tests = [
        with_replaced_uses(test, lambda use: stands if use.variable is binder.variable else use)
        for test in where
    ]
    for test in (*pattern.tests, *conjuncts(stopping.when)):
        test_here = with_replaced_uses(test, lambda use: stands if use.variable in names else use)
        if any(_contradict(test_here, other) for other in tests) or _lies_elsewhere(
            test_here, stands, binder.source
        ):
            return True
    return False


def _is(argument: t.Expr, binder: t.Binder) -> bool:
    return isinstance(argument, t.Use) and argument.variable is binder.variable


def _same_as(effect: EffectSummary, acted: t.Variable) -> list[t.Variable]:
    """Other names for it: `c is self`."""
    found = []
    for test in effect.conditions:
        match test:
            case t.Compare(op="==", left=t.Use(variable=one), right=t.Use(variable=other)):
                found += [other] if one is acted else [one] if other is acted else []
    return found


def _contradict(one: t.Expr, other: t.Expr) -> bool:
    match one, other:
        case (t.Not(value=value), _) if same(value, other):
            return True
        case (_, t.Not(value=value)) if same(value, one):
            return True
    return False


def _lies_elsewhere(test: t.Expr, thing: t.Expr, source: t.Expr) -> bool:
    """Whether a condition puts the thing in another place than the standing rule's."""
    match test, source:
        case (
            t.In(element=member, source=t.Content(place=here) | t.Family(place=here)),
            t.Content(place=there) | t.Family(place=there),
        ) if same(member, thing):
            return here is not there
    return False


# --- phases ---


def cornered(trial: Trial, loops: Loops) -> Iterator[Fault]:
    """Conditions of packs that may leave no way out of a phase of the core which only an action ends."""
    core = [phase for phase in phases_of(trial.rules.flow) if not trial.owner(phase.span)]
    endless = (p for p in core if p.window == "one" and p.stuck is None and _always(p.repeat))
    for phase in endless:
        yield from _cornering(trial, loops, phase)


def _cornering(trial: Trial, loops: Loops, phase: t.Phase) -> Iterator[Fault]:
    ways = [action for action in trial.rules.actions.values() if _leaves(trial, action, phase)]
    fresh = Ranges(trial.rules)
    fresh = fresh.where({column: fresh.at_first(column) for column in _chosen_in(trial, phase)})
    for test in (*phase.holds, *(test for way in ways[:1] if len(ways) == 1 for test in way.holds)):
        pack = trial.owner(test.span)
        if not pack or not ways or fresh.of(test, {}).low > 0:
            continue
        way = ways[0]
        cites = tuple(dict.fromkeys((*way.clauses, *loops.cites)))
        why = f"the condition of `{phase.name}` may fail before the first choice, and then no choice is left"
        place = ((f"`{way.name}` ends `{phase.name}`", way.span),)
        repair = f"let it hold before the first choice in `{phase.name}`"
        yield Fault("broken", "RF911", pack, (phase.name,), (test.span,), why, cites, place, repair)


def _always(repeat: t.Expr | None) -> bool:
    return isinstance(repeat, t.Constant) and bool(repeat.value)


def _leaves(trial: Trial, action: t.Action, phase: t.Phase) -> bool:
    """Is it an action of the core that ends the phase?"""
    if trial.owner(action.span) or phase.name not in action.during or action.body is None:
        return False
    return any(isinstance(node, t.Leave) and node.phase == phase.name for node in all_nodes(action.body))


def _chosen_in(trial: Trial, phase: t.Phase) -> frozenset[t.Column]:
    """The attributes that say what was chosen there: those that the actions of the phase write."""
    effects = (*trial.summaries.effects, *trial.summaries.core)
    acts = (effect for effect in effects if effect.action is not None and phase.name in effect.windows)
    return frozenset(write.column for effect in acts for write in effect.writes)
