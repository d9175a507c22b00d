"""Games that never end are cut with a reason, and texts are only so long."""

from __future__ import annotations

import time

import pytest
from click.testing import CliRunner

import ruleforge
from ruleforge.frontends.cli.main import main
from ruleforge.play.agents import make_agent
from tests.unit.small_games import rules_file

ENDLESS = """\
game: {id: endless, title: Endless, version: "1.0", text: Round and round., players: 2}
kinds: {player: {things: [ann, ben], has: {coins: 0..9}}}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  wait: {during: turn, do: skip}
  look: {during: turn, do: skip}
"""
STUCK = ENDLESS.replace("window: one}", "window: one, stuck: skip}").replace(
    "during: turn,", "during: turn, needs: me.coins > 5,"
)
ALONE = ENDLESS.replace("each: me in players", "each: me in players where me is ann")
IDLE = STUCK.replace(", stuck: skip", "")
SETTLED = """\
game: {id: settled, title: Settled, version: "1.0", text: Round and round., players: 2}
kinds: {player: {things: [ann, ben], has: {coins: 0..9}}}
setup: ann.coins = 1
rules:
  swing: {always: p in players where p.coins > 0, do: p.coins = 3 - p.coins}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  wait: {during: turn, do: skip}
"""


@pytest.mark.parametrize("backend", ["python", "reference"])
def test_a_random_game_is_cut(backend):
    game = ruleforge.load(rules_file(ENDLESS), backend=backend, ceilings=ruleforge.Ceilings(decisions=300))
    state = game.start()
    with pytest.raises(ruleforge.PlayError, match="300 decisions") as cut:
        game.playout(state, 7)
    assert cut.value.code == "RF833"
    assert game.playouts(state, games=3, most=50).games == 3


def test_commands_come_to_an_end():
    path = str(rules_file(ENDLESS))
    began = time.process_time()
    played = CliRunner().invoke(main, ["play", path, "--seed", "1"])
    assert played.exit_code == 2
    assert "10,000 decisions" in played.output
    assert "Traceback" not in played.output
    assert time.process_time() - began < 4


def test_a_search_comes_to_an_end():
    state = ruleforge.load(rules_file(ENDLESS)).start()
    assert make_agent("mcts:20", 1).choose(state) in state.choices


@pytest.mark.parametrize("rules", [STUCK, IDLE])
@pytest.mark.parametrize("backend", ["python", "reference"])
def test_a_flow_that_never_finds_anybody_to_ask_is_refused(rules, backend):
    game = ruleforge.load(rules_file(rules), backend=backend)
    with pytest.raises(ruleforge.PlayError) as refused:
        game.start()
    assert refused.value.code == "RF812"


def test_a_set_up_without_end_is_told_by_its_links():
    with pytest.raises(ruleforge.PlayError, match="swing -> swing") as refused:
        ruleforge.load(rules_file(SETTLED)).start()
    assert refused.value.code == "RF812"


def test_a_text_of_thousands_of_steps_is_refused():
    state = ruleforge.load(rules_file(ALONE)).start()
    state.apply(" ".join(["wait"] * 100))
    before = state.digest
    with pytest.raises(ruleforge.IllegalChoice, match="100 words at most") as refused:
        state.apply(" ".join(["wait"] * 2000))
    assert refused.value.code == "RF806"
    assert state.why_not(" ".join(["wait"] * 2000))[0].code == "RF806"
    assert state.digest == before


@pytest.mark.parametrize(("said", "granted", "counts"), [(None, 300, 300), (1000, 300, 300), (200, 300, 200)])
def test_a_file_can_lower_the_chain_and_not_raise_it(said, granted, counts):
    limits = "" if said is None else f", limits: {{chain: {said}}}"
    rules = SETTLED.replace("players: 2}", f"players: 2{limits}}}", 1)
    with pytest.raises(ruleforge.PlayError, match=f"within {counts} steps"):
        ruleforge.load(rules_file(rules), ceilings=ruleforge.Ceilings(chain=granted)).start()


def test_a_chain_is_as_long_as_the_contract_of_the_core_says(tmp_path):
    (tmp_path / "game.yaml").write_text(SETTLED)
    (tmp_path / "contract.yaml").write_text(
        'locked: "1.0"\ndefault: closed\nloops: {settled_by: [limit], fuse: 150}\n'
    )
    with pytest.raises(ruleforge.PlayError, match="within 150 steps"):
        ruleforge.load(tmp_path).start()
