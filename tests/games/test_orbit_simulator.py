"""Orbit Simulator: random games keep its invariants, plans stay private, both backends agree, data can grow."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml

import ruleforge
from ruleforge.support.resources import find_game
from tests.inside import variant_of, vector_of

NAME = "orbit-simulator"
PLAN = ("change", "vent", "rotating", "burning", "adjusting", "scooping", "order", "aim", "braced")
STEPS = [  # of an execution, in the order in which they must come
    "return_energy",
    "vent_heat",
    "draw_energy",
    "rotate",
    "fly",
    "fire",
    "scorch",
    "overclock",
    "clear_plan",
]


@cache
def game(backend: str = "python") -> ruleforge.Game:
    return ruleforge.load(NAME, backend=backend)


def broken_invariants(state: ruleforge.State) -> list[str]:
    variant = variant_of(state)
    call = variant.runtime.call
    return [i.name for i in variant.program.invariants if not call(i.function, vector_of(state))]


def random_line(state: ruleforge.State, seed: int, most: int = 10_000) -> Iterator[ruleforge.State]:
    """The states of a random game, each before its choice is made; the last one is over."""
    rng = random.Random(seed)
    for _ in range(most):
        yield state
        if not state.choices:
            return
        state.apply(rng.choice(state.choices))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_end_with_a_reason_and_keep_the_invariants(players: int) -> None:
    for seed in range(4):
        for state in random_line(game().start(players=players, seed=seed), seed):
            assert state.outcome is not None or broken_invariants(state) == []
        assert state.outcome is not None
        assert state.outcome.reason in ("last_ship", "round_limit")
        assert state["game.round"] in range(1, 21)
        alive = [p for p in state.players if state[f"{p}.alive"]]
        assert set(state.outcome.winners) <= set(alive)
        assert (state.outcome.reason == "last_ship") == (len(alive) == 1)


@pytest.mark.parametrize("players", [2, 4])
def test_backends_agree_state_by_state(players: int) -> None:
    ours, theirs = game().start(players=players), game("reference").start(players=players)
    rng = random.Random(players)
    for _ in range(100):
        assert ours.save() == theirs.save()
        assert [str(c) for c in ours.choices] == [str(c) for c in theirs.choices]
        if not ours.choices:
            return
        choice = str(rng.choice(ours.choices))
        ours.apply(choice)
        theirs.apply(choice)


def test_a_plan_leaves_no_trace_for_others() -> None:
    """Whatever the active player plans: the others see, and are told, the same."""
    rng = random.Random(7)
    state = game().start(players=3)
    before = {p: _without_prompt(state.view(p)) for p in state.players}
    for _ in range(300):
        choice = rng.choice([c for c in state.choices if c.text != "execute_turn"])
        earlier = state.copy()
        events = state.apply(choice)
        for other in ("blue", "green"):
            assert _without_prompt(state.view(other)) == before[other]
            assert earlier.tell(choice, state, other) == "?"
            told = " ".join(str(event) for event in events.seen_by(other))
            assert choice.text.split()[0] not in told
            for word in choice.text.split()[1:]:
                assert f"={word}" not in told


def _without_prompt(view: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in view.items() if key != "decision"}


def test_views_show_the_plan_to_the_planner_only() -> None:
    for state in random_line(game().start(players=2, seed=3), 3, 200):
        if state.decision is None:
            return
        active = state.decision.player
        (other,) = (p for p in state.players if p != active)
        hidden = [path for path in state.paths() if path.partition("[")[0].partition(".")[2] in PLAN]
        own = {path for path in hidden if path.startswith(f"{active}.")}
        assert own and own <= set(state.view(active)["attributes"])
        assert not own & set(state.view(other)["attributes"])


def test_execution_keeps_its_order_and_does_no_more_than_the_plan_says() -> None:
    """OS-1.9-b, OS-R6: the generated actions, in their fixed order."""
    state = game().start(players=2)
    state = state.patched(
        {
            "game.round": 2,
            "red.ring": "ring_3",
            "red.sector": 10,
            "red.heat": 2,
            "red.energy[engines]": 2,
            "red.energy[railgun]": 4,
            "red.free": 4,
            "blue.ring": "ring_3",
            "blue.sector": 8,
        }
    )
    plan = ["deallocate engines 1", "allocate thrusters 1", "vent 1", "rotate", "fire railgun blue"]
    for step in plan:
        state.apply(step)
    done = [e for e in state.apply("execute_turn") if e.name.startswith("event ")]
    names = [e.name.removeprefix("event ") for e in done]
    assert [n for n in names if n in STEPS] == STEPS
    energy = [(e.name, e["s"], e["units"]) for e in done if "energy" in e.name]
    assert energy == [("event return_energy", "engines", 1), ("event draw_energy", "thrusters", 1)]


def test_an_order_without_a_target_announces_nothing() -> None:
    """OS-R38: the railgun's target is gone before its turn comes; nobody hears of that shot."""
    state = game().start(players=3).patched(
        {
            "game.round": 2, "red.ring": "ring_3", "red.sector": 4, "red.energy[missiles]": 2, "red.free": 4,
            "red.energy[railgun]": 4, "blue.ring": "ring_3", "blue.sector": 6, "blue.hull": 3,
        }
    )  # fmt: skip
    state.apply("fire missiles blue")
    state.apply("fire railgun blue")
    events = state.apply("execute_turn")
    for told in (events, *(events.seen_by(p) for p in state.players)):
        shots = [e["w"] for e in told if e.name == "event fire"]
        assert shots == ["missiles"]
        assert not any(e.name == "event push" for e in told)


