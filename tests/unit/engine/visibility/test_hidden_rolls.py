"""What chance lays into attributes that not everybody sees is told to nobody; whoever sees them sees it there."""

import pytest

import ruleforge
from tests.unit.small_games import rules_file

RULES = """
game: {id: urns, title: Urns, version: "1", players: 2}
kinds:
  player:
    things: [ann, ben]
    has: {worth: {type: 0..99, sees: viewer is self}, role: {type: role or none, sees: viewer is self}, coins: 0..99}
  role: {things: [wolf, hare]}
  sack: {pool: 4, has: {owner: player, weight: {type: 0..99, sees: viewer is self.owner}}}
events:
  give: {takes: {p: player, much: 0..99}, do: p.worth = much}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  direct: {during: turn, do: "let d = roll 1..60; opponent.worth = d"}
  by_event: {during: turn, do: "let d = roll 1..60; give(opponent, d)"}
  worked_out: {during: turn, do: "let d = roll 1..30; let e = d + 2; opponent.worth = e + 1"}
  picked: {during: turn, do: "let r = random(x in roles); opponent.role = r"}
  made: {during: turn, do: "let d = roll 1..60; new sack(owner = opponent, weight = d)"}
  both: {during: turn, do: "let d = roll 1..60; opponent.worth = d; me.coins = d"}
  open: {during: turn, do: "let d = roll 1..60; me.coins = d"}
  stop: {during: turn, do: finish over}
endings: {over: {text: It is over.}}
"""
UNSEEN = ["direct", "by_event", "worked_out", "picked", "made"]


def rolls(state: ruleforge.State, choice: str, seat: str | None) -> list[str]:
    told = state.copy().apply(choice).seen_by(seat)
    return [event.name for event in told if event.name in ("roll", "random")]


@pytest.mark.parametrize("choice", UNSEEN)
def test_nobody_is_told(choice):
    state = ruleforge.load(rules_file(RULES)).start(seed=1)
    assert [rolls(state, choice, seat) for seat in (None, "ann", "ben")] == [[], [], []]
    assert any(event.name in ("roll", "random") for event in state.apply(choice))  # its author is


@pytest.mark.parametrize("choice", UNSEEN)
def test_what_others_are_told_is_the_same_whatever_came(choice):
    game = ruleforge.load(rules_file(RULES))
    results, told = set(), set()
    for seed in range(6):
        events = game.start(seed=seed).apply(choice)
        results.add(str([event for event in events if event.name in ("roll", "random")]))
        told.add(tuple(str(list(map(str, events.seen_by(seat)))) for seat in (None, "ann")))
    assert len(results) > 1 and len(told) == 1


def test_its_owner_sees_what_became_of_it():
    events = ruleforge.load(rules_file(RULES)).start(seed=1).apply("direct")
    assert any(event.name == "set player.worth" for event in events.seen_by("ben"))
    assert not any(event.name == "set player.worth" for event in events.seen_by("ann"))


@pytest.mark.parametrize("choice", ["both", "open"])
def test_what_goes_into_the_open_is_told(choice):
    state = ruleforge.load(rules_file(RULES)).start(seed=1)
    assert [rolls(state, choice, seat) for seat in (None, "ann", "ben")] == [["roll"]] * 3


@pytest.mark.parametrize("choice", [*UNSEEN, "open"])
def test_where_chance_is_a_player(choice):
    before = ruleforge.load(rules_file(RULES)).start(seed=1, chance="explicit")
    before.apply(choice)
    rolled = before.choices[0]
    after = before.copy()
    after.apply(rolled)
    assert before.tell(rolled, after, "ann") == (str(rolled) if choice == "open" else "?")
