"""A sampled world agrees with all the player has seen, breaks no invariant, and varies everything else."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ruleforge
from tests.property.lines import game_of
from tests.property.secrecy import states_along
from tests.unit.small_games import small_game

HIDING = ("splicers", "soul-gems", "primordial-orbs", "orbit-simulator", "kuhn-poker", "leduc-poker")

SEALED = """\
game: {id: sealed, title: Sealed, version: "1.0", text: Plans and sealed bids., players: 2}
kinds:
  player:
    things: [ann, ben]
    has: {bid: 0..9, plan: {type: 0..9, sees: viewer is self}}
flow:
  - phase: planning
    each: me in players
    window: one
    sees: viewer is me
  - phase: bidding
    do: |
      each p in players secretly chooses much in 1..9: p.bid = much
  - phase: revealing
    do: |
      ben chooses much in 1..9: ben.bid = much
      for p in players: p.bid = p.plan
      finish over for best(p in players by p.bid)
actions:
  think: {during: planning, choose: {much: in 1..9}, do: me.plan = much}
endings: {over: {text: Over.}}
"""


def worlds(state: ruleforge.State, player: str, games: int = 40) -> list[ruleforge.State]:
    rng = random.Random(5)
    return [state.sample_world(player, rng) for _ in range(games)]


def test_sealed_answers_vary():
    state = small_game(SEALED).start()
    for text in ("think 3", "think 4", "7"):
        state.apply(text)
    bids = set()
    for world in worlds(state, "ben"):
        world.apply("5")
        bids.add(world["ann.bid"])
    assert len(bids) > 3


def test_the_players_own_sealed_answer_is_kept():
    state = small_game(SEALED).start()
    for text in ("think 3", "think 4", "7"):
        state.apply(text)
    for world in worlds(state, "ann"):
        world.apply("5")
        assert world["ann.bid"] == 7


def test_what_was_sealed_is_known_while_it_is_carried_out():
    """Another secret is asked for in the middle; the first one hung on a value that is gone."""
    rules = SEALED.replace(
        "each p in players secretly chooses much in 1..9: p.bid = much",
        """let most = 9
      each p in players secretly chooses much in 1..most:
        p.bid = much
        each q in players secretly chooses more in 1..3: q.bid += more""",
    )
    state = small_game(rules).start()
    for text in ("think 3", "think 4", "7", "5"):
        state.apply(text)
    for player in state.players:
        for world in worlds(state, player):
            assert world["ann.bid"] == 7
            for text in ("1", "1"):
                world.apply(text)
            for text in ("1", "1"):
                world.apply(text)
            assert (world["ann.bid"], world["ben.bid"]) == (9, 6)


def test_sealed_squares_vary_in_soul_gems():
    state = game_of("soul-gems").start(seed=3)
    state.apply("white")
    state.apply("f1")
    seen = set()
    for world in worlds(state, "ben"):
        world.apply("f5")
        seen.add(str(world.view("ben")["places"]))
    assert len(seen) > 3


def test_hidden_plans_vary_and_ones_own_stay():
    state = small_game(SEALED).start()
    state.apply("think 3")
    state.apply("think 4")
    state.apply("1")
    assert len({world["ann.plan"] for world in worlds(state, "ben")}) > 3
    assert {world["ben.plan"] for world in worlds(state, "ben")} == {4}


@pytest.mark.parametrize("name", HIDING)
def test_a_sampled_world_looks_the_same_breaks_nothing_and_plays_on(name):
    """Along random lines, for every seat: the same view, the invariants kept, saved and played on."""
    rng = random.Random(11)
    for seed in range(3):
        state = game_of(name).start(seed=seed)
        for _ in range(60):
            if not state.choices:
                break
            for player in state.players:
                world = state.sample_world(player, rng)
                assert world.view(player) == state.view(player)
                assert world.violations() == ()
                assert state.game.restore(world.save()) == world
                _play_on(world, rng)
            state.apply(rng.choice(state.choices))


def _play_on(state: ruleforge.State, rng: random.Random) -> None:
    for _ in range(12):
        if not state.choices:
            return
        try:
            state.apply(rng.choice(state.choices))
        except ruleforge.IllegalChoice:  # a limit of the rules, told in words
            return
        assert not state.choices or state.violations() == ()


@pytest.mark.parametrize("name", ["splicers", "primordial-orbs", "kuhn-poker"])
def test_what_is_hidden_does_vary(name):
    state = game_of(name).start(seed=3)
    rng = random.Random(2)
    for _ in range(12):
        for player in state.players:
            found = {world.digest for world in worlds(state, player, 12)}
            assert len(found) > 1, (name, player)
        if name == "kuhn-poker":
            return
        state.apply(rng.choice(state.choices))


ALIKE = {  # positions along a line, and decisions from one to the next
    **dict.fromkeys(("kuhn-poker", "leduc-poker"), (4, 1)),
    **{str(path): (5, 2) for path in sorted((Path(__file__).parents[1] / "rulesets").iterdir())},
    **dict.fromkeys(("splicers", "soul-gems", "primordial-orbs", "orbit-simulator"), (5, 3)),
}


@pytest.mark.parametrize("name", ALIKE, ids=lambda name: Path(name).name)
def test_worlds_do_not_hang_on_what_the_seat_does_not_know(name):
    """What a seat cannot tell apart, now and after an answer of which it is told the same, has the same worlds."""
    rng = random.Random(6)
    game = game_of(name)
    for state in states_along(game, 8, *ALIKE[name]):
        for seat in (*state.players, None) if state.hides_something else ():
            twin = state.sample_world(seat, random.Random(1))
            assert _same_worlds(state, twin, seat), (seat, state.decision)
            for one, other in _told_the_same(state, twin, seat, rng):
                assert _same_worlds(one, other, seat), (seat, state.decision, one.decision)


def _same_worlds(one: ruleforge.State, other: ruleforge.State, seat: str | None) -> bool:
    return one.sample_world(seat, random.Random(9)) == other.sample_world(seat, random.Random(9))


def _told_the_same(
    one: ruleforge.State, other: ruleforge.State, seat: str | None, rng: random.Random
) -> Iterator[tuple[ruleforge.State, ruleforge.State]]:
    """Some pairs of what answers lead to that the seat cannot tell apart."""
    log_of: dict[str, list[ruleforge.State]] = {}
    for state in (one, other):
        for choice in rng.sample(state.choices, min(4, len(state.choices))):
            after = state.copy()
            try:
                events = [str(event) for event in after.apply(choice).seen_by(seat)]
            except ruleforge.IllegalChoice:  # a limit of the rules, told in words
                continue
            if after.choices:
                said = f"{state.tell(choice, after, seat)}{events}{after.view(seat)}"
                log_of.setdefault(said, []).append(after)
    yield from [(first, rest[-1]) for first, *rest in log_of.values() if rest][:2]


@pytest.mark.slow
def test_agents_play_splicers_to_the_end():
    command = [sys.executable, "-m", "ruleforge.frontends.cli.main", "play", "splicers", "--seed", "1"]
    done = subprocess.run(
        [*command, "--seat", "p1=mcts:30", "--seat", "p2=mcts:30"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert "Traceback" not in done.stderr + done.stdout, done.stderr[-2000:]
    assert done.returncode == 0
