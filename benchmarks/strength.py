"""How often an agent beats another: `python -m benchmarks.strength splicers --agent mcts:1s --against random`.

The agent sits in each seat in turn. The interval is Wilson's, of 95 %.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator

import ruleforge
from ruleforge.compiling import OptionValue
from ruleforge.engine.game import Game
from ruleforge.play.agents import make_agent

LONGEST = 5_000  # decisions; a game without an end by then counts as half


def main() -> None:
    arguments = _arguments()
    game = ruleforge.load(arguments.game)
    options = {name: _value(value) for name, _, value in (text.partition("=") for text in arguments.option)}
    won, played = 0.0, 0
    for share in games(game, options, arguments):
        won, played = won + share, played + 1
        low, high = interval(won, played)
        print(f"\r{arguments.agent} has won {won:g} of {played}: {low:.2f} to {high:.2f}", end="", flush=True)
    print(
        f"  ({arguments.game}, against {arguments.against}; an equal player would win {1 / arguments.seats:.2f})"
    )


def games(game: Game, options: dict[str, OptionValue], arguments: argparse.Namespace) -> Iterator[float]:
    """The agent's share of each game: 1 for winning alone, a part where several win or nobody does."""
    for number in range(arguments.games):
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
    parser.add_argument("game")
    parser.add_argument("--agent", default="mcts:1s")
    parser.add_argument("--against", default="random")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    return parser.parse_args()


if __name__ == "__main__":
    main()
