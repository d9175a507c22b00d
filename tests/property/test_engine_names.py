"""A name of an author never meets one of the engine: it is refused, or the game is the same under any other name."""

from __future__ import annotations

import random

import pytest

import ruleforge
from tests.unit.small_games import rules_file

GAME = """\
game: {id: names, title: Names, version: "1.0", text: T, players: 2}
options: {<option>: {type: flag, default: false, text: T}}
numbers: {<number>: 3}
kinds:
  player: {things: [<player>, ben], has: {<of_player>: 0..9}}
  card:
    facts: {<fact>: 0..9 = 1}
    has: {<attribute>: "0..9 = 2", <reference>: player or none}
    things: [<thing>, two, three, four]
  <kind>: {pool: 3, has: {<of_pool>: 0..9}}
  game: {has: {<of_game>: 0..9}}
places:
  <place>: {of: {<owner>: player}, holds: card, sees: <owner> is viewer}
  deck: {holds: card, ordered: true, starts: cards, sees: false}
formulas: {<formula>: {takes: {<parameter>: player}, is: "count(c in <parameter>.<place>) + <number>", open: true}}
events: {<event>: {takes: {<held>: card}, do: "<held>.<attribute> = min(9, <held>.<attribute> + <held>.<fact>)"}}
flow:
  - {phase: <phase>, repeat: true, each: me in players, window: one}
rules:
  <rule>: {after: "<event>(c)", do: "ben.<of_player> = min(9, ben.<of_player> + 1)"}
actions:
  <action>:
    during: <phase>
    limit: twice per <phase>
    choose: {<choice>: in cards where <choice> in deck}
    do: |
      move <choice> to me.<place>
      <event>(<choice>)
      show <choice> to opponent
  stop:
    during: <phase>
    do: |
      let thrown = roll 1d2
      game.<of_game> = min(9, game.<of_game> + thrown)
  end: {during: <phase>, needs: game.<of_game> > 6 or option.<option>, do: finish <ending> for me}
endings: {<ending>: {text: T}}
"""
SLOTS = {
    "option": "opt", "number": "num", "player": "ann", "of_player": "worth", "fact": "rank", "attribute": "heat",
    "reference": "friend", "thing": "uno", "kind": "token", "of_pool": "age", "of_game": "clock", "place": "hand",
    "owner": "whose", "formula": "sum_of", "parameter": "q", "event": "warm", "held": "c", "phase": "turn",
    "rule": "echo", "action": "take", "choice": "which", "ending": "over",
}  # fmt: skip
WORDS = (
    "known", "known_to", "exists", "used", "used_take", "chance", "decision", "outcome", "phase", "player",
    "players", "game", "opponent", "me", "seed", "row", "digest", "stack", "queue", "result", "title", "text", "id",
    "done", "back", "undo", "list", "quit", "help", "none", "true", "self", "class", "def", "import", "lambda",
    "print", "exec", "eval", "builtins", "runtime", "step", "choices", "answer", "burn", "setup", "flow", "main",
    "memory", "local", "table", "call", "start", "end", "number", "holder", "where", "position", "order", "owner",
    "index", "t0", "f_0", "x1", "a", "r", "s",
)  # fmt: skip


def played(text: str) -> list[object] | None:
    """What comes of a game, None if it is refused."""
    try:
        game = ruleforge.load(rules_file(text))
    except ruleforge.RulesetError as refused:
        assert all(d.code < "RF6" for d in refused.diagnostics if d.severity == "error"), refused
        return None
    seen: list[object] = []
    state, rng = game.start(seed=3), random.Random(5)
    for _ in range(25):
        if not state.choices:
            break
        state.apply(rng.choice(state.choices))
        views = [sum(value == "?" for value in state.view(player).values()) for player in state.players]
        seen.append((state.outcome is None, len(state.choices), views, game.restore(state.save()) == state))
    return seen


def with_names(**names: str) -> str:
    text = GAME
    for slot, name in {**SLOTS, **names}.items():
        text = text.replace(f"<{slot}>", name)
    return text


def test_the_game_is_played():
    seen = played(with_names())
    assert seen is not None
    assert len(seen) > 10


@pytest.mark.parametrize("slot", SLOTS)
def test_a_name_is_refused_or_is_only_a_name(slot, monkeypatch):
    monkeypatch.setenv("RULEFORGE_CACHE", "")
    usual, number = played(with_names()), list(SLOTS).index(slot)
    often = slot in ("attribute", "fact")
    for word in (*WORDS[:14], *WORDS[14::4]) if often else WORDS[number % 16 :: 16]:
        if word in SLOTS.values():
            continue
        seen = played(with_names(**{slot: word}))
        assert seen is None or seen == usual, f"{slot} `{word}`"
