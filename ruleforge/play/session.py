"""A state with its history: undo, redo, and back to the start of an action."""

from __future__ import annotations

from collections.abc import Collection

from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import IllegalChoice, Reason
from ruleforge.engine.events import Events
from ruleforge.engine.presentation.observation import DONE, HIDDEN
from ruleforge.engine.state import State
from ruleforge.engine.text_reader import learned_from, seat_reader
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class Turn:
    """One step of the history: the state before it, the player, the choice, and its events."""

    _before: State
    player: str
    choice: Choice
    events: Events
    _after: State

    @property
    def before(self) -> State:
        """A copy of the state before the step."""
        return self._before.copy()

    @property
    def after(self) -> State:
        """A copy of the state after the step."""
        return self._after.copy()

    def text_for(self, player: str | None) -> str:
        """The choice as this player (None: the public) may see it. Hidden things show as `?`.

        Empty if the log omits the step for the player: the number of secret steps is secret, too.
        """
        text = self._before.tell(self.choice, self._after, player)
        return "" if text == HIDDEN else text

    def log_text_for(self, player: str | None) -> str:
        """The choice for the log. A choice that belongs to an action is logged with the action, once it is
        complete.

        Payments show in the pools.
        """
        return "" if self.choice.is_of_action or self.choice.is_payment else self.text_for(player)

    def prompt_for(self, player: str | None) -> str:
        """The prompt of the choice, as far as this player (None: the public) may see it. Else empty."""
        decision = self._before.decision
        text = self.log_text_for(player) if self.choice.arguments or self.choice.text == DONE else ""
        return decision.prompt if decision is not None and text and HIDDEN not in text else ""

    def is_of(self, player: str, free: bool = False) -> bool:
        """Whether this player decided here; with `free`, among several choices."""
        return self.player == player and (not free or len(self._before.choices) > 1)

    @property
    def reveals_something(self) -> bool:
        """Whether chance was at work in this step, or something hidden from a player was shown to them."""
        return any(self._after.has_learned_since(self._before, player) for player in self._before.players)


@dataclass(frozen=True, slots=True)
class Submission:
    """The result of a seat's text: the steps made, the refused words, and the reasons."""

    done: tuple[Turn, ...]
    refused: str = ""
    reasons: tuple[Reason, ...] = ()


class Session:
    """A game in progress. `state` is the current state, `turns` its history."""

    def __init__(self, start: State, analysis: bool = False) -> None:
        """With `analysis` any step can be undone: an analysis has no secrets."""
        self.analysis = analysis
        self._start = start.copy()
        self.state = start.copy()
        self.turns: list[Turn] = []
        self._undone: list[Turn] = []

    @property
    def start(self) -> State:
        """The state the session began with."""
        return self._start.copy()

    def apply(self, choice: Choice | str, player: str | None = None) -> tuple[Events, ...]:
        """Make a choice, or the several steps of the host's text; each becomes one turn of the history.

        Raises IllegalChoice, and changes nothing, if one of them is not possible, or not this player's to make.
        """
        if player is not None:
            self.state.check_turn(player)
        steps = self.state.read(choice) if isinstance(choice, str) else (choice,)
        turns = []
        state = self.state
        for step in steps:
            turns.append(_turn(state, step))
            state = turns[-1].after
        self._go_on(turns)
        return tuple(turn.events for turn in turns)

    def submit(self, text: str, player: str) -> Submission:
        """Make the steps of a player's text one by one, until the text ends or a step is refused.

        The steps before that stay done, so a player learns nothing that was not paid for with a step. Raises
        IllegalChoice, and changes nothing, if the first step is not possible or not this player's to make.
        """
        self.state.check_turn(player)
        reading = seat_reader(self.state, text)
        done: list[Turn] = []
        try:
            while True:
                done.append(_turn(self.state, reading.choice))
                self._go_on(done[-1:])
                if not reading.rest or not reading.advance(*_result(done[-1])):
                    return Submission(tuple(done))
        except IllegalChoice as refusal:
            if not done:
                raise
            return Submission(tuple(done), reading.left, refusal.reasons)

    def apply_whole(self, text: str) -> tuple[Turn, ...]:
        """Apply a text of the host as a step of a scenario: an open question gets its default answer.

        Raises IllegalChoice if a step is not possible.
        """
        first = len(self.turns)
        self.apply(text)
        last = self.turns[-1]
        while (usual := self.state.usual_answer(last.before, last.choice)) is not None:
            self.apply(usual)
            last = self.turns[-1]
        return tuple(self.turns[first:])

    def _go_on(self, turns: list[Turn]) -> None:
        self.state = turns[-1].after
        self.turns += turns
        self._undone.clear()

    def undo(self, consent: Collection[str] = ()) -> bool:
        """Take the last step back; False if there is none.

        Raises IllegalChoice, and changes nothing, if it brought something to light and not all seats consent.
        """
        if not self.turns:
            return False
        self._must_be_free(1, consent)
        self._take_back()
        return True

    def _take_back(self) -> None:
        turn = self.turns.pop()
        self._undone.append(turn)
        self.state = turn.before

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

    def undo_to(self, player: str, consent: Collection[str] = (), free: bool = False) -> bool:
        """Take steps back until this player decides again; False (and nothing done) if they never did.

        With `free` a decision with a single choice is none. Raises IllegalChoice as `undo` does.
        """
        own = (n for n, turn in enumerate(reversed(self.turns), 1) if turn.is_of(player, free))
        steps = next(own, 0)
        if not steps:
            return False
        self._must_be_free(steps, consent)
        for _ in range(steps):
            self._take_back()
        return True

    def _must_be_free(self, steps: int, consent: Collection[str]) -> None:
        """Raise IllegalChoice if one of the last steps revealed something, unless all agree or the game is
        analysed.
        """
        if self.analysis or all(player in consent for player in self.state.players):
            return
        if any(turn.reveals_something for turn in self.turns[-steps:]):
            raise IllegalChoice((Reason("RF808", "something was revealed since; all players must agree"),))

    @property
    def action_in_progress(self) -> bool:
        """Whether the deciding player has begun an action and is asked for the rest of it."""
        return self._open_steps() > 0

    def back(self) -> None:
        """Go back to the start of the action in progress, if nothing random or hidden was revealed since.

        Raises IllegalChoice, and changes nothing, if that is not possible.
        """
        steps = self._open_steps()
        if not steps:
            raise IllegalChoice((Reason("RF808", "no action is in progress"),))
        first = self.turns[-steps].before
        if self.state.has_learned_since(first, self.turns[-steps].player):
            raise IllegalChoice((Reason("RF808", "something random or hidden was revealed since"),))
        for _ in range(steps):
            self._take_back()

    def _open_steps(self) -> int:
        """The number of steps that the deciding player has made in the action in progress."""
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


def _turn(state: State, choice: Choice) -> Turn:
    """The step that a choice makes from a state."""
    before, after = state.copy(), state.copy()
    decision = before.decision
    events = after.apply(choice)
    return Turn(before, decision.player if decision else "", choice, events, after)


def _result(turn: Turn) -> tuple[State, bool]:
    """The state after a step, and whether the player learned something from it."""
    before, after = turn.before, turn.after
    return after, learned_from(before, after, turn.events)
