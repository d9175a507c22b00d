"""Breakpoints, steps, scripted dice, effects run by hand: the plain interpreter under the author's eyes."""

from __future__ import annotations

import json
import random

import pytest

import ruleforge
from ruleforge.engine.breakpoints import step_through
from ruleforge.engine.costs import costs, costs_of
from ruleforge.engine.trace import Ran, after
from tests.unit.frontends.repl.test_commands import Yard

FIGHT = "do call wolf; do wait"


@pytest.fixture
def yard(tmp_path, capsys) -> Yard:
    return Yard(tmp_path, capsys)


def test_a_breakpoint_stops_before_an_event_with_its_source_and_who_waits(yard):
    lines = yard.out(
        FIGHT, "break on feed when b is wolf; do give wolf; locals; b.fed + 1; continue; wolf.fed"
    )
    assert lines[1].split() == ["stopped", "before", "feed(b", "=", "Grey", "Wolf)", "game.yaml:29"]
    assert "   29 ▶   feed:" in lines
    assert "   triggers on the stack: hare.flees (no)" in lines
    assert lines[-3:] == ["b = wolf", "1", "1"]


def test_a_condition_lets_others_pass(yard):
    lines = yard.out("do call pike; do wait; break on feed when b is wolf; do give pike; pike.fed")
    assert lines[-1] == "1" and not any("stopped" in line for line in lines)


def test_lines_are_stepped_through(yard):
    lines = yard.out(FIGHT, "break on game.yaml:33; do give wolf; wolf.fed; step; wolf.fed; next; log")
    assert [line.split()[-1] for line in lines if line.startswith("stopped")] == [
        "game.yaml:33",
        "game.yaml:34",
        "game.yaml:29",
    ]
    assert [line for line in lines if line in "01"] == ["0", "1"]
    assert lines[-1] == "   3  ben: wait"  # nothing has happened yet


def test_next_goes_over_what_is_called(yard):
    lines = yard.out(FIGHT, "break on flow.yaml:25; do give wolf; next; continue; wolf.fed")
    stops = [line.split()[-1] for line in lines if line.startswith("stopped")]
    assert stops[0] == "flow.yaml:25" and not any(stop.startswith("game.yaml") for stop in stops)
    assert lines[-1] == "1"


def test_a_rule_an_action_and_a_formula_can_be_stopped_at(yard):
    begin = "do call hare; do wait; do call wolf; do wait"
    lines = yard.out(begin, "break on hare.flees; do give wolf; continue; hare.holder")
    assert any("stopped" in line and "flees" in line for line in lines) and lines[-1] == "none"
    lines = yard.out(FIGHT, "break on power; do brawl wolf; undo; break off; break on brawl; do brawl wolf")
    assert sum(line.startswith("stopped") for line in lines) == 2


def test_what_cannot_be_stopped_at_is_said(yard):
    assert "did you mean `feed`" in yard("break on fead").err
    assert "the nearest are" in yard("break on game.yaml:2").err
    assert "these files have: flow.yaml, game.yaml" in yard("break on cards.yaml:2").err
    assert "RF501" in yard("break on feed when bb is wolf").err
    assert "is no condition" in yard("break on feed when b.fed").err
    assert "no run is stopped" in yard("step").err


def test_a_stopped_step_can_be_given_up_and_holds_all_else_back(yard):
    lines = yard.out(FIGHT, "break on feed; do give wolf; undo; log")
    assert lines[-1] == "   3  ben: wait"
    assert "is stopped in the middle" in yard(FIGHT, "break on feed; do give wolf; do wait").err


def test_dice_fall_as_they_were_laid_down(yard):
    lines = yard.out(
        FIGHT, "dice 6; do brawl wolf; ann.points; undo; dice 1; do brawl wolf; ann.points; dice"
    )
    assert [line for line in lines if line in "01"] == ["1", "0"]
    assert lines[-1] == "dice are random"


def test_only_numbers_and_things_are_laid_down(yard):
    refused = yard("dice apple")
    assert "`apple` is neither a number nor a thing of this game" in refused.err
    assert "did you mean `wolf`?" in yard("dice 3 wollf").err
    assert yard("dice wollf; dice").out == ""


