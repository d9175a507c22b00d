"""Any ruleset as a text game: observations and answers are text, and a refused answer comes with its reason.

The methods are those of TextArena's environments, so that harnesses written for it can run a RuleForge game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ruleforge.backends.artifacts.info import OptionValue
from ruleforge.engine.game import Game
from ruleforge.play.seats.seat_plan import HUMAN, SeatPlan
from ruleforge.play.seats.text_table import TextTable
from ruleforge.play.session import Session

MOST_LISTED = 500  # choices in the schema of a tool
HOW_TO_ANSWER = "Answer with the exact text of one of the listed choices."


class TextEnv:
    """Plays one game after the other. Players are numbered in seating order."""

    def __init__(
        self, game: Game, options: Mapping[str, OptionValue], most_refused: int, most_turns: int
    ) -> None:
        self.game, self._options = game, options
        self._most_refused, self._most_turns = most_refused, most_turns

    def reset(self, num_players: int | None = None, seed: int = 0) -> None:
        """Begin a game."""
        state = self.game.start(players=num_players, seed=seed, options=self._options)
        self.players = state.players
        self.table = TextTable(Session(state), SeatPlan(dict.fromkeys(state.players, HUMAN), seed))
        self._refused: dict[str, tuple[str, ...]] = {}
        self._greeted: set[str] = set()
        self._refusals = self._turns = 0
        self.invalid: str | None = None  # the player who gave too many impossible answers
        self.info: dict[str, Any] = {}

    @property
    def done(self) -> bool:
        return self.table.player is None or self.invalid is not None or self._turns >= self._most_turns

    def get_observation(self) -> tuple[int, str]:
        """The player who must answer, and the observation: the news, the table, the question."""
        player = self.table.player
        if player is None:
            raise ValueError("the game is over; call close() or reset()")
        parts = []
        if player not in self._greeted:
            self._greeted.add(player)
            parts.append(f"{self.table.intro()}\nYou are {player}. {HOW_TO_ANSWER}")
        if refused := self._refused.pop(player, ()):
            parts.append("\n".join(["Your answer was refused:", *refused]))
        return self.players.index(player), "\n\n".join([*parts, self.table.prompt(player)])

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Answer for the player who was asked. Gives whether the game is over, and `info` with any refusal."""
        player = self.table.player
        if player is None or self.done:
            raise ValueError("the game is over; call close() or reset()")
        refused = self.table.answer(action, player)
        self.info = {"player": player, "refused": list(refused)}
        if refused:
            self._refused[player] = refused
            self._refusals += 1
            self.invalid = player if self._refusals >= self._most_refused else None
        else:
            self._refusals, self._turns = 0, self._turns + 1
        return self.done, self.info

    def close(self) -> tuple[dict[int, float], dict[int, dict[str, Any]]]:
        """The score of each player, and for each whether impossible answers ended the game."""
        outcome = self.table.session.state.outcome
        scores = outcome.scores if outcome is not None else {}
        rewards = {n: float(scores.get(player, 0)) for n, player in enumerate(self.players)}
        if self.invalid is not None:
            rewards = {n: -1.0 if player == self.invalid else 0.0 for n, player in enumerate(self.players)}
        infos = {n: {"invalid_move": player == self.invalid} for n, player in enumerate(self.players)}
        return rewards, infos

    def tool(self) -> dict[str, Any]:
        """The present question as a function for models that call tools (the schema of OpenAI's API)."""
        player = self.table.player
        if player is None:
            raise ValueError("the game is over; call close() or reset()")
        choices = list(self.table.choices(player))
        choice = {"type": "string", "enum": choices} if len(choices) <= MOST_LISTED else {"type": "string"}
        return {
            "type": "function",
            "function": {
                "name": "choose",
                "description": self.table.question(player).partition("\n")[0],
                "parameters": {
                    "type": "object",
                    "properties": {"choice": choice},
                    "required": ["choice"],
                    "additionalProperties": False,
                },
            },
        }
