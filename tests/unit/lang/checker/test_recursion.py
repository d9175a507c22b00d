"""Rules that call themselves are found by `validate`, with the way round."""

from __future__ import annotations

import string

import pytest

import ruleforge
from tests.unit.small_games import rules_file

RING = string.Template("""\
game:
  id: $id
  title: Ring
  version: "1.0"
  text: Round and round.
  players: 2$limits
kinds:
  player: {things: [ann, ben], has: {hits: 0..99}}
$more
flow:
  - phase: turn
    repeat: true
    each: me in players
    window: one
actions:
  hit: {during: turn, do: strike(me)}
  look: {during: turn, do: "if power(me) > 1: me.hits = 1"}
  end_it: {during: turn, do: finish over}
endings: {over: {text: Over.}}
""")

PLAIN = """\
events:
  strike: {takes: {p: player}, do: p.hits = 1}
  other: {takes: {p: player}, do: p.hits = 2}
formulas:
  power: {takes: {p: player}, is: 1, open: true}
  second: {takes: {p: player}, is: 1, open: true}
"""

KEYWORDS = """\
keywords: {swift: {text: Swift., kind: player}}
rules:
  r: {modify: keywords(p), when: p has swift, add: "[swift]"}
  s: {forbid: strike(p), when: p has swift}
"""

CYCLES = {
    "instead of, itself": PLAIN + "rules:\n  r: {instead of: strike(p), do: strike(p)}\n",
    "instead of, through another": PLAIN
    + "rules:\n  r: {instead of: strike(p), do: other(p)}\n  s: {instead of: other(p), do: strike(p)}\n",
    "instead of, through an event": PLAIN.replace("do: p.hits = 2", "do: strike(p)")
    + "rules:\n  r: {instead of: strike(p), do: other(p)}\n",
    "can, in its own needs": PLAIN.replace(
        "strike: {takes: {p: player},", "strike: {takes: {p: player}, needs: can(strike(p)),"
    ),
    "can, in a rule that forbids it": PLAIN + "rules:\n  r: {forbid: strike(p), when: can(strike(p))}\n",
    "can, through another": PLAIN.replace(
        "strike: {takes: {p: player},", "strike: {takes: {p: player}, needs: can(other(p)),"
    ).replace("other: {takes: {p: player},", "other: {takes: {p: player}, needs: can(strike(p)),"),
    "modify, itself": PLAIN + "rules:\n  r: {modify: power(p), add: power(p)}\n",
    "modify, in its condition": PLAIN + "rules:\n  r: {modify: power(p), when: power(p) > 0, add: 1}\n",
    "modify, through another": PLAIN
    + "rules:\n  r: {modify: power(p), add: second(p)}\n  s: {modify: second(p), add: power(p)}\n",
    "modify, through a formula": PLAIN.replace(
        "second: {takes: {p: player}, is: 1, open: true}", "second: {takes: {p: player}, is: power(p)}"
    )
    + "rules:\n  r: {modify: power(p), add: second(p)}\n",
    "would, in a formula it calls": PLAIN
    + "rules:\n  r: {modify: power(p), add: 'would(strike(p): power(p))'}\n",
    "would, in an event's own needs": PLAIN.replace(
        "strike: {takes: {p: player},", "strike: {takes: {p: player}, needs: 'would(strike(p): p.hits) > 0',"
    ),
    "set, instead of itself": PLAIN + "rules:\n  r: {instead of: set player.hits, do: it.hits = new}\n",
    "keywords, asked by the rule that gives them": PLAIN + KEYWORDS,
}  # fmt: skip


def ring(what: str, more: str, limits: str = "") -> str:
    return RING.substitute(id=f"ring_{len(what)}_{sum(map(ord, what))}", more=more, limits=limits)


@pytest.mark.parametrize("what", sorted(CYCLES))
def test_a_circle_is_refused_with_the_way_round(what):
    with pytest.raises(ruleforge.RulesetError) as refused:
        ruleforge.load(rules_file(ring(what, CYCLES[what]))).start()
    found = [d for d in refused.value.diagnostics if d.code == "RF507"]
    assert found, refused.value.diagnostics
    words = " ".join([found[0].message, found[0].help or ""])
    assert any(name in words for name in ("strike", "power", "player.hits", "keywords player"))


def test_what_only_proceeds_is_no_circle():
    more = PLAIN + "rules:\n  r: {instead of: strike(p), do: proceed}\n"
    state = ruleforge.load(rules_file(ring("fine", more))).start()
    state.apply("hit")
    assert state["ann.hits"] == 1
