"""Changes that replace one another under a condition: what comes to an end plays, what does not is taken back."""

import pytest

import ruleforge

GAME = """
game: {id: bounce, title: Bounce, version: "1.0", players: 2}
kinds:
  player: {things: [ann, ben], has: {coins: 0..9 = 1}}
rules:
  bounce:
    instead of: set player.coins
    when: CONDITION
    do: |
      proceed
      next(it).coins = 3
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  earn: {during: turn, do: me.coins = 2}
  stop: {during: turn, do: finish over}
endings: {over: {text: It is over.}}
"""


def start(tmp_path, condition):
    file = tmp_path / "bounce.yaml"
    file.write_text(GAME.replace("CONDITION", condition))
    return ruleforge.load(file).start()


def test_a_replacement_that_changes_somebody_else_comes_to_an_end(tmp_path):
    state = start(tmp_path, "it is ann")
    state.apply("earn")
    assert (state["ann.coins"], state["ben.coins"]) == (2, 3)


def test_one_that_does_not_end_is_taken_back(tmp_path):
    state = start(tmp_path, "new >= 0")
    before = state.digest
    with pytest.raises(ruleforge.IllegalChoice) as refusal:
        state.apply("earn")
    assert refusal.value.code == "RF812"
    assert state.digest == before
