"""Scenarios pass when everything in them holds, and fail at the step that does not."""

from __future__ import annotations

import json

import pytest

from ruleforge.support.diagnostics import Report
from ruleforge.tools.scenarios.runner import run_scenario
from ruleforge.tools.scenarios.scenario import read_scenario
from tests.unit.small_games import COIN, FAIR, rules_file, small_game


def outcome(tmp_path, text, rules=FAIR):
    """None if the scenario holds, else (code, line, message)."""
    file = tmp_path / "scenario.yaml"
    file.write_text(text, encoding="utf-8")
    report = Report()
    scenario = read_scenario(file, report)
    if scenario is not None:
        run_scenario(small_game(rules), scenario, report)
    found = list(report)
    return (found[0].code, found[0].span.line, found[0].message) if found else None


GOOD = """\
scenario: a whole morning
cites: [F-2]
players: 3
options: {rounds: 2}
seed: 5
start:
  ann.coins: 5
  ben.hand: [green]
  tea.owner: cat
steps:
  - expect: {decision.player: ann, ann.coins: 5, ben.hand: [green], tea.owner: cat, pie.prize: none}
  - refuse: {player: ben, choice: draw, code: RF804}
  - refuse: {choice: buy tea}
  - refuse: {choice: give zoe, code: RF805, why: zoe}
  - ann: give cat 4
  - expect: {ann.coins: 1, cat.coins: 7, stall.pie.open: true}
  - sees: {player: ben, ben.hand: [green], ann.secret: hidden, deck: hidden, ben.secret: 4}
  - sees: {player: ann, ben.hand: hidden, ben.secret: hidden}
  - ben: hang green
  - ben: tea
  - expect: {tea.prize: green}
  - cat: close
  - outcome: {reason: closed, winners: [cat], scores: {cat: 1, ann: -1}}
"""


def test_a_scenario_that_holds(tmp_path):
    assert outcome(tmp_path, GOOD.replace("pie.prize", "stall.pie.prize")) is None


def test_values_given_on_the_way(tmp_path):
    steps = "  - ann: draw\n  - given: {ben.coins: 1, ann.coins: 9}\n  - expect: {decision.player: ben, ann.coins: 9}\n"
    assert outcome(tmp_path, f"scenario: later\nsteps:\n{steps}") is None
    found = outcome(tmp_path, "scenario: later\nsteps:\n  - ann: draw\n  - given: {ann.coins: 77}\n")
    assert found is not None and found[:2] == ("RF831", 4)


@pytest.mark.parametrize(
    ("steps", "code", "line", "words"),
    [
        ("  - ben: draw", "RF852", 3, "`ann` must decide first"),
        ("  - zoe: draw", "RF850", 3, "no player `zoe`"),
        ("  - ann: fly", "RF802", 3, "`fly`"),
        ("  - ann: give ben", "RF852", 3, "in the middle of an action"),
        ("  - expect: {ann.coins: 4}", "RF851", 3, "`ann.coins` is 3, not 4"),
        ("  - expect: {ann.coinz: 4}", "RF830", 3, "ann.coinz"),
        ("  - expect: {tea.open: 1}", "RF851", 3, "true"),
        ("  - expect: {deck: [blue, red, green, pie]}", "RF851", 3, "`deck` is"),
        ("  - expect: {choices: 3}", "RF851", 3, "`choices` is"),
        ("  - refuse: {choice: draw}", "RF854", 3, "is possible here"),
        ("  - refuse: {choice: fly, code: RF805}", "RF854", 3, "RF802, not RF805"),
        ("  - refuse: {choice: fly, why: rain}", "RF854", 3, "is refused because"),
        ("  - sees: {player: ben, ann.secret: 4}", "RF851", 3, "sees `ann.secret` as hidden, not as 4"),
        ("  - sees: {player: zoe, ann.secret: 4}", "RF830", 3, "zoe"),
        ("  - outcome: {reason: closed}", "RF851", 3, "the game goes on"),
        (
            "  - ann: close\n  - outcome: {winners: [ben]}",
            "RF851",
            4,
            "`winners` of the outcome is [ann], not [ben]",
        ),
        ("  - ann: close\n  - ben: draw", "RF803", 4, "the game is over"),
        ("  - ann: draw\n  - ben: rob\n  - ann: [1]", "RF202", 5, ""),
        ("  - {ann: draw, ben: draw}", "RF", 3, ""),
    ],
)
def test_a_scenario_fails_at_the_step_that_does_not_hold(tmp_path, steps, code, line, words):
    found = outcome(tmp_path, f"scenario: it fails\nsteps:\n{steps}\n")
    assert found is not None
    assert found[0].startswith(code)
    assert found[1] == line
    assert words in found[2]


@pytest.mark.parametrize(
    ("head", "code", "line"),
    [
        ("players: 7", "RF840", 1),
        ("options: {rounds: 77}", "RF841", 1),
        ("start:\n  ann.coins: 3\n  ann.coin: 4", "RF830", 4),
        ("start: {ann.coins: 77}", "RF831", 2),
    ],
)
def test_a_scenario_that_cannot_start(tmp_path, head, code, line):
    found = outcome(tmp_path, f"scenario: it fails\n{head}\nsteps:\n  - ann: draw\n")
    assert found is not None
    assert found[:2] == (code, line)


