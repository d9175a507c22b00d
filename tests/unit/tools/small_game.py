"""A game of one file with two scenarios, of which the tests here break things."""

from __future__ import annotations

from pathlib import Path

RULES = """\
game:
  id: race
  title: Race
  version: "1.0"
  text: Add one or two; whoever says ten wins.
  players: 2
kinds:
  player:
    things: [ann, ben]
  game:
    has:
      total: 0..10
      late: flag
flow:
  - phase: turn
    repeat: true
    each: me in players
    window: one
actions:
  add:
    during: turn
    choose:
      amount: in 1..2 where game.total + amount <= 10
    do: |
      count_up(amount)
      if game.total is 10: finish said_ten for me
  rest:
    during: turn
    needs: game.total > bonus()
    do: |
      if game.late: game.total = 0
      else: game.late = true
events:
  count_up:
    takes: {more: 1..2}
    do: game.total += more
formulas:
  bonus:
    is: 3
    open: true
rules:
  harder:
    modify: bonus()
    when: game.late
    add: 1
endings:
  said_ten:
    text: Somebody said ten.
"""
FIRST = """\
scenario: adding counts
steps:
  - ann: add 2
  - expect:
      game.total: 2  # so many
      decision.player: ben
"""
LAST = """\
scenario: ten wins
start: {game.total: 9}
steps:
  - refuse: {choice: add 2}
  - ann: add 1
  - outcome:
      reason: said_ten
      winners: [ann]
"""
PACK = """\
pack: {id: lighter, title: Lighter, version: "1.0", text: Less., for: {core: race, versions: "1.x"}}
rules:
  lighter:
    modify: bonus()
    add: -2
"""


def small_ruleset(folder: Path) -> Path:
    """The folder of the game."""
    home = folder / "race"
    (home / "scenarios").mkdir(parents=True)
    (home / "race.yaml").write_text(RULES, "utf-8")
    (home / "scenarios" / "first.yaml").write_text(FIRST, "utf-8")
    (home / "scenarios" / "last.yaml").write_text(LAST, "utf-8")
    return home
