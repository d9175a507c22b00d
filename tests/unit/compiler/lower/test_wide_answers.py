"""Choosing among numbers whose size nobody knows beforehand."""

from __future__ import annotations

import pytest

import ruleforge

GAME = """\
game: {id: heap, title: Heap, version: "1.0", text: Numbers., players: 2}
kinds:
  player:
    things: [ann, ben]
    has: {kept: -2000000000..2000000000}
flow:
  - phase: turn
    repeat: true
    each: me in players
    do: |
      let number = START
      number = number - 3
      me chooses taken in [number, 7]: me.kept = taken
"""


@pytest.mark.parametrize("backend", ["python", "reference"])
def test_they_have_codes_below_and_above_zero(tmp_path, backend):
    (tmp_path / "game.yaml").write_text(GAME.replace("START", "1"), encoding="utf-8")
    state = ruleforge.load(tmp_path, backend=backend).start(seed=1)
    assert [c.text for c in state.choices] == ["-2", "7"]
    state.apply("-2")
    assert state["ann.kept"] == -2
    assert ruleforge.load(tmp_path, backend=backend).restore(state.save()) == state


@pytest.mark.parametrize("start", ["2000000000", "-2000000000"])
@pytest.mark.parametrize("backend", ["python", "reference"])
def test_one_that_has_no_code_stops_the_step(tmp_path, backend, start):
    (tmp_path / "game.yaml").write_text(GAME.replace("START", start), encoding="utf-8")
    with pytest.raises(ruleforge.IllegalChoice) as info:
        ruleforge.load(tmp_path, backend=backend).start(seed=1)
    assert "32-bit" in str(info.value)
