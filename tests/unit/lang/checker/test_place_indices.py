"""`card.site`: the index of the place where a thing lies, wherever among the indices of that place it stands."""

from __future__ import annotations

import pytest

import ruleforge
from ruleforge import RulesetError

GAME = """
game: {id: sites, title: Sites, version: "1", players: 2}
kinds:
  player: {things: [ann, ben]}
  spot: {things: [s1, s2, s3]}
  card: {things: [ace, king]}
places:
  hand: {of: {keeper: player, site: spot}, holds: card, starts: "{c in cards where keeper is ben and site is s2}"}
  pile: {of: {PILE}, holds: card}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  put: {during: turn, joined: true, choose: {c: in cards, s: in spots}, do: "move c to s.pile"}
  stop: {during: turn, needs: ace.site is s1, do: finish over}
endings: {over: {text: It is over.}}
"""


@pytest.mark.parametrize("backend", ["python", "reference"])
@pytest.mark.parametrize("pile", ["site: spot", "site: spot, of_whom: player"])
def test_each_place_has_the_index_at_its_own_position(tmp_path, backend: str, pile: str) -> None:
    path = tmp_path / "sites.yaml"
    move = "s.pile[me]" if "," in pile else "s.pile"
    path.write_text(GAME.replace("PILE", pile).replace("s.pile", move))
    state = ruleforge.load(str(path), backend=backend).start(seed=1)
    assert (state["ace.site"], state["ace.keeper"]) == ("s2", "ben")
    state.apply("put ace s3")
    assert (state["ace.site"], state["ace.keeper"], state["king.site"]) == ("s3", None, "s2")


def test_an_index_that_is_something_else_elsewhere_has_no_value(tmp_path) -> None:
    path = tmp_path / "sites.yaml"
    path.write_text(GAME.replace("PILE", "site: player").replace("s.pile", "me.pile"))
    with pytest.raises(RulesetError) as caught:
        ruleforge.load(str(path))
    (found,) = caught.value.diagnostics
    assert (found.code, found.span.line) == ("RF502", 14)
    assert found.message == "`.site` has two meanings: a `spot` in `hand` and a `player` in `pile`"


LYING = """
game: {id: lying, title: Lying, version: "1", players: 2}
kinds:
  player: {things: [ann, ben], has: {got: 0..9}}
  spot: {things: [s1, s2], has: {uses: 0..9}}
  card: {things: [ace, king, jack]}
places:
  hand: {of: {keeper: player, site: spot}, holds: card, starts: "{c in cards where keeper is ben and site is s2}"}
  row: {of: {site: spot}, holds: card}
  pile: {holds: card}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  use: {during: turn, choose: {c: "in SOURCE"}, do: c.site.uses += 1}
  all: {during: turn, do: "for c in SOURCE: c.site.uses += 1"}
  sweep:
    during: turn
    do: |
      for c in hand:
        c.keeper.got += 1
        for x in hand: move x to pile
  stop: {during: turn, do: finish over}
endings: {over: {text: It is over.}}
"""


def lying(tmp_path, source: str, backend: str = "auto") -> ruleforge.Game:
    path = tmp_path / "lying.yaml"
    path.write_text(LYING.replace("SOURCE", source))
    return ruleforge.load(str(path), backend=backend)


@pytest.mark.parametrize(
    "source", ["hand", "row | hand", "{x in hand where x is not jack}", "hand - [jack]", "ben.hand[s2]"]
)
def test_what_lies_in_a_place_has_its_indices(tmp_path, source: str) -> None:
    state = lying(tmp_path, source).start(seed=1)
    state.apply("use ace")
    state.apply("all")
    assert state["s2.uses"] in (3, 4)


@pytest.mark.parametrize("source", ["cards", "pile | hand", "pile", "hand | cards"])
def test_what_may_lie_elsewhere_must_be_tested(tmp_path, source: str) -> None:
    with pytest.raises(RulesetError) as caught:
        lying(tmp_path, source)
    assert {found.code for found in caught.value.diagnostics} == {"RF503"}


@pytest.mark.parametrize("backend", ["python", "reference", "native"])
def test_what_an_earlier_round_took_away_stops_the_choice(tmp_path, backend: str) -> None:
    state = lying(tmp_path, "hand", backend).start(seed=1)
    before = state.copy()
    with pytest.raises(ruleforge.PlayError):
        state.apply("sweep")
    assert state == before
