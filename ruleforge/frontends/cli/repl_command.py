"""`ruleforge repl`: the author's console."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from ruleforge.engine.errors import PlayError
from ruleforge.engine.game import Game
from ruleforge.frontends.cli.arguments import (
    game_argument,
    option_values,
    resume_option,
    start_options,
    with_option,
)
from ruleforge.frontends.cli.game_loader import rules_or_leave
from ruleforge.frontends.cli.output import colour_option, leave, output, refuse, say, say_rendered, waiting
from ruleforge.frontends.repl.answer import Teller
from ruleforge.frontends.repl.commands import COMMANDS
from ruleforge.frontends.repl.console import Console, Start
from ruleforge.frontends.repl.record_commands import restore, start_journal
from ruleforge.frontends.repl.rule_reload import RuleWatcher
from ruleforge.frontends.repl.terminal import run_script, run_terminal
from ruleforge.play.journal import latest_journal, text_of
from ruleforge.play.record import read_record
from ruleforge.play.timeline import Timeline
from ruleforge.support.diagnostics import Diagnostic, Report
from ruleforge.support.input_files import Unreadable, read_bytes
from ruleforge.support.records import dataclass
from ruleforge.tools.scenarios.runner import run_scenario
from ruleforge.tools.scenarios.scenario import read_scenario

MOST_BYTES = 16_000_000  # of a script


@dataclass(frozen=True, slots=True)
class ReplOptions:
    """The options of the command line."""

    game: str
    script: Path | None
    packs: tuple[str, ...]
    seed: int
    players: int | None
    options: tuple[tuple[str, str], ...]
    commands: tuple[str, ...]
    as_json: bool
    resume: str | None
    watch: bool


LEAST_COLUMNS = 40


@click.command("repl")
@game_argument
@click.argument("script", type=click.Path(path_type=Path), required=False)
@with_option
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the game.")
@start_options
@click.option(
    "-c", "commands", multiple=True, metavar="COMMANDS", help="Run these commands and exit (repeatable)."
)
@resume_option
@click.option("--watch", is_flag=True, help="Reload whenever a rule file is saved.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each command.")
@colour_option
def command(**given: Any) -> None:
    """Open the author's console: evaluate expressions, play, change the position, ask why.

    A line is an expression of the effect language or a command. `help` lists the commands, and `help
    COMMAND` shows an example. Commands also come from -c, from the file SCRIPT or from a pipe. The console
    then prints results only, and stops at the first failure with exit code 1.

    \b
    Example:
      ruleforge repl my-game --seed 3 -c "count(c in p1.hand); do done; view p1"
    """
    leave(_run(ReplOptions(**given)))


def _run(options: ReplOptions) -> int:
    start = Start(options.seed, options.players, tuple(option_values(options.options).items()))
    rules = rules_or_leave(options.game, options.packs)
    try:
        with waiting("setting up the table …"):
            state = rules.game.start(players=start.players, seed=options.seed, options=dict(start.options))
        console = Console(rules, start, Timeline(state), COMMANDS, test_scenario=_problems_of)
        console.columns = _columns if sys.stdout.isatty() else console.columns
        lines = _resumed(console, options)
    except PlayError as error:
        refuse(error)
    teller = Teller(
        say,
        lambda text: say_rendered(text, err=not options.as_json),
        options.as_json,
        output().colour,
        _columns if sys.stdout.isatty() else None,
    )
    for line in lines:
        teller.write_error(line)
    return _talk(console, options, teller)


def _columns() -> int:
    return max(shutil.get_terminal_size((80, 24)).columns, LEAST_COLUMNS)


def _resumed(console: Console, options: ReplOptions) -> list[str]:
    """Begin a journal in an interactive console; resume another one if requested."""
    typed = not options.commands and options.script is None
    if options.resume is None:
        if typed:
            start_journal(console)
        return []
    packs = frozenset(pack.id for pack in console.rules.game.info.packs)
    path = Path(options.resume) if options.resume else latest_journal(console.rules.game.id, packs)
    lines = restore(console, read_record(text_of(path)))
    if typed:
        start_journal(console, console.done)
    return lines


def _talk(console: Console, options: ReplOptions, teller: Teller) -> int:
    """Run the given commands, or those that the user types; 1 if a command of a script failed."""
    if options.commands:
        lines: Iterable[str] = "\n".join(options.commands).splitlines()
    elif options.script is not None:
        lines = _text_of(options.script).splitlines()
    elif sys.stdin.isatty() and sys.stdout.isatty():
        run_terminal(console, teller, RuleWatcher(console) if options.watch else None)
        return 0
    else:
        lines = sys.stdin
    return 0 if run_script(console, lines, teller, RuleWatcher(console) if options.watch else None) else 1


def _problems_of(game: Game, file: Path) -> tuple[Diagnostic, ...]:
    """The diagnostics of a scenario."""
    report = Report()
    scenario = read_scenario(file, report)
    if scenario is not None:
        run_scenario(game, scenario, report)
    return report.diagnostics


def _text_of(path: Path) -> str:
    try:
        return read_bytes(path, MOST_BYTES).decode("utf-8")
    except Unreadable as problem:
        raise click.UsageError(f"`{path}` cannot be read: {problem}") from None
    except UnicodeDecodeError:
        raise click.UsageError(f"`{path}` cannot be read: it is not text") from None
