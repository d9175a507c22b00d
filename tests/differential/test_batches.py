"""Batches in machine code against the same games one by one: choices, rows, results, what players see."""

from __future__ import annotations

import random

import pytest

import ruleforge
from ruleforge.backends.playouts import DECISIONS, ENDING, SCORES, WINNERS, Plan, record_size
from ruleforge.compiler.ir import Left, SetOf
from ruleforge.engine.batch import Batch
from ruleforge.engine.paths import AttributePath, PlacePath
from ruleforge.support.resources import shipped_games
from tests.differential.test_backends import HEAVY, QUICK
from tests.inside import vector_of
from tests.shelf import game as shelved

ENVS, STEPS = 3, 24
SLOW = {"quoridor", "go", "chess"}  # to list all choices in Python


def batches(name: str, seed: int, reset: bool) -> tuple[Batch, Batch]:
    """The same games in machine code and by the generated Python."""
    games = (shelved(name, backend=backend) for backend in ("native", "python"))
    native, plain = (game.batch(ENVS, seed, most=STEPS // 2, reset=reset) for game in games)
    return native, plain


@pytest.mark.parametrize(
    ("name", "reset"),
    [*((name, True) for name in sorted(shipped_games())), *((n, False) for n in sorted(QUICK))],
)
def test_envs_agree_word_for_word(name: str, reset: bool) -> None:
    native, plain = batches(name, 5, reset)
    rng = random.Random(name)
    for step in range(6 if name in SLOW else STEPS):
        assert native._heads == plain._heads
        assert native._all_codes() == plain._all_codes()
        assert [list(native._envs.row(k)) for k in range(ENVS)] == [
            list(plain._envs.row(k)) for k in range(ENVS)
        ]
        if step % 6 == 0:
            for player in (None, *native._variant.player_names):
                assert (native.observations(player) == plain.observations(player)).all()
        picks = [rng.randrange(count) if count and rng.random() < 0.8 else -1 for count in native.counts]
        for batch in (native, plain):
            batch.apply(picks)


@pytest.mark.parametrize("name", sorted({*shipped_games()} - HEAVY.keys()))
def test_left_to_chance_envs_play_the_games_of_playouts(name: str) -> None:
    game = shelved(name, backend="native")
    most = 40
    batch = game.batch(ENVS, 11, most=most)
    size = record_size(batch._variant.program)
    wanted = [part for records in game.recorded(Plan(11, 0, 3 * ENVS, most)) for part in records]
    met: dict[int, int] = {}  # games that ended, by environment
    while min(met.get(env, 0) for env in range(ENVS)) < 3:
        batch.apply([-1] * ENVS)
        for env in range(ENVS):
            if batch.over[env] and met.setdefault(env, 0) < 3:
                record = wanted[size * (env + ENVS * met[env]) :][:size]
                met[env] += 1
                found = [batch.endings[env], batch.winners[env], batch.lengths[env], *batch.scores[env]]
                seats = len(batch._variant.player_names)
                expected = [
                    record[ENDING],
                    record[WINNERS],
                    record[DECISIONS],
                    *record[SCORES : SCORES + seats],
                ]
                assert [int(word) for word in found] == expected


@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_an_observation_tells_what_a_view_tells(name: str) -> None:
    batch = shelved(name, backend="native").batch(ENVS, 3)
    rng = random.Random(name)
    for _ in range(4):
        for env in range(ENVS):
            for player in batch._variant.player_names:
                words = dict(zip(batch.observed, batch.observations(player)[env].tolist(), strict=True))
                _same_as_view(batch, words, batch.state(env), player)
        for _ in range(5):
            batch.apply([rng.randrange(count) if count else -1 for count in batch.counts])


def _same_as_view(batch: Batch, words: dict[str, int], state: ruleforge.State, player: str) -> None:
    view, paths = state.view(player), batch._variant.paths
    for path in paths.attributes:
        _same_attribute(words, view["attributes"], path, state)
    for place in paths.places:
        _same_place(batch, words, view["places"].get(place.path), place)


def _same_attribute(
    words: dict[str, int], seen: dict[str, object], path: AttributePath, state: ruleforge.State
) -> None:
    if isinstance(path.info.type, Left):  # by the number of the thing it would say which one is meant
        assert path.path not in words
        return
    if isinstance(path.info.type, SetOf):
        return
    word = words.get(path.path, Batch.HIDDEN)
    assert (word != Batch.HIDDEN) == (path.path in seen), path.path
    if word != Batch.HIDDEN:
        assert word == vector_of(state)[path.slot]


def _same_place(batch: Batch, words: dict[str, int], seen: object, place: PlacePath) -> None:
    if seen is None and words[f"size of {place.path}"] == Batch.HIDDEN:
        return  # of a thing that is not in the game
    content = [] if seen is None else seen if isinstance(seen, list) else [seen]
    assert words[f"size of {place.path}"] == len(content)
    owners = batch._variant.paths.owners(place.info.holds)
    names = batch._variant.program.kinds[place.info.holds].things[1:]
    spelled = dict(zip(names, owners, strict=True))
    shown = {spelled[thing] for thing in content if isinstance(thing, str) and thing != "?"}
    assert {o for o in owners if words[f"{o} lies in"] == place.instance} == shown
    for position, thing in enumerate(content, 1):
        if place.info.form == "list" and isinstance(thing, str) and thing in spelled:
            assert words[f"{spelled[thing]} stands at"] == position
