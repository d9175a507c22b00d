"""A trial -> faults of chance: rolls, shuffles, picks and questions of packs inside procedures that must know none.

What is rolled or picked on the way to such a procedure, in one go with it, decides what it does just as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruleforge.analysis.effects.facts import Deed, Key
from ruleforge.analysis.effects.met import Found, Where
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
            for deed in inside
            for fault in _told(deed, chance, _within(deed, chance), f"inside {names}")
        ),
        *(
            fault
            for deed in _left_behind(trial, inside)
            for fault in _told(deed, chance, _within(deed, chance), f"in what {names} left behind")
        ),
        *(
            fault
            for deed, spans in _before(trial, chance)
            if deed not in inside
            for fault in _told(deed, chance, spans, f"on the way to {names}")
        ),
    ]
    if not found:
        trial.note(chance.cites, f"nothing in the pack rolls or asks inside {names}")
    return found


def _told(deed: Deed, chance: Chance, spans: Iterable[tuple[str, Span]], where: str) -> Iterator[Fault]:
    for what, span in spans:
        why = f"{subject(deed)} {_WORDS[what]} {where}"
        place = ((f"no chance inside {' and '.join(f'`{name}`' for name in chance.inside)}", chance.span),)
        repair = "let the effect follow from the position alone"
        yield Fault("broken", "RF914", deed.origin, (deed.name,), (span,), why, chance.cites, place, repair)


def _within(deed: Deed, chance: Chance) -> Iterator[tuple[str, Span]]:
    yield from ((o.what, o.span) for o in deed.occasions if o.what in chance.never)
    if deed.rule is not None and deed.rule.may and "choice" in chance.never:
        yield "choice", deed.place


def _reached(trial: Trial, chance: Chance) -> list[Deed]:
    """The deeds of packs that act while one of the procedures is under way, set off by whatever rules act in it."""
    keys: set[Key] = _procedures(chance)
    walk = Walk(trial.rules, trial.ranges, trial.owner)
    for name in chance.inside:
        event = trial.rules.events.get(name)
        if event is not None:
            found = Found()
            walk.block(event.body, {}, Where(sealed=name), found)
            keys |= {emission.key for emission in found.emits}
    return [deed for deed in _set_off(trial, keys) if deed.origin]


def _left_behind(trial: Trial, inside: list[Deed]) -> list[Deed]:
    """The deeds of things that the procedures make, and of marks that they set: what these do later is their doing."""
    makers, found = list(inside), list[Deed]()
    waiting = [deed for deed in trial.prints.deeds if deed.form not in ("action", "modify")]
    while makers:
        made = {o.about for deed in makers for o in deed.occasions if o.what == "new"}
        marks = {w.column for deed in makers for w in deed.writes if trial.owner(w.column.span)}
        makers = [
            deed
            for deed in waiting
            if deed not in inside
            and deed not in found
            and ((deed.carrier is not None and deed.carrier.kind.name in made) or marks & set(_read_in(deed)))
        ]
        found += makers
    return found


def _read_in(deed: Deed) -> Iterator[t.Column]:
    """The attributes that its conditions and its effects read."""
    body = deed.rule.body if deed.rule is not None else None
    for part in (*deed.conditions, *([body] if body is not None else [])):
        yield from (node.column for node in all_nodes(part) if isinstance(node, t.Read))


def _before(trial: Trial, chance: Chance) -> Iterator[tuple[Deed, list[tuple[str, Span]]]]:
    """The deeds of packs that lead to one of the procedures, or act on the way there, with their chance before it."""
    goals, leading = _procedures(chance), dict[int, Deed]()
    deeds = (*trial.prints.deeds, *trial.prints.core)
    keys: set[Key] = set()
    grown = True
    while grown:
        grown = False
        for deed in deeds:
            if id(deed) not in leading and any(emission.key in goals for emission in deed.emits):
                leading[id(deed)] = deed
                grown = True
                keys |= {emission.key for emission in deed.emits[: _first(deed, goals)]}
                if deed.form in _SET_OFF and deed.listens is not None:
                    goals = {*goals, deed.listens}
    for deed in (deed for deed in leading.values() if deed.origin):
        call = deed.emits[_first(deed, goals)].span
        spans = [(o.what, o.span) for o in deed.occasions if not (o.span[0] == call[0] and o.span > call)]
        yield deed, [(what, span) for what, span in spans if what in chance.never and what in _ON_THE_WAY]
    for deed in _set_off(trial, keys - goals):
        if deed.origin and id(deed) not in leading:
            spans = [(o.what, o.span) for o in deed.occasions if o.what in _ON_THE_WAY]
            yield deed, [(what, span) for what, span in spans if what in chance.never]


def _procedures(chance: Chance) -> set[Key]:
    return {("event", name) for name in chance.inside}


def _first(deed: Deed, goals: set[Key]) -> int:
    """The number of the emission of a deed that leads to one of the goals."""
    return next(number for number, emission in enumerate(deed.emits) if emission.key in goals)


def _set_off(trial: Trial, keys: set[Key]) -> list[Deed]:
    """All that the happenings set off, one by way of the other."""
    keys, reached = set(keys), list[Deed]()
    grown = True
    while grown:
        grown = False
        for deed in (*trial.prints.deeds, *trial.prints.core):
            if deed not in reached and deed.listens in keys and deed.form in _SET_OFF:
                reached.append(deed)
                keys |= {emission.key for emission in deed.emits}
                grown = True
    return reached
