"""Rulesets that are large in one way each: those that play, those that are refused with a code, and one that grows."""

from __future__ import annotations

HEAD = """\
game: {id: big, title: Big, version: "1", players: 2}
kinds:
  player: {things: [ann, ben], has: {points: {type: 0..999, capped: true}}}
  game: {has: {turn: 0..99, x: {type: 0..9999, capped: true}}}
"""
FLOW = """
flow:
  - phase: turn
    repeat: true
    each: me in players
    do: |
      game.turn += 1
      if game.turn > 9: finish over
    window: one
endings: {over: {text: It is over.}}
"""
IDLE = "actions: {go: {during: turn, do: skip}}\n"
BUMP = (
    'events: {bump: {takes: {p: player}, do: "p.points += 1"}}\nactions: {go: {during: turn, do: bump(me)}}\n'
)


def _many(count: int, line: str) -> str:
    return "".join(line.replace("$", str(i)) for i in range(count))


def _do(*lines: str) -> str:
    written = "".join(f"      {line}\n" for line in lines)
    return HEAD + FLOW + "actions:\n  go:\n    during: turn\n    do: |\n" + written


def _kind(text: str) -> str:
    return HEAD.replace("kinds:", f"kinds:\n  {text}") + FLOW + IDLE


def _nested(count: int, head: str) -> list[str]:
    return ["  " * i + head.replace("$", str(i)) for i in range(count)] + ["  " * count + "game.x += 1"]


