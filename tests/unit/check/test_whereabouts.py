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
    assert found.message == "`.site` would be a `spot` in `hand` and a `player` in `pile`"
