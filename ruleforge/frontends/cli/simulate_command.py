"""`ruleforge simulate`: plays many games and reports the results."""

from __future__ import annotations

import shlex
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from ruleforge.engine.errors import ExpressionError, PlayError
from ruleforge.engine.game import Game
from ruleforge.engine.loader import BACKENDS, best_for_many_games
from ruleforge.frontends.cli.arguments import (
    Pair,
    game_argument,
    option_values,
    seats,
    start_options,
    with_option,
)
from ruleforge.frontends.cli.experiment_text import show
from ruleforge.frontends.cli.main import INTERRUPTED
from ruleforge.frontends.cli.output import (
    colour_option,
    leave,
    output,
    print_diagnostics,
    print_json,
    refuse,
    say,
)
from ruleforge.frontends.cli.progress import progress_bar
from ruleforge.frontends.cli.seat_options import force_options, force_or_leave, game_or_leave, misuse
from ruleforge.play.agents import AGENTS
from ruleforge.support.output_files import write_text
from ruleforge.support.records import dataclass
from ruleforge.tools.experiments.game_runner import variant_of
from ruleforge.tools.experiments.plan import Plan, Rules, Table
from ruleforge.tools.experiments.report import check_report
from ruleforge.tools.experiments.rows import CannotWriteResults, check_file, write_decisions, write_games
from ruleforge.tools.experiments.run import Force, simulate
from ruleforge.tools.experiments.summary import games, summary, timing
from ruleforge.tools.experiments.tally import Tally, added
from ruleforge.tools.experiments.workers import CannotPlay

MANY = 200  # games that are worth compiling for
LIMIT = 10_000
FILE = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True)
class SimulateOptions:
    """The options of the command line."""

    game: str
    packs: tuple[str, ...]
    games: int
    seed: int
    first: int
    limit: int
    seating: tuple[tuple[str, str], ...]
    swap: bool
    measure: bool
    chances: int
    count: tuple[str, ...]
    backend: str
    observe: bool
    jobs: int
    cluster: str
    options: tuple[tuple[str, str], ...]
    players: int | None
    out: Path | None
    decisions: Path | None
    report: Path | None
    as_json: bool

    @property
    def looks(self) -> bool:
        """Whether every decision is looked at: beside agents that think it costs little, and a page lives by it."""
        thinking = any(agent != "random" for _, agent in self.seating)
        return bool(self.measure or self.decisions or self.report or self.chances or thinking)

    def rules(self) -> Rules:
        """Machine code where it pays: for many games, and to tell chances."""
        many = self.backend == "auto" and (self.games >= MANY or self.chances)
        return Rules(self.game, self.packs, best_for_many_games() if many else self.backend, self.observe)

    def plan(self, rules: Rules, agents: dict[str, str]) -> Plan:
        return Plan(
            rules,
            self.games,
            self.seed,
            self.first,
            self.limit,
            Table(self.players, option_values(self.options), agents, self.swap),
            measure=self.looks,
            rows=self.out is not None,
            decisions=self.decisions is not None,
            chances=self.chances,
            count=self.count,
        )


