"""The plan of an experiment (rules, seats, seeds), and a bundle of its files for other machines."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from ruleforge.backends.artifacts.info import OptionValue
from ruleforge.engine.errors import RulesetError
from ruleforge.engine.game import Game
from ruleforge.engine.loader import load
from ruleforge.lang.source.folder import SUFFIXES
from ruleforge.project.locator import core_of, find_pack, find_rules, is_pack
from ruleforge.support.ceilings import CEILINGS
from ruleforge.support.diagnostics import NOWHERE, Report
from ruleforge.support.input_files import files_below, is_folder, read_bytes
from ruleforge.support.output_files import write_text
from ruleforge.support.records import dataclass

BESIDE = frozenset({"scenarios", "expansions"})  # no part of the rules


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
        """Whether all agents are random."""
        return all(agent == "random" for agent in self.agents.values())

    def deal(self, number: int, seats: int) -> tuple[int, int]:
        """The deal of a game, and the number of seats by which the agents have moved on."""
        return divmod(number, seats) if self.swap and not self.random else (number, 0)

    def seating(self, players: tuple[str, ...], number: int) -> dict[str, str]:
        """The agent of each seat in a game."""
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


# Bundles the files of a game and its packs into one value for another machine.


@dataclass(frozen=True, slots=True)
class Bundle:
    """Texts by path; the file or folder of the game, and the folders of its packs, among them."""

    game: str
    packs: tuple[str, ...]
    texts: tuple[tuple[str, str], ...]
    digest: str

    def load(self, backend: str, observe: bool) -> Game:
        """The game, from files that are written anew and gone when it is read. Raises RulesetError."""
        with tempfile.TemporaryDirectory(prefix="ruleforge-") as name:
            folder = Path(name)
            for path, text in self.texts:
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                write_text(folder / path, text)
            packs = [folder / pack for pack in self.packs]
            game = load(folder / self.game, packs, backend=backend, observe=observe)
        if game.digest != self.digest:
            report = Report()
            report.add("RF822", f"the rules of `{self.game}` differ on another machine", NOWHERE)
            raise RulesetError(report.diagnostics)
        return game


def bundle_of(game: Game, what: str, packs: tuple[str, ...]) -> Bundle:
    """All that was read for a game that has been loaded by this name or path."""
    report = Report()
    path = find_rules(what, report)
    assert path is not None, "it has been loaded"
    folders: list[Path] = []
    core = path
    if is_pack(path):
        folders.append(path)
        core = core_of(path, report) or path
    folders += [found for name in packs if (found := find_pack(name, core, report))]
    home = game.id if is_folder(core) else f"{game.id}{core.suffix}"
    texts = dict(_texts(core, home))
    names = [f"packs/{number}-{pack.name}" for number, pack in enumerate(folders)]
    for name, pack in zip(names, folders, strict=True):
        texts.update(_texts(pack, name))
    return Bundle(home, tuple(names), tuple(texts.items()), game.digest)


def _texts(path: Path, name: str) -> list[tuple[str, str]]:
    if not is_folder(path):
        return [(name, _text(path))]
    found = files_below(path, SUFFIXES, BESIDE)
    return [(f"{name}/{file.relative_to(path).as_posix()}", _text(file)) for file in found]


def _text(path: Path) -> str:
    return read_bytes(path, CEILINGS.file_bytes).decode("utf-8-sig")
