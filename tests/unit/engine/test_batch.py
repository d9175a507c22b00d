"""Games that advance together: what is refused, what faults and cuts come to, and life without numpy."""

from __future__ import annotations

import random
from array import array
from pathlib import Path
from typing import Any

import pytest

import ruleforge
from ruleforge.backends.native.sliced_work import Slices
from ruleforge.engine import arrays
from ruleforge.engine.batch import Batch

STUMBLES = """
game: {id: stumbles, title: Stumbles, version: "1", players: 2}
kinds:
  player: {things: [ann, ben]}
  game: {has: {total: 0..3}}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  step: {during: turn, do: game.total += 1}
  win: {during: turn, do: finish won for me}
endings: {won: {text: Somebody won.}}
"""


def stumbling(tmp_path: Path, backend: str, reset: bool = True) -> Batch:
    path = tmp_path / "stumbles.yaml"
    path.write_text(STUMBLES)
    return ruleforge.load(path, backend=backend).batch(2, most=6, reset=reset)


@pytest.mark.parametrize("backend", ["native", "python"])
def test_a_fault_ends_a_game_and_the_next_one_begins(tmp_path: Path, backend: str) -> None:
    batch = stumbling(tmp_path, backend)
    for _ in range(4):
        batch.apply([0, 0])  # the fourth step leaves the range
    assert list(batch.over) == [1, 1] and max(batch.endings) < 0
    assert list(batch.counts) == [2, 2] and list(batch.lengths) == [4, 4]
    assert batch.state(0)["game.total"] == 0
    batch.apply([1, 0])
    assert list(batch.over) == [1, 0]
    assert batch.reasons[batch.endings[0] - 1] == "won"
    assert [int(score) for score in batch.scores[0]] == [1, -1]


@pytest.mark.parametrize("backend", ["native", "python"])
def test_without_reset_games_stay_over(tmp_path: Path, backend: str) -> None:
    batch = stumbling(tmp_path, backend, reset=False)
    batch.apply([1, 0])
    for _ in range(3):
        batch.apply([99, 0])  # not looked at where the game is over
    assert list(batch.players) == [-1, -1] and list(batch.counts) == [0, 0]
    assert batch.state(0).outcome is not None
    with pytest.raises(ruleforge.PlayError, match="stopped by a fault"):
        batch.state(1)
    assert {int(word) for word in batch.observations("ann")[1]} == {Batch.HIDDEN}
    batch.reset()
    assert list(batch.players) == [1, 1] and list(batch.over) == [0, 0]


@pytest.mark.parametrize("backend", ["native", "python"])
@pytest.mark.parametrize("picks", [[0], [0, 2], [0, 0.5], ["a", 0], [0, 2**40]])
def test_what_does_not_fit_changes_nothing(tmp_path: Path, backend: str, picks: list[int]) -> None:
    batch = stumbling(tmp_path, backend)
    with pytest.raises(ruleforge.PlayError) as refused:
        batch.apply(picks)
    assert refused.value.code == "RF849"
    batch.apply([0, 0])
    assert [batch.state(env)["game.total"] for env in (0, 1)] == [1, 1]


@pytest.mark.parametrize(
    "how", [{"size": 0}, {"size": True}, {"size": 2, "most": 0}, {"size": 2, "seed": 0.5}]
)
def test_a_batch_that_cannot_begin(how: dict[str, Any]) -> None:
    with pytest.raises(ruleforge.StartError) as refused:
        ruleforge.load("nim").batch(**how)
    assert refused.value.code == "RF841"


def test_there_is_room_for_so_many() -> None:
    with pytest.raises(ruleforge.StartError, match="there is room for"):
        ruleforge.load("nim", backend="native").batch(10**7)


def test_actions_are_the_same_in_all_positions() -> None:
    batch = ruleforge.load("connect-four").batch(3, seed=2)
    mask = batch.mask()
    assert mask.shape == (3, batch.actions)
    batch.apply_actions([6, 0, 3])
    assert [batch.state(env)[f"{cell}.disc"] for env, cell in enumerate(("g1", "a1", "d1"))] == ["red"] * 3
    for _ in range(5):
        batch.apply_actions([6, 0, 3])
    with pytest.raises(ruleforge.PlayError, match="no such choice"):
        batch.apply_actions([6, 1, 1])


def test_a_step_that_was_interrupted_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ruleforge.load("connect-four", backend="native")
    ours, theirs = game.batch(5, seed=1), game.batch(5, seed=1)

    def interrupted(self: Slices, export: object) -> int:
        monkeypatch.undo()
        export(2)  # type: ignore[operator]  # two environments, and then somebody presses Ctrl-C
        raise KeyboardInterrupt

    monkeypatch.setattr(Slices, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ours.apply([0, 1, 2, 3, 4])
    theirs.apply([0, 1, 2, 3, 4])
    assert list(ours.players) == list(theirs.players)
    ours.apply([4, 3, 2, 1, 0])
    theirs.apply([4, 3, 2, 1, 0])
    assert ours._heads == theirs._heads
    assert [ours.state(k) for k in range(5)] == [theirs.state(k) for k in range(5)]


def test_without_numpy_there_are_plain_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ruleforge.load("leduc-poker")
    with_numpy = game.batch(4, seed=3)
    rng, picks = random.Random(1), [[0] * 4]
    for _ in range(6):
        picks.append([rng.randrange(int(count)) for count in with_numpy.counts])
        with_numpy.apply(picks[-1])
    monkeypatch.setattr(arrays, "numpy", lambda: None)
    plain = game.batch(4, seed=3)
    for numbers in picks[1:]:
        plain.apply(numbers)
    assert isinstance(plain.counts, array)
    for name in ("players", "counts", "sites", "codes", "offsets", "over", "endings", "winners", "lengths"):
        without = list(getattr(plain, name))
        monkeypatch.undo()
        assert without == getattr(with_numpy, name).tolist(), name
        monkeypatch.setattr(arrays, "numpy", lambda: None)
    tables = [[list(row) for row in table] for table in (plain.mask(), plain.scores, plain.observations())]
    monkeypatch.undo()
    wanted = (with_numpy.mask(), with_numpy.scores, with_numpy.observations())
    assert tables == [table.tolist() for table in wanted]
