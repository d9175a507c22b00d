"""`players_from(p)`: in turn order from a player on, with all seats taken or not, wherever a set is walked."""

from __future__ import annotations

import pytest

import ruleforge
from ruleforge import RulesetError

GAME = """
game: {id: round, title: Round, version: "1", players: "2..5"}
kinds:
  player: {things: [ann, ben, cai, dot, eve], has: {out: flag}}
  game: {has: {starter: player, log: 0..99999}}
formulas:
  third: {is: "players_from(game.starter)[3]"}
  second_in: {is: "first(p in players_from(game.starter) where not p.out and p is not game.starter)"}
  last_wins: {is: "{p in players_from(game.starter) until p is ann}"}
flow:
  - phase: round
    repeat: true
    do: game.log = 0
    steps:
      - phase: turn
        each: me in players_from(game.starter)
        window: one
actions:
  say:
    during: turn
    do: |
      for q in players_from(next(me)) where not q.out:
        game.log = game.log % 10000 * 10 + number(q)
  begin_with: {during: turn, choose: {p: in players_from(me)}, do: game.starter = p}
  stop: {during: turn, do: finish over}
endings: {over: {text: It is over.}}
"""


@pytest.mark.parametrize("backend", ["python", "reference", "native"])
@pytest.mark.parametrize("players, log", [(2, 21), (3, 231), (5, 23451)])
def test_players_come_in_turn_order(tmp_path, backend: str, players: int, log: int) -> None:
    path = tmp_path / "round.yaml"
    path.write_text(GAME)
    state = ruleforge.load(str(path), backend=backend).start(seed=1, players=players)
    state.apply("say")
    assert state["game.log"] == log
    assert [str(choice) for choice in state.choices][1] == "begin_with ben"  # begins with who is asked
    state.apply("begin_with ben")
    for _ in range(players - 2):
        state.apply("say")
    assert state.decision is not None and state.decision.player == "ben"  # the next round begins there
    assert state["third()"] == {2: None, 3: "ann", 5: "dot"}[players]
    assert state["second_in()"] == ("ann" if players == 2 else "cai")


def test_only_players_sit_round_the_table(tmp_path) -> None:
    path = tmp_path / "round.yaml"
    path.write_text(GAME.replace("players_from(next(me))", "players_from(game)"))
    with pytest.raises(RulesetError) as caught:
        ruleforge.load(str(path))
    assert caught.value.diagnostics[0].message == "`players_from` needs a player, but this is a `game`"
