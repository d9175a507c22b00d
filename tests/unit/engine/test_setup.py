"""While the table is being laid no ending is looked for; as soon as it lies, all are."""

import pytest

import ruleforge
from tests.unit.small_games import rules_file

RULES = """
game: {id: laid, title: Laid, version: "1", players: 2}
options:
  men: {type: 0..3, default: 2}
kinds:
  player: {things: [ann, ben]}
  man: {plural: men, pool: 6, has: {owner: player}}
setup: |
  for p in players:
    p picks:
      few: skip
      more: new man(owner = p)
    repeat option.men: new man(owner = p)
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  strike:
    during: turn
    choose: {m: in men where m.owner is opponent}
    do: remove m
endings:
  beaten:
    text: Somebody has no men.
    when: any(p in players where count(m in men where m.owner is p) is 0)
    winners: "{p in players where any(m in men where m.owner is p)}"
"""


def ended(state: ruleforge.State) -> tuple[str, tuple[str, ...]] | None:
    return None if state.outcome is None else (state.outcome.reason, state.outcome.winners)


@pytest.mark.parametrize("backend", ["python", "reference", "native"])
def test_an_empty_table_is_no_ending(backend):
    state = ruleforge.load(rules_file(RULES), backend=backend).start(seed=1)
    assert ended(state) is None
    state.apply("few")
    assert ended(state) is None and state.copy().digest == state.digest
    state.apply("few")
    assert ended(state) is None
    for choice in ("strike man_3", "strike man_1", "strike man_4"):
        state.apply(choice)
    assert ended(state) == ("beaten", ("ann",))


@pytest.mark.parametrize("backend", ["python", "reference", "native"])
def test_the_table_as_laid_may_be_one(backend):
    state = ruleforge.load(rules_file(RULES), backend=backend).start(seed=1, options={"men": 0})
    state.apply("more")
    assert ended(state) is None
    state.apply("few")
    assert ended(state) == ("beaten", ("ann",))


def test_a_game_is_kept_in_the_middle_of_its_set_up():
    game = ruleforge.load(rules_file(RULES))
    state = game.start(seed=1)
    state.apply("more")
    again = game.restore(state.save())
    for one in (state, again):
        one.apply("few")
    assert state.digest == again.digest and ended(state) is None
