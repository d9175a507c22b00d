"""One small ruleset in which every key of the language has a place, and rulesets made from it by a value at a place."""

from __future__ import annotations

import copy
import json
from typing import Any

import yaml

KEYS: dict[str, Any] = yaml.safe_load("""\
game: {id: keys, title: Keys, version: "1.0", text: Every key., players: 2}
kinds:
  player:
    things: [ann, ben]
    has: {coins: 0..9 = 3, hurt: 0..9, seen: 0..99}
  card:
    facts: {rank: 1..3}
    things: {ace: {rank: 2}, king: {rank: 3}}
    has: {owner: player, tired: flag}
  gem: {things: [opal, jade]}
  game: {has: {clock: 0..999}}
places:
  hand: {of: {holder: player}, holds: card}
  deck: {holds: card, ordered: true, starts: cards}
formulas:
  power: {takes: {p: player}, is: 2, open: true}
events:
  strike: {takes: {p: player, much: 0..9}, do: "p.hurt = min(9, p.hurt + much)"}
flow:
  - phase: round
    repeat: true
    steps:
      - {phase: turn, each: me in players, window: one}
    end: game.clock += 1
actions:
  hit: {during: turn, do: "strike(opponent, power(opponent))"}
  take: {during: turn, choose: {c: in deck}, do: move c to me.hand}
  give: {during: turn, choose: {g: in gems, k: in 1..2}, do: me.seen += number(g) * k}
  rest: {during: turn, do: me.hurt = 0}
  stop: {during: turn, needs: game.clock > 5, do: finish over}
endings: {over: {text: Over.}}
""")

RULES: dict[str, dict[str, Any]] = {
    "after": {"after": "strike(p, much)", "do": "p.coins = 0"},
    "instead of": {"instead of": "strike(p, much)", "do": "p.coins = 0"},
    "forbid": {"forbid": "strike(p, much)"},
    "modify": {"modify": "power(p)", "add": 1},
    "always": {"always": "p in players where p.hurt > 1", "do": "p.hurt = 0; p.coins = max(0, p.coins - 1)"},
}
SWIFT: dict[str, Any] = {
    "keywords": {"swift": {"text": "Swift.", "kind": "card", "rules": {"r": RULES["after"]}}},
    "kinds": {"card": {"things": {"ace": {"keywords": ["swift"]}}}},
}
TURN = ("flow", 0, "steps", 0)
ROUND = ("flow", 0)


def merged(one: Any, two: Any) -> Any:
    if isinstance(one, dict) and isinstance(two, dict):
        return {
            key: merged(one[key], two[key]) if key in one and key in two else {**one, **two}[key]
            for key in {**one, **two}
        }
    return two


def with_value(rules: dict[str, Any], at: tuple[object, ...], value: Any) -> dict[str, Any]:
    made = copy.deepcopy(rules)
    inside: Any = made
    for key in at[:-1]:
        inside = inside[key] if isinstance(inside, list) else inside.setdefault(key, {})  # type: ignore[call-overload]
    if value is None:
        inside.pop(at[-1], None)
    else:
        inside[at[-1]] = value
    return made


def as_text(rules: dict[str, Any]) -> str:
    plain = json.loads(json.dumps(rules))  # no object twice, which YAML would write as an alias
    return str(yaml.safe_dump(plain, sort_keys=False, width=1000))
