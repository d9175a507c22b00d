"""Gymnasium's own checks for every shipped game, and many games at once against the same games one by one."""

from __future__ import annotations

import tomllib
import warnings
from importlib import import_module
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.env_registry.registration import make

from ruleforge import rl
from ruleforge.engine.batch import Batch
from ruleforge.rl.position import Position
from ruleforge.rl.registration import register_pettingzoo
from ruleforge.rl.vector import VectorPositions
from ruleforge.support.resources import shipped_games
from tests.shelf import game as shelved
from tests.thorough import most, some_of
from tests.unit.engine.test_batch import STUMBLES

GAMES = sorted(shipped_games())
SAMPLE = some_of(GAMES, 12, "gymnasium")
ENVS = 3


@pytest.mark.parametrize("name", SAMPLE)
def test_the_api_is_that_of_gymnasium(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it was not made by `gymnasium.make`
        check_env(rl.gymnasium_env(shelved(name)))


@pytest.mark.parametrize("name", sorted({*SAMPLE, "splicers", "soul-gems"}))
def test_many_games_at_once_are_the_games_one_by_one(name: str) -> None:
    space, rng = rl.space(shelved(name)), np.random.default_rng(3)
    many = VectorPositions(space, ENVS, 5, 10_000)
    single = [Position(space, many.batch.state(env)) for env in range(ENVS)]
    for _ in range(most(25, 400)):
        for env, position in enumerate(single):
            assert many.players[env] == max(position.player, -2)
            legal = np.flatnonzero(many.mask()[env]).tolist()
            assert legal == list(position.legal())
        viewers = np.array([max(position.player, 0) for position in single])
        for env, tensor in enumerate(many.tensors(viewers)):
            if single[env].player >= 0:
                assert (tensor == single[env].tensor(int(viewers[env]))).all()
        actions = np.array([rng.choice(p.legal()) if p.legal() else 0 for p in single])
        over = np.array([not position.legal() for position in single])
        assert many.act(actions, np.where(over, Batch.NEXT, Batch.WAIT).astype(np.int32)).all()
        for env, position in enumerate(single):
            if over[env] or many.players[env] < 0:
                single[env] = (
                    Position(space, many.batch.state(env)) if many.batch.endings[env] >= 0 else position
                )
            else:
                position.act(int(actions[env]))
                assert position.state == many.batch.state(env)


def test_an_action_that_is_not_legal_loses() -> None:
    envs = rl.gymnasium_vector_env("tic-tac-toe", 2, self_play=True)
    envs.reset(seed=1)
    envs.step(np.array([4, 4]))
    _, rewards, terminated, _, _ = envs.step(np.array([4, 0]))
    assert rewards.tolist() == [-1, 0] and terminated.tolist() == [True, False]
    seen, rewards, terminated, _, _ = envs.step(np.array([8, 8]))  # the first game begins anew
    assert seen["action_mask"].sum(axis=1).tolist() == [9, 6] and not terminated.any()


def test_the_agent_has_a_seat_and_the_others_play_at_random() -> None:
    envs = rl.gymnasium_vector_env("connect-four", 64, seat="yellow")
    seen, infos = envs.reset(seed=4)
    rng, results = np.random.default_rng(1), list[float]()
    for _ in range(60):
        masks = seen["action_mask"]
        assert (infos["player"][masks.any(axis=1)] == 1).all()
        actions = np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])
        seen, rewards, terminated, truncated, infos = envs.step(actions)
        assert not truncated.any() and (rewards[~terminated] == 0).all()
        results += rewards[terminated].tolist()
    assert len(results) > 100 and {-1.0, 1.0} <= set(results) <= {-1.0, 0.0, 1.0}


def test_the_same_seed_gives_the_same_games() -> None:
    first, second = (rl.gymnasium_vector_env("kuhn-poker", 8) for _ in range(2))
    for _ in range(2):
        one, two = (envs.reset(seed=9)[0]["observation"] for envs in (first, second))
        assert (one == two).all()
    assert not (first.reset()[0]["observation"] == one).all()


def test_a_long_game_is_cut_short() -> None:
    envs = rl.gymnasium_vector_env("connect-four", 2, max_steps=3, self_play=True)
    envs.reset(seed=1)
    for column in range(3):
        _, rewards, terminated, truncated, _ = envs.step(np.array([column, column]))
    assert truncated.all() and not terminated.any() and not rewards.any()


def test_a_seat_that_is_never_asked_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "stumbles.yaml"
    path.write_text(STUMBLES.replace("  step: {during: turn, do: game.total += 1}\n", ""))
    env = rl.gymnasium_env(str(path), seat="ben")  # whoever begins wins
    with pytest.raises(ValueError, match="never asked"):
        env.reset(seed=1)


# --- names by which the libraries find the games ---


def test_the_entry_point_registers_every_game() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    module, _, function = project["entry-points"]["gymnasium.envs"]["ruleforge"].partition(":")
    with gymnasium.envs.registration.namespace("ruleforge"):
        getattr(import_module(module), function)()
    assert {name for name in gymnasium.registry if name.startswith("ruleforge/")} == {
        f"ruleforge/{name}" for name in GAMES
    }
    env = gymnasium.make("ruleforge/connect-four", render_mode="ansi")
    env.reset(seed=1)
    assert "1" in str(env.render())
    envs = gymnasium.make_vec("ruleforge/connect-four", num_envs=4, vectorization_mode="vector_entry_point")
    assert envs.num_envs == 4


def test_pettingzoo_makes_a_game_by_its_name() -> None:

    register_pettingzoo()
    for kind in ("aec", "parallel"):
        assert make(kind, "ruleforge/kuhn-poker").possible_agents == ["alice", "bob"]
