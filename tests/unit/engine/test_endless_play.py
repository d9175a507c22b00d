"""Games and effects that never end are stopped with a reason, and texts are only so long."""

from __future__ import annotations

import time

import pytest
from click.testing import CliRunner

import ruleforge
from ruleforge.frontends.cli.main import main
from ruleforge.play.agents import make_agent
from tests.unit.lang.checker.test_recursion import PLAIN, ring
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


# Changes that replace one another under a condition: what comes to an end plays, what does not is taken back.

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


# A chain of effects without end is told by its links, not by the phase it began in.

ENDLESS_EFFECTS = """\
events:
  strike: {takes: {p: player}, do: p.hits = 1}
  echo: {takes: {p: player}, do: p.hits = 2}
formulas:
  power: {takes: {p: player}, is: 1}
rules:
  first_echo: {after: strike(p), do: echo(p)}
  second_echo: {after: echo(p), do: strike(p)}
"""


def test_a_chain_without_end_names_its_links_not_the_phase():
    state = ruleforge.load(rules_file(ring("endless", ENDLESS_EFFECTS))).start()
    before = state.digest
    with pytest.raises(ruleforge.IllegalChoice) as refused:
        state.apply("hit")
    assert refused.value.code == "RF812"
    assert "first_echo" in str(refused.value) and "second_echo" in str(refused.value)
    assert state.digest == before


STANDING = PLAIN + "rules:\n  swing: {always: p in players where p.hits > 0, do: p.hits = 3 - p.hits}\n"


def test_a_standing_rule_without_end_is_named():
    state = ruleforge.load(rules_file(ring("standing", STANDING))).start()
    with pytest.raises(ruleforge.IllegalChoice) as refused:
        state.apply("hit")
    assert refused.value.code == "RF812"
    assert "within 20000 steps" in str(refused.value)
    assert "swing" in str(refused.value)


# Nobody is asked in `turn` once the nuts are gone; `shake`, which happened last, is not what goes on.
SQUIRRELS = """\
game: {id: squirrels, title: Squirrels, version: "1.0", text: Nuts., players: 2}
kinds:
  player: {things: [ann, ben]}
  game: {has: {nuts: 0..3 = 2}}
events:
  shake: {do: game.nuts -= 1}
flow:
  - phase: turn
    repeat: true
    each: me in players
    window: one
    stuck: skip
actions:
  eat: {during: turn, needs: game.nuts > 0, do: shake()}
"""


def test_a_phase_in_which_nobody_is_asked_is_named_and_not_what_happened_before():
    state = ruleforge.load(rules_file(SQUIRRELS)).start()
    state.apply("eat")
    with pytest.raises(ruleforge.IllegalChoice) as refused:
        state.apply("eat")
    assert refused.value.code == "RF812"
    assert "`turn` goes round, and no player has a choice" in str(refused.value)
    assert "shake" not in str(refused.value)


WORK = """\
game: {id: work, title: Work, version: "1.0", text: Work., players: 2}
kinds:
  player: {things: [ann, ben], has: {heap: 0..2000000000}}
events:
  open_up: {takes: {p: player}, do: p.heap = 2000000000}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  dig:
    during: turn
    do: |
      open_up(me)
      repeat me.heap: me.heap -= 1
"""


def test_what_happened_once_is_not_told_as_going_round():
    state = ruleforge.load(rules_file(WORK)).start()
    with pytest.raises(ruleforge.IllegalChoice) as refused:
        state.apply("dig")
    assert refused.value.code == "RF829"
    assert ", after open_up" in str(refused.value)
    assert "open_up -> open_up" not in str(refused.value)
