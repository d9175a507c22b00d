"""A ruleset made of secrets -> two worlds that a seat cannot see the difference of, and is told apart, if there are any.

What lies open at the moment when something is told is open, also if it is taken back in the same step. So two tellings
are followed side by side: as long as what is seen to change is the same, what has a name must be the same, too.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import ruleforge
from ruleforge.play.session import Session
from tests.fuzz.rulesets import as_yaml
from tests.fuzz.secret_rulesets import WORLDS, Section, Veiled
from tests.fuzz.trial import Finding
from tests.property.secrecy import INTERFACES, Seat, log_of, narrated

DECISIONS = 4
CHANGES = ("set ", "move ", "new ", "remove ", "show ", "shuffle ")
OPEN_CHANCE = ("roll ", "random ")
SEATS: tuple[Seat, ...] = ("ben", None)
ASKED = (
    "question",
    "declined",
    "refusals",
    "why not",
    "evaluations",
)  # of the interfaces, those that hang on rules

LogTemplate = list[tuple[object, ...]]


@dataclass(frozen=True)
class Moment:
    """A position of one world, with all that a seat has seen, said and been told until then."""

    world: int
    seen: str
    told: LogTemplate
    narrated: str
    state: ruleforge.State


def secret_leak(number: int, interfaces: bool) -> Finding | None:
    """What is found in the ruleset with this number, looking also at the interfaces if that is asked for."""
    rules = Veiled(random.Random(number)).ruleset()
    found = next(_leaks(rules, number, interfaces), None)
    if found is None:
        return None
    return Finding(f"veiled {found.split(':')[0]}", f"{found} (veiled {number})\n{as_yaml(rules)}")


def _leaks(rules: Section, number: int, interfaces: bool) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="ruleforge-fuzz-") as folder:
        (Path(folder) / "game.yaml").write_text(as_yaml(rules), encoding="utf-8")
        game = ruleforge.load(folder, backend="reference")
    try:
        start = game.start(seed=1)
    except ruleforge.PlayError:  # some go round in circles at once
        return
    for seat in SEATS:
        known: dict[str, list[Moment]] = {}
        for world in range(len(WORLDS)):
            for moment in _moments(start, world, seat, number):
                others = known.setdefault(moment.seen, [])
                yield from (f"{seat}: {words}" for other in others if (words := _apart(other, moment)))
                if interfaces and others:
                    yield from _at_interfaces(others[0], moment, seat)
                others.append(moment)


def _moments(start: ruleforge.State, world: int, seat: Seat, number: int) -> Iterator[Moment]:
    """A line of choices that are drawn alike in all worlds; a choice that breaks a limit of the rules ends it."""
    rng, seen = random.Random(number), list[object]()
    try:
        session = Session(start.patched(WORLDS[world]))
    except ruleforge.PlayError:  # it does not begin in this world
        return
    for _ in range(DECISIONS):
        state = session.state
        texts = [choice.text for choice in state.choices if choice.text != "wait"]
        if not texts or state.decision is None:
            return
        text, who = texts[rng.randrange(1000) % len(texts)], state.decision.player
        try:
            session.apply(text)
        except ruleforge.IllegalChoice:
            return
        told = log_of(session, seat)
        chance = [event[0] for event in told if str(event[0]).startswith(OPEN_CHANCE)]
        seen += [who, text, session.state.view(seat)]
        yield Moment(world, str((seen, chance)), told, str(narrated(session, seat)), session.state.copy())


def _apart(one: Moment, two: Moment) -> str:
    """Where one is told something else than the other before anything else was to be seen."""
    for (left, name), (right, other) in zip(_between_names(one.told), _between_names(two.told), strict=False):
        if left != right:
            alike = sorted(map(str, left)) == sorted(map(str, right))
            return f"the order tells {one.world} from {two.world}: {left} / {right}" if alike else ""
        if name != other:
            return f"a name tells {one.world} from {two.world}: {name} / {other}"
    if one.told == two.told and one.narrated != two.narrated:
        return f"a sentence tells {one.world} from {two.world}: {one.narrated} / {two.narrated}"
    return ""


def _between_names(told: LogTemplate) -> Iterator[tuple[Sequence[object], object]]:
    """Each record that is no change, with the changes since the last one."""
    changes: list[object] = []
    for event in told:
        if str(event[0]).startswith(CHANGES):
            changes.append(event)
        else:
            yield changes, event
            changes = []
    yield changes, None


def _at_interfaces(one: Moment, two: Moment, seat: Seat) -> Iterator[str]:
    if one.told != two.told or one.state.digest == two.state.digest:
        return
    for name in ASKED:
        left, right = INTERFACES[name](one.state, seat), INTERFACES[name](two.state, seat)
        if left != right:
            yield f"{seat}: the interface {name} tells {one.world} from {two.world}: {left} / {right}"
