"""Any ruleset as a text game: whole games by text alone, refusals with reasons, the schema of a tool."""

from __future__ import annotations

import random

import pytest

from ruleforge import rl
from ruleforge.support.resources import shipped_games
from tests.shelf import game as shelved
from tests.thorough import most, some_of


@pytest.mark.parametrize("name", some_of(sorted(shipped_games()), 8, "text"))
def test_a_listed_choice_is_never_refused(name: str) -> None:
    env, rng = rl.text_env(shelved(name), max_turns=most(25, 300)), random.Random(5)
    env.reset(seed=5)
    while not env.done:
        player, text = env.get_observation()
        own = env.players[player]
        assert "You can choose:" in text
        _, info = env.step(rng.choice(env.table.choices(own)))
        assert info == {"player": own, "refused": []}
    rewards, _ = env.close()
    assert set(rewards) == set(range(len(env.players)))


def test_the_winner_is_rewarded() -> None:
    env = rl.text_env("connect-four")
    env.reset(seed=1)
    for column in "abababa":
        done, _ = env.step(f"drop {column}")
    assert done and env.close()[0] == {0: 1.0, 1: -1.0}
    with pytest.raises(ValueError, match="over"):
        env.step("drop a")


def test_a_refused_answer_changes_nothing_and_gives_its_reason() -> None:
    env = rl.text_env("connect-four")
    env.reset(seed=1)
    before = env.table.session.state.digest
    done, info = env.step("drop z")
    assert not done and info["refused"] == ["There is no column z."]
    assert env.table.session.state.digest == before
    assert "There is no column z." in env.get_observation()[1]
    assert "refused" not in env.get_observation()[1]


def test_impossible_answers_in_a_row_lose() -> None:
    env = rl.text_env("connect-four", most_refused=3)
    env.reset(seed=1)
    for answer in ("drop z", "drop a", "x", "y", "z"):  # the second one is fine, and the count begins anew
        done, _ = env.step(answer)
    assert done
    assert env.close() == ({0: 0.0, 1: -1.0}, {0: {"invalid_move": False}, 1: {"invalid_move": True}})


def test_a_question_is_a_tool() -> None:
    env = rl.text_env("kuhn-poker")
    env.reset(seed=1)
    function = env.tool()["function"]
    assert function["parameters"]["properties"]["choice"]["enum"] == ["check", "bet"]
    assert function["description"] == "Alice: betting"


def test_words_of_a_choice_are_understood() -> None:
    env = rl.text_env("hearts")
    env.reset(seed=1)
    _, text = env.get_observation()
    words = next(line for line in text.splitlines() if line.strip().startswith("pass_on")).partition("(")[2]
    assert env.step(words.rstrip(")"))[1]["refused"] == []
