"""Expressions that say the same: under other names, by formulas, or as a sum of ones."""

import pytest

import ruleforge

CORE = """
game: {id: weir, title: Weir, version: "1.0", players: 2}
kinds:
  player: {things: [ann, ben]}
  gate: {count: 6, has: {keeper: player or none, shut: flag}}
formulas:
  shut_of: {takes: {p: player}, is: count(g in gates where g.keeper is p and g.shut)}
  level: {open: true, takes: {p: player}, is: 1 + shut_of(p)}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  turn_it: {during: turn, choose: {g: in gates}, do: g.shut = not g.shut}
  stop: {during: turn, needs: level(me) > 0, do: finish over}
endings: {over: {text: It is over.}}
"""
CONTRACT = """
locked: "1.0"
points:
  - {id: level, modify: [level], ops: [add], each: -20..20, cites: [D-1]}
"""
TAKEN_AWAY = [
    "-shut_of(p)",
    "-count(g in gates where g.keeper is p and g.shut)",
    "2 - count(other in gates where other.keeper is p and other.shut)",
    "-sum(1 for g in gates where g.keeper is p and g.shut)",
    "-mine(p)",
    "-count(g in gates where is_mine(g, p) and g.shut)",
]
LEFT = [
    "-count(g in gates where g.shut)",
    "-count(g in gates where g.keeper is p)",
    "-count(g in gates where any(h in gates where h.keeper is p) and g.shut)",
    "-sum(2 for g in gates where g.keeper is p and g.shut)",
]


def verdict(tmp_path, added):
    core, pack = tmp_path / "weir", tmp_path / "weir" / "expansions" / "flood"
    pack.mkdir(parents=True)
    (core / "game.yaml").write_text(CORE)
    (core / "contract.yaml").write_text(CONTRACT)
    (pack / "pack.yaml").write_text(
        'pack: {id: flood, title: Flood, version: "1.0", kind: cards, for: {core: weir, versions: "1.x"}}\n'
        "formulas:\n"
        "  mine: {takes: {q: player}, is: count(x in gates where x.keeper is q and x.shut)}\n"
        "  is_mine: {takes: {x: gate, q: player}, is: x.keeper is q}\n"
        f"rules:\n  floods:\n    modify: level(p)\n    add: {added}\n"
    )
    return ruleforge.judge(pack).verdict


@pytest.mark.parametrize("added", TAKEN_AWAY)
def test_who_takes_the_own_value_away_in_other_words_sets_it(tmp_path, added):
    assert verdict(tmp_path, added) == "rejected"


@pytest.mark.parametrize("added", LEFT)
def test_what_counts_something_else_is_added(tmp_path, added):
    assert verdict(tmp_path, added) == "accepted"
