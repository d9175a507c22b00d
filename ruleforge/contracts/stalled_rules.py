"""A trial -> standing rules of the core that packs keep from what they do: such a rule would act without end."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.analysis.effects.summary import EffectSummary
from ruleforge.analysis.effects.values import same
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.trial import Trial, subject
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import with_replaced_uses


def faults(trial: Trial) -> list[Fault]:
    if trial.contract.loops is None:
        return []
    standing = [d.rule for d in trial.summaries.core if d.form == "always" and d.rule is not None]
    return [
        fault
        for effect in trial.summaries.effects
        for rule in standing
        for fault in _stalled(trial, effect, rule)
    ]


def _stalled(trial: Trial, effect: EffectSummary, rule: t.Rule) -> Iterator[Fault]:
    step = _only_step(rule)
    if step is None or not _stops(effect, step.event) or _leaves_alone(effect, rule, step):
        return
    loops = trial.contract.loops
    cites = tuple(dict.fromkeys((*rule.clauses, *(loops.cites if loops is not None else ()))))
    why = f"{subject(effect)} keeps `{step.event.name}` from happening where `{rule.name}` does it until it is done"
    place = ((f"the standing rule `{rule.name}`", rule.span),)
    repair = f"leave out, with `when`, what `{rule.name}` acts on"
    yield Fault("broken", "RF911", effect.origin, (effect.name,), (effect.place,), why, cites, place, repair)


def _only_step(rule: t.Rule) -> t.Perform | None:
    """The event that is all a standing rule does."""
    statements = rule.body.statements if rule.body is not None and not rule.may else ()
    only = statements[0] if len(statements) == 1 else None
    return only if isinstance(only, t.Perform) else None


def _stops(effect: EffectSummary, event: t.Event) -> bool:
    """Does it forbid the event, or put nothing in its place?"""
    pattern = effect.rule.pattern if effect.rule is not None else None
    if pattern is None or pattern.subject is not event:
        return False
    idle = not (effect.proceeds or effect.writes or effect.emits or effect.occasions)
    return effect.form == "forbid" or (effect.form == "instead" and idle and effect.limit is None)


def _leaves_alone(effect: EffectSummary, rule: t.Rule, step: t.Perform) -> bool:
    """Do its conditions leave out what the standing rule acts on: `fits(c, c.home)`, `self in side`?"""
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
    where = _parts(binder.where)
    tests = [
        with_replaced_uses(test, lambda use: stands if use.variable is binder.variable else use)
        for test in where
    ]
    for test in (*pattern.tests, *_parts(stopping.when)):
        test_here = with_replaced_uses(test, lambda use: stands if use.variable in names else use)
        if any(_contradict(test_here, other) for other in tests) or _lies_elsewhere(
            test_here, stands, binder.source
        ):
            return True
    return False


def _parts(test: t.Expr | None) -> tuple[t.Expr, ...]:
    """What must hold, taken apart at `and`, in the words of the author."""
    if isinstance(test, t.Logic) and test.op == "and":
        return tuple(part for whole in test.parts for part in _parts(whole))
    return (test,) if test is not None else ()


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
    """Does it say that the thing lies in another place than those of the standing rule do?"""
    match test, source:
        case (
            t.In(element=member, source=t.Content(place=here) | t.Family(place=here)),
            t.Content(place=there) | t.Family(place=there),
        ) if same(member, thing):
            return here is not there
    return False
