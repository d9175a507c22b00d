"""A state with its history: undo, redo, and back to the start of an action."""

from __future__ import annotations

from dataclasses import dataclass

from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import IllegalChoice, Reason
from ruleforge.engine.events import Events
from ruleforge.engine.state import State


@dataclass(frozen=True, slots=True)
class Turn:
    """One step of the history: the state before it, who chose what, and what happened."""

    _before: State
    player: str
    choice: Choice
    events: Events
    _after: State

    @property
    def before(self) -> State:
        """A copy of the state before the step."""
        return self._before.copy()

    def told_to(self, player: str | None) -> str:
        """The choice as this player (None: the public) may know it: things hidden from them show as `?`."""
        return self._before.tell(self.choice, self._after, player)


class Session:
    """A game being played; `state` is the present, `turns` how it came about."""

    def __init__(self, start: State) -> None:
        self._start = start.copy()
        self.state = start.copy()
        self.turns: list[Turn] = []
        self._undone: list[Turn] = []

    @property
    def start(self) -> State:
        """The state the session began with."""
        return self._start.copy()

    def apply(self, choice: Choice | str, player: str | None = None) -> tuple[Events, ...]:
        """Make a choice, or the several steps a text stands for; each becomes one turn of the history.

        With a player, IllegalChoice if it is not theirs to make.
        """
        if player is not None:
            self.state.check_turn(player)
        steps = self.state.read(choice) if isinstance(choice, str) else (choice,)
        trial = self.state.copy()
        turns = []
        for step in steps:
            before = trial.copy()
            decision = before.decision
            events = trial.apply(step)
            turns.append(Turn(before, decision.player if decision else "", step, events, trial.copy()))
        self.state = trial
        self.turns += turns
        self._undone.clear()
        return tuple(turn.events for turn in turns)

    def undo(self) -> bool:
        """Take the last step back; False if there is none."""
        if not self.turns:
            return False
        turn = self.turns.pop()
        self._undone.append(turn)
        self.state = turn.before
        return True

    def redo(self) -> bool:
        """Make the step again that was last taken back; False if there is none."""
        if not self._undone:
            return False
        turn = self._undone.pop()
        state = turn.before
        state.apply(turn.choice)
        self.turns.append(turn)
        self.state = state
        return True

    def undo_to(self, player: str) -> bool:
        """Take steps back until this player decides again; False (and nothing done) if they never did."""
        if not any(turn.player == player for turn in self.turns):
            return False
        while True:
            turn = self.turns[-1]
            self.undo()
            if turn.player == player:
                return True

    @property
    def action_in_progress(self) -> bool:
        """Whether the deciding player has begun an action and is asked for the rest of it."""
        return self._open_steps() > 0

    def back(self) -> None:
        """To the start of the action in progress, if nothing random or hidden has come to light since.

        Raises IllegalChoice, and changes nothing, where that is not possible.
        """
        steps = self._open_steps()
        if not steps:
            raise IllegalChoice((Reason("RF808", "no action is in progress"),))
        first = self.turns[-steps].before
        if self.state.has_learned_since(first, self.turns[-steps].player):
            raise IllegalChoice((Reason("RF808", "something random or hidden has come to light since"),))
        for _ in range(steps):
            self.undo()

    def _open_steps(self) -> int:
        """How many steps the deciding player has already made in the action that is in progress."""
        decision = self.state.decision
        for number, turn in enumerate(reversed(self.turns), 1):
            if decision is None or turn.player != decision.player:
                return 0
            if turn.choice.action is not None:
                return number if self._follows(turn) else 0
        return 0

    def _follows(self, opening: Turn) -> bool:
        """Whether the present decision belongs to the action: another site than the opening asks."""
        present = self.state.choices[0]
        return present.action is None and present.site != opening.choice.site
