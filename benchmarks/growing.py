"""A number of cards -> a made-up game in which each has three abilities of its own: an action and two rules."""

from __future__ import annotations

HEAD = """\
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

REST = """
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
    return HEAD + CARD_KIND + written + REST
