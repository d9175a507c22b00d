"""`ruleforge profile`: measures the cost of rules and formulas."""

from __future__ import annotations

from typing import Any

import click

from ruleforge.engine.costs import Costs, costs, costs_data, costs_table
from ruleforge.engine.errors import PlayError
from ruleforge.frontends.cli.arguments import game_argument, option_values, start_options, with_option
from ruleforge.frontends.cli.game_loader import load_or_leave
from ruleforge.frontends.cli.output import colour_option, print_json, refuse, say
from ruleforge.frontends.cli.progress import progress_bar
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class ProfileOptions:
    """The options of the command line."""

    game: str
    packs: tuple[str, ...]
    decisions: int
    seconds: float
    seed: int
    lines: int
    options: tuple[tuple[str, str], ...]
    players: int | None
    as_json: bool


@click.command("profile")
@game_argument
@with_option
@click.option(
    "--decisions", type=click.IntRange(1), default=200, show_default=True, help="Number of random decisions."
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.1),
    default=10.0,
    show_default=True,
    help="Stop after this many seconds.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the games.")
@click.option(
    "--lines", type=click.IntRange(1), default=12, show_default=True, help="Number of rows in each table."
)
@start_options
@click.option(
    "--json", "as_json", is_flag=True, help="Print JSON for programs, with every line of the rules."
)
@colour_option
def command(**given: Any) -> None:
    """Play random decisions and report the cost of each definition and each line of the rules.

    The unit is one step of the reference interpreter: a statement or a part of an expression. So the
    figures are the same on every machine. Listing the legal choices counts too. In many games it is most of
    the work.

    \b
    Example:
      ruleforge profile my-game
      ruleforge profile my-game --with my-pack --decisions 1000 --json
    """
    options = ProfileOptions(**given)
    loaded = load_or_leave(options.game, options.packs)
    try:
        variant = loaded.variant(loaded.compiled.setup(options.players, option_values(options.options)))
    except PlayError as error:
        refuse(error)
    found = Costs(variant.program)
    try:
        with progress_bar("decisions", options.decisions, options.as_json) as progress:
            for found in costs(variant, options.decisions, options.seed, options.seconds):
                progress.update(progress.task_ids[0], completed=found.decisions)
    except KeyboardInterrupt:  # what was found so far is worth something
        pass
    if options.as_json:
        print_json({"decisions": found.decisions, "games": found.games, **costs_data(loaded, found)})
        return
    for line in costs_table(loaded, found, f"{found.decisions:,} random decisions", options.lines):
        say(line)