def test_picks_are_laid_down_by_name_and_what_cannot_come_up_is_refused(yard):
    assert yard.out("dice pike; do grope; ann.den")[-1] == "[pike]"
    refused = yard("do call wolf; dice wolf; do grope")
    assert "`wolf` cannot be rolled" in refused.err and "possible: pike, hare" in refused.err
    refused = yard(FIGHT, "dice 7; do brawl wolf", options=("--json",))
    last = json.loads(refused.out.splitlines()[-1])
    assert last["code"] == "RF834"


def test_an_effect_is_run_on_a_copy_and_shown(yard):
    lines = yard.out("run feed(wolf); wolf.fed; run --here feed(wolf); wolf.fed; log")
    edited = "the position is marked as edited"
    assert lines == ["wolf.fed: 0 → 1", "0", edited, "1", "   1  the start", "   2  run --here feed(wolf)"]


def test_an_effect_of_several_lines(yard):
    lines = yard.out("run:\n  for b in wood:\n    b.fed += 2\n  ann.points += 1\n", "ann.points")
    assert "wolf.fed: 0 → 2" in lines and "ann.points: 0 → 1" in lines and lines[-1] == "0"


def test_an_effect_may_ask(yard):
    lines = yard.out("run lure(ann); choices; do pike; ann.den; run --here lure(ann); do hare; ann.den; log")
    assert "  decline" in lines and "pike.fed: 0 → 1" in lines
    assert lines[-4:] == ["[hare]", "   1  the start", "   2  run --here lure(ann)", "   3  ann: hare"]


def test_an_effect_may_end_the_game(yard):
    lines = yard.out("run finish strongest for ann; run --here finish strongest for ben; choices")
    assert any("the game would be over" in line for line in lines)
    assert lines[-1].startswith("the game is over")


def test_mistakes_in_effects_are_shown(yard):
    assert "RF501" in yard("run fead(wolf)").err
    assert "RF835" in yard("run leave day").err


def test_triggers_tell_who_would_hear_an_event(yard):
    lines = yard.out("triggers; triggers feed; triggers feed(wolf); do call hare; triggers feed(wolf)")
    assert lines == [
        "no trigger is queued",
        "hare.flees waits for it  game.yaml:22",
        "hare.flees waits for it: no  game.yaml:22",
        "hare.flees waits for it: yes  game.yaml:22",
    ]
    assert "takes (b)" in yard("triggers feed(wolf, 3)").err


def test_profile_and_time(yard):
    lines = yard.out(FIGHT, "do give wolf; profile; profile 1; time 1 + 1")
    assert "3 choices" in lines[0] and any("event feed" in line for line in lines)
    assert any(line.endswith("what is written there") for line in lines)  # the table of `ruleforge profile`
    assert lines[-1].endswith(" ms")


def test_a_profile_counts_as_the_command_does(yard):
    """The same decisions cost the same, wherever they are counted; what is only tried counts, too."""
    game = ruleforge.load("quoridor")
    variant, rng = game.variant(game.compiled.setup()), random.Random(4)
    (*_, command) = costs(variant, 2, 4, 60.0)
    state, made = game.start(seed=rng.getrandbits(31)), []
    for _ in range(2):
        made.append((state.copy(), rng.choice(state.choices), ()))
        state.apply(made[-1][1])
    assert costs_of(made).by_line() == command.by_line()


@pytest.mark.parametrize("name", ["splicers", "soul-gems", "kuhn-poker", "primordial-orbs"])
def test_a_watched_step_is_the_same_step(name):
    """Whoever looks on changes nothing: the same position and the same events."""
    state, rng = ruleforge.load(name).start(seed=5), random.Random(1)
    for _ in range(12):
        if not state.choices:
            break
        choice = rng.choice(state.choices)
        ran = step_through(state, choice, lambda look: False)
        before, events = state.copy(), state.apply(choice)
        assert isinstance(ran, Ran) and [str(e) for e in ran.events] == [str(e) for e in events]
        assert after(before, ran) == state and after(before, ran).choices == state.choices
        assert [str(e) for e in ran.events.seen_by(None)] == [str(e) for e in events.seen_by(None)]