@pytest.mark.parametrize(
    ("dice", "steps", "code"),
    [
        ("[tails, tails]", "  - ann: say heads\n  - ben: say heads\n  - outcome: {reason: even}", None),
        ("[tails]", "  - ann: say heads\n  - ben: say heads", "RF853"),
        ("[tails, heads, heads]", "  - ann: say heads\n  - ben: say heads", "RF853"),
        ("[edge]", "  - ann: say heads", "RF853"),
        ("[]", "  - ann: say heads\n  - chance: heads\n  - outcome: {reason: right, winners: [ann]}", None),
        ("[]", "  - ann: say heads\n  - ben: say heads", "RF853"),
    ],
)
def test_scripted_dice_must_fit(tmp_path, dice, steps, code):
    found = outcome(tmp_path, f"scenario: dice\ndice: {dice}\nsteps:\n{steps}\n", COIN)
    assert (found and found[0]) == code


def test_without_dice_the_seed_decides(tmp_path):
    text = "scenario: dice\nseed: {seed}\nsteps:\n  - ann: say heads\n  - outcome: {{reason: right}}\n"
    verdicts = {outcome(tmp_path, text.format(seed=seed), COIN) is None for seed in range(12)}
    assert verdicts == {True, False}


def test_the_command_runs_files_and_folders(ruleforge_command, tmp_path):
    (tmp_path / "game.yaml").write_text(COIN, encoding="utf-8")
    folder = tmp_path / "scenarios"
    folder.mkdir()
    assert "RF850" in ruleforge_command("test", tmp_path).out
    (folder / "a.yaml").write_text("scenario: good\nsteps:\n  - expect: {choices: 2}\n", encoding="utf-8")
    (folder / "b.yaml").write_text("scenario: bad\nsteps:\n  - expect: {choices: 3}\n", encoding="utf-8")
    done = ruleforge_command("test", tmp_path)
    assert done.code == 1
    assert "ok  good" in done.out and "FAIL  bad" in done.out and "1 passed, 1 failed" in done.out
    assert "b.yaml:3:" in done.out
    assert ruleforge_command("test", folder / "a.yaml").code == 0
    assert ruleforge_command("test", folder).code == 1
    quiet = ruleforge_command("test", folder, "-q").out
    assert "good" not in quiet and "bad" in quiet
    data = json.loads(ruleforge_command("test", tmp_path, "--json").out)
    assert (data["passed"], data["failed"]) == (1, 1)
    lone = tmp_path / "lone.yaml"
    lone.write_text("scenario: good\nsteps:\n  - expect: {choices: 2}\n", encoding="utf-8")
    assert "--game" in ruleforge_command("test", lone).out
    assert ruleforge_command("test", lone, "--game", rules_file(COIN)).code == 0


# The set-up asks both players before the flow begins.
CAMPS = """\
game: {id: camps, title: Camps, version: "1.0", text: Camps., players: 2}
kinds:
  player: {things: [ann, ben], has: {camp: hill or none, wood: 0..9}}
  hill: {things: [low, high]}
setup: |
  for p in players:
    p chooses h in hills where not any(q in players where q.camp is h): p.camp = h
    p.wood = 1
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  burn: {during: turn, needs: me.wood > 0, do: me.wood -= 1}
  stop: {during: turn, do: finish over}
endings: {over: {text: It is over.}}
"""
BEGUN = "scenario: begun\nbegin: {phase: turn, player: ben}\nstart: {ben.wood: 3}\nsteps:\n"


def test_the_first_steps_answer_what_the_set_up_asks_before_a_scenario_begins_elsewhere(tmp_path):
    steps = """\
  - ann: high
  - expect: {decision.player: ben, ann.wood: 1, ben.wood: 0}
  - ben: low
  - expect: {decision.player: ben, ben.wood: 3, ben.camp: low, ann.camp: high}
  - ben: burn
  - expect: {decision.player: ann, ben.wood: 2}
"""
    assert outcome(tmp_path, BEGUN + steps, CAMPS) is None


def test_a_set_up_that_is_not_answered_says_so_where_it_should_begin(tmp_path):
    (tmp_path / "scenario.yaml").write_text(BEGUN + "  - ann: high\n", encoding="utf-8")
    report = Report()
    scenario = read_scenario(tmp_path / "scenario.yaml", report)
    assert scenario is not None
    run_scenario(small_game(CAMPS), scenario, report)
    (found,) = report
    assert (found.code, found.span.line) == ("RF807", 2)
    assert found.help == "the first steps answer the questions of the set-up"


# Each cell has a tile of its name, so `a1` alone could be either.
NAMESAKES = """\
game: {id: namesakes, title: Namesakes, version: "1.0", text: Namesakes., players: 2}
kinds:
  player: {things: [ann, ben]}
  cell: {grid: {shape: square, columns: 2, rows: 2}, has: {built: flag}}
  tile: {product: {cell: cells}, has: {used: flag}}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one, stuck: finish over}
actions:
  build:
    during: turn
    choose: {x: in tiles where not x.cell.built}
    do: x.cell.built = true; x.used = true
endings: {over: {text: It is over.}}
"""


def test_many_things_at_once_are_those_of_their_kind_whatever_else_is_called_so(tmp_path):
    steps = """\
scenario: namesakes
start:
  "{c in cells where c.row is 1}.built": true
  tiles.used: true
steps:
  - expect: {cell.a1.built: true, cell.b2.built: false, tile.b2.used: true, choices: [build a2, build b2]}
"""
    assert outcome(tmp_path, steps, NAMESAKES) is None
