"""`ruleforge balance`: a game with packs against the game without, until it is known whether they change who wins."""

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
from ruleforge.frontends.cli.output import colour_option, complain, leave, print_json, refuse, say
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


@dataclass(frozen=True, slots=True)
class BalanceOptions:
    """What somebody asked for at the command line."""

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
    help="What difference is too much, as a share of the games: 0.05 is five games in a hundred.",
)
@click.option(
    "--games", "deals", type=click.IntRange(1), default=5000, show_default=True, help="Deals at most."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Same seed, same games, same answer.")
@click.option(
    "--limit", type=click.IntRange(1), default=10_000, show_default=True, help="Decisions in a game."
)
@click.option(
    "--agent",
    default="random",
    show_default=True,
    help="Who plays all seats: random, greedy, mcts:200 (simulations), or a profile of the game.",
)
@click.option(
    "--compare",
    type=click.Choice(["all", "seats", "use"]),
    default="all",
    show_default=True,
    help="seats: with the packs and without; use: who uses what they add and who does not.",
)
@click.option("--strict", is_flag=True, help="Exit 1 also where the deals do not settle it.")
@force_options
@start_options
@click.option("--json", "as_json", is_flag=True, help="Print for programs.")
@colour_option
def command(**given: Any) -> None:
    """Play a game with packs against the game without, until it is known whether the packs change who wins.

    For each seat: does it win as often with the packs as without? And does a seat that uses what the packs add win more
    than one that leaves it alone? Exit 1 if a difference is beyond the margin for sure, or too few games end. It stops
    as soon as every interval lies inside the margin, or one outside.

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
        say("interrupted before anything was known", err=True)
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
        complain(report.diagnostics)
        leave(1)
    if not request.packs and found is None:
        misuse("there is nothing to compare: say `--with PACK`")
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
        why = "the packs add nothing that a seat could leave alone" if several else "there is only one seat"
        misuse(f"there is nothing to compare: {why}")
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
    if look.verdict == "unknown":
        text = "not known, for too few games end"
    else:
        text = f"{look.verdict} {percent(trial.margin)}{'' if look.settled else ', but that is not settled'}"
    say(f"{game.title} with {packs}: {text}")
    say_aligned([_row(figure) for figure in look.figures])
    if trial.use and not any(figure.name == "use" for figure in look.figures):
        say("the packs add nothing that a seat could leave alone")
    say(
        f"{counted(look.games, 'game')} after {counted(look.deals, 'deal')} of {trial.agent} players, seed {trial.seed}"
    )
    if look.unfinished:
        say(
            f"{look.unfinished} of them did not end within {counted(trial.limit, 'decision')}; their deals say nothing"
        )
    elif not look.settled:
        say(
            f"more than {counted(trial.deals, 'deal')} would settle it: --games {max(2 * trial.deals, 4 * LOOK)}"
        )


def _row(figure: Figure) -> tuple[str, ...]:
    found = figure.estimate
    ends = f"{signed(found.low)} to {signed(found.high)}"
    verdict = ("beyond" if figure.beyond else "within") if figure.settled else "open"
    if not figure.deals:
        return f"{figure.name}", "", "", "unknown"
    words = "using the packs" if figure.name == "use" else f"{figure.name} with the packs"
    return words, signed(found.value), ends, verdict
