"""OpenSpiel's own tests for every shipped game, and its solvers on ours and on its own."""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, expected_game_score, generate_playthrough, mcts
from open_spiel.python.algorithms.get_all_states import get_all_states
from open_spiel.python.bots.uniform_random import UniformRandomBot

from ruleforge import rl
from ruleforge.support.resources import shipped_games
from tests.shelf import game as shelved
from tests.thorough import THOROUGH, most, some_of

NAMES = sorted(shipped_games())
SAMPLE = some_of(NAMES, 7, "openspiel")


@pytest.mark.parametrize("name", SAMPLE)
def test_a_simulation_at_random_passes(name: str) -> None:
    game = rl.openspiel_game(shelved(name), max_length=most(6, 60))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


CARD_GAMES = {"kuhn-poker": ("kuhn_poker", (-2, 2)), "leduc-poker": ("leduc_poker", (-13, 13))}


@pytest.mark.parametrize("name", ["kuhn-poker", *(["leduc-poker"] if THOROUGH else [])])
def test_a_solver_finds_the_same_value_in_our_game_and_in_theirs(name: str) -> None:
    theirs, utility = CARD_GAMES[name]
    ours = rl.openspiel_game(shelved(name), zero_sum=True, utility=utility)
    values, states = [], []
    for game in (ours, pyspiel.load_game(theirs)):
        solver = cfr.CFRSolver(game)
        for _ in range(most(20, 100)):
            solver.evaluate_and_update_policy()
        policy = solver.average_policy()
        values.append(expected_game_score.policy_value(game.new_initial_state(), [policy] * 2)[0])
        states.append(len(solver._info_state_nodes))
    assert states[0] == states[1]
    assert values[0] == pytest.approx(values[1], abs=1e-6)


def test_a_state_of_information_holds_all_that_was_told() -> None:
    game = rl.openspiel_game("kuhn-poker", zero_sum=True, utility=(-2, 2))
    states = get_all_states(game, include_chance_states=False, include_terminals=False).values()
    told = {(s.current_player(), s.information_state_string()) for s in states}
    assert len(told) == 12


def test_the_tensor_of_an_information_state_holds_the_last_choices() -> None:
    game = rl.openspiel_game("connect-four", recall=3)
    state = game.new_initial_state()
    for action in (3, 3, 2, 6):
        state.apply_action(action)
    tensor = state.information_state_tensor(0)
    told = tensor[len(state.observation_tensor(0)) :]
    rows = [told[row * 9 : (row + 1) * 9] for row in range(3)]
    assert [(row[:2].index(1), row[2:].index(1)) for row in rows] == [(1, 6), (0, 2), (1, 3)]


def test_scores_that_do_not_add_up_are_refused() -> None:
    game = rl.openspiel_game("blackjack", zero_sum=True, max_length=100_000)
    state = game.new_initial_state()
    with pytest.raises(ValueError, match="zero-sum"):
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        state.returns()


@pytest.mark.parametrize("name", ["orbit-simulator", *(["splicers", "soul-gems"] if THOROUGH else [])])
def test_a_searching_bot_plays(name: str) -> None:
    game = rl.openspiel_game(shelved(name), max_length=12)
    evaluator = mcts.RandomRolloutEvaluator(1)
    searching = mcts.MCTSBot(game, 1.4, 4, evaluator)
    bots = [searching, UniformRandomBot(1, np.random.RandomState(1))]
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        else:
            state.apply_action(bots[state.current_player()].step(state))
    assert state.is_terminal()


def test_a_playthrough_is_written() -> None:
    """The text with which OpenSpiel describes its own games: type, parameters, and every position of one game."""
    game = rl.openspiel_game("kuhn-poker", zero_sum=True, utility=(-2, 2))
    text = generate_playthrough.playthrough(game.get_type().short_name, None, seed=1)
    for line in ('GameType.long_name = "Kuhn poker"', "NumDistinctActions() = 4", "MaxChanceOutcomes() = 3"):
        assert f"{line}\n" in text
    assert "ChanceOutcomes() = [(0,0.333333), (1,0.333333), (2,0.333333)]" in text
    assert text.count("IsTerminal() = True") == 1 and "InformationStateTensor(1).card is hidden" in text


def test_a_clone_shares_the_position() -> None:
    """A clone takes the same time however long the game is: what it has is not copied before it changes."""
    state = rl.openspiel_game("connect-four").new_initial_state()
    state.apply_action(3)
    twin = state.clone()
    assert twin.position is state.position
    twin.apply_action(3)
    assert twin.position is not state.position and twin.history() != state.history()
