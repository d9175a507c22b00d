"""`ruleforge ladder`: measures how strong agents are at a game."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import click

from ruleforge.engine.errors import PlayError
from ruleforge.engine.state import State
from ruleforge.frontends.cli.arguments import game_argument, option_values, start_options, with_option
from ruleforge.frontends.cli.main import INTERRUPTED
from ruleforge.frontends.cli.output import colour_option, leave, print_json, refuse, say
from ruleforge.frontends.cli.progress import progress_bar
from ruleforge.frontends.cli.seat_options import force_options, force_or_leave, game_or_leave, misuse
from ruleforge.play.agents import is_agent
from ruleforge.tools.experiments.intervals import Estimate
from ruleforge.tools.experiments.ladder import Meeting, Pair, pairs, ratings, seating
from ruleforge.tools.experiments.plan import Plan, Rules, Table
from ruleforge.tools.experiments.run import simulate
from ruleforge.tools.experiments.workers import CannotPlay

AGENTS = ("random", "greedy", "mcts:100")
LIMIT = 10_000


@click.command("ladder")
@game_argument
@with_option
@click.option(
    "--agent",
    "agents",
    multiple=True,
    metavar="AGENT",
    help=f"An agent, at least two: {', '.join(AGENTS)} without this option. As in --seat of simulate.",
)
@click.option("--games", type=click.IntRange(2), default=40, show_default=True, help="Games of each pair.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the games.")
@force_options
@start_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@colour_option
def command(**given: Any) -> None:
    """Let every agent play every other one, and print Elo ratings with 95 % confidence intervals.

    Both agents sit at every seat alike. If more than two play, they sit in turns around the table.

    \b
    Example:
      ruleforge ladder my-game --agent random --agent mcts:100 --agent mcts:400 --games 100
    """
    agents = tuple(dict.fromkeys(given["agents"] or AGENTS))
    rules = Rules(given["game"], given["packs"])
    game, options = game_or_leave(rules), option_values(given["options"])
    try:
        start = game.start(players=given["players"], seed=0, options=options)
    except PlayError as error:
        refuse(error)
    _check(agents, start)
    plans = {
        pair: Plan(
            rules,
            given["games"],
            given["seed"],
            0,
            LIMIT,
            Table(given["players"], options, seating(pair, start.players)),
            measure=True,
            rows=True,
        )
        for pair in pairs(agents)
    }
    meetings = dict.fromkeys(plans, Meeting())
    try:
        with progress_bar("playing", given["games"] * len(plans), given["as_json"]) as progress:
            for pair, plan in plans.items():
                force = force_or_leave(given["jobs"], given["cluster"], plan.table)
                with closing(simulate(plan, game, force)) as parts:
                    for part in parts:
                        meetings[pair] = meetings[pair].with_rows(part.rows, pair[0])
                        played = sum(meeting.games for meeting in meetings.values())
                        progress.update(progress.task_ids[0], completed=played)
    except KeyboardInterrupt:
        say("interrupted", err=True)
        leave(INTERRUPTED)
    except CannotPlay as problem:
        say(f"error: {problem}", err=True)
        leave(1)
    found = ratings(agents, meetings)
    order = sorted(agents, key=lambda agent: -found[agent].value)
    if given["as_json"]:
        print_json(_data(order, found, meetings))
    else:
        _tell(order, found, meetings)


def _check(agents: tuple[str, ...], start: State) -> None:
    if len(agents) < 2 or len(start.players) < 2:
        misuse("a ladder needs two agents, and a game of at least two players")
    for agent in agents:
        if not is_agent(agent, start.game.compiled.profiles, outside=True):
            misuse(f"there is no agent `{agent}`")


def _data(order: list[str], found: dict[str, Estimate], meetings: dict[Pair, Meeting]) -> dict[str, Any]:
    return {
        "ratings": [{"agent": agent, **found[agent].as_data()} for agent in order],
        "meetings": [
            {"agents": list(pair), "games": meeting.games, "points": meeting.points}
            for pair, meeting in meetings.items()
        ],
    }


def _tell(order: list[str], found: dict[str, Estimate], meetings: dict[Pair, Meeting]) -> None:
    width = max(map(len, order))
    for agent in order:
        elo, games = found[agent], sum(meeting.games for pair, meeting in meetings.items() if agent in pair)
        interval = f"{elo.low:+.0f} to {elo.high:+.0f}"
        say(f"{agent:{width}}  {elo.value:+6.0f} Elo   95 % interval: {interval:16}  {games} games")
