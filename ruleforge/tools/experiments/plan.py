"""The plan of an experiment: rules, seats, seeds; small enough to send to other machines."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import field

from ruleforge.backends.artifacts.info import OptionValue
from ruleforge.engine.game import Game
from ruleforge.engine.loader import load
from ruleforge.support.records import dataclass
from ruleforge.tools.experiments.bundle import Bundle


@dataclass(frozen=True, slots=True)
class Rules:
    """The name of a game and its packs; with a bundle, the game is read from the bundle."""

    what: str
    packs: tuple[str, ...] = ()
    backend: str = "auto"
    observe: bool = False
    bundle: Bundle | None = None

    def load(self) -> Game:
        if self.bundle is not None:
            return self.bundle.load(self.backend, self.observe)
        return load(self.what, self.packs, backend=self.backend, observe=self.observe)


@dataclass(frozen=True, slots=True)
class Table:
    """The set-up of a game: number of players, options, agents. A seat without an agent plays at random.

    Seats are swapped: as many consecutive games as seats share one deal, and the agents rotate by one seat.
    """

    players: int | None = None
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    agents: Mapping[str, str] = field(default_factory=dict)
    swap: bool = True

    @property
    def random(self) -> bool:
        """Whether nobody plays who has to be asked."""
        return all(agent == "random" for agent in self.agents.values())

    def deal(self, number: int, seats: int) -> tuple[int, int]:
        """Of a game its deal, and by how many seats the agents have moved on."""
        return divmod(number, seats) if self.swap and not self.random else (number, 0)

    def seating(self, players: tuple[str, ...], number: int) -> dict[str, str]:
        """Who plays each seat in a game."""
        _, moved = self.deal(number, len(players))
        agents = [self.agents.get(player, "random") for player in players]
        return {player: agents[(seat + moved) % len(players)] for seat, player in enumerate(players)}


@dataclass(frozen=True, slots=True)
class Plan:
    """Games `first` to `first + games`, each of `limit` decisions at most.

    `measure`: look at every decision. `rows` and `decisions`: keep one row a game, one a decision. `chances`: random
    games from each decision that say who is ahead; 0: the rules' own count does. `count`: what the backend counts.
    """

    rules: Rules
    games: int
    seed: int = 0
    first: int = 0
    limit: int = 10_000
    table: Table = field(default_factory=Table)
    measure: bool = False
    rows: bool = False
    decisions: bool = False
    chances: int = 0
    count: tuple[str, ...] = ()

    @property
    def looks(self) -> bool:
        """Whether every decision is looked at."""
        return bool(self.measure or self.decisions or self.chances)

    @property
    def counted(self) -> bool:
        """Whether the backend plays the games by itself."""
        return self.table.random and not self.looks


def mixed(seed: int, number: int, word: str) -> int:
    """A seed of its own for each game and seat, the same on every machine."""
    found = hashlib.blake2b(f"{seed}/{number}/{word}".encode(), digest_size=8)
    return int.from_bytes(found.digest(), "little")
