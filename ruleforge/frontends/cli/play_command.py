"""`ruleforge play`: a game at the prompt, against agents or among friends."""

from __future__ import annotations

import secrets
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ruleforge.engine.endless import unfinished
from ruleforge.engine.errors import PlayError
from ruleforge.engine.state import State
from ruleforge.frontends.cli.arguments import (
    Pair,
    game_argument,
    option_values,
    resume_option,
    seats,
    start_options,
    with_option,
)
from ruleforge.frontends.cli.output import colour_option, output, refuse, rules_or_leave, say
from ruleforge.frontends.cli.prompt import HUMAN, Keeping, Prompt
from ruleforge.frontends.repl.rules import Rules
from ruleforge.play.agents import AGENTS, make_agent
from ruleforge.play.journal import begin_journal, latest_journal, text_of
from ruleforge.play.record import opening_of, read_record
from ruleforge.play.replay import session_from_record
from ruleforge.play.session import Session


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody asked for at the command line."""

    game: str
    packs: tuple[str, ...]
    seed: int | None
    seating: tuple[tuple[str, str], ...]
    options: tuple[tuple[str, str], ...]
    players: int | None
    saved: Path | None
    resume: str | None


@click.command("play")
@game_argument
@with_option
@click.option("--seed", type=int, default=None, help="Same seed and choices, same game; random if left out.")
@click.option(
    "--seat",
    "seating",
    type=Pair(),
    multiple=True,
    help="NAME=human, NAME=random, NAME=mcts or NAME=mcts:1s, NAME=PROFILE (one of the game), NAME=remote:PORT.",
)
@start_options
@click.option(
    "--load", "saved", type=click.Path(path_type=Path), default=None, help="A saved game or a record."
)
@resume_option
@colour_option
def command(**given: Any) -> None:
    """Play a game. The first player is you and the others play at random, unless --seat says otherwise.

    Answer with the number of a choice or its text; `help` lists what else can be said.
    Without a terminal the game plays by itself and the result is printed. At a terminal every choice is on the disk
    before the next is asked for: if all breaks off, --resume goes on.

    \b
    Example:
      ruleforge play my-game --seat second=mcts --seed 7
    """
    wish = Wish(**given)
    rules = rules_or_leave(wish.game, wish.packs)
    number = secrets.randbelow(10**6) if wish.seed is None else wish.seed
    try:
        session, seed = _begin(rules, wish, number)
    except PlayError as error:
        refuse(error)
    state = session.state
    taken = seats(wish.seating, (HUMAN, *AGENTS), state)
    if sys.stdin.isatty() and sys.stdout.isatty():
        kinds = {p: taken.get(p, HUMAN if p == state.players[0] else "random") for p in state.players}
        journal = begin_journal(opening_of(session.start, seed, rules.definitions))
        keeping = Keeping(seed, rules.definitions, journal)
        keeping.follow(session)
        Prompt(session, kinds, number, output().console(), keeping).run()
    else:
        _play_alone(state, {p: taken.get(p, "random") for p in state.players}, number)


def _begin(rules: Rules, wish: Wish, number: int) -> tuple[Session, int | None]:
    """The game to play, and the seed it began with if that is known."""
    game = rules.game
    if wish.saved is None and wish.resume is None:
        seed = number & 0xFFFFFFFF
        state = game.start(players=wish.players, seed=seed, options=option_values(wish.options))
        return Session(state), seed
    packs = frozenset(pack.id for pack in game.info.packs)
    path = wish.saved or (Path(wish.resume) if wish.resume else latest_journal(game.id, packs))
    text = text_of(path)
    if text.lstrip().startswith("{"):
        return Session(game.restore(text)), None
    return session_from_record(game, text, rules.definitions), read_record(text).opening.seed


def _play_alone(state: State, kinds: dict[str, str], seed: int) -> None:
    """Without anybody to ask: agents only, then the result."""
    agents = {
        p: make_agent("random" if kind == HUMAN else kind, seed + n, state.game.compiled.profiles)
        for n, (p, kind) in enumerate(kinds.items())
    }
    dice = make_agent("random", seed)
    decisions = 0
    try:
        while (decision := state.decision) is not None:
            if decisions == state.game.ceilings.decisions:
                raise unfinished(decisions)
            state.apply(agents.get(decision.player, dice).choose(state))
            decisions += 1
    except PlayError as error:
        refuse(error)
    outcome = state.outcome
    assert outcome is not None
    say(f"{state.game.title}: {outcome} after {decisions} decisions")
    say(f"{outcome.text}".rstrip() or outcome.reason)
    say("  ".join(f"{player} {score:+d}" for player, score in outcome.scores.items()))
