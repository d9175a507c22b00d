"""`ruleforge balance`: compares a game with and without packs until the effect on the winners is clear."""

from __future__ import annotations

import time
from contextlib import closing
from typing import Any

import click

from ruleforge.engine.errors import PlayError
from ruleforge.engine.game import Game
from ruleforge.engine.loader import best_for_many_games
from ruleforge.frontends.cli.arguments import game_argument, option_values, seats, start_options, with_option
from ruleforge.frontends.cli.experiment_text import percent, say_aligned, signed
from ruleforge.frontends.cli.main import INTERRUPTED
from ruleforge.frontends.cli.output import colour_option, leave, print_diagnostics, print_json, refuse, say
from ruleforge.frontends.cli.progress import progress_bar
from ruleforge.frontends.cli.seat_options import force_options, force_or_leave, game_or_leave, misuse
from ruleforge.play.agents import AGENTS
from ruleforge.project.locator import core_of, find_rules, is_pack
from ruleforge.support.diagnostics import Report
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import counted
from ruleforge.tools.experiments.balance import LOOK, Comparison, Figure, Interim, adds_choices, balance
from ruleforge.tools.experiments.plan import Rules, Table
from ruleforge.tools.experiments.run import Force
from ruleforge.tools.experiments.workers import CannotPlay

NO_CHOICE = "the packs add no choice that a player could avoid"


@dataclass(frozen=True, slots=True)
class BalanceOptions:
    """The options of the command line."""

    game: str
    packs: tuple[str, ...]
    margin: float
    deals: int
    seed: int
    limit: int
    agent: str
    compare: str
    jobs: int
    cluster: str
    options: tuple[tuple[str, str], ...]
    players: int | None
    strict: bool
    as_json: bool


@click.command("balance")
@game_argument
@with_option
@click.option(
    "--margin",
    type=click.FloatRange(0.005, 0.5),
    default=0.05,
    show_default=True,
    help="Largest acceptable difference, as a share of the games: 0.05 means 5 games in 100.",
)
@click.option(
    "--games",
    "deals",
    type=click.IntRange(1),
    default=5000,
    show_default=True,
    help="Largest number of deals.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Seed of the games: same seed, same result."
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=10_000,
    show_default=True,
    help="Largest number of decisions in a game.",
)
@click.option(
    "--agent",
    default="random",
    show_default=True,
    help="Agent of all seats: random, greedy, mcts:200 (simulations), or a profile of the game.",
)
@click.option(
    "--compare",
    type=click.Choice(["all", "seats", "use"]),
    default="all",
    show_default=True,
    help="seats: compare the game with and without the packs; use: compare players who use the packs with others.",
)
@click.option("--strict", is_flag=True, help="Exit with code 1 also if the result stays unclear.")
@force_options
@start_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@colour_option
def command(**given: Any) -> None:
    """Compare a game with packs to the game without, until the result is statistically clear.

    For each seat: does it win as often with the packs as without? Does a player who uses the packs win more
    often than one who ignores them? Exit code 1: a difference is larger than the margin, or too few games
    end. The comparison stops as soon as every interval lies inside the margin, or one lies outside.

    \b
    Example:
      ruleforge balance my-game --with my-pack --margin 0.05
    """
    request = BalanceOptions(**given)
    core, packs = _rules(request)
    games = game_or_leave(core), game_or_leave(packs)
    trial = _trial(request, core, packs, games[1])
    force = force_or_leave(request.jobs, request.cluster, Table(agents={"all": request.agent}))
    began = time.perf_counter()
    look, whole = _looked(trial, games, force, request.as_json)
    if look is None:
        say("interrupted before the first result", err=True)
        leave(INTERRUPTED)
    if request.as_json:
        print_json(_data(trial, games[1], look, time.perf_counter() - began))
    else:
        _show(trial, games[1], look)
    if not whole:
        say(f"interrupted after {look.deals} of {counted(trial.deals, 'deal')}", err=True)
        leave(INTERRUPTED)
    leave(0 if _is_fine(look, request.strict) else 1)


def _is_fine(look: Interim, strict: bool) -> bool:
    """Nothing was shown to be too much; with `strict`, that nothing is was shown."""
    if look.verdict == "unknown":
        return False
    return (
        look.verdict == "within" and look.settled
        if strict
        else not (look.verdict == "beyond" and look.settled)
    )


