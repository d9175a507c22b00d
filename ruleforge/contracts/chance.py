"""A trial -> faults of chance: rolls, shuffles, picks and questions of packs inside procedures that must know none.

What is rolled or picked on the way to such a procedure, in one go with it, decides what it does just as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruleforge.analysis.effects.circumstances import Found, Where
from ruleforge.analysis.effects.summary import EffectSummary, Key
from ruleforge.analysis.effects.walk import Walk
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.model import Chance
from ruleforge.contracts.trial import Trial, subject
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import all_nodes
from ruleforge.support.diagnostics import Span

_WORDS = {"roll": "rolls dice", "shuffle": "shuffles", "pick": "picks at random", "choice": "asks somebody"}
_ON_THE_WAY = (
    "roll",
    "pick",
)  # a question on the way is how somebody says what to do, a shuffle is no result
_SET_OFF = ("after", "instead", "fill")


def faults(trial: Trial) -> list[Fault]:
    return [fault for chance in trial.contract.chance for fault in _of(trial, chance)]


def _of(trial: Trial, chance: Chance) -> list[Fault]:
    names = " and ".join(f"`{name}`" for name in chance.inside)
    inside = _reached(trial, chance)
    found = [
        *(
            fault
            for effect in inside
            for fault in _faults_of_part(effect, chance, _within(effect, chance), f"inside {names}")
        ),
        *(
            fault
            for effect in _left_behind(trial, inside)
            for fault in _faults_of_part(
                effect, chance, _within(effect, chance), f"in what {names} left behind"
            )
        ),
        *(
            fault
            for effect, spans in _before(trial, chance)
            if effect not in inside
            for fault in _faults_of_part(effect, chance, spans, f"on the way to {names}")
        ),
    ]
    if not found:
        trial.note(chance.cites, f"nothing in the pack rolls or asks inside {names}")
    return found


def _faults_of_part(
    effect: EffectSummary, chance: Chance, spans: Iterable[tuple[str, Span]], where: str
) -> Iterator[Fault]:
    for what, span in spans:
        why = f"{subject(effect)} {_WORDS[what]} {where}"
        place = ((f"no chance inside {' and '.join(f'`{name}`' for name in chance.inside)}", chance.span),)
        repair = "let the effect follow from the position alone"
        yield Fault(
            "broken", "RF914", effect.origin, (effect.name,), (span,), why, chance.cites, place, repair
        )


def _within(effect: EffectSummary, chance: Chance) -> Iterator[tuple[str, Span]]:
    yield from ((o.what, o.span) for o in effect.occasions if o.what in chance.never)
    if effect.rule is not None and effect.rule.may and "choice" in chance.never:
        yield "choice", effect.place


def _reached(trial: Trial, chance: Chance) -> list[EffectSummary]:
    """The effects of packs that act while one of the procedures is under way, set off by whatever rules act in it."""
    keys: set[Key] = _procedures(chance)
    walk = Walk(trial.rules, trial.ranges, trial.owner)
    for name in chance.inside:
        event = trial.rules.events.get(name)
        if event is not None:
            found = Found()
            walk.block(event.body, {}, Where(sealed=name), found)
            keys |= {emission.key for emission in found.emits}
    return [effect for effect in _set_off(trial, keys) if effect.origin]


def _left_behind(trial: Trial, inside: list[EffectSummary]) -> list[EffectSummary]:
    """The effects of things that the procedures make, and of marks that they set: what these do later is their doing."""
    makers, found = list(inside), list[EffectSummary]()
    waiting = [effect for effect in trial.summaries.effects if effect.form not in ("action", "modify")]
    while makers:
        made = {o.about for effect in makers for o in effect.occasions if o.what == "new"}
        marks = {w.column for effect in makers for w in effect.writes if trial.owner(w.column.span)}
        makers = [
            effect
            for effect in waiting
            if effect not in inside
            and effect not in found
            and (
                (effect.carrier is not None and effect.carrier.kind.name in made)
                or marks & set(_read_in(effect))
            )
        ]
        found += makers
    return found


def _read_in(effect: EffectSummary) -> Iterator[t.Column]:
    """The attributes that its conditions and its effects read."""
    body = effect.rule.body if effect.rule is not None else None
    for part in (*effect.conditions, *([body] if body is not None else [])):
        yield from (node.column for node in all_nodes(part) if isinstance(node, t.Read))


def _before(trial: Trial, chance: Chance) -> Iterator[tuple[EffectSummary, list[tuple[str, Span]]]]:
    """The effects of packs that lead to one of the procedures, or act on the way there, with their chance before it."""
    goals, leading = _procedures(chance), dict[int, EffectSummary]()
    effects = (*trial.summaries.effects, *trial.summaries.core)
    keys: set[Key] = set()
    grown = True
    while grown:
        grown = False
        for effect in effects:
            if id(effect) not in leading and any(emission.key in goals for emission in effect.emits):
                leading[id(effect)] = effect
                grown = True
                keys |= {emission.key for emission in effect.emits[: _first(effect, goals)]}
                if effect.form in _SET_OFF and effect.listens is not None:
                    goals = {*goals, effect.listens}
    for effect in (effect for effect in leading.values() if effect.origin):
        call = effect.emits[_first(effect, goals)].span
        spans = [(o.what, o.span) for o in effect.occasions if not (o.span[0] == call[0] and o.span > call)]
        yield effect, [(what, span) for what, span in spans if what in chance.never and what in _ON_THE_WAY]
    for effect in _set_off(trial, keys - goals):
        if effect.origin and id(effect) not in leading:
            spans = [(o.what, o.span) for o in effect.occasions if o.what in _ON_THE_WAY]
            yield effect, [(what, span) for what, span in spans if what in chance.never]


def _procedures(chance: Chance) -> set[Key]:
    return {("event", name) for name in chance.inside}


def _first(effect: EffectSummary, goals: set[Key]) -> int:
    """The number of the emission of an effect that leads to one of the goals."""
    return next(number for number, emission in enumerate(effect.emits) if emission.key in goals)


def _set_off(trial: Trial, keys: set[Key]) -> list[EffectSummary]:
    """All that the happenings set off, one by way of the other."""
    keys, reached = set(keys), list[EffectSummary]()
    grown = True
    while grown:
        grown = False
        for effect in (*trial.summaries.effects, *trial.summaries.core):
            if effect not in reached and effect.listens in keys and effect.form in _SET_OFF:
                reached.append(effect)
                keys |= {emission.key for emission in effect.emits}
                grown = True
    return reached
