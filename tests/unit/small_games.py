"""Tiny rulesets for the tests of engine, play and front ends: every feature once, no real game."""

from __future__ import annotations

import atexit
from functools import cache
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import ruleforge

# Hidden hands, an ordered deck, a step-by-step action, a roll, limits that can be broken.
FAIR = """\
game:
  id: fair
  title: The fair
  version: "1.0"
  text: A day at the fair.
  players: "2..3"
  cites: [F-1]
options:
  rich: {text: Start with more coins., type: flag, default: false}
  rounds: {text: How long it lasts., type: 1..5, default: 3}
  mood: {text: How people feel., values: [merry, grim], default: merry}
kinds:
  player:
    things: [ann, ben, cat]
    has:
      coins: 0..9 = 3
      friends: set of stall
      tastes: 0..5 per stall
      secret: {type: 0..9 = 4, sees: viewer is self}
  game:
    has:
      round: 0..9
      total: 0..2000000000 = 1
  stall:
    things: [tea, pie, ann_stall]
    has:
      owner: player or none
      open: flag = true
  ticket:
    things: [red, blue, green, pie]
places:
  deck: {holds: ticket, ordered: true, sees: false, starts: tickets}
  hand: {of: {holder: player}, holds: ticket, sees: viewer is holder}
  prize: {of: {spot: stall}, holds: ticket, max: 1}
setup: |
  for p in players where option.rich: p.coins = 6
flow:
  - phase: day
    repeat: game.round < option.rounds
    do: game.round += 1
    steps:
      - phase: turn
        each: me in players
        window: one
  - phase: evening
    do: finish closed for {p in players where p.coins is max(q.coins for q in players)}
actions:
  give:
    text: Pay another player.
    cites: [F-2]
    during: turn
    choose:
      whom: in players where whom is not me
      much: in 1..me.coins
    do: |
      me.coins -= much
      whom.coins += much
  draw:
    text: Draw a ticket.
    cites: [F-3]
    during: turn
    do: |
      let drawn = first(t in deck)
      if drawn is not none: move drawn to me.hand
  hang:
    text: Hang a ticket of your hand up as a prize.
    during: turn
    choose:
      what: in me.hand
      spot: in stalls where spot.prize is none
    do: move what to spot.prize
  bet:
    text: Roll a die.
    during: turn
    do: |
      let die = roll 1d6
      if die > 3: me.secret = die
  buy:
    text: Buy a stall; it costs nothing if nobody looks.
    cites: [F-4]
    during: turn
    choose:
      what: in stalls where what.open
    needs: what.owner is none
    joined: true
    do: what.owner = me
  grow:
    text: Multiply without end.
    during: turn
    do: game.total = game.total * 1999999999 // 2
  rob:
    text: Lose a coin, even if there is none.
    during: turn
    do: me.coins -= 1
  close:
    text: End the day.
    during: turn
    do: finish closed for me
endings:
  closed: {text: The fair is over.}
"""

# Nothing hidden, two moves and out: the smallest thing that can be played.
COIN = """\
game:
  id: coin
  title: Heads or tails
  version: "1.0"
  text: Call it.
  players: 2
kinds:
  player:
    things: [ann, ben]
  side:
    things: [heads, tails]
flow:
  - phase: call
    each: me in players
    window: one
  - phase: nobody
    do: finish even
actions:
  say:
    text: Say heads or tails.
    during: call
    choose:
      what: in sides
    do: |
      let thrown = random(s in sides)
      if thrown is what: finish right for me
endings:
  right: {text: Called it right.}
  even: {text: Nobody was right.}
"""


def asked(state: ruleforge.State) -> ruleforge.Decision:
    """The decision a state waits for."""
    assert state.decision is not None
    return state.decision


def ended(state: ruleforge.State) -> ruleforge.Outcome:
    """How a game ended that is over."""
    assert state.outcome is not None
    return state.outcome


@cache
def folder() -> Path:
    path = Path(mkdtemp(prefix="ruleforge-tests-"))
    atexit.register(rmtree, path, ignore_errors=True)
    return path


@cache
def small_game(text: str = FAIR, backend: str = "python") -> ruleforge.Game:
    return ruleforge.load(rules_file(text), backend=backend)


@cache
def rules_file(text: str) -> Path:
    """The rules as a game folder of their own."""
    name = text.split("id: ")[1].split("\n")[0]
    home = folder() / f"{name}-{sha256(text.encode()).hexdigest()[:12]}"
    home.mkdir(exist_ok=True)
    (home / "game.yaml").write_text(text, encoding="utf-8")
    return home
