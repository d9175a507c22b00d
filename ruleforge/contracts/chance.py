"""A trial -> faults of chance: rolls, shuffles, picks and questions of packs inside procedures that must know none."""

from __future__ import annotations

from ruleforge.contracts.footprints.facts import Deed, Key
from ruleforge.contracts.footprints.met import Found, Where
from ruleforge.contracts.footprints.walk import Walk
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.model import Chance
from ruleforge.contracts.trial import Trial, subject

_WORDS = {"roll": "rolls dice", "shuffle": "shuffles", "pick": "picks at random", "choice": "asks somebody"}


def faults(trial: Trial) -> list[Fault]:
    return [fault for chance in trial.contract.chance for fault in _inside(trial, chance)]


def _inside(trial: Trial, chance: Chance) -> list[Fault]:
    found: list[Fault] = []
    names = " and ".join(f"`{name}`" for name in chance.inside)
    for deed in _reached(trial, chance):
        asks = deed.rule is not None and deed.rule.may and "choice" in chance.never
        spans = [(o.what, o.span) for o in deed.occasions if o.what in chance.never]
        for what, span in [*spans, *([("choice", deed.place)] if asks else [])]:
            why = f"{subject(deed)} {_WORDS[what]} inside {names}"
            place = ((f"no chance inside {names}", chance.span),)
            repair = "let the effect follow from the position alone"
            found.append(
                Fault("broken", "RF914", deed.origin, (deed.name,), (span,), why, chance.cites, place, repair)
            )
    if not found:
        trial.note(chance.cites, f"nothing in the pack rolls or asks inside {names}")
    return found


def _reached(trial: Trial, chance: Chance) -> list[Deed]:
    """The deeds of packs that act while one of the procedures is under way, set off by whatever rules act in it."""
    keys: set[Key] = {("event", name) for name in chance.inside}
    walk = Walk(trial.rules, trial.ranges, trial.owner)
    for name in chance.inside:
        event = trial.rules.events.get(name)
        if event is not None:
            found = Found()
            walk.block(event.body, {}, Where(sealed=name), found)
            keys |= {emission.key for emission in found.emits}
    reached: list[Deed] = []
    grown = True
    while grown:
        grown = False
        for deed in (*trial.prints.deeds, *trial.prints.core):
            if deed not in reached and deed.listens in keys and deed.form in ("after", "instead", "fill"):
                reached.append(deed)
                keys |= {emission.key for emission in deed.emits}
                grown = True
    return [deed for deed in reached if deed.origin]
