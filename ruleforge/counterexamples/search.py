"""A monitor -> a line of play that shows its fault: positions are set up and played on towards it while time lasts."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ruleforge.compiling import Chance
from ruleforge.counterexamples.monitors import Monitor, Step
from ruleforge.counterexamples.positions import Position, Positions
from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import IllegalChoice, PlayError
from ruleforge.engine.game import Game
from ruleforge.play.timeline import Deed, Moment, following

WARM_UPS = (0, 4, 12, 30)  # choices made before the position is set up
OPENING = 80  # choices in which a game has come to its first action
LENGTH = 120  # choices of one line
BENT = 0.8  # how often what leads on is chosen
_DECLINING = ("done", "decline")


@dataclass(frozen=True)
class Line:
    """What was played, and the steps that look at it, by moment."""

    seed: int
    end: Moment
    looks: Mapping[int, list[Step]]
    open_chance: bool


class Search:
    """Looks for a line of play, for so many seconds of work: a busy machine finds the same."""

    def __init__(self, game: Game, monitor: Monitor, seconds: float) -> None:
        self.game, self.monitor = game, monitor
        self._chance: Chance = "explicit" if monitor.open_chance else "sampled"
        start = game.start(seed=0, chance=self._chance)
        self.positions = Positions(monitor.lead, start.players, monitor.levels)
        monitor.prepare()
        self._deadline = time.process_time() + seconds

    def run(self, holds: Callable[[Line], bool]) -> Line | None:
        """The first line found that holds; None when time is over."""
        positions = self.positions.all()
        number = 0
        while number < 1 or not self.is_over():
            start = Moment(self.game.start(seed=number, chance=self._chance))
            rounds, at = divmod(number, len(positions))
            attempt = _Attempt(self, number, is_hasty=rounds % 2 == 0)
            line = attempt.run(start, positions[at], WARM_UPS[rounds // 2 % len(WARM_UPS)])
            if line is not None and holds(line):
                return line
            number += 1
        return None

    def is_over(self) -> bool:
        return time.process_time() > self._deadline


class _Attempt:
    """One line: a game is opened, a position set up, and played on towards the fault.

    Who is hasty passes where nothing leads there; others wander.
    """

    def __init__(self, search: Search, seed: int, is_hasty: bool) -> None:
        self._search, self._seed, self._is_hasty = search, seed, is_hasty
        self._monitor, self._rng = search.monitor, random.Random(seed)
        self._pull = search.monitor.lead.pull

    def run(self, moment: Moment, position: Position, warm_up: int) -> Line | None:
        opened = self._opening(moment, warm_up)
        if opened is None or opened.state.decision is None:
            return None
        values = self._search.positions.given(position, opened.state)
        if values:
            deed = Deed("set", "", given=tuple(values.items()))
            opened = following(opened, deed, opened.state.patched(values), edited=True)
        self._monitor.start(opened)
        return self._onwards(opened)

    def _opening(self, moment: Moment, warm_up: int) -> Moment | None:
        """To the first action that is offered, and some choices further."""
        left = None
        for _ in range(OPENING + warm_up):
            state = moment.state
            if left is None and any(choice.action is not None for choice in state.choices):
                left = warm_up
            if left == 0 or not state.choices:
                return moment
            left = None if left is None else left - 1
            stepped = self._step(moment, self._rng.choice(state.choices))
            if stepped is None:
                return None
            moment = stepped
        return moment

    def _onwards(self, moment: Moment) -> Line | None:
        for _ in range(LENGTH):
            if not moment.state.choices or self._search.is_over():
                return None
            choice = self._monitor.prefers(moment.state) or self._drawn(moment)
            try:
                stepped = self._applied(moment, choice)
            except IllegalChoice as refusal:
                shown = self._monitor.refused(moment, choice, refusal)
                return self._line(moment) if shown else None
            moment = stepped
            if self._monitor.shown(moment, choice):
                return self._finished(moment)
        return None

    def _finished(self, moment: Moment) -> Line | None:
        """On to where a scenario may stop: to the twin position if there is one, and not before dice."""
        monitor = self._monitor
        if monitor.twin:
            deed = Deed("set", "", given=tuple(monitor.twin.items()))
            moment = following(moment, deed, moment.state.patched(monitor.twin), edited=True)
            monitor.looks[moment.number] = monitor.after
        while moment.state.decision is not None and moment.state.decision.is_chance:
            stepped = self._step(moment, moment.state.choices[0])
            if stepped is None:
                return None
            moment = stepped
        return self._line(moment)

    def _line(self, moment: Moment) -> Line:
        return Line(self._seed, moment, dict(self._monitor.looks), self._monitor.open_chance)

    def _step(self, moment: Moment, choice: Choice) -> Moment | None:
        try:
            return self._applied(moment, choice)
        except PlayError:
            return None

    def _applied(self, moment: Moment, choice: Choice) -> Moment:
        state, decision = moment.state.copy(), moment.state.decision
        events = state.apply(choice)
        return following(moment, Deed("do", choice.text, decision.player if decision else ""), state, events)

    def _drawn(self, moment: Moment) -> Choice:
        """At random, but rather what leads to the fault, and then rather on than anywhere else."""
        choices = moment.state.choices
        leading = [choice for choice in choices if choice.action in self._pull]
        if leading and self._rng.random() < BENT:
            weights = [1 / (1 + self._pull[choice.action or ""]) for choice in leading]
            return self._rng.choices(leading, weights)[0]
        passing = next((choice for choice in choices if choice.text in _DECLINING), None)
        if passing is not None and self._is_hasty and self._rng.random() < BENT:
            return passing
        return self._rng.choice(choices)