def playable(size: int) -> dict[str, str]:
    """Each plays on every backend."""
    chosen = f"    choose: {{k: in 0..{size}}}\n    do: |\n      if k is 0: me.points += 1\n"
    return {
        "actions": HEAD + FLOW + "actions:\n" + _many(size, '  act_$: {during: turn, do: "me.points += $ % 7"}\n'),
        "elif": HEAD + FLOW + "actions:\n  go:\n    during: turn\n" + chosen
        + _many(size, "      elif k is $ + 1: me.points += 2\n") + "      else: me.points += 3\n",
        "picks": _do("me picks:", *(f"  opt_{i}: me.points += {i % 7}" for i in range(size))),
        "after": HEAD + FLOW + BUMP + "rules:\n"
        + _many(size, '  r_$: {after: bump(q), when: game.turn is $, do: "game.x += 1"}\n'),
        "instead": HEAD + FLOW + BUMP + "rules:\n"
        + _many(size // 4, "  r_$: {instead of: bump(q), when: game.turn is $, do: proceed}\n"),
        "forbid": HEAD + FLOW + BUMP + "rules:\n" + _many(size, "  r_$: {forbid: bump(q), when: game.turn is $ + 5}\n"),
        "modify": HEAD + FLOW + "formulas: {worth: {takes: {p: player}, is: p.points, open: true}}\n"
        + 'actions: {go: {during: turn, do: "game.x += worth(me)"}}\nrules:\n'
        + _many(size, "  r_$: {modify: worth(q), when: game.turn is $, add: 1}\n"),
        "needs": HEAD + FLOW + "actions:\n  go:\n    during: turn\n    needs: "
        + " and ".join(["game.turn > 0"] * size) + "\n    do: skip\n",
        "for": _do(*_nested(24, "for k$ in 0..0:")),
        "for where": _do(*_nested(20, "for p$ in players where p$.points < 5 + $ and p$ is me:")),
        "for by": _do(*_nested(18, "for p$ in players where p$ is me by 0 - p$.points:")),
        "for and leave": _do(
            "let much = 1",
            *_nested(20, "for k$ in 0..1:")[:-1],
            "  " * 20 + "much = much + 1",
            "  " * 20 + "if much > 40: finish over",
        ),
        "repeat": _do(*_nested(20, "repeat 1:")),
        "for and ask": _do(*_nested(20, "for k$ in 0..0:")[:-1], "  " * 20 + "me chooses c in 0..2: game.x += c"),
        "if": _do(*_nested(40, "if game.turn > $ // 20:")),
        "sum": _do("game.x = " + " + ".join(["game.turn"] * 90)),
        "formulas": HEAD + FLOW + "formulas:\n  f0: {is: game.turn}\n"
        + "".join(f"  f{i}: {{is: f{i - 1}() + 1}}\n" for i in range(1, 90))
        + 'actions: {go: {during: turn, do: "game.x = f89()"}}\n',
        "cards": HEAD.replace("kinds:", "kinds:\n  card:\n    has: {owner: player}\n    things:\n"
        + _many(size, '      c$: {actions: {use_$: {during: turn, do: "me.points += 1"}}}\n')) + FLOW + IDLE,
    }  # fmt: skip


REFUSED = {
    "pool": ("RF508", _kind("tok: {pool: 99999999 * 99}")),
    "count": ("RF511", _kind("tok: {count: 99999999}")),
    "copies": ("RF511", _kind("tok: {things: {a: {copies: 99999999}}}")),
    "grid": ("RF511", _kind("cell: {grid: {shape: square, columns: 30000, rows: 30000}}")),
    "rings": ("RF511", _kind("cell: {rings: [99999999, 2]}")),
    "per cell": ("RF511", _kind("cell: {grid: {shape: square, columns: 100, rows: 100}, has: {n: flag per cell}}")),
    "sets": ("RF511", _kind("c: {count: 5000, has: {s: set of c}}")),
    "places": ("RF511", _kind("a: {count: 10000}\n  b: {count: 10000}")
               + "places: {box: {of: {one: a, other: b}, holds: player}}\n"),
    "choices": ("RF511", HEAD + FLOW + "actions: {go: {during: turn, choose: {k: in 0..2147483647}, do: skip}}\n"),
    "chooses": ("RF511", _do("me chooses k in 0..2000000000: skip")),
    "joined": ("RF511", HEAD + FLOW + "actions: {go: {during: turn, joined: true, "
               "choose: {a: in 0..2000, b: in 0..2000}, do: skip}}\n"),
    "codes": ("RF511", HEAD + FLOW + "actions: {go: {during: turn, joined: true, needs: game.x > 3, "
              "choose: {a: in 0..60000, b: in 0..60000}, do: skip}}\n"),
    "distance": ("RF511", _kind("cell: {grid: {shape: square, columns: 100, rows: 100}}")
                 + "formulas: {far: {takes: {a: cell, b: cell}, is: distance(a, b)}}\n"),
    "limits": ("RF511", HEAD.replace("players: 2", "players: 2, limits: {stack: 900000}") + FLOW + IDLE),
    "list": ("RF124", HEAD + FLOW + IDLE + "numbers: [" + "a, " * 900_000 + "a]\n"),
    "squares": ("RF508", HEAD + FLOW + IDLE + "numbers:\n  n0: 9\n"
                + "".join(f"  n{i}: n{i - 1} * n{i - 1}\n" for i in range(1, 23))),
    "nested lists": ("RF202", HEAD + FLOW + IDLE + "numbers: [" + ("[" * 90 + "]" * 90 + ", ") * 170 + "x]\n"),
    "unknown": ("RF501", _do(*(f"nam{i}x.pts{i} += unk{i}" for i in range(400)))),
    "keys": ("RF110", HEAD + FLOW + IDLE + "numbers:\n" + "  same: 1\n" * 3000),
    "shapes": ("RF201", HEAD + FLOW + IDLE + "numbers:\n" + _many(3000, "  n$: {vaule: 1}\n")),
    "quotes": ("RF108", HEAD + FLOW + IDLE + "numbers:\n" + _many(2000, '  n$: "x\n  m$: 1\n')),
    "digits": ("RF114", HEAD + FLOW + IDLE + f"numbers: {{a: {'9' * 5000}}}\n"),
    "digits in a text": ("RF410", _do("game.x = " + "9" * 500)),
    "more digits in a text": ("RF114", _do("game.x = " + "9" * 5000)),
    "terms": ("RF409", _do("game.x = " + " + ".join(["game.turn"] * 1000))),
    "brackets": ("RF409", _do("game.x = " + "(" * 500 + "1" + ")" * 500)),
    "loops": ("RF409", _do(*_nested(25, "for k$ in 0..1:"))),
}  # fmt: skip

# --- cards with three abilities each: an action and two rules ---

CARDS_HEAD = """\
game: {id: growing, title: Growing, version: "1", players: 2}

kinds:
  player:
    things: [ann, ben]
    has: {life: {type: 0..99 = 30, capped: true}, coins: {type: 0..99 = 5, capped: true}}
  game:
    has: {turn: 0..99}
"""

CARD_KIND = """\
  card:
    facts: {price: 0..9, power: 0..9}
    has: {owner: player, damage: {type: 0..9, capped: true}, tapped: flag}
    works: self in self.owner.field
    things:
"""

CARD = """\
      card_{n}:
        price: {price}
        power: {power}
        actions:
          use_{n}:
            text: Use card {n}.
            during: turn
            needs: not self.tapped and me.coins >= {price}
            do: |
              self.tapped = true
              me.coins -= {price}
              hurt(opponent, {power})
        rules:
          greet_{n}: {{after: start of turn, when: active is me, do: "me.coins += {gain}"}}
          guard_{n}: {{after: "hurt(p, k)", when: p is me and k > {least}, do: "self.damage += 1"}}
"""

CARDS_REST = """
places:
  deck: {holds: card, ordered: true, sees: false, starts: cards}
  hand: {of: {holder: player}, holds: card, sees: viewer is holder}
  field: {of: {keeper: player}, holds: card}

events:
  draw_card:
    takes: {who: player}
    do: |
      let drawn = first(c in deck)
      if drawn is not none:
        drawn.owner = who
        move drawn to who.hand
  hurt:
    takes: {who: player, amount: 0..9}
    do: |
      who.life -= amount
      if who.life is 0: finish beaten for next(who)

setup: |
  shuffle deck
  for p in players:
    repeat 5: draw_card(p)

flow:
  - phase: turn
    repeat: true
    each: me in players
    do: |
      game.turn += 1
      if game.turn > 90: finish tired
      for c in me.field: c.tapped = false
      draw_card(me)
    window: many

actions:
  play:
    during: turn
    choose: {what: in me.hand where what.price <= me.coins}
    do: |
      me.coins -= what.price
      move what to me.field

endings:
  beaten: {text: Somebody has no life left.}
  tired: {text: It took too long.}
"""


def growing_game(cards: int) -> str:
    """The rules as one file."""
    written = "".join(
        CARD.format(n=n, price=n % 4, power=1 + n % 7, gain=1 + n % 2, least=n % 5)
        for n in range(1, cards + 1)
    )
    return CARDS_HEAD + CARD_KIND + written + CARDS_REST
