"""`ruleforge play`: a game at the prompt, against agents or among friends."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path

import click

from ruleforge.engine.endless import unfinished
from ruleforge.engine.errors import PlayError
from ruleforge.engine.game import Game
from ruleforge.engine.state import State
from ruleforge.frontends.cli.arguments import (
    Pair,
    game_argument,
    option_values,
    seats,
    start_options,
    with_option,
)
from ruleforge.frontends.cli.output import colour_option, load_or_leave, output, refuse, say
from ruleforge.frontends.cli.prompt import HUMAN, Prompt
from ruleforge.play.agents import AGENTS, make_agent
from ruleforge.play.session import Session
from ruleforge.reading import Unreadable, read_bytes

MOST_BYTES = 16_000_000  # of a saved game


@click.command("play")
@game_argument
@with_option
@click.option("--seed", type=int, default=None, help="Same seed and choices, same game; random if left out.")
@click.option(
    "--seat",
    "seating",
    type=Pair(),
    multiple=True,
    help="NAME=human, NAME=random, NAME=mcts or NAME=mcts:1s.",
)
@start_options
@click.option("--load", "saved", type=click.Path(path_type=Path), default=None, help="A saved game.")
@colour_option
def command(
    game: str,
    packs: tuple[str, ...],
    seed: int | None,
    seating: tuple[tuple[str, str], ...],
    options: tuple[tuple[str, str], ...],
    players: int | None,
    saved: Path | None,
) -> None:
    """Play a game. The first player is you and the others play at random, unless --seat says otherwise.

    Answer with the number of a choice or its text; `help` lists what else can be said.
    Without a terminal the game plays by itself and the result is printed.

    \b
    Example:
      ruleforge play my-game --seat second=mcts --seed 7
    """
    loaded = load_or_leave(game, packs)
    number = secrets.randbelow(10**6) if seed is None else seed
    try:
        state = _begin(loaded, saved, players, number, option_values(options))
    except PlayError as error:
        refuse(error)
    taken = seats(seating, (HUMAN, *AGENTS), state.players)
    if sys.stdin.isatty() and sys.stdout.isatty():
        kinds = {p: taken.get(p, HUMAN if p == state.players[0] else "random") for p in state.players}
        Prompt(Session(state), kinds, number, output().console()).run()
    else:
        _play_alone(state, {p: taken.get(p, "random") for p in state.players}, number)


def _begin(
    game: Game, saved: Path | None, players: int | None, seed: int, options: dict[str, int | str | bool]
) -> State:
    if saved is None:
        return game.start(players=players, seed=seed & 0xFFFFFFFF, options=options)
    try:
        return game.restore(read_bytes(saved, MOST_BYTES).decode("utf-8"))
    except Unreadable as problem:
        raise PlayError("RF820", f"`{saved}` cannot be read: {problem}") from None
    except UnicodeDecodeError:
        raise PlayError("RF820", f"`{saved}` cannot be read: it is not text") from None


def _play_alone(state: State, kinds: dict[str, str], seed: int) -> None:
    """Without anybody to ask: agents only, then the result."""
    agents = {
        p: make_agent("random" if kind == HUMAN else kind, seed + n)
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
