"""Teams win together, and games can be lost by all: on every backend, in playouts, and in words."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruleforge
from ruleforge.analysing import analyse
from ruleforge.narration.narrator import Narrator

RULES = Path(__file__).parents[2] / "rulesets" / "teams"


@pytest.mark.parametrize("backend", ["reference", "python", "native"])
def test_all_backends_count_alike(backend):
    game = ruleforge.load(RULES, backend=backend)
    found = game.playouts(game.start(seed=1), games=200, seed=5)
    assert found.lost + found.draws + sum(found.sides.values()) == 200
    assert set(found.sides) == {("ada", "cyd"), ("bob", "dov")}
    assert found.lost == found.endings["sunk"] and found.draws == found.endings.get("becalmed", 0)
    won = {"ada": found.sides["ada", "cyd"], "bob": found.sides["bob", "dov"]}
    others = 200 - found.draws
    assert {p: found.scores[p] for p in won} == {p: 2 * won[p] - others for p in won}


def test_the_last_line_calls_a_team_by_its_name():
    game = ruleforge.load(RULES)
    state = game.start(seed=1)
    while state.outcome is None:
        state.apply(next((c for c in state.choices if c.text == "row"), state.choices[0]))
    assert str(state.outcome) == "ada and cyd won (landed)"
    assert state.scene("ada").ended == "Heron won (landed)"


def test_a_game_that_is_lost_is_no_draw():
    state = ruleforge.load(RULES).start(seed=1)
    events = None
    while state.outcome is None:
        events = state.apply("look")
    assert events is not None
    assert state.outcome.lost and str(state.outcome) == "lost (sunk)"
    assert state.view("ada")["outcome"]["lost"] is True
    told = Narrator(state.game.info).step("dov", "look", tuple(events))
    assert any("it is lost (sunk)" in str(sentence) for sentence in told), told


@pytest.mark.parametrize(
    "old, new", [("facts: {team: boat}", "facts: {side: boat}"), ("for me.team", "for heron.way")]
)
def test_only_the_team_of_players_stands_for_them(tmp_path, old, new):
    text = (RULES / "game.yaml").read_text()
    if "side" in new:
        text = text.replace("me.team", "me.side").replace("{team:", "{side:")
    else:
        text = text.replace(old, new)
    (tmp_path / "game.yaml").write_text(text)
    assert "RF502" in {d.code for d in analyse(tmp_path / "game.yaml").diagnostics}
