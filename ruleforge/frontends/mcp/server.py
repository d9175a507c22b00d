"""The tools for a language model: begin a game, look, choose, ask for reasons, read the rules.

The model holds one seat of each game and reads what that seat may know. Agents play the other seats.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from itertools import count
from typing import Protocol

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

import ruleforge
from ruleforge.engine.errors import PlayError, RulesetError
from ruleforge.play.agents import is_agent
from ruleforge.play.seats.seat_plan import HUMAN, SeatPlan
from ruleforge.play.seats.text_table import TextTable
from ruleforge.play.session import Session

MOST_GAMES = 32  # the game that was untouched longest goes when one more begins
INSTRUCTIONS = (
    "Play tabletop games whose rules are enforced. Begin with `list_games` and `new_game`. `choose` takes the text of "
    "a choice as listed. If a choice is refused you get the reason; `why_not` explains any choice. `rules` looks up "
    "names and words in the rules."
)


class Opening(Protocol):
    """Begins a game by its name. Raises RulesetError or PlayError."""

    def __call__(self, game: str, seed: int | None, players: int | None) -> tuple[Session, SeatPlan]: ...


class GameTools:
    """The games of one client. Each method is a tool; its docstring is what the model reads."""

    def __init__(self, games: Sequence[str], begin: Opening) -> None:
        self._names, self._begin = tuple(games), begin
        self._tables: OrderedDict[str, tuple[TextTable, str]] = OrderedDict()
        self._numbers = count(1)
        self._lock = threading.Lock()

    @property
    def tools(self) -> tuple[Callable[..., str], ...]:
        return (
            self.list_games,
            self.new_game,
            self.look,
            self.choose,
            self.why_not,
            self.rules,
            self.log,
        )

    def list_games(self) -> str:
        """List the games that can be played."""
        return "\n".join(self._names)

    def new_game(
        self,
        game: str,
        seat: str = "",
        opponents: str = "random",
        seed: int | None = None,
        players: int | None = None,
    ) -> str:
        """Begin a game. Gives its number, the table as you see it, and your choices.

        `seat` is the player you are (the first one if left out). `opponents` play the other seats: random, greedy,
        mcts, or mcts:1s for a second of search before each choice. The same `seed` gives the same game.
        """
        if game not in self._names:
            raise ToolError(f"there is no game `{game}`; there are {', '.join(self._names)}")
        with self._lock:
            table, own = self._begun(game, seat, opponents, seed, players)
            id = f"{next(self._numbers)}"
            self._tables[id] = table, own
            if len(self._tables) > MOST_GAMES:
                self._tables.popitem(last=False)
            return f"Game {id}. You are {own}.\n{table.intro()}\n\n{table.prompt(own)}"

    def look(self, game_id: str) -> str:
        """Show the table as you see it, with your choices."""
        with self._lock:
            table, seat = self._table(game_id)
            return f"{table.look(seat)}\n\n{table.question(seat)}"

    def choose(self, game_id: str, choice: str) -> str:
        """Make a choice, by its text. Gives what happened until your next question, or why it is refused."""
        with self._lock:
            table, seat = self._table(game_id)
            refused = table.answer(choice, seat)
            shown = table.prompt(seat)
            return "\n".join(["Refused:", *refused, "", shown]) if refused else shown

    def why_not(self, game_id: str, choice: str) -> str:
        """Explain why a choice is not possible now."""
        with self._lock:
            table, seat = self._table(game_id)
            return "\n".join(table.why_not(choice, seat)) or "It is possible."

    def rules(self, game_id: str, about: str = "") -> str:
        """Look up a card, action, phase, cell, clause or word in the rules; with nothing, list what they speak of."""
        with self._lock:
            table, seat = self._table(game_id)
            return table.rules(seat, about)

    def log(self, game_id: str) -> str:
        """Tell everything that happened so far, as you may know it."""
        with self._lock:
            table, seat = self._table(game_id)
            return table.log(seat) or "Nothing has happened yet."

    def _table(self, id: str) -> tuple[TextTable, str]:
        found = self._tables.get(id.strip())
        if found is None:
            raise ToolError(f"there is no game {id}; begin one with new_game")
        self._tables.move_to_end(id.strip())
        return found

    def _begun(
        self, game: str, seat: str, opponents: str, seed: int | None, players: int | None
    ) -> tuple[TextTable, str]:
        try:
            session, usual = self._begin(game, seed, players)
        except RulesetError as error:
            raise ToolError("\n".join(map(str, error.diagnostics))) from None
        except PlayError as error:
            raise ToolError(str(error)) from None
        state = session.state
        own = seat or state.players[0]
        if own not in state.players:
            raise ToolError(f"there is no player `{own}`; there are {', '.join(state.players)}")
        if not is_agent(opponents, state.game.compiled.profiles):
            raise ToolError(f"there is no agent `{opponents}`; there are random, greedy, mcts and mcts:1s")
        kinds = {player: HUMAN if player == own else opponents for player in state.players}
        return TextTable(session, SeatPlan(kinds, usual.seed, clauses=usual.clauses)), own


def make_server(games: Sequence[str], begin: Opening) -> MCPServer:
    """A server for one client, who may play these games."""
    server = MCPServer(
        "ruleforge", instructions=INSTRUCTIONS, version=ruleforge.__version__, log_level="WARNING"
    )
    for tool in GameTools(games, begin).tools:
        server.tool(structured_output=False)(tool)
    return server
