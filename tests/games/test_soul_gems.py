"""Soul Gems beyond its scenarios: the table of thresholds, cards on the published points, secrecy, random games."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest

import ruleforge
from ruleforge import Game, State
from ruleforge.engine.errors import IllegalChoice
from ruleforge.support.resources import shipped_games
from tests.shelf import game as shelved

FOLDER = shipped_games()["soul-gems"]
CARDS = Path(__file__).with_name("soul_gems_cards.yaml")
HIT, MISS = (0, 1), (9, 9)
THRESHOLDS = {  # attacker: against pawn, knight, bishop, rook, queen, king
    "p_1": (20, 5, 5, 5, 5, 10),
    "n_1": (40, 20, 20, 5, 5, 30),
    "b_1": (40, 20, 20, 5, 5, 30),
    "r_1": (60, 40, 40, 20, 5, 50),
    "q": (95, 80, 80, 60, 20, 90),
}


@pytest.fixture(scope="module")
def core() -> Game:
    return shelved("soul-gems")


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The core with a file of cards beside it, and not a word of the core changed."""
    folder = tmp_path_factory.mktemp("games") / "soul-gems"
    shutil.copytree(FOLDER, folder)
    shutil.copy(CARDS, folder)
    return ruleforge.load(folder)


class Table:
    """A game with scripted dice: Ann is White, the Kings stand on e1 and e8, the first Upkeep is over."""

    def __init__(self, game: Game, phase: str = "battle", /, **position: object) -> None:
        self.state = game.start(seed=1, chance="explicit")
        self.roll(6, 6, 6, 1, 1, 1)
        given = {name.replace("__", "."): value for name, value in position.items()}
        self.state = self.state.patched({"ann.lp": 100, "ann.sp": 100, **given})
        self.say("white e1").say("e8")
        self.go_on(phase)

    def roll(self, *dice: int) -> Table:
        for die in dice:
            self.state.apply(str(die))
        return self

    def say(self, text: str, *dice: int) -> Table:
        for choice in self.state.read(text):
            self.state.apply(choice)
        return self.roll(*dice)

    def go_on(self, phase: str) -> Table:
        for _ in range(20):
            decision = self.state.decision
            if decision is None or decision.kind == phase:
                return self
            self.state.apply("done")
        raise AssertionError(f"{phase} never comes")

    def __getitem__(self, path: str) -> Any:
        return self.state[path]


def at(**squares: str) -> dict[str, object]:
    return {f"{square}__occupant": piece for square, piece in squares.items()}


# --- the core ---


def test_all_thresholds(core: Game) -> None:
    state = core.start(seed=1)
    for attacker, wanted in THRESHOLDS.items():
        for target, threshold in zip(("p_1", "n_1", "b_1", "r_1", "q", "k"), wanted, strict=True):
            assert state[f"to_hit(w{attacker}, b{target})"] == threshold


def test_all_reading_of_the_dice(core: Game) -> None:
    """100 equally likely results, each read once."""
    before = Table(core, **at(d1="wr_1", d4="bq"))
    before.say("attack d1 d4 lp 13")
    found = set()
    for tens in range(10):
        for ones in range(10):
            state = before.state.copy()
            state.apply(str(tens))
            state.apply(str(ones))
            found.add(state["game.die"])
            assert state["bq.damage"] == (1 if 1 <= 10 * tens + ones <= 5 else 0)
    assert found == set(range(1, 101))


@pytest.mark.parametrize(("threshold", "wanted", "count"), [(12, "break", 81), (10, "repair", 135)])
def test_gem_odds(threshold: int, wanted: str, count: int) -> None:
    sums = [a + b + c for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)]
    state = ruleforge.load("soul-gems").start(seed=1)
    assert sum(total >= threshold for total in sums) == count
    assert state[f"{wanted}_price(ann)"] == {"break": 20, "repair": 10}[wanted]


def test_nobody_learns_a_king_square_before_both_have_chosen(core: Game) -> None:
    state = core.start(seed=1, chance="explicit")
    for die in (6, 6, 6, 1, 1, 1):
        state.apply(str(die))
    state.apply("white")
    one, two = state.copy(), state.copy()
    log_of = one.apply("c4").seen_by("ben"), two.apply("d1").seen_by("ben")
    assert [str(e) for e in log_of[0]] == [str(e) for e in log_of[1]]
    assert one.view("ben") == two.view("ben")
    assert [str(c) for c in one.choices] == [str(c) for c in two.choices]
    assert one.decision == two.decision
    with pytest.raises(IllegalChoice):
        one.copy().apply("d4")
    one.apply("h8")
    assert one.view("ben")["places"]["c4.occupant"] == "wk"


# --- cards on the published points ---


