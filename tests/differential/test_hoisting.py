"""What is asked once plays the same game as what is asked again and again: in every iteration, or of every trial."""

from __future__ import annotations

import random

import pytest

import ruleforge
from ruleforge.compiler import ir
from ruleforge.compiler.lower.decisions import postconditions
from ruleforge.compiler.lower.flow import ruleset
from ruleforge.compiler.visit import all_expressions, statements
from tests.thorough import most

ASKING = (
    "backgammon",
    "euchre",
    "hearts",
    "primordial-orbs",
    "primordial-soup",
    "quoridor",
    "soul-gems",
    "splicers",
)


def games(monkeypatch: pytest.MonkeyPatch, rules: str) -> tuple[ruleforge.Game, ruleforge.Game]:
    """The same rules with and without."""
    monkeypatch.setenv("RULEFORGE_CACHE", "")
    plain, hoisting = ruleforge.load(rules), ruleforge.load(rules)
    with monkeypatch.context() as patched:
        patched.setattr(ruleset, "hoisted", lambda lowered: lowered)
        patched.setattr(ruleset, "unswitched", lambda lowered: lowered)
        patched.setattr(ruleset, "implied", lambda lowered: lowered)
        plain.start()
    return plain, hoisting


def asks_once(game: ruleforge.Game) -> bool:
    functions = game.variant(game.compiled.setup()).program.functions.values()
    return any("known#" in repr(f.body) for f in functions)


@pytest.mark.parametrize("rules", ASKING)
def test_the_same_game(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, hoisting = games(monkeypatch, rules)
    assert asks_once(hoisting) and not asks_once(plain)
    play_the_same(plain, hoisting, rules)


def play_the_same(plain: ruleforge.Game, hoisting: ruleforge.Game, rules: str) -> None:
    rng = random.Random(rules)
    for seed in range(most(1, 2)):
        ours, theirs = hoisting.start(seed=seed), plain.start(seed=seed)
        for _ in range(60):
            assert list(map(str, ours.choices)) == list(map(str, theirs.choices))
            if ours.outcome is not None:
                break
            text = str(rng.choice(ours.choices))
            ours.apply(text)
            theirs.apply(text)
            assert ours.save() == theirs.save()


def test_what_is_lifted_is_asked_before_its_first_use() -> None:
    """Whoever must follow suit is asked for it once for all cards, and not at all who leads."""
    game = ruleforge.load("hearts")
    functions = game.variant(game.compiled.setup()).program.functions
    listed = functions["choices of turn_1"].body
    assert [s.name for s in listed if isinstance(s, ir.Set)] == ["known#1", "known#2", "known#3"]


def test_iterations_that_go_the_same_way_are_loops_of_their_own() -> None:
    """Whether somebody leads, and whether a suit can be followed, is asked before the cards are looked through."""
    game = ruleforge.load("hearts")
    *_, way = game.variant(game.compiled.setup()).program.functions["choices of turn_1"].body
    assert isinstance(way, ir.If) and not isinstance(way.test, ir.Local)
    follows = way.other[-1]
    assert isinstance(follows, ir.If) and follows.test == ir.Local("asked#2")
    (loop,) = follows.then
    assert isinstance(loop, ir.Scan) and all(not isinstance(s, ir.Break) for s in loop.body)


TRYING = ("chess", "go", "orbit-simulator", "quoridor")


@pytest.mark.parametrize("rules", TRYING)
def test_what_a_choice_cannot_touch_is_not_tried(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With every condition tried out, and every trial a trial, the same choices are offered."""
    monkeypatch.setenv("RULEFORGE_CACHE", "")
    plain, asking = ruleforge.load(rules), ruleforge.load(rules)
    with monkeypatch.context() as patched:
        patched.setattr(postconditions, "stays", lambda *_: False)
        patched.setattr(ruleset, "untried", lambda lowered: lowered)
        patched.setattr(ruleset, "unasked", lambda lowered: lowered)
        plain.start()
    play_the_same(plain, asking, rules)


def test_a_plan_is_tried_only_where_it_may_be_broken() -> None:
    """Venting heat changes nothing that must hold of a plan; a burn does."""
    game = ruleforge.load("orbit-simulator")
    functions = game.variant(game.compiled.setup()).program.functions
    tried = [
        e.function
        for e in all_expressions(functions["choices of planning_1"].body)
        if isinstance(e, ir.Trial)
    ]
    written = [
        {s.base for s in statements(functions[name].body) if isinstance(s, ir.Store)} for name in tried
    ]
    columns = {c.name: c for c in game.variant(game.compiled.setup()).program.columns}
    assert any(columns["burning"].base in bases for bases in written)
    assert not any(bases == {columns["vent"].base} for bases in written)
