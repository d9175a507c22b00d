"""Games as extensive forms: their size, their information sets, and their value by a plain walk."""

from __future__ import annotations

import re

import pytest

from ruleforge import rl


def test_kuhn_poker_has_its_known_tree() -> None:
    lines = rl.efg("kuhn-poker").splitlines()[2:]
    sets = {tuple(line.split(maxsplit=4)[2:4]) for line in lines if line.startswith("p")}
    assert len(sets) == 12 and len({player for player, _ in sets}) == 2
    assert sum(line.startswith("t") for line in lines) == 30
    assert lines[0] == 'c "" 1 "" { "jack" 1/3 "queen" 1/3 "king" 1/3 } 0'
    payoffs = [
        tuple(map(int, re.findall(r"-?[0-9]+", line.rpartition("{")[2]))) for line in lines if line[0] == "t"
    ]
    assert all(a + b == 0 for a, b in payoffs) and {a for a, _ in payoffs} == {-2, -1, 1, 2}


def test_a_large_game_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruleforge.rl.extensive_form.MOST_NODES", 100)
    with pytest.raises(ValueError, match="more than 100 nodes"):
        rl.efg("tic-tac-toe")
