"""PettingZoo's own tests, for every shipped game."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

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


SECRET = ["goofspiel", "sealed-bid-auction", "soul-gems"]  # whose players choose in secret from one another


@pytest.mark.parametrize(
    "name", sorted({*SECRET[: most(2, 3)], *some_of(sorted(shipped_games()), 3, "parallel")})
)
def test_the_parallel_api_is_that_of_pettingzoo(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parallel_api_test(rl.pettingzoo_parallel_env(shelved(name)), num_cycles=most(30, 500))
        parallel_seed_test(lambda: rl.pettingzoo_parallel_env(shelved(name)), num_cycles=most(10, 300))


@pytest.mark.parametrize("name", SECRET)
def test_secret_choices_are_made_in_one_step(name: str) -> None:
    """The same choices, one player after the other and in one step, lead to the same position."""
    together, apart = rl.pettingzoo_parallel_env(shelved(name)), rl.pettingzoo_env(shelved(name))
    seen, _ = together.reset(seed=4)
    apart.reset(seed=4)
    rng, met, whole = np.random.default_rng(2), 0, list[int]()
    for _ in range(most(40, 300)):
        if not together.agents:
            break
        masks = {agent: seen[agent]["action_mask"] for agent in together.agents}
        actions = {agent: int(rng.choice(np.flatnonzero(m))) if m.any() else 0 for agent, m in masks.items()}
        acting = [answer for answer in together._answers if not answer.is_complete]
        met += len(acting) > 1
        before = together._answers
        seen, *_ = together.step(actions)
        if together._answers is not before:
            whole = [action for answer in before for action in answer.actions]
            for action in whole:
                assert apart.observe(apart.agent_selection)["action_mask"][action]
                apart.step(action)
            assert apart.position.state == together.position.state
    assert met and whole


def test_in_parallel_an_action_that_is_not_legal_loses() -> None:
    env = rl.pettingzoo_parallel_env("goofspiel")
    seen, _ = env.reset(seed=1)
    legal, none = (
        int(np.argmax(seen[a]["action_mask"] == wanted)) for a, wanted in zip(env.agents, (1, 0), strict=True)
    )
    first, second = env.agents
    _, rewards, ends, cuts, _ = env.step({first: legal, second: none})
    assert rewards == {first: 0, second: -1} and all(ends.values()) and not any(cuts.values())
    assert env.agents == []


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
