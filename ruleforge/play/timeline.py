"""A game with all its branches: moments in order, undo and redo on each branch, positions edited by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from ruleforge.engine.choice import Choice
from ruleforge.engine.effect_runner import Effect, effect
from ruleforge.engine.errors import PlayError
from ruleforge.engine.event import Event
from ruleforge.engine.state import State
from ruleforge.engine.trace import Ran, state_of
from ruleforge.support.records import dataclass

MAIN = "main"
Word = Literal["do", "set", "run"]


class TimelineError(PlayError):
    """A moment or branch that does not exist."""

    def __init__(self, message: str) -> None:
        super().__init__("RF808", message)


@dataclass(frozen=True, slots=True)
class Transition:
    """A step between moments: a choice, a value written by hand, an effect run by hand.

    `dice` are results fixed in advance; `given` are the written values, by path.
    """

    word: Word
    text: str
    player: str = ""
    dice: tuple[str, ...] = ()
    given: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        return f"{self.word} {self.text}"


@dataclass(frozen=True, eq=False, slots=True)
class Moment:
    """A position and its origin. Its number counts from 1, the start."""

    state: State
    number: int = 1
    before: Moment | None = None
    transition: Transition | None = None
    events: Sequence[Event] = ()
    edited: bool = False  # something on the way was no choice of the game
    running: EffectRun | None = None  # the effect run by hand that waits for an answer here

    @property
    def path(self) -> tuple[Moment, ...]:
        """All moments from the start to this one."""
        found = []
        moment: Moment | None = self
        while moment is not None:
            found.append(moment)
            moment = moment.before
        return tuple(reversed(found))


@dataclass(frozen=True, eq=False, slots=True)
class EffectRun:
    """An effect run by hand, its moment, and whether its result is kept."""

    effect: Effect
    at: Moment
    stays: bool


@dataclass(frozen=True, eq=False, slots=True)
class EffectTrial:
    """The result of an effect that ran on a copy."""

    before: State
    after: State
    events: Sequence[Event]


@dataclass(frozen=True, slots=True)
class Branch:
    """The last moment of a branch, and its undone steps, the latest last."""

    tip: Moment
    undone: tuple[Moment, ...] = ()


class Timeline:
    """The branches of a game. `here` is the current moment."""

    def __init__(self, start: State) -> None:
        self._branches: dict[str, Branch] = {MAIN: Branch(Moment(start.copy()))}
        self.branch = MAIN
        self.tried: EffectTrial | None = None  # what the last effect on a copy came to

    @property
    def here(self) -> Moment:
        return self._branches[self.branch].tip

    @property
    def state(self) -> State:
        """A copy of the position, so that callers cannot change the past."""
        return self.here.state.copy()

    @property
    def branches(self) -> Mapping[str, Branch]:
        return dict(self._branches)

    # --- onwards ---

    def do(self, choice: str | Choice) -> tuple[Moment, ...]:
        """Make one choice, or the several steps of a text: all of them or none."""
        steps = self.here.state.read(choice) if isinstance(choice, str) else (choice,)
        moment = self.here
        made = []
        for step in steps:
            state = moment.state.copy()
            events = state.apply(step)
            moment = self.after_choice(moment, step, state, events)
            made.append(moment)
        self.go(moment)
        return tuple(made)

    def after_choice(
        self,
        before: Moment,
        choice: Choice,
        state: State,
        events: Sequence[Event],
        dice: tuple[str, ...] = (),
    ) -> Moment:
        """The moment after a choice that led to a state. It may complete an effect that runs by hand."""
        decision, running = before.state.decision, before.running
        transition = Transition("do", choice.text, decision.player if decision else "", dice)
        if running is None or not running.effect.is_over(state):
            return following(before, transition, state, events)
        return self._ended(before, transition, running, running.effect.after(state), events)

    def run(self, text: str, stays: bool, dice: tuple[str, ...] = ()) -> tuple[Moment, tuple[str, ...]]:
        """Run effects at the position, or on a copy of it; gives where that leads and the dice that are left."""
        made = effect(self.here.state, text)
        ran = made.run(None, dice)
        assert isinstance(ran, Ran)
        moment = self.after_run(made, text, stays, ran, dice[: len(dice) - len(ran.left)])
        self.go(moment)
        return moment, ran.left

    def after_run(self, made: Effect, text: str, stays: bool, ran: Ran, dice: tuple[str, ...]) -> Moment:
        """The moment after an effect ran: its result, or its first question."""
        if self.here.running is not None:
            raise TimelineError("an effect waits for an answer: use `do`, or `undo` it")
        transition = Transition("run", f"--here {text}" if stays else text, dice=dice)
        running = EffectRun(made, self.here, stays)
        state = state_of(made.states, ran.row)
        if state is None:
            return self._ended(self.here, transition, running, made.outcome(ran.row), ran.events)
        moment = following(self.here, transition, state, ran.events, edited=stays)
        return replace(moment, running=running)

    def _ended(
        self,
        before: Moment,
        transition: Transition,
        running: EffectRun,
        state: State,
        events: Sequence[Event],
    ) -> Moment:
        """Move on after an effect run by hand: to its end, or back to its start if it ran on a copy."""
        if running.stays:
            return replace(following(before, transition, state, events, edited=True), running=None)
        known = [e for m in before.path[running.at.number :] for e in m.events]
        self.tried = EffectTrial(running.at.state, state, [*known, *events])
        return running.at

    def set(self, path: str, value: object, text: str) -> Moment:
        """Write a value into the position; `text` is how it was said."""
        if self.here.running is not None:
            raise TimelineError("an effect waits for an answer: use `do`, or `undo` it")
        state = self.here.state.patched({path: value})
        moment = following(self.here, Transition("set", text, given=((path, value),)), state, edited=True)
        self.go(moment)
        return moment

    def go(self, moment: Moment) -> None:
        """Move to a moment that follows the present one. Undone steps are forgotten."""
        self._branches[self.branch] = Branch(moment)

    # --- back and forth ---

    def undo(self, steps: int = 1) -> None:
        """Undo steps, all or none."""
        branch = self._branches[self.branch]
        if steps < 1 or steps >= branch.tip.number:
            made = branch.tip.number - 1
            raise TimelineError(f"{made} step{'s' if made != 1 else ''} can be taken back here, not {steps}")
        tip, undone = branch.tip, list(branch.undone)
        for _ in range(steps):
            undone.append(tip)
            assert tip.before is not None
            tip = tip.before
        self._branches[self.branch] = Branch(tip, tuple(undone))

    def redo(self, steps: int = 1) -> None:
        """Make steps again that were taken back, all or none."""
        branch = self._branches[self.branch]
        if steps < 1 or steps > len(branch.undone):
            left = len(branch.undone)
            raise TimelineError(f"{left} step{'s' if left != 1 else ''} can be redone here, not {steps}")
        self._branches[self.branch] = Branch(branch.undone[-steps], branch.undone[:-steps])

    def goto(self, number: int) -> None:
        """Move to the moment with this number, before or after the present one."""
        here, last = self.here.number, self.here.number + len(self._branches[self.branch].undone)
        if not 1 <= number <= last:
            raise TimelineError(f"there are moments 1 to {last} on this branch, not {number}")
        if number < here:
            self.undo(here - number)
        elif number > here:
            self.redo(number - here)

    def moment(self, number: int) -> Moment:
        """The moment of this number on this branch, taken back ones included."""
        branch = self._branches[self.branch]
        known = {m.number: m for m in (*branch.tip.path, *branch.undone)}
        if number not in known:
            raise TimelineError(f"there are moments 1 to {max(known)} on this branch, not {number}")
        return known[number]

    # --- branches ---

    def fork(self, name: str) -> None:
        """Continue from here on a new branch."""
        if name in self._branches:
            raise TimelineError(f"there is a branch `{name}` already")
        self._branches[name] = self._branches[self.branch]
        self.branch = name

    def switch(self, name: str) -> None:
        if name not in self._branches:
            raise TimelineError(f"there is no branch `{name}`; there are {', '.join(self._branches)}")
        self.branch = name

    def grown_again(self, branches: Mapping[str, Branch], present: str) -> None:
        """Replace the branches, for example after the rules were reloaded."""
        self._branches, self.branch = dict(branches), present


def following(
    before: Moment, transition: Transition, state: State, events: Sequence[Event] = (), edited: bool = False
) -> Moment:
    """The moment after a step; an effect that is under way stays so."""
    return replace(
        before,
        state=state,
        number=before.number + 1,
        before=before,
        transition=transition,
        events=events,
        edited=before.edited or edited,
    )
