"""A set chosen in a secret action is as secret as anything else chosen in it."""

from __future__ import annotations

import ruleforge

GAME = """\
game: {id: vault, title: Vault, version: "1.0", text: Hiding., players: 2}
kinds:
  player:
    things: [ann, ben]
    has: {turns: 0..9 = 0}
  coin: {things: [gold, silver, copper]}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one, stuck: finish over}
actions:
  hide:
    during: turn
    sees: viewer is me
    choose: {chosen: exactly 2 in coins}
    do: |
      me.turns += 1
      if me.turns is 2:
        finish over
endings: {over: {text: All is hidden.}}
"""


def test_others_are_not_told_which_things_were_chosen(tmp_path):
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    state = ruleforge.load(tmp_path).start(seed=1)
    state.apply("hide")
    before, choice = state.copy(), next(c for c in state.choices if c.text == "gold")
    state.apply(choice)
    assert before.tell(choice, state, "ann") == "gold"
    assert before.tell(choice, state, "ben") == "?"
