"""`ruleforge play`: a game at the prompt, against agents or among friends."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import click

from ruleforge.beside.rulebook import read_rulebook
from ruleforge.diagnostics import Report
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
from ruleforge.frontends.cli.opening import rules_or_leave
from ruleforge.frontends.cli.output import colour_option, leave, output, refuse, say, waiting
from ruleforge.frontends.repl.rules import Rules
from ruleforge.frontends.table.commands import COMMANDS
from ruleforge.frontends.table.evening import HUMAN, BadAnswer, Evening, Seating
from ruleforge.frontends.table.keeping import Keeping
from ruleforge.frontends.table.reading import LineReader, TerminalReader
from ruleforge.frontends.table.screen import Screen
from ruleforge.play.agents import AGENTS, make_agent
from ruleforge.play.journal import begin_journal, latest_journal, text_of
from ruleforge.play.record import Pairs, opening_of, read_record
from ruleforge.play.replay import session_from_record
from ruleforge.play.session import Session
from ruleforge.quick import dataclass

REMOTE = "remote:"  # whoever sits there has to come again
SIGNS = "→·▒♔─"  # what a terminal must be able to show


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
    ask_all: bool
    ascii: bool


@click.command("play")
@game_argument
@with_option
@click.option("--seed", type=int, default=None, help="Same seed and choices, same game; random if left out.")
@click.option(
    "--seat",
    "seating",
    type=Pair(),
    multiple=True,
    help="SEAT=human, SEAT=random, SEAT=greedy, SEAT=mcts or SEAT=mcts:1s, SEAT=PROFILE (one of the game), "
    "SEAT=remote:PORT. SEAT is a player's name, or 1, 2 and so on.",
)
@start_options
@click.option(
    "--load", "saved", type=click.Path(path_type=Path), default=None, help="A saved game or a record."
)
@resume_option
@click.option("--ask-all", is_flag=True, help="Ask also where only one choice is possible.")
@click.option("--ascii", is_flag=True, help="Letters in place of signs that a terminal may not have.")
@colour_option
def command(**given: Any) -> None:
    """Play a game. The first player is you and the others play at random, unless --seat says otherwise.

    Answer with the letter of a choice or in words; `help` lists what else can be said. A file of answers plays a game,
    too; without a terminal and without answers it plays by itself. At a terminal every choice is on the disk before
    the next is asked for: if all breaks off, --resume goes on.

    \b
    Example:
      ruleforge play my-game --seat 2=mcts:1s --seed 7
      ruleforge play my-game --seed 7 < answers.txt
    """
    wish = Wish(**given)
    rules = rules_or_leave(wish.game, wish.packs)
    number = secrets.randbelow(10**6) if wish.seed is None else wish.seed
    try:
        with waiting("setting up the table …"):
            session, seed, sat = _begin(rules, wish, number)
    except PlayError as error:
        refuse(error)
    taken = {
        **seats(sat, (HUMAN, *AGENTS), session.state),
        **seats(wish.seating, (HUMAN, *AGENTS), session.state),
    }
    first = session.state.players[0]
    kinds = {p: taken.get(p, HUMAN if p == first else "random") for p in session.state.players}
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    answers = None if at_terminal else _answers(kinds)
    if not at_terminal and answers is None:
        _play_alone(session.state, {p: taken.get(p, "random") for p in kinds}, number)
        return
    here = tuple((p, kind) for p, kind in kinds.items() if not kind.startswith(REMOTE))
    opening = opening_of(session.start, seed, rules.definitions, here)
    journal = begin_journal(opening) if at_terminal else None
    keeping = Keeping(lambda path: _opened(rules, path)[:2], seed, rules.definitions, journal, here)
    keeping.follow(session)
    seating = Seating(kinds, number, wish.ask_all, _clauses(rules), COMMANDS)
    plain = wish.ascii or not _can_show(sys.stdout.encoding)
    signs = {sign[0]: sign[-1] for sign in session.state.game.info.look.signs().values()}
    screen = Screen(output().console(), plain, signs)
    reader = TerminalReader() if answers is None else LineReader(answers, screen.say)
    try:
        Evening(session, seating, screen, reader, keeping).run()
    except BadAnswer as answer:
        assert isinstance(reader, LineReader)
        say(f"error[RF802]: line {reader.number} of the answers: {answer}", err=True)
        leave(2)
    except PlayError as error:
        refuse(error)


def _answers(kinds: dict[str, str]) -> Iterator[str] | None:
    """The lines that come in, if anybody is to be asked and there is at least one."""
    if HUMAN not in kinds.values() or sys.stdin.isatty():
        return None
    lines = iter(sys.stdin)
    first = next(lines, None)
    return None if first is None else chain((first,), lines)


def _can_show(encoding: str | None) -> bool:
    try:
        SIGNS.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _clauses(rules: Rules) -> dict[str, str]:
    """The rulebook of the game and of its packs; a game without one has none."""
    found: dict[str, str] = {}
    for folder in rules.folders:
        for clause in (read_rulebook(folder, Report()) or {}).values():
            found[clause.id] = clause.rule
    return found


def _opened(rules: Rules, path: str) -> tuple[Session, int | None, Pairs]:
    """The game in a file, the seed it began with and who sat where, if that is known."""
    text = text_of(Path(path))
    if text.lstrip().startswith("{"):
        return Session(rules.game.restore(text)), None, ()
    opening = read_record(text).opening
    return session_from_record(rules.game, text, rules.definitions), opening.seed, opening.seats


def _begin(rules: Rules, wish: Wish, number: int) -> tuple[Session, int | None, Pairs]:
    """The game to play, the seed it began with and who sat where, if that is known."""
    game = rules.game
    if wish.saved is None and wish.resume is None:
        seed = number & 0xFFFFFFFF
        state = game.start(players=wish.players, seed=seed, options=option_values(wish.options))
        return Session(state), seed, ()
    packs = frozenset(pack.id for pack in game.info.packs)
    path = wish.saved or (Path(wish.resume) if wish.resume else latest_journal(game.id, packs))
    return _opened(rules, str(path))


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
    scene = state.scene(None)
    say(f"{state.game.title}: {scene.ended} after {decisions} decisions")
    say(f"{outcome.text}".rstrip() or outcome.reason)
    say("  ".join(f"{scene.name(player)} {score:+d}" for player, score in outcome.scores.items()))