def test_to_hit_bonuses_are_capped_together(cards: Game) -> None:
    """Base 5, +10 and +20 are cut to +25; one bonus alone counts in full."""
    table = Table(cards, "main_one", close_quarters__held=True, **at(d4="wp_1", e5="bn_1"))
    assert table["to_hit(wp_1, bn_1)"] == 15
    table.say("war_chant")
    assert table["to_hit(wp_1, bn_1)"] == 30
    table.go_on("battle").say("attack d4 e5 lp 3", 3, 1)
    assert table["bn_1.damage"] == 0
    table.say("attack d4 e5 lp 3", 3, 0)
    assert table["bn_1.damage"] == 1


def test_bonuses_act_on_what_the_formula_gave(cards: Game) -> None:
    """Pawn on Queen: 5 and 25 are 30; Queen on Pawn stays at 95."""
    table = Table(
        cards, war_drum__held=True, close_quarters__held=True, **at(d4="wp_1", e5="bq", a1="wq", a2="bp_1")
    )
    assert table["to_hit(wp_1, bq)"] == 30
    assert table["to_hit(wq, bp_1)"] == 95


def test_damage_bonuses_are_capped_together(cards: Game) -> None:
    """1 and 2, then 1 and at most 2: the second hit takes the Rook, which pays 25."""
    table = Table(cards, carrion_edge__held=True, **at(d1="wr_1", d4="br_1"))
    table.say("rending_word wr_1")
    table.say("attack d1 d4 lp 13", *HIT)
    assert table["br_1.damage"] == 3
    souls = table["ann.sp"]
    table.say("attack d1 d4 lp 13", *HIT)
    assert table["d4.occupant"] is None
    assert table["ann.sp"] == souls + 25


def test_one_reroll_source_for_a_roll(cards: Game) -> None:
    """Both dice of an omen miss: the second glance is not offered, and nothing is paid for it."""
    table = Table(cards, second_glance__held=True, **at(d1="wr_1", d4="bq"))
    table.say("twin_omen").say("attack d1 d4 lp 13", 5, 0, 4, 0)
    assert (table["game.die"], table["ann.activations"]) == (40, 1)
    assert table.state.decision is not None and table.state.decision.kind == "battle"
    table.say("attack d1 d4 lp 13", 5, 0)
    assert [str(c) for c in table.state.choices] == ["glance second_glance", "done"]
    table.say("glance second_glance lp 4", *HIT)
    assert (table["bq.damage"], table["ann.activations"]) == (1, 2)


def test_advantage_keeps_the_lower_roll(cards: Game) -> None:
    table = Table(cards, **at(d1="wr_1", d4="bq"))
    table.say("twin_omen").say("attack d1 d4 lp 13", 0, 3, 9, 0)
    assert (table["game.die"], table["bq.damage"]) == (3, 1)


def test_a_third_activation_is_refused_unpaid(cards: Game) -> None:
    table = Table(cards, **at(d1="wr_1", d4="bq"))
    table.say("war_chant").say("twin_omen")
    souls = table["ann.sp"]
    assert table.state.why_not("war_chant")
    assert (table["ann.activations"], table["ann.sp"]) == (2, souls)


def test_passive_cards_use_no_activation(cards: Game) -> None:
    table = Table(cards, close_quarters__held=True, carrion_edge__held=True, **at(d4="wn_1", e6="bq"))
    for _ in range(4):
        table.say("attack d4 e6 lp 7", *MISS)
    assert table["ann.activations"] == 0


def test_distance_is_floored_for_the_price_alone(cards: Game) -> None:
    table = Table(cards, surveyors_chain__held=True, **at(d1="wr_1", d4="bq", a1="wn_1", b3="bp_1"))
    assert (table["attack_price(wr_1, bq)"], table["attack_price(wn_1, bp_1)"]) == (12, 7)
    assert table["span(wr_1, bq)"] == 3
    table.say("attack d1 d4 lp 12", *MISS)
    assert table["attack_price(wr_1, bq)"] == 13


def test_a_waiver_lowers_only_what_is_paid_in_sp(cards: Game) -> None:
    for life, left in ((4, (96, 92)), (14, (86, 100)), (13, (87, 100))):
        table = Table(cards, "gem_step", porters_lantern__held=True)
        table.go_on("summon_step").say(f"summon queen d1 {life}")
        assert (table["ann.lp"], table["ann.sp"]) == left


def test_conversion_in_another_window_shares_the_cap(cards: Game) -> None:
    table = Table(cards, "after_income", ann__turns=1, tithe_bowl__held=True)
    table.say("tithe tithe_bowl 6").go_on("main_two")
    assert table["ann.converted"] == 6
    assert table.state.why_not("convert 16")
    table.say("convert 14")
    assert table["ann.converted"] == 20