def _rules(request: BalanceOptions) -> tuple[Rules, Rules]:
    """The game without its packs and with them; a pack by itself stands for its game."""
    report = Report()
    path = find_rules(request.game, report)
    found = core_of(path, report) if path is not None and is_pack(path) else None
    if report.has_errors:
        print_diagnostics(report.diagnostics)
        leave(1)
    if not request.packs and found is None:
        misuse("there are no packs to compare; add `--with PACK`")
    backend = best_for_many_games()
    return Rules(str(found or request.game), (), backend), Rules(request.game, request.packs, backend)


def _trial(request: BalanceOptions, core: Rules, packs: Rules, game: Game) -> Comparison:
    options = option_values(request.options)
    try:
        start = game.start(players=request.players, seed=0, options=options)
    except PlayError as error:
        refuse(error)
    several = len(start.players) > 1
    if request.compare == "use" and not (several and adds_choices(game)):
        why = NO_CHOICE if several else "there is only one seat"
        misuse(f"nothing to compare: {why}")
    agents = seats(tuple((player, request.agent) for player in start.players), AGENTS, start)
    table = Table(request.players, options, agents)
    return Comparison(
        core,
        packs,
        table,
        request.deals,
        request.seed,
        request.limit,
        request.margin,
        request.agent,
        seats=request.compare != "use",
        use=request.compare != "seats" and several,
    )


def _looked(
    trial: Comparison, games: tuple[Game, Game], force: Force, silent: bool
) -> tuple[Interim | None, bool]:
    """The last look, and whether there is nothing more to see."""
    look: Interim | None = None
    with progress_bar("comparing", trial.deals, silent) as progress:
        try:
            with closing(balance(trial, *games, force)) as looks:
                for look in looks:
                    progress.update(progress.task_ids[0], completed=look.deals)
        except KeyboardInterrupt:
            return look, False
        except PlayError as error:
            refuse(error)
        except CannotPlay as problem:
            say(f"error: {problem}", err=True)
            leave(1)
    return look, True


def _data(trial: Comparison, game: Game, look: Interim, seconds: float) -> dict[str, Any]:
    return {
        "game": game.id,
        "version": game.version,
        "packs": [pack.id for pack in game.info.packs],
        "seed": trial.seed,
        "agent": trial.agent,
        "margin": trial.margin,
        "verdict": look.verdict,
        "settled": look.settled,
        "figures": [_figure(figure) for figure in look.figures],
        "deals": look.deals,
        "games": look.games,
        "unfinished": look.unfinished,
        "timing": {"seconds": round(seconds, 3)},
    }


def _figure(figure: Figure) -> dict[str, Any]:
    return {
        "name": figure.name,
        "difference": figure.estimate.as_data(),
        "deals": figure.deals,
        "settled": figure.settled,
        "beyond": figure.beyond,
    }


def _show(trial: Comparison, game: Game, look: Interim) -> None:
    packs = ", ".join(pack.title for pack in game.info.packs)
    say(f"{game.title} with {packs}: {_verdict(trial, look)}")
    say_aligned([("difference in wins", "", "interval", ""), *map(_row, look.figures)])
    if trial.use and not any(figure.name == "use" for figure in look.figures):
        say(NO_CHOICE)
    say(
        f"{counted(look.games, 'game')} after {counted(look.deals, 'deal')}, agent {trial.agent}, seed {trial.seed}"
    )
    if look.unfinished:
        lost = counted(look.unfinished, "game")
        say(f"{lost} did not end within {counted(trial.limit, 'decision')}; their deals are not compared")
    elif not look.settled:
        say(f"to get a clear result, try more deals: --games {max(2 * trial.deals, 4 * LOOK)}")


def _verdict(trial: Comparison, look: Interim) -> str:
    if look.verdict == "unknown":
        return "unknown, too few games ended"
    margin = f"{look.verdict} the margin of {percent(trial.margin)}"
    return margin if look.settled else f"probably {margin}"


def _row(figure: Figure) -> tuple[str, ...]:
    found = figure.estimate
    words = (
        "  player who uses the packs"
        if figure.name == "use"
        else f"  seat {figure.name.removeprefix('seat ')}"
    )
    if not figure.deals:
        return words, "", "", "unknown"
    verdict = ("beyond" if figure.beyond else "within") if figure.settled else "unclear"
    return words, signed(found.value), f"{signed(found.low)} to {signed(found.high)}", verdict
