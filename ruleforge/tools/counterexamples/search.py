"""Searches lines of play from constructed positions until a monitor reports its fault."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping

from ruleforge.backends.artifacts.setup import Chance
from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import IllegalChoice, PlayError
from ruleforge.engine.game import Game
from ruleforge.play.timeline import Moment, Transition, following
from ruleforge.support.records import dataclass
from ruleforge.tools.counterexamples.leads import Position, Positions
from ruleforge.tools.counterexamples.monitors import Monitor, Step

WARM_UPS = (0, 4, 12, 30)  # choices made before the position is set up
OPENING = 80  # choices in which a game has come to its first action
LENGTH = 120  # choices of one line
BENT = 0.8  # how often what leads on is chosen
_DECLINING = ("done", "decline")


@dataclass(frozen=True)
class Line:
    """A line of play, and the checking steps by moment."""

    seed: int
    end: Moment
    looks: Mapping[int, list[Step]]
    open_chance: bool


class Search:
    """Searches a line of play within a limit of work, so that a busy machine finds the same."""

    def __init__(self, game: Game, monitor: Monitor, seconds: float) -> None:
        self.game, self.monitor = game, monitor
        self._chance: Chance = "explicit" if monitor.open_chance else "sampled"
        self.positions = Positions(monitor.lead, self._seats(), monitor.levels)
        self._all = self.positions.all()
        monitor.prepare()
        self._deadline = time.process_time() + seconds

    def _seats(self) -> tuple[str, ...]:
        """The players; empty if the rules prevent the start of a game."""
        try:
            return self.game.start(seed=0, chance=self._chance).players
        except PlayError:
            return ()

    def run(self, holds: Callable[[Line], bool]) -> Line | None:
        """The first line found that holds; None when time is over."""
        number = 0
        while number < 1 or not self.is_over():
            line = self._tried(number)
            if line is not None and holds(line):
                return line
            number += 1
        return None

    def _tried(self, number: int) -> Line | None:
        """The result of an attempt; a game that ends with another error shows nothing."""
        rounds, at = divmod(number, len(self._all))
        attempt = _Attempt(self, number, is_hasty=rounds % 2 == 0)
        try:
            start = Moment(self.game.start(seed=number, chance=self._chance))
            return attempt.run(start, self._all[at], WARM_UPS[rounds // 2 % len(WARM_UPS)])
        except PlayError:
            return None

    def is_over(self) -> bool:
        return time.process_time() > self._deadline


class _Attempt:
    """One line: a game is opened, a position set up, and played on towards the fault.

    Hasty play passes if no choice leads to the fault; other play chooses at random.
    """

    def __init__(self, search: Search, seed: int, is_hasty: bool) -> None:
        self._search, self._seed, self._is_hasty = search, seed, is_hasty
        self._monitor, self._rng = search.monitor, random.Random(seed)
        self._pull = search.monitor.lead.pull

    def run(self, start: Moment, position: Position, warm_up: int) -> Line | None:
        """Play to the first offered action and some choices further; then, from the position, towards the fault."""
        self._monitor.start(start)
        moment, left = start, OPENING
        for _ in range(OPENING + warm_up):
            if left == OPENING and any(choice.action is not None for choice in moment.state.choices):
                left = warm_up
            if left == 0 or not moment.state.choices:
                break
            left -= left < OPENING
            found = self._step(moment, self._rng.choice(moment.state.choices))
            if not isinstance(found, Moment):
                return found
            moment = found
        return self._towards(self._set_up(moment, position)) if moment.state.choices else None

    def _set_up(self, moment: Moment, position: Position) -> Moment:
        values = self._search.positions.given(position, moment.state)
        if values:
            effect = Transition("set", "", given=tuple(values.items()))
            moment = following(moment, effect, moment.state.patched(values), edited=True)
        self._monitor.start(moment)
        return moment

    def _towards(self, moment: Moment) -> Line | None:
        for _ in range(LENGTH):
            if not moment.state.choices or self._search.is_over():
                return None
            found = self._step(moment, self._monitor.prefers(moment.state) or self._drawn(moment))
            if not isinstance(found, Moment):
                return found
            moment = found
        return None

    def _step(self, moment: Moment, choice: Choice) -> Moment | Line | None:
        """The next moment; the line if it shows the fault, None if there is no going on."""
        try:
            stepped = self._applied(moment, choice)
        except IllegalChoice as refusal:
            shown = self._monitor.refused(moment, choice, refusal)
            return self._line(moment) if shown else None
        return self._finished(stepped) if self._monitor.shown(stepped, choice) else stepped

    def _finished(self, moment: Moment) -> Line:
        """On to where a scenario may stop: to the twin position if there is one, and not before dice."""
        monitor = self._monitor
        if monitor.twin:
            effect = Transition("set", "", given=tuple(monitor.twin.items()))
            moment = following(moment, effect, moment.state.patched(monitor.twin), edited=True)
            monitor.looks[moment.number] = monitor.after
        while moment.state.decision is not None and moment.state.decision.is_chance:
            moment = self._applied(moment, moment.state.choices[0])
        return self._line(moment)

    def _line(self, moment: Moment) -> Line:
        return Line(self._seed, moment, dict(self._monitor.looks), self._monitor.open_chance)

    def _applied(self, moment: Moment, choice: Choice) -> Moment:
        state, decision = moment.state.copy(), moment.state.decision
        events = state.apply(choice)
        return following(
            moment, Transition("do", choice.text, decision.player if decision else ""), state, events
        )

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
