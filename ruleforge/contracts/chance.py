"""`chance` finds rolls, shuffles, picks and questions of packs inside procedures that must be free of chance.

A roll or pick on the way to such a procedure, in the same step, counts as well: it also decides the
procedure's result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruleforge.analysis.dataflow import reach
from ruleforge.analysis.effects.summary import EffectSummary, Key
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.model import Chance
from ruleforge.contracts.trial import Trial, broken, subject
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import all_nodes
from ruleforge.support.diagnostics import Span

_WORDS = {"roll": "rolls dice", "shuffle": "shuffles", "pick": "picks at random", "choice": "asks somebody"}
_ON_THE_WAY = (
    "roll",
    "pick",
)  # a question on the way only selects an effect, a shuffle is no result
_SET_OFF = ("after", "instead", "fill")


def breaches(trial: Trial, chance: Chance) -> Iterator[Fault]:
    names, inside = " and ".join(f"`{name}`" for name in chance.inside), _reached(trial, chance)
    for effect in inside:
        yield from _faults_of_part(effect, chance, _within(effect, chance), f"inside {names}")
    for effect in _left_behind(trial, inside):
        yield from _faults_of_part(effect, chance, _within(effect, chance), f"in what {names} left behind")
    for effect, spans in _before(trial, chance):
        if effect not in inside:
            yield from _faults_of_part(effect, chance, spans, f"on the way to {names}")


def _faults_of_part(
    effect: EffectSummary, chance: Chance, spans: Iterable[tuple[str, Span]], where: str
) -> Iterator[Fault]:
    for what, span in spans:
        why = f"{subject(effect)} {_WORDS[what]} {where}"
        yield broken("RF914", effect, chance, why, "let the effect depend on the position only", span)


def _within(effect: EffectSummary, chance: Chance) -> Iterator[tuple[str, Span]]:
    yield from ((o.what, o.span) for o in effect.occasions if o.what in chance.never)
    if effect.rule is not None and effect.rule.may and "choice" in chance.never:
        yield "choice", effect.place


def _reached(trial: Trial, chance: Chance) -> list[EffectSummary]:
    """The effects of packs that act during one of the procedures, triggered by any rules inside it."""
    keys: set[Key] = _procedures(chance)
    for event in (trial.rules.events[name] for name in chance.inside if name in trial.rules.events):
        keys |= {emission.key for emission in trial.happens_in(event).emits}
    return [effect for effect in _set_off(trial, keys) if effect.origin]


def _left_behind(trial: Trial, inside: list[EffectSummary]) -> list[EffectSummary]:
    """The effects of things that the procedures make, and of marks that they set: what these do later is their doing."""
    waiting = [effect for effect in trial.summaries.effects if effect.form not in ("action", "modify")]
    read = {effect.name: set(_read_in(effect)) for effect in waiting}

    def hanging(maker: EffectSummary) -> Iterator[EffectSummary]:
        made = {o.about for o in maker.occasions if o.what == "new"}
        marks = {w.column for w in maker.writes if trial.owner(w.column.span)}
        for effect in waiting:
            if (effect.carrier is not None and effect.carrier.kind.name in made) or marks & read[effect.name]:
                yield effect

    return [effect for effect in reach(inside, hanging) if effect not in inside]


def _read_in(effect: EffectSummary) -> Iterator[t.Column]:
    """The attributes that its conditions and its effects read."""
    body = effect.rule.body if effect.rule is not None else None
    for part in (*effect.conditions, *([body] if body is not None else [])):
        yield from (node.column for node in all_nodes(part) if isinstance(node, t.Read))


def _before(trial: Trial, chance: Chance) -> Iterator[tuple[EffectSummary, list[tuple[str, Span]]]]:
    """The effects of packs that lead to one of the procedures, or act on the way there, with their chance before it."""
    effects, procedures = (*trial.summaries.effects, *trial.summaries.core), _procedures(chance)

    def leading_to(keys: set[Key]) -> list[EffectSummary]:
        return [effect for effect in effects if any(emission.key in keys for emission in effect.emits)]

    leading = reach(leading_to(procedures), lambda effect: leading_to(_awaited(effect)))
    goals = procedures.union(*map(_awaited, leading))
    for effect in (effect for effect in leading if effect.origin):
        call = effect.emits[_led(effect, goals)[0]].span
        spans = [(o.what, o.span) for o in effect.occasions if not (o.span[0] == call[0] and o.span > call)]
        yield effect, [(what, span) for what, span in spans if what in chance.never and what in _ON_THE_WAY]
    before = {emission.key for effect in leading for emission in effect.emits[: _led(effect, goals)[-1]]}
    for effect in _set_off(trial, before - goals):
        if effect.origin and effect not in leading:
            spans = [(o.what, o.span) for o in effect.occasions if o.what in _ON_THE_WAY]
            yield effect, [(what, span) for what, span in spans if what in chance.never]


def _procedures(chance: Chance) -> set[Key]:
    return {("event", name) for name in chance.inside}


def _awaited(effect: EffectSummary) -> set[Key]:
    """The event that triggers it directly."""
    return {effect.listens} if effect.form in _SET_OFF and effect.listens is not None else set()


def _led(effect: EffectSummary, goals: set[Key]) -> list[int]:
    """The numbers of the emissions of an effect that lead to one of the goals."""
    return [number for number, emission in enumerate(effect.emits) if emission.key in goals]


def _set_off(trial: Trial, keys: set[Key]) -> list[EffectSummary]:
    """All that the happenings set off, one by way of the other."""
    effects = (*trial.summaries.effects, *trial.summaries.core)

    def awaiting(keys: set[Key]) -> list[EffectSummary]:
        return [effect for effect in effects if _awaited(effect) & keys]

    return list(reach(awaiting(keys), lambda effect: awaiting({emission.key for emission in effect.emits})))
