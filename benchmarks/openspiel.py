"""OpenSpiel driven from Python: its C++ games, Python's random numbers, one call for each step."""

from __future__ import annotations

from random import Random
from typing import Any

NAMES = {
    "tic-tac-toe": "tic_tac_toe",
    "connect-four": "connect_four",
    "breakthrough": "breakthrough",
    "hex": "hex",
    "chess": "chess",
    "checkers": "checkers",
    "backgammon": "backgammon",
    "hearts": "hearts",
    "quoridor": "quoridor",
    "go": "go(board_size=9)",
}


def load(name: str) -> Any:
    import pyspiel

    return pyspiel.load_game(NAMES[name])


def play_out(game: Any, times: int, rng: Random) -> None:
    draw = rng.random
    for _ in range(times):
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(draw() * len(actions))])
        state.returns()  # a game nobody reads the result of is not worth playing; ours is read as well


def roll_out(game: Any, times: int, seed: int) -> None:
    """Random games that never leave C++: the evaluator of a search that looks at one position twice."""
    import pyspiel

    evaluator = pyspiel.RandomRolloutEvaluator(max(times // 2, 1), seed)
    pyspiel.MCTSBot(game, evaluator, 1.4, 2, 100, False, seed, False).mcts_search(_begun(game))


def _begun(game: Any) -> Any:
    """The first position in which somebody decides: cards are dealt, as in ours."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def search(game: Any, simulations: int, seed: int) -> None:
    """OpenSpiel's own search in C++, one rollout a simulation."""
    import pyspiel

    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 100, False, seed, False)
    bot.mcts_search(game.new_initial_state())


def length(game: Any, times: int, rng: Random) -> float:
    """How many moves a random game has on the average."""
    made = 0
    for _ in range(times):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            made += 1
    return made / times


def middle_position(game: Any, plies: int, rng: Random) -> Any:
    state = game.new_initial_state()
    for _ in range(plies):
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def clone(state: Any, times: int) -> None:
    copy = state.clone
    for _ in range(times):
        copy()