def test_every_legal_plan_can_be_executed() -> None:
    """OS-R20: after every step all conditions of the plan hold, Execute Turn is offered and is not refused."""
    conditions = plan_conditions()
    for seed in range(3):
        for state in random_line(game().start(players=2, seed=seed), seed, 250):
            if state.decision is not None:
                assert all(
                    state[condition.replace("(me)", f"({state.decision.player})")] for condition in conditions
                )
                assert any(c.text == "execute_turn" for c in state.choices)
                state.copy().apply("execute_turn")


def plan_conditions() -> list[str]:
    """What the phase `planning` says must hold."""
    source = find_game(NAME)
    assert source is not None
    (lap,) = yaml.safe_load((source / "flow.yaml").read_text("utf-8"))["flow"]
    holds: list[str] = lap["steps"][0]["steps"][0]["holds"]
    assert all(condition.endswith("(me)") for condition in holds)
    return holds


def test_the_forecast_is_what_execution_brings() -> None:
    seen = 0
    for state in random_line(game().start(players=2, seed=11), 11, 400):
        if state.decision is None:
            return
        me = state.decision.player
        wanted = {
            a: state[f"{me}.forecast_{a}"] for a in ("ring", "sector", "transfer", "hull", "heat", "mass")
        }
        after = state.copy()
        after.apply("execute_turn")
        if after.outcome is None and after.decision and after.decision.player != me:
            seen += 1
            if after[f"{me}.alive"]:
                assert wanted == {a: after[f"{me}.{a}"] for a in wanted}
    assert seen > 50


def test_an_added_ring_just_works(tmp_path: Path) -> None:
    """Rings come from data: with a fifth ring of 96 sectors R4 S24 leads out to R5 S48."""
    more = grown(tmp_path, "  well:\n", "      ring_5: {well: core, level: 5, sectors: 96, velocity: 1}\n")
    state = more.start(players=2).patched(
        {"red.ring": "ring_4", "red.sector": 23, "red.energy[engines]": 1, "red.free": 9}
    )
    state.apply("burn light 0")
    state.apply("execute_turn")
    state.apply("execute_turn")
    assert (state["red.ring"], state["red.sector"]) == ("ring_5", 48)


def test_an_added_burn_and_a_raised_maximum_just_work(tmp_path: Path) -> None:
    """The rulebook's own example, engines at 3, with a stronger burn that needs them."""
    more = grown(
        tmp_path,
        "\n  berth:\n",
        "      heavy: {level: 3, cost: 3, rings: 3}\n",
        "rules:\n  injectors:\n    modify: maximum(p, engines)\n    add: 1\n",
    )
    state = more.start(players=2).patched({"red.ring": "ring_1", "red.sector": 0})
    state.apply("allocate engines 3")
    assert state.why_not("allocate engines 1")
    state.apply("burn heavy 0")
    state.apply("execute_turn")
    assert (state["red.transfer"], state["red.mass"], state["red.heat"]) == ("ring_4", 7, 1)


BAD_SUBSYSTEMS = {
    "minimum: 5, maximum: 4, threshold: 4": "`lance`: A subsystem can hold as much energy",
    "minimum: 1, maximum: 4, threshold: 3": "`lance`: What can be overclocked makes heat",
    "minimum: 1, maximum: 1, threshold: 1, damage: 2": "`lance`: A weapon fires along",
    "minimum: 1, maximum: 1, threshold: 1, stock: 2": "`lance`: A weapon with the keyword ammo",
}
BAD_MODULES = {
    "add: 1": "`laser`: What can be overclocked makes heat",
    "set: 1": "`laser`: Modules raise a maximum",
}


@pytest.mark.parametrize("facts", BAD_SUBSYSTEMS)
def test_subsystems_are_checked(tmp_path: Path, facts: str) -> None:
    with pytest.raises(ruleforge.RulesetError, match="RF601") as caught:
        added_subsystem(tmp_path, f"lance: {{{facts}}}")
    assert BAD_SUBSYSTEMS[facts] in str(caught.value)


@pytest.mark.parametrize("change", BAD_MODULES)
def test_subsystems_are_checked_with_their_modules(tmp_path: Path, change: str) -> None:
    with pytest.raises(ruleforge.RulesetError, match="RF601") as caught:
        grown(tmp_path, "kinds:\n", "", f"rules:\n  module:\n    modify: maximum(p, laser)\n    {change}\n")
    assert BAD_MODULES[change] in str(caught.value)


def test_a_minimum_above_the_threshold_is_no_mistake(tmp_path: Path) -> None:
    """OS-R3, OS-R16: such a subsystem may be inactive and still make heat."""
    more = added_subsystem(tmp_path, "lance: {minimum: 5, maximum: 5, threshold: 3, rate: 2}")
    state = more.start(players=2)
    state.apply("allocate lance 4")
    state.apply("execute_turn")
    assert state["red.heat"] == 2


def added_subsystem(folder: Path, line: str) -> ruleforge.Game:
    return grown(folder, "      engines:\n", f"      {line}\n")


def grown(folder: Path, before: str, lines: str, file: str = "") -> ruleforge.Game:
    """The game with more lines of data in front of `before`, and one more file."""
    source = find_game(NAME)
    assert source is not None
    copy = folder / NAME
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("scenarios"))
    text = (copy / "ships.yaml").read_text("utf-8")
    assert text.count(before) == 1
    (copy / "ships.yaml").write_text(text.replace(before, lines + before), "utf-8")
    if file:
        (copy / "more.yaml").write_text(file, "utf-8")
    return ruleforge.load(copy)
