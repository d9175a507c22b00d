"""Every mechanic has a tiny ruleset: its scenarios hold, both backends agree, states are saved at every decision."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import ruleforge
from ruleforge.project.resolver import diagnostics_of
from ruleforge.support.diagnostics import Report
from ruleforge.tools.scenarios.runner import run_scenario
from ruleforge.tools.scenarios.scenario import read_scenario
from tests.elsewhere import Elsewhere
from tests.inside import variant_of
from tests.redeals import redealt

FOLDER = Path(__file__).resolve().parent / "rulesets"
NAMES = sorted(folder.name for folder in FOLDER.iterdir() if folder.is_dir())
SCENARIOS = [
    pytest.param(name, file, id=f"{name}/{file.stem}")
    for name in NAMES
    for file in sorted((FOLDER / name / "scenarios").glob("*.yaml"))
]
HIDING = [
    "armies",
    "hidden",
    "passing",
    "planning",
    "sealed",
    "setups",
    "teams",
]  # not compiled to be collected
GAMES = 20
LIMIT = 40  # decisions a game; the reference interpreter is slow on purpose
ENDLESS = {"RF812"}  # what a tiny ruleset may provoke on purpose


@cache
def game_of(name: str, backend: str = "python") -> ruleforge.Game:
    return ruleforge.load(FOLDER / name, backend=backend)


def starts(name: str, rng: random.Random) -> Iterator[dict[str, object]]:
    """Ways to start a game: seeds, numbers of players, options and both ways of chance."""
    info = game_of(name).info
    for seed in range(GAMES):
        options: dict[str, object] = {}
        for option in info.options:
            if option.values:
                options[option.name] = rng.choice(option.values)
            elif option.low is None or option.high is None:
                options[option.name] = rng.random() < 0.5
            else:
                options[option.name] = rng.randint(option.low, option.high)
        low, high = info.players
        chance = "explicit" if seed % 4 == 3 else "sampled"
        yield {"seed": seed, "players": rng.randint(low, high), "options": options, "chance": chance}


def texts(state: ruleforge.State) -> list[str]:
    return [str(choice) for choice in state.choices]


# --- what each ruleset is ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_it_is_fine(name: str) -> None:
    assert not [f"{d.span}: {d.code} {d.message}" for d in diagnostics_of(FOLDER / name)]
    assert (FOLDER / name / "scenarios").is_dir()


@pytest.mark.parametrize("backend", ["python", "reference"])
@pytest.mark.parametrize(("name", "file"), SCENARIOS)
def test_scenarios_hold(name: str, file: Path, backend: str) -> None:
    report = Report()
    scenario = read_scenario(file, report)
    assert scenario is not None, list(report)
    run_scenario(game_of(name, backend), scenario, report)
    assert not [f"{d.span}: {d.message}" for d in report]


# --- random play -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_backends_agree_and_states_are_saved_at_every_decision(name: str) -> None:
    """Two machines side by side, each restored from its own words before every choice."""
    fast, plain = game_of(name), game_of(name, "reference")
    rng = random.Random(name)
    for start in starts(name, rng):
        ours, theirs = fast.start(**start), plain.start(**start)  # type: ignore[arg-type]
        for _ in range(LIMIT):
            saved = ours.save()
            assert saved == theirs.save()
            assert texts(ours) == texts(theirs)
            assert ours.outcome == theirs.outcome
            assert not ours.broken_invariants()
            if ours.outcome is not None:
                break
            ours, theirs = fast.restore(saved), plain.restore(saved)
            assert ours.save() == saved
            choice = rng.choice(texts(ours))
            if not _both_apply(ours, theirs, choice, rng.random() < 0.2):
                break


def _both_apply(ours: ruleforge.State, theirs: ruleforge.State, choice: str, listen: bool) -> bool:
    """Whether the choice was possible to the end; if not, both refuse it alike. To listen takes its time."""
    try:
        told = ours.apply(choice)
    except ruleforge.IllegalChoice as refusal:
        assert refusal.code in ENDLESS, refusal
        with pytest.raises(ruleforge.IllegalChoice) as other:
            theirs.apply(choice)
        assert other.value.code == refusal.code
        return False
    also = theirs.apply(choice)
    if listen:
        assert [str(event) for event in told] == [str(event) for event in also]
    return True


@pytest.mark.parametrize("name", NAMES)
def test_a_state_goes_on_in_a_new_process(name: str, elsewhere: Elsewhere) -> None:
    rng = random.Random(name)
    positions, expected = [], []
    for seed in range(3):
        state = game_of(name).start(seed=seed)
        for _ in range(20):
            if not state.choices:
                break
            choice = rng.choice(texts(state))
            before, saved = [state.digest, texts(state)], state.save()
            try:
                state.apply(choice)
            except ruleforge.IllegalChoice:
                break
            positions.append((saved, choice))
            expected.append([*before, state.digest])
    assert elsewhere.played(str(FOLDER / name), positions) == expected


# --- what is hidden ----------------------------------------------------------------------------------------


def test_the_rulesets_that_hide_something_are_these() -> None:
    assert [name for name in NAMES if variant_of(game_of(name).start()).hides_something] == HIDING


@pytest.mark.parametrize("name", HIDING)
def test_what_a_player_gets_does_not_tell_what_is_hidden(name: str) -> None:
    """Deal the hidden things anew: view, prompt, choices, and what is told of a step stay as they are."""
    rng = random.Random(name)
    for seed in range(6):
        state = game_of(name).start(seed=seed)
        for _ in range(25):
            if not state.choices:
                break
            choice = rng.choice(texts(state))
            for number, player in enumerate(state.players, start=1):
                _compare(state, redealt(state, number, rng), player, choice)
            state.apply(choice)


def _compare(state: ruleforge.State, other: ruleforge.State, player: str, choice: str) -> None:
    assert other.view(player) == state.view(player)
    if state.decision is not None and state.decision.player == player:
        assert texts(other) == texts(state)
    if choice not in texts(other):
        return
    one, two = state.copy(), other.copy()
    first, second = one.apply(choice).seen_by(player), two.apply(choice).seen_by(player)
    if one.view(player) == two.view(player):
        assert [str(event) for event in first] == [str(event) for event in second]


@pytest.mark.parametrize(("name", "other", "word"), [("sealed", "ivy", ""), ("planning", "quo", "send")])
def test_a_secret_choice_leaves_no_trace(name: str, other: str, word: str) -> None:
    """Whatever the first player commits to, another one hears, sees and may choose the same."""
    start = game_of(name).start(seed=4)
    log_of = set()
    for choice in [choice for choice in start.choices if choice.text.startswith(word)]:
        state = start.copy()
        told = [str(event) for event in state.apply(choice).seen_by(other)]
        mine = texts(state) if state.decision and state.decision.player == other else []
        log_of.add(str((state.view(other), told, mine, start.tell(choice, state, other))))
    assert len(log_of) == 1
