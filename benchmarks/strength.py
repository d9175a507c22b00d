"""How often an agent beats another: `python -m benchmarks.strength splicers --agent mcts:1s --against random`.

Without a game it is the whole table: the five rulesets and two games that are well known. The agent sits in each seat
in turn. The interval is Wilson's, of 95 %.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator

import ruleforge
from ruleforge.backends.artifacts.info import OptionValue
from ruleforge.engine.game import Game
from ruleforge.play.agents import make_agent

LONGEST = 5_000  # decisions; a game without an end by then counts as half


# The whole table, each with a number of games for which the interval is clear.
TABLE = {
    "connect-four": 100,
    "breakthrough": 100,
    "orbit-simulator": 24,
    "primordial-orbs": 40,
    "primordial-soup": 24,
    "soul-gems": 24,
    "splicers": 40,
}


def main() -> None:
    arguments = _arguments()
    if arguments.game is not None:
        print(measured(arguments.game, arguments, arguments.games or 40))
        return
    print("| game | agent | won | 95 % interval | equal players |")
    print("|---|---|---|---|---|")
    for name, count in TABLE.items():
        print(measured(name, arguments, arguments.games or count), flush=True)


def measured(name: str, arguments: argparse.Namespace, count: int) -> str:
    """A row of the table; while it is played, how it stands."""
    game = ruleforge.load(name)
    options = {name: _value(value) for name, _, value in (text.partition("=") for text in arguments.option)}
    won, played, low, high = 0.0, 0, 0.0, 1.0
    for share in games(game, options, arguments, count):
        won, played = won + share, played + 1
        low, high = interval(won, played)
        if sys.stderr.isatty():
            print(f"\r{name}: {won:g} of {played} ", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r", end="", file=sys.stderr)
    return (
        f"| {name} | `{arguments.agent}` against `{arguments.against}` | {won:g} of {played} "
        f"| {low:.2f} to {high:.2f} | {1 / arguments.seats:.2f} |"
    )


def games(
    game: Game, options: dict[str, OptionValue], arguments: argparse.Namespace, count: int
) -> Iterator[float]:
    """The agent's share of each game: 1 for winning alone, a part where several win or nobody does."""
    for number in range(count):
        seed = arguments.seed + number
        state = game.start(seed=seed, players=arguments.seats, options=options)
        mine = state.players[number % arguments.seats]
        agents = {
            name: make_agent(arguments.agent if name == mine else arguments.against, seed)
            for name in state.players
        }
        for _ in range(LONGEST):
            decision = state.decision
            if decision is None:
                break
            state.apply(agents[decision.player].choose(state))
        winners = (state.outcome.winners if state.outcome else ()) or state.players
        yield (mine in winners) / len(winners)


def interval(won: float, played: int) -> tuple[float, float]:
    """What the true share may be."""
    z, share = 1.96, won / played
    middle = share + z * z / (2 * played)
    width = z * math.sqrt(share * (1 - share) / played + z * z / (4 * played * played))
    scale = 1 + z * z / played
    return (middle - width) / scale, (middle + width) / scale


def _value(text: str) -> OptionValue:
    return int(text) if text.isdecimal() else {"true": True, "false": False}.get(text, text)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", help="one game; without it the whole table")
    parser.add_argument("--agent", default="mcts:1s")
    parser.add_argument("--against", default="random")
    parser.add_argument("--games", type=int, help="how many games (40, in the table as many as are clear)")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    return parser.parse_args()


if __name__ == "__main__":
    main()
