"""`ruleforge repl`: the author's console."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ruleforge.engine.errors import PlayError, RulesetError
from ruleforge.frontends.cli.arguments import game_argument, option_values, start_options, with_option
from ruleforge.frontends.cli.output import colour_option, complain, leave, output, refuse, say, say_rendered
from ruleforge.frontends.repl.commands import COMMANDS
from ruleforge.frontends.repl.console import Console, Start
from ruleforge.frontends.repl.rules import read_rules
from ruleforge.frontends.repl.telling import Teller
from ruleforge.frontends.repl.terminal import run_script, run_terminal
from ruleforge.play.timeline import Timeline
from ruleforge.reading import Unreadable, read_bytes

MOST_BYTES = 16_000_000  # of a script


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody asked for at the command line."""

    game: str
    script: Path | None
    packs: tuple[str, ...]
    seed: int
    players: int | None
    options: tuple[tuple[str, str], ...]
    commands: tuple[str, ...]
    as_json: bool


@click.command("repl")
@game_argument
@click.argument("script", type=click.Path(path_type=Path), required=False)
@with_option
@click.option("--seed", type=int, default=0, show_default=True, help="Same seed and choices, same game.")
@start_options
@click.option("-c", "commands", multiple=True, metavar="COMMANDS", help="Do these and leave (repeat).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each command.")
@colour_option
def command(**given: Any) -> None:
    """The author's console: work out expressions, play, change the position, ask why.

    A line is an expression of the effect language, or a command: `help` lists them, `help COMMAND` has an example.
    Commands also come from -c, from the file SCRIPT or from a pipe; then nothing is echoed, and the first that fails
    ends it with exit code 1.

    \b
    Example:
      ruleforge repl my-game --seed 3 -c "count(c in p1.hand); do done; view p1"
    """
    leave(_run(Wish(**given)))


def _run(wish: Wish) -> int:
    start = Start(wish.seed, wish.players, tuple(option_values(wish.options).items()))
    try:
        rules = read_rules(wish.game, wish.packs)
        state = rules.game.start(players=start.players, seed=start.seed, options=dict(start.options))
    except RulesetError as error:
        complain(error.diagnostics)
        return 1
    except PlayError as error:
        refuse(error)
    console = Console(rules, start, Timeline(state), COMMANDS)
    teller = Teller(say, lambda text: say_rendered(text, err=not wish.as_json), wish.as_json, output().colour)
    script = _script(wish)
    if script is None:
        run_terminal(console, teller)
        return 0
    return 0 if run_script(console, script, teller) else 1


def _script(wish: Wish) -> str | None:
    """The commands that were handed over; None if somebody sits at a terminal."""
    if wish.commands:
        return "\n".join(wish.commands)
    if wish.script is not None:
        return _text_of(wish.script)
    return None if sys.stdin.isatty() and sys.stdout.isatty() else sys.stdin.read()


def _text_of(path: Path) -> str:
    try:
        return read_bytes(path, MOST_BYTES).decode("utf-8")
    except Unreadable as problem:
        raise click.UsageError(f"`{path}` cannot be read: {problem}") from None
    except UnicodeDecodeError:
        raise click.UsageError(f"`{path}` cannot be read: it is not text") from None