def test_a_broken_gem_and_the_first_turn_stop_every_gain_of_sp(cards: Game) -> None:
    for broken, turns, gain in ((False, 1, 78 + 3), (True, 1, 0), (False, 0, 0)):
        state = cards.start(seed=1, chance="explicit")
        for die in (6, 6, 6, 1, 1, 1):
            state.apply(str(die))
        state = state.patched({"soul_kiln.held": True, "ann.broken": broken, "ann.turns": turns})
        state.apply("white")
        state.apply("e1")
        state.apply("e8")
        assert state["ann.sp"] == gain


def test_gem_modifiers_are_cut_together(cards: Game) -> None:
    table = Table(cards, "main_one", gem_ward__held=True)
    assert table["gem_bonus(ann, ann)"] == 2
    assert table["gem_bonus(ann, ben)"] == 0


def test_a_ward_takes_the_first_hit(cards: Game) -> None:
    table = Table(cards, "main_one", ben__lp=100, **at(d1="wr_1", d8="bq"))
    table.say("stoneward wr_1")
    while table.state.decision is None or table.state.decision.player != "ben":
        table.state.apply("done")
    table.go_on("battle").say("attack d8 d1", *HIT)
    assert table["wr_1.damage"] == 0
    table.say("attack d8 d1", *HIT)
    assert table["wr_1.damage"] == 1


def test_an_extra_move_is_paid_in_full(cards: Game) -> None:
    table = Table(cards, "main_one", **at(d1="wr_1"))
    table.say("go d1 d2 lp 6")
    assert table.state.why_not("go d2 d3")
    table.say("quickened_march wr_1").say("go d2 d3 lp 6")
    assert table["ann.lp"] == 100 - 6 - 4 - 6
    table.go_on("main_two").say("go d3 d4 lp 6")
    assert table.state.why_not("go d4 d5")


def test_repair_is_denied_for_one_upkeep(cards: Game) -> None:
    table = Table(cards, "main_one", ben__broken=True, ben__lp=100)
    table.say("sealing_wax")
    while table["ben.turns"] == 0:
        table.state.apply("done")
    assert table["repair_denied(ben)"] is True
    assert table.state.why_not("repair_gem")
    while table["ben.turns"] == 1:
        table.state.apply("done")
    assert table["repair_denied(ben)"] is False


def test_a_denial_that_comes_from_nobody_is_void_the_second_time(cards: Game) -> None:
    table = Table(cards, "main_one", ben__broken=True, ben__lp=100, hoarfrost__target="ben")
    denied = []
    for turn in range(3):
        while table["ben.turns"] == turn:
            table.state.apply("done")
        denied.append(table["repair_denied(ben)"])
    assert denied == [True, False, True]


def test_a_part_of_the_pieces_breaks_no_invariant(core: Game) -> None:
    table = Table(core, "main_one")
    table.state = table.state.patched({"ann.gem": ["wp_1"], "ben.gem": []})
    assert table.state.broken_invariants() == ()
    assert (table["gem_value(ann)"], table["gem_value(ben)"]) == (1, 0)


# --- random games ---


@pytest.mark.parametrize(
    "options", [{"max_turns": 25}, {"max_turns": 12, "lp_victory": False}], ids=["limit", "no riches"]
)
def test_random_games_end_with_a_reason(core: Game, options: dict[str, int | bool]) -> None:
    reasons = set()
    for seed in range(10):
        state = core.start(seed=seed, options=options)
        rng = random.Random(seed)
        while state.choices:
            state.apply(rng.choice(state.choices))
            assert not state.choices or not state.broken_invariants()
        assert state.outcome is not None
        reasons.add(state.outcome.reason)
    assert {"limit_damage", "limit_score"} <= reasons


def test_backends_agree_on_random_games(core: Game) -> None:
    plain = shelved("soul-gems", backend="reference")
    for seed in range(3):
        options = {"max_turns": 8}
        ours, theirs = core.start(seed=seed, options=options), plain.start(seed=seed, options=options)
        rng = random.Random(seed)
        while ours.choices:
            text = str(rng.choice(ours.choices))
            ours.apply(text)
            theirs.apply(text)
            assert ours.digest == theirs.digest
            assert [str(c) for c in ours.choices] == [str(c) for c in theirs.choices]
        assert ours.outcome == theirs.outcome


def test_games_with_cards_keep_the_invariants(cards: Game) -> None:
    held = {
        f"{name}.held": True for name in ("close_quarters", "second_glance", "soul_kiln", "porters_lantern")
    }
    for seed in range(6):
        state: State = cards.start(seed=seed, options={"max_turns": 10}).patched(held)
        rng = random.Random(seed)
        while state.choices:
            state.apply(rng.choice(state.choices))
            assert not state.choices or not state.broken_invariants()
        assert state.outcome is not None
