"""`ruleforge play`: a game at the prompt, against agents or among friends."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import click

from ruleforge.engine.errors import PlayError
from ruleforge.engine.outcome import unfinished
from ruleforge.engine.state import State
from ruleforge.frontends.cli.arguments import game_argument, table_options, with_option
from ruleforge.frontends.cli.game_loader import rules_or_leave, set_up_or_leave
from ruleforge.frontends.cli.game_setup import GameOptions
from ruleforge.frontends.cli.output import colour_option, leave, output, refuse, say
from ruleforge.frontends.console.answer_source import LineReader, TerminalReader
from ruleforge.frontends.console.commands import COMMANDS
from ruleforge.frontends.console.console_game import BadAnswer, ConsoleGame
from ruleforge.frontends.console.screen import Screen
from ruleforge.play.agents import make_agent
from ruleforge.play.seats.seat_plan import HUMAN
from ruleforge.support.spelling import counted

SIGNS = "→·▒♔─"  # what a terminal must be able to show


@click.command("play")
@game_argument
@with_option
@table_options
@click.option("--ask-all", is_flag=True, help="Ask even if only one choice is possible.")
@click.option("--ascii", is_flag=True, help="Draw with ASCII characters only.")
@colour_option
def command(ascii: bool, **given: Any) -> None:
    """Play a game in the terminal. You are the first player and the others play at random; --seat changes that.

    Answer with the letter of a choice or in words. `help` lists the other commands. The game also reads
    answers from a file. Without a terminal and without answers it plays by itself. At a terminal every
    choice is saved before the next question, so --resume continues a game that was interrupted.

    \b
    Example:
      ruleforge play my-game --seat 2=mcts:1s --seed 7
      ruleforge play my-game --seed 7 < answers.txt
    """
    options = GameOptions(**given)
    table = set_up_or_leave(rules_or_leave(options.game, options.packs), options)
    session, seating = table.session, table.seating
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    answers = None if at_terminal else _answers(seating.kinds)
    if not at_terminal and answers is None:
        kinds = {p: kind if p in table.named else "random" for p, kind in seating.kinds.items()}
        _play_alone(session.state, kinds, seating.seed)
        return
    saved_game = table.saved_game(journal=at_terminal)
    plain = ascii or not _can_show(sys.stdout.encoding)
    signs = {sign[0]: sign[-1] for sign in session.state.game.info.look.signs().values()}
    screen = Screen(output().console(), plain, signs)
    reader = TerminalReader() if answers is None else LineReader(answers, screen.say)
    try:
        ConsoleGame(session, seating, screen, reader, saved_game, COMMANDS).run()
    except BadAnswer as answer:
        assert isinstance(reader, LineReader)
        say(f"error[RF802]: line {reader.number} of the answers: {answer}", err=True)
        leave(2)
    except PlayError as error:
        refuse(error)


def _answers(kinds: Mapping[str, str]) -> Iterator[str] | None:
    """The lines of input, if a person plays and there is at least one."""
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


def _play_alone(state: State, kinds: dict[str, str], seed: int) -> None:
    """Play with agents only, then print the result."""
    profiles = state.game.compiled.profiles
    agents = {
        p: make_agent("random" if kind == HUMAN else kind, seed + n, profiles, outside=True)
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
    say(f"{state.game.title}: {scene.ended} after {counted(decisions, 'decision')}")
    say(f"{outcome.text}".rstrip() or outcome.reason)
    say("  ".join(f"{scene.name(player)} {score:+d}" for player, score in outcome.scores.items()))
