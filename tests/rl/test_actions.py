"""Bounded actions: their numbers, their names, and that they play the games that whole choices play."""

from __future__ import annotations

import copy
import pickle
import random

import numpy as np
import pytest

import ruleforge
from ruleforge import rl
from ruleforge.rl.actions import MOST_ACTIONS, Actions
from ruleforge.support.resources import shipped_games
from tests.shelf import game as shelved
from tests.thorough import most, some_of

GAMES = sorted(shipped_games())
SAMPLE = some_of(GAMES, 16, "actions")
WIDE = ["chess", "cribbage", "parish", "primordial-soup", "soul-gems", "splicers"]


@pytest.mark.parametrize("name", GAMES)
def test_there_are_few_actions_each_with_a_name_of_its_own(name: str) -> None:
    space, open_chance = (rl.space(shelved(name), chance=chance) for chance in ("sampled", "explicit"))
    names = space.actions.names
    assert 0 < space.actions.count <= MOST_ACTIONS and space.chance_actions.count <= MOST_ACTIONS
    assert len(set(names)) == len(names) == space.actions.count
    assert open_chance.actions.names == names  # dice that are decisions do not change the numbers of players
    assert Actions(space.variant).names == names


@pytest.mark.parametrize("name", sorted({*SAMPLE, *WIDE}))
def test_actions_and_whole_choices_play_the_same_games(name: str) -> None:
    """Every choice has its own actions; taken one by one they lead to the state that the choice leads to."""
    space = rl.space(shelved(name))
    for seed in range(most(1, 20)):
        rng, position = random.Random(seed), space.start(seed)
        state = position.state.copy()
        for _ in range(most(60, 1_000)):
            if state.choices and not position.fault:
                both_ways(position, state, rng)


def both_ways(position: rl.Position, state: ruleforge.State, rng: random.Random) -> None:
    """Make a choice in the state, and its actions in the position. A limit of the rules stops both."""
    paths = position.actions.paths(state.choices)
    assert len(set(paths)) == len(paths)
    pick = rng.randrange(len(paths))
    for action in paths[pick]:
        if position.state == state and action in position.legal():  # steps with one answer are skipped
            position.act(action)
    try:
        state.apply(state.choices[pick])
    except ruleforge.IllegalChoice as refusal:
        assert position.fault == refusal.code
        return
    assert position.state == state


@pytest.mark.parametrize("name", WIDE)
def test_a_wide_choice_is_asked_in_steps(name: str) -> None:
    space, rng = rl.space(shelved(name)), random.Random(3)
    position, met = space.start(2), 0
    for _ in range(400):
        if position.player < 0:
            break
        counts, mask = position.counts(), position.mask()
        assert list(np.flatnonzero(mask)) == sorted(counts)
        assert len(counts) > 1 or sum(counts.values()) == 1, "a step with one answer is skipped"
        met += bool(position.earlier)
        position.act_at_random(rng)
    assert met


def test_a_number_of_any_size_is_asked_digit_by_digit() -> None:
    names = rl.space(shelved("soul-gems")).actions.names
    digits = [name for name in names if " lp " in name]
    assert digits and any(" to " in name for name in digits) and any(" plus " in name for name in digits)


def test_an_action_that_is_not_legal_changes_nothing() -> None:
    position = rl.space("connect-four").start()
    before = position.state.copy()
    with pytest.raises(ValueError, match="action 99 is not legal"):
        position.act(99)
    assert position.state == before


def test_positions_are_copied_and_pickled_also_inside_of_a_choice() -> None:
    position = rl.space("chess").start(remember=True)
    position.act(next(a for a in position.legal() if len(position.counts()) > 1))
    assert position.earlier
    for twin in (position.copy(), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert twin.legal() == position.legal() and twin.earlier == position.earlier
        twin.act(twin.legal()[0])
        assert twin.state != position.state or twin.earlier != position.earlier
    assert position.state == rl.space("chess").start().state


def test_the_number_of_an_answer_about_a_hidden_thing_does_not_tell_which() -> None:
    space = rl.space("splicers")
    hidden = [n for n, name in enumerate(space.actions.names) if "hidden answer" in name]
    assert hidden


# --- tensors ---


@pytest.mark.parametrize("name", SAMPLE)
def test_a_tensor_has_a_number_for_every_part_of_its_fields(name: str) -> None:
    space, rng = rl.space(shelved(name)), random.Random(5)
    position = space.start(1)
    starts = [field.start for field in space.fields]
    assert starts == [0, *(field.stop for field in space.fields)][:-1]
    for _ in range(30):
        for viewer in range(len(space.players)):
            tensor = position.tensor(viewer)
            assert tensor.shape == (space.size,) and tensor.dtype == np.float32
            assert np.abs(tensor).max() <= 1
            assert tensor[viewer] == 1
        if position.player < 0:
            break
        position.act_at_random(rng)


def test_boards_are_planes() -> None:
    space = rl.space("connect-four")
    position = space.start()
    for column in "aabd":
        position.act(position.space.actions.names.index(f"drop {column}"))
    discs = position.observation(0, "dict")["cell.disc"]
    assert discs.shape == (2, 6, 7)  # a plane for each player, rows from below
    assert np.argwhere(discs[0]).tolist() == [[0, 0], [0, 1]]
    assert np.argwhere(discs[1]).tolist() == [[0, 3], [1, 0]]


def test_what_is_hidden_has_a_plane_of_its_own() -> None:
    position = rl.space("kuhn-poker").start(7)
    for viewer in (0, 1):
        seen = position.observation(viewer, "dict")
        assert seen["card is hidden"].sum() == 2  # of three cards a player sees one
        hands = seen["card lies in player.hand"]
        assert hands[viewer].sum() == 1 and hands[1 - viewer].sum() == 0


def test_observations_have_four_forms() -> None:
    position = rl.space("kuhn-poker").start(7)
    assert '"alice.hand"' in position.observation(0, "json")
    assert "chips" in position.observation(0, "text")
    with pytest.raises(ValueError, match="tensor, dict, json or text"):
        position.observation(0, "xml")
