"""`ruleforge simulate`: many games by themselves, and what came of them."""

from __future__ import annotations

import os
import time
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ruleforge.engine.errors import PlayError
from ruleforge.frontends.cli.arguments import (
    Pair,
    game_argument,
    option_values,
    seats,
    start_options,
    with_option,
)
from ruleforge.frontends.cli.output import colour_option, leave, load_or_leave, output, print_json, refuse
from ruleforge.frontends.cli.progress import progress_bar
from ruleforge.frontends.simulate.run import Plan, simulate
from ruleforge.frontends.simulate.tally import Tally
from ruleforge.loading import BACKENDS, best_for_many_games
from ruleforge.play.agents import AGENTS

MANY = 200  # games that are worth compiling for


@click.command("simulate")
@game_argument
@with_option
@click.option("--games", type=click.IntRange(1), default=1000, show_default=True, help="How many games.")
@click.option("--seed", type=int, default=0, show_default=True, help="Same seed, same games.")
@click.option(
    "--jobs", type=click.IntRange(0, 256), default=1, show_default=True, help="Processes; 0: one a core."
)
@click.option(
    "--limit", type=click.IntRange(1), default=10_000, show_default=True, help="Decisions in a game."
)
@click.option(
    "--agent",
    "agents",
    type=Pair(),
    multiple=True,
    help="SEAT=random, SEAT=mcts, SEAT=mcts:1s (time) or SEAT=mcts:2000 (simulations).",
)
@click.option(
    "--backend",
    type=click.Choice(BACKENDS),
    default="auto",
    show_default=True,
    help="What plays; auto: machine code for many games, if it is installed.",
)
@click.option(
    "--observe",
    is_flag=True,
    help="Keep nothing back from packs that the contract of the game would; count the breaches instead.",
)
@start_options
@click.option("--json", "as_json", is_flag=True, help="Print for programs.")
@colour_option
def command(
    game: str,
    packs: tuple[str, ...],
    games: int,
    seed: int,
    jobs: int,
    limit: int,
    agents: tuple[tuple[str, str], ...],
    backend: str,
    observe: bool,
    options: tuple[tuple[str, str], ...],
    players: int | None,
    as_json: bool,
) -> None:
    """Play many games and count how they end, who wins, and how long they take.

    Games longer than --limit decisions are cut off and counted as such.

    \b
    Example:
      ruleforge simulate my-game --games 2000 --seed 1 --jobs 2
    """
    if backend == "auto" and games >= MANY:
        backend = best_for_many_games()
    loaded = load_or_leave(game, packs, backend, observe)
    try:
        start = loaded.start(players=players, seed=0, options=option_values(options))
    except PlayError as error:
        refuse(error)
    chosen = seats(agents, AGENTS, start)
    plan = Plan(game, packs, games, seed, limit, players, option_values(options), chosen, backend, observe)
    total, began = Tally(), time.perf_counter()
    with progress_bar("playing", games, as_json) as progress:
        for part in simulate(plan, loaded, jobs or os.cpu_count() or 1):
            total.add(part)
            progress.update(progress.task_ids[0], completed=total.games)
    data = total.as_data(start.players, time.perf_counter() - began)
    if as_json:
        print_json({"game": loaded.id, "version": loaded.version, "seed": seed, "limit": limit, **data})
    else:
        _show(loaded.title, data, output().console())
    if total.failed or total.violations:
        leave(1)


def _show(title: str, data: dict[str, Any], console: Console) -> None:
    games = data["games"]
    rest = f": {games} games, {data['decisions_per_second']:,} decisions a second"
    console.print(Text(title, "bold").append(rest, "not bold"))
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_column(justify="right")
    for heading, counts in (("ended by", data["endings"]), ("won by", data["wins"])):
        for name, count in counts.items():
            table.add_row(f"{heading} {name}", f"{count}", _share(count, games))
    for name in ("draws", "cut_off", "failed"):
        if data[name]:
            table.add_row(name.replace("_", " "), f"{data[name]}", _share(data[name], games))
    console.print(table)
    scores = ", ".join(f"{player} {score:+.3f}" for player, score in data["mean_scores"].items())
    length = data["length"]
    console.print(f"mean score: {scores}")
    console.print(
        f"decisions in a game: {length['min']} to {length['max']}, "
        f"mean {length['mean']}, median {length['median']}"
    )
    for code, count in data["failures"].items():
        stopped = Text(f"{count} games were stopped by {code}", "red")
        console.print(stopped.append(f"; see: ruleforge explain {code}", "default"))
    for name, count in data["violations"].items():
        broken = (
            f"there was a {name}" if name.startswith("breach ") else f"the invariant `{name}` did not hold"
        )
        console.print(f"in {count} games {broken}", style="red")


def _share(count: int, games: int) -> str:
    return f"{100 * count / games:.1f} %"
