"""Whoever follows the records of a step comes to the row that it leads to: nothing is recorded that was not done, and
nothing is done that is not recorded. What a seat is told goes by that row."""

# ruff: noqa: E501 - a table of rules reads best with one to a line

from __future__ import annotations

import random

import pytest

import ruleforge
from ruleforge.backends.api import words
from ruleforge.engine.paths import Path
from ruleforge.engine.replayed_row import ReplayedRow
from ruleforge.engine.trail import row_of
from tests.fuzz.rulesets import as_yaml
from tests.inside import variant_of, vector_of
from tests.property.hiding import HIDING
from tests.property.one_ruleset import merged
from tests.unit.engine.visibility.test_hidden_triggers import BASE
from tests.unit.small_games import small_game

LINES, DECISIONS = 1, 60


def untrue(state: ruleforge.State, choice: ruleforge.Choice) -> list[str]:
    """Makes the choice; the attributes and places that are not what the records say."""
    events = state.apply(choice)
    variant = variant_of(state)
    before, code = events.trail  # type: ignore[attr-defined]
    row = row_of(variant.runtime, before)
    _, notes = variant.runtime.record(row, code)
    replayed = ReplayedRow(variant, row)
    for number, *given in notes:
        info = variant.program.notes[number]
        replayed.apply(info, info.values(given))
    told = variant.runtime.attach(replayed.words)
    true = variant.runtime.attach(words(vector_of(state), variant.program))
    stored: tuple[Path, ...] = (*variant.paths.attributes, *variant.paths.places)
    return [path.path for path in stored if variant.value(told, path) != variant.value(true, path)]


@pytest.mark.parametrize("name", HIDING)
def test_records_of_shipped_games_are_true(name: str) -> None:
    game = ruleforge.load(name, backend="python")
    for seed in range(LINES):
        state, rng = game.start(seed=seed), random.Random(seed)
        for _ in range(DECISIONS):
            if not state.choices:
                break
            assert untrue(state, rng.choice(state.choices)) == []


MORE = {
    "kinds": {"player": {"has": {"used": {"type": "0..9", "resets": "turn"}}}, "chip": {"pool": 3, "has": {"worth": "0..9 = 1"}}},
    "places": {"tray": {"holds": "chip"}, "pile": {"holds": "card", "ordered": True, "sees": "self is first(c in pile)"}},
}  # fmt: skip
WAYS: dict[str, tuple[str, dict[str, dict[str, str]]]] = {
    "a move that is forbidden": ("move ace to table", {"r": {"forbid": "move card to table"}}),
    "a move that is replaced": ("move ace to table", {"r": {"instead of": "move card to table", "do": "skip"}}),
    "a move that is let pass": ("move ace to table", {"r": {"instead of": "move card to table", "do": "proceed"}}),
    "a move that is watched": ("move ace to heap at top", {"r": {"after": "move card", "do": "ann.one += 1"}}),
    "a value that is kept": ("ann.one = 3", {"r": {"forbid": "set player.one"}}),
    "the top of a pile": ("move ten to heap at top", {}),
    "the bottom of a pile": ("move ten to heap at bottom", {}),
    "a pile that is shuffled": ("move ten to heap\nmove ace to heap\nshuffle heap", {}),
    "what starts anew": ("ann.used = 3", {}),
    "what comes and goes": ("let t = new chip(worth = 4)\nmove t to tray\nremove t", {}),
}  # fmt: skip


def begun(text: str, rules: dict[str, dict[str, str]]) -> ruleforge.State:
    more = {"actions": {"act": {"do": text}}, **({"rules": rules} if rules else {})}
    return small_game(as_yaml(merged(merged(BASE, MORE), more))).start(seed=1)


@pytest.mark.parametrize("way", WAYS)
def test_records_are_true_of(way: str) -> None:
    state = begun(*WAYS[way])
    for _ in range(3):
        assert untrue(state, next(c for c in state.choices if c.text == "act")) == []


def told(text: str, rules: dict[str, dict[str, str]]) -> list[str]:
    return [str(event) for event in begun(text, rules).apply("act").seen_by("ben")]


def test_nobody_is_told_what_a_hidden_thing_is_that_was_not_moved() -> None:
    for rule in ({"forbid": "move card to table"}, {"instead of": "move card to table", "do": "skip"}):
        assert not any("ace" in event for event in told("move ace to table", {"r": rule}))


def test_of_an_open_pile_the_top_is_told_and_the_bottom_is_not() -> None:
    assert "move card thing=ace from=ann.box to=pile" in told("move ten to pile\nmove ace to pile at top", {})
    assert "move card thing=? from=ann.box to=pile" in told(
        "move ten to pile\nmove ace to pile at bottom", {}
    )
