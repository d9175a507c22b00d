"""PettingZoo's own tests, for every shipped game."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from ruleforge import rl
from ruleforge.support.resources import shipped_games
from tests.shelf import game as shelved
from tests.thorough import most, some_of
from tests.unit.engine.test_batch import STUMBLES


@pytest.mark.parametrize("name", some_of(sorted(shipped_games()), 16, "pettingzoo"))
def test_the_api_is_that_of_pettingzoo(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice about names of agents and spaces
        api_test(rl.pettingzoo_env(shelved(name)), num_cycles=most(60, 1_000))
        seed_test(lambda: rl.pettingzoo_env(shelved(name)), num_cycles=most(10, 500))


@pytest.mark.parametrize("form", ["tensor", "dict"])
def test_the_winner_is_rewarded(form: str) -> None:
    env = rl.pettingzoo_env("connect-four", observation=form, render_mode="ansi")
    env.reset(seed=1)
    for column in "abababa":
        assert env.agent_selection in ("red", "yellow")
        assert env.observation_space("red").contains(env.observe("red"))
        env.step(next(a for a in range(7) if env.action_name(a) == f"drop {column}"))
    assert env.terminations == {"red": True, "yellow": True}
    assert env._cumulative_rewards == {"red": 1, "yellow": -1}
    assert "1" in (env.render() or "")


def test_only_who_acts_has_legal_actions() -> None:
    env = rl.pettingzoo_env("kuhn-poker")
    env.reset(seed=3)
    first, second = (env.observe(agent)["action_mask"] for agent in ("alice", "bob"))
    assert [env.action_name(int(action)) for action in np.flatnonzero(first)] == ["check", "bet"]
    assert second.sum() == 0


def test_a_long_game_is_cut_short() -> None:
    env = rl.pettingzoo_env("connect-four", max_cycles=3)
    env.reset(seed=1)
    for action in (0, 1, 2):
        env.step(action)
    assert all(env.truncations.values()) and not any(env.terminations.values())


def test_a_limit_of_the_rules_cuts_a_game_short(tmp_path: Path) -> None:
    path = tmp_path / "stumbles.yaml"
    path.write_text(STUMBLES)
    env = rl.pettingzoo_env(str(path))
    env.reset()
    for _ in range(4):
        env.step(0)  # the fourth step leaves the range
    assert all(env.truncations.values())
    assert env.infos["ann"]["fault"].startswith("RF8")