@click.command("simulate")
@game_argument
@with_option
@click.option("--games", type=click.IntRange(1), default=1000, show_default=True, help="Number of games.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Seed of the games: same seed, same games."
)
@click.option(
    "--first",
    type=click.IntRange(0, 2**31),
    default=0,
    show_default=True,
    help="Number of the first game of the seed.",
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=LIMIT,
    show_default=True,
    help="Largest number of decisions in a game.",
)
@click.option(
    "--seat",
    "seating",
    type=Pair(),
    multiple=True,
    help="NAME=random, NAME=greedy, NAME=mcts, NAME=mcts:1s (time) or NAME=mcts:2000 (simulations), NAME=PROFILE.",
)
@click.option(
    "--swap/--no-swap",
    default=True,
    show_default=True,
    help="Play each deal once for every rotation of the agents around the table.",
)
@click.option("--measure", is_flag=True, help="Measure every decision: choices, leads, drama, use of cards.")
@click.option(
    "--chances",
    type=click.IntRange(0, 10_000),
    default=0,
    metavar="N",
    help="Measure, and estimate the leader at each decision with N random games.",
)
@click.option(
    "--count",
    multiple=True,
    metavar="NAME",
    help="Count an event, action or rule, or evaluate an expression at the end of each game (repeatable).",
)
@click.option(
    "--backend",
    type=click.Choice(BACKENDS),
    default="auto",
    show_default=True,
    help="Backend. auto: machine code for many games, if it is installed.",
)
@click.option(
    "--observe",
    is_flag=True,
    help="Let packs break the contract of the game in play, and count the breaches.",
)
@force_options
@start_options
@click.option(
    "--out", type=FILE, default=None, help="Write one row for each game to NAME.csv or NAME.parquet."
)
@click.option(
    "--decisions",
    type=FILE,
    default=None,
    help="Write one row for each decision to NAME.csv or NAME.parquet; implies --measure.",
)
@click.option(
    "--report", type=FILE, default=None, help="Write a page with plots to NAME.html; implies --measure."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@colour_option
def command(**given: Any) -> None:
    """Play many games and report how they end, who wins, and how long they take.

    Games longer than --limit decisions are stopped and counted as unfinished. Ctrl-C shows the result so
    far. The same seed gives the same games for any number of processes.

    \b
    Example:
      ruleforge simulate my-game --games 2000 --seed 1 --jobs 2
      ruleforge simulate my-game --seat ann=mcts:200 --games 100 --out games.csv
    """
    request = SimulateOptions(**given)
    _check_files(request)
    rules = request.rules()
    game = game_or_leave(rules)
    try:
        start = game.start(players=request.players, seed=0, options=option_values(request.options))
    except PlayError as error:
        refuse(error)
    plan = request.plan(rules, seats(request.seating, AGENTS, start))
    _check_counts(plan, game)
    force = force_or_leave(request.jobs, request.cluster, plan.table)
    began = time.perf_counter()
    total, whole = _played(plan, game, force, request.as_json)
    if not whole and not total.games:
        say("interrupted before the first result", err=True)
        leave(INTERRUPTED)
    data = summary(total, plan, variant_of(plan, game))
    data["timing"] = timing(total, time.perf_counter() - began)
    _keep(request, total, game, start.players)
    if request.report is not None:
        from ruleforge.tools.experiments.report.page import page

        write_text(request.report, page(game.title, _the_page_again(request), data, total))
    if request.as_json:
        print_json(data)
    else:
        show(game.title, data, _again(request), output().console())
    if not whole:
        say(f"interrupted after {total.games} of {games(plan.games)}", err=True)
        leave(INTERRUPTED)
    if total.failed or total.violations:
        leave(1)


def _played(plan: Plan, game: Game, force: Force, silent: bool) -> tuple[Tally, bool]:
    """The games played, and whether they are complete."""
    total, whole = Tally(), True
    with progress_bar("playing", plan.games, silent) as progress:
        try:
            with closing(simulate(plan, game, force)) as parts:
                for part in parts:
                    total = added(total, part)
                    progress.update(progress.task_ids[0], completed=total.games)
        except KeyboardInterrupt:
            whole = False
        except CannotPlay as problem:
            say(f"error: {problem}", err=True)
            leave(1)
    return total, whole


def _check_files(request: SimulateOptions) -> None:
    try:
        for path in filter(None, (request.out, request.decisions)):
            check_file(path)
        if request.report is not None:
            check_report(request.report)
    except CannotWriteResults as problem:
        misuse(str(problem))


def _check_counts(plan: Plan, game: Game) -> None:
    """Check that each text to count is valid, and that the backend plays the games."""
    if plan.count and not plan.counted:
        misuse("`--count` works only with random games; leave out agents, measures, decisions and the report")
    try:
        variant_of(plan, game).special.measuring(plan.count)
    except ExpressionError as error:
        print_diagnostics(error.diagnostics)
        leave(2)
    except PlayError as error:
        refuse(error)


def _keep(request: SimulateOptions, total: Tally, game: Game, players: tuple[str, ...]) -> None:
    about = {"game": game.id, "version": game.version, "seed": str(request.seed)}
    if request.out is not None:
        write_games(request.out, total.rows, about, request.count)
    if request.decisions is not None:
        write_decisions(request.decisions, total.decision_rows, about, players)


def _the_page_again(request: SimulateOptions) -> str:
    """The command that draws the same page once more."""
    rest = f" --first {request.first}" if request.first else ""
    rest += f" --chances {request.chances}" if request.chances else ""
    return f"{_again(request)}{rest} --games {request.games} --report {shlex.quote(str(request.report))}"


def _again(request: SimulateOptions) -> str:
    """The command that plays some games of these once more."""
    packs = "".join(f" --with {shlex.quote(pack)}" for pack in request.packs)
    options = "".join(f" --option {shlex.quote(f'{name}={value}')}" for name, value in request.options)
    players = f" --players {request.players}" if request.players else ""
    agents = "".join(f" --seat {shlex.quote(f'{seat}={agent}')}" for seat, agent in request.seating)
    rest = f" --no-swap{agents}" if agents and not request.swap else agents
    rest += f" --limit {request.limit}" if request.limit != LIMIT else ""
    rest += " --observe" if request.observe else ""
    return (
        f"ruleforge simulate {shlex.quote(request.game)}{packs}{players}{options}{rest} --seed {request.seed}"
    )
