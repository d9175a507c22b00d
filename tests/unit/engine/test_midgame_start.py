"""Games that begin in the middle: every phase of every tiny ruleset, for every player, in front of every backend."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ruleforge
from ruleforge.backends.artifacts.setup import Beginning
from ruleforge.lang.checker.walk import ways_of
from ruleforge.project.resolver import analyse

TINY = Path(__file__).resolve().parents[2] / "rulesets"
NAMES = ["asking", "turns", "sealed", "planning", "keywords", "delayed"]


def beginnings(folder: Path) -> list[Beginning]:
    rules = analyse(folder).checked
    assert rules is not None
    found: list[Beginning] = []
    for way in ways_of(rules.flow):
        found.append(way[-1].name)
        if any(phase.each and phase.me is phase.each.variable for phase in way):
            found += [(way[-1].name, seat) for seat in rules.kinds["player"].things[: rules.players[0]]]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_game_begins_with_any_phase(name: str) -> None:
    game, plain = ruleforge.load(TINY / name), ruleforge.load(TINY / name, backend="reference")
    begun = 0
    for begin in beginnings(TINY / name):
        state, twin = (g.start(seed=1, begin=begin) for g in (game, plain))
        assert [choice.text for choice in state.choices] == ["begin"]
        try:
            state.apply("begin")
        except ruleforge.PlayError as problem:
            assert problem.code == "RF856" or problem.code.startswith("RF81"), (begin, problem)
            continue
        twin.apply("begin")
        assert state.save() == twin.save()
        assert game.restore(state.save()) == state
        begun += 1
        if not isinstance(begin, str) and state.decision is not None and state.decision.kind == begin[0]:
            assert state["active"] == begin[1]
    assert begun


def test_who_is_to_move_is_said_in_any_position() -> None:
    game = ruleforge.load("checkers")
    state = game.start(seed=1)
    state.apply(state.choices[0])
    for player in ("dark", "light"):
        other = state.patched({"game.quiet": 7}, begin=("leg", player))
        assert other.decision is not None and other.decision.player == player
        assert other["game.quiet"] == 7
        assert [other[f"{c}.piece"] for c in ("a3", "b4")] == [state[f"{c}.piece"] for c in ("a3", "b4")]


def test_stuck_is_told_at_once() -> None:
    game = ruleforge.load("clobber")
    state = game.start().patched({"cells.stone": None}, begin="turn")
    assert state.outcome is not None


@pytest.mark.parametrize(
    ("begin", "words"),
    [
        ("lag", "there is no phase `lag`; did you mean `leg`?"),
        (("leg", "blue"), "there is no player `blue`; the players are dark, light"),
    ],
)
def test_what_there_is_not(begin: Beginning, words: str) -> None:
    with pytest.raises(ruleforge.PlayError, match="RF841") as refused:
        ruleforge.load("checkers").start(begin=begin)
    assert words in str(refused.value)


@pytest.mark.parametrize("begin", [["leg"], "leg", 3, ["leg", "blue"]])
def test_a_save_that_says_nonsense(begin: object) -> None:
    game = ruleforge.load("checkers")
    data = json.loads(game.start().save())
    data["begin"] = begin
    with pytest.raises(ruleforge.RestoreError):
        game.restore(json.dumps(data))
