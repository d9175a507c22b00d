"""A tiny ruleset with something of everything the console can show: dice, picks, questions, rules that act."""

from __future__ import annotations

from pathlib import Path

GAME = """\
game:
  id: yard
  title: The yard
  version: "1.0"
  text: Beasts are fed and fight; five points win.
  players: 2
kinds:
  player:
    things: [ann, ben]
    has: {points: 0..9, grain: 0..20 = 3}
  game: {has: {rainy: flag, days: 0..99}}
  beast:
    facts: {printed: 0..9}
    has: {fed: 0..5}
    things:
      wolf: {title: Grey Wolf, printed: 3}
      pike: {title: River Pike, printed: 2, rules: {splash: {modify: power(b), when: game.rainy and b is self, add: 1}}}
      hare:
        title: Meadow Hare
        printed: 1
        rules:
          flees: {after: feed(b), when: b is wolf and hare.holder is ann, do: move hare to wood}
places:
  wood: {holds: beast, starts: beasts}
  den: {of: {holder: player}, holds: beast}
formulas:
  power: {text: How strong a beast is., takes: {b: beast}, is: b.printed + b.fed, open: true}
events:
  feed:
    takes: {b: beast}
    needs: b.fed < 5
    do: |
      b.fed += 1
      if b.fed is 3:
        game.rainy = true
  fight:
    takes: {p: player, b: beast}
    do: |
      let die = roll 1..6
      let total = die + power(b)
      if total >= 6:
        p.points += 1
        if p.points is 5: finish strongest for p
  lure:
    takes: {p: player}
    do: |
      p may choose b in wood:
        move b to p.den
        feed(b)
"""
FLOW = """\
flow:
  - phase: day
    repeat: true
    do: game.days += 1
    steps:
      - phase: turn
        each: me in players
        window: one
actions:
  call: {text: Call a beast., during: turn, choose: {b: in wood}, do: move b to me.den}
  grope:
    text: Take any beast.
    during: turn
    needs: count(b in wood) > 0
    do: |
      let b = random(x in wood)
      if b is not none: move b to me.den
  give:
    text: Feed a beast.
    during: turn
    choose: {b: in me.den}
    needs: me.grain >= 1
    do: |
      me.grain -= 1
      feed(b)
  brawl: {text: Fight., during: turn, choose: {b: in me.den}, do: "fight(me, b)"}
  tempt: {text: Lure a beast., during: turn, do: lure(me)}
  wait: {text: Do nothing., during: turn, do: skip}
endings:
  strongest: {text: Five points.}
"""


def write_yard(folder: Path) -> Path:
    """The game in a folder of its own."""
    home = folder / "yard"
    home.mkdir()
    (home / "game.yaml").write_text(GAME, encoding="utf-8")
    (home / "flow.yaml").write_text(FLOW, encoding="utf-8")
    return home
