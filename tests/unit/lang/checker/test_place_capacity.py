"""`max: site.room`: each container has as much room as a fact of its owner says, on every backend."""

import pytest

import ruleforge
from ruleforge.project.resolver import diagnostics_of
from tests.unit.small_games import rules_file

RULES = """
game: {id: sites, title: Sites, version: "1", players: "1..2"}
kinds:
  player: {facts: {grip: 0..9}, things: {ann: {grip: 1}, ben: {grip: 2}}}
  worker: {count: 5}
  site: {facts: {room: 0..9}, things: {mill: {room: 1}, farm: {room: 2}, void: {room: 0}}}
places:
  hut: {holds: worker, starts: workers}
  crew: {of: {at_site: site}, holds: worker, max: at_site.room}
  queue: {of: {at_gate: site}, holds: worker, ordered: true, max: at_gate.room}
  fist: {of: {there: site, keeper: player}, holds: worker, max: keeper.grip}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  send: {during: turn, joined: true, choose: {w: in hut, s: in sites}, do: move w to s.crew}
  line_up: {during: turn, joined: true, choose: {w: in hut, s: in sites}, do: move w to s.queue}
  grab: {during: turn, joined: true, choose: {w: in hut, s: in sites}, do: "move w to s.fist[me]"}
  stop: {during: turn, do: finish over}
endings: {over: {text: It is over.}}
"""
MOVES = [
    ("send worker_1 mill", True),
    ("send worker_2 mill", False),
    ("line_up worker_2 farm", True),
    ("line_up worker_3 farm", True),
    ("line_up worker_4 farm", False),
    ("line_up worker_4 void", False),
    ("grab worker_4 void", True),
    ("grab worker_5 void", True),
]


@pytest.mark.parametrize("backend", ["python", "reference", "native"])
def test_each_container_has_its_own_room(backend):
    state = ruleforge.load(rules_file(RULES), backend=backend).start(players=2, seed=1)
    for move, fits in MOVES:
        before = state.digest
        if fits:
            state.apply(move)
            continue
        with pytest.raises(
            ruleforge.PlayError, match="is full: it holds as many `worker` as its `room` at most"
        ):
            state.apply(move)
        assert state.digest == before


def test_a_player_who_is_not_there_has_no_room():
    state = ruleforge.load(rules_file(RULES)).start(players=1, seed=1)
    state.apply("grab worker_1 void")
    with pytest.raises(ruleforge.PlayError, match="as its `grip` at most"):
        state.apply("grab worker_2 void")


@pytest.mark.parametrize("most", ["at_site.rom", "site.room", "at_site", "at_site.room + 1"])
def test_anything_else_is_refused_where_it_stands(most):
    found = diagnostics_of(rules_file(RULES.replace("max: at_site.room", f"max: {most}")))
    assert [d.code for d in found] in (["RF509"], ["RF501"])
    assert found[0].span.line == 9
