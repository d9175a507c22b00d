"""Teams win together, and games can be lost by all: on every backend, in playouts, and in words."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruleforge
from ruleforge.play.narration.narrator import Narrator
from ruleforge.project.resolver import analyse
from ruleforge.tools.experiments.game_runner import variant_of
from ruleforge.tools.experiments.plan import Plan, Rules, Table
from ruleforge.tools.experiments.run import Force, simulate
from ruleforge.tools.experiments.summary import summary
from ruleforge.tools.experiments.tally import Tally

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


def test_a_team_wins_also_where_not_all_its_seats_are_taken(tmp_path):
    """With three of four players a team of two is one player: whoever plays of it is all of it."""
    text = (RULES / "game.yaml").read_text().replace("players: 4", 'players: "2..4"')
    text = text.replace("dov: {team: otter}", "dov: {team: heron}")
    (tmp_path / "game.yaml").write_text(text)
    game = ruleforge.load(tmp_path / "game.yaml")
    plan = Plan(Rules(str(tmp_path / "game.yaml")), games=40, seed=1, table=Table(players=3))
    tally = Tally()
    for part in simulate(plan, game, Force(1)):
        tally.add(part)
    told = summary(tally, plan, variant_of(plan, game))
    assert told["teams"]["heron"]["wins"] == told["wins"]["ada"] == told["wins"]["cyd"] > 0
    state = game.start(seed=1, players=3)
    while state.outcome is None:
        state.apply(next((c for c in state.choices if c.text == "row"), state.choices[0]))
    assert state.scene("ada").ended == "Heron won (landed)"
