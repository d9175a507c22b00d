"""Games that grow in one way each: the side of a board, the number of cards, the number of players."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.large_games import growing_game

BOARD = """\
game: {{id: board, title: Board, version: "1", players: 2}}
kinds:
  player: {{things: [ann, ben]}}
  cell:
    grid: {{shape: square, columns: {side}, rows: {side}, neighbours: orthogonal}}
    has: {{owner: player or none}}
formulas:
  breathes:
    takes: {{c: cell}}
    is: "any(x in reached([c], y in cells where y.owner is c.owner) where any(n in neighbours(x) where n.owner is none))"
flow:
  - {{phase: turn, repeat: true, each: me in players, window: one}}
actions:
  take:
    during: turn
    choose: {{c: "in cells where c.owner is none"}}
    do: |
      c.owner = me
      if not breathes(c): finish stifled for next(me)
endings: {{stifled: {{text: A group has no free cell beside it.}}}}
"""

CROWD = """\
game: {{id: crowd, title: Crowd, version: "1", players: {players}}}
kinds:
  player:
    things: [{names}]
    has: {{life: {{type: 0..9 = 5, capped: true}}, coins: {{type: 0..99, capped: true}}}}
flow:
  - phase: turn
    repeat: true
    each: me in players where me.life > 0
    do: me.coins += 1
    window: one
events:
  hurt:
    takes: {{who: player}}
    do: who.life -= 1
rules:
  revenge: {{after: hurt(p), when: p.life is 1, do: p.coins += 3}}
actions:
  hit:
    during: turn
    choose: {{who: "in players where who.life > 0 and who is not me"}}
    do: |
      hurt(who)
      if count(p in players where p.life > 0) is 1: finish alone for me
  buy:
    during: turn
    needs: me.coins >= 5 and me.life < 9
    do: |
      me.coins -= 5
      me.life += 1
endings: {{alone: {{text: One is left.}}}}
"""


def board_game(side: int) -> str:
    return BOARD.format(side=side)


def crowded_game(players: int) -> str:
    return CROWD.format(players=players, names=", ".join(f"p{n}" for n in range(1, players + 1)))


GROWING: dict[str, tuple[Callable[[int], str], tuple[int, ...]]] = {  # what grows: the rules, and the sizes
    "side of the board": (board_game, (5, 9, 13, 19)),
    "cards": (growing_game, (50, 100, 200, 400)),
    "players": (crowded_game, (2, 4, 8, 16)),
}
