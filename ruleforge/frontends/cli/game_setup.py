"""Builds a game session from the options of `play` and `serve`: seats, saved game, journal."""

from __future__ import annotations

import secrets
from dataclasses import replace
from pathlib import Path

from ruleforge.frontends.cli.arguments import option_values, seats
from ruleforge.frontends.repl.console import Rules
from ruleforge.play.agents import AGENTS, OUTSIDE
from ruleforge.play.journal import SavedGame, begin_journal, latest_journal, text_of
from ruleforge.play.record import Pairs, opening_of, read_record
from ruleforge.play.replay import session_from_record
from ruleforge.play.seats.seat_plan import HUMAN, SeatPlan
from ruleforge.play.session import Session
from ruleforge.support.diagnostics import Report
from ruleforge.support.records import dataclass
from ruleforge.tools.project_files.rulebook import read_rulebook


@dataclass(frozen=True, slots=True)
class GameOptions:
    """The options that choose and set up a game."""

    game: str
    packs: tuple[str, ...] = ()
    seed: int | None = None
    seating: Pairs = ()
    options: Pairs = ()
    players: int | None = None
    saved: Path | None = None
    resume: str | None = None
    ask_all: bool = False


@dataclass(frozen=True, slots=True)
class GameSetup:
    """A game session. `seed` is None if it is unknown; `named` are the seats that options name."""

    rules: Rules
    session: Session
    seed: int | None
    seating: SeatPlan
    named: frozenset[str]

    def seated(self, pairs: Pairs) -> GameSetup:
        """The same table with others around it."""
        taken = seats(pairs, (HUMAN, *AGENTS), self.session.state)
        seating = replace(self.seating, kinds={**self.seating.kinds, **taken})
        return replace(self, seating=seating, named=self.named | taken.keys())

    def saved_game(self, journal: bool) -> SavedGame:
        """How it is kept; with a journal every choice is on the disk before the next is asked for."""
        here = tuple((p, kind) for p, kind in self.seating.kinds.items() if not kind.startswith(OUTSIDE))
        definitions = self.rules.definitions
        opening = opening_of(self.session.start, self.seed, definitions, here)
        journal_file = begin_journal(opening) if journal else None
        saved_game = SavedGame(
            lambda path: _opened(self.rules, path)[:2], self.seed, definitions, journal_file, here
        )
        saved_game.follow(self.session)
        return saved_game


def set_up(rules: Rules, options: GameOptions) -> GameSetup:
    """Without other options the first player is a person and the others choose at random. Raises PlayError."""
    number = secrets.randbelow(10**6) if options.seed is None else options.seed
    session, seed, sat = _begun(rules, options, number)
    first = session.state.players[0]
    usual = {player: HUMAN if player == first else "random" for player in session.state.players}
    table = GameSetup(
        rules, session, seed, SeatPlan(usual, number, options.ask_all, _clauses(rules)), frozenset()
    )
    return table.seated(sat).seated(options.seating)


def _clauses(rules: Rules) -> dict[str, str]:
    """The rulebook of the game and of its packs; a game without one has none."""
    found: dict[str, str] = {}
    for folder in rules.folders:
        for clause in (read_rulebook(folder, Report()) or {}).values():
            found[clause.id] = clause.rule
    return found


def _begun(rules: Rules, options: GameOptions, number: int) -> tuple[Session, int | None, Pairs]:
    """The game to play, the seed it began with and who sat where, if that is known."""
    game = rules.game
    if options.saved is None and options.resume is None:
        seed = number & 0xFFFFFFFF
        state = game.start(players=options.players, seed=seed, options=option_values(options.options))
        return Session(state), seed, ()
    packs = frozenset(pack.id for pack in game.info.packs)
    path = options.saved or (Path(options.resume) if options.resume else latest_journal(game.id, packs))
    return _opened(rules, str(path))


def _opened(rules: Rules, path: str) -> tuple[Session, int | None, Pairs]:
    """The game in a file, the seed it began with and who sat where, if that is known."""
    text = text_of(Path(path))
    if text.lstrip().startswith("{"):
        return Session(rules.game.restore(text)), None, ()
    opening = read_record(text).opening
    here = tuple((player, kind) for player, kind in opening.seats if not kind.startswith(OUTSIDE))
    return session_from_record(rules.game, text, rules.definitions), opening.seed, here
