"""A small core that leaves its limits to the contract, so that only the gate keeps them; and packs for it."""

from __future__ import annotations

from pathlib import Path

from ruleforge import judge, load
from ruleforge.engine.game import Game

CORE = """
game: {id: wharf, title: Wharf, version: "1.0", players: 2}
kinds:
  player:
    things: [ann, ben]
    has: {coins: 0..1000 = 10, goods: 0..1000 = 10, barred: flag}
  crate:
    things: [tea, rum, ink]
places:
  quay: {holds: crate, starts: crates}
  hold: {of: {master: player}, holds: crate}
formulas:
  toll: {open: true, takes: {p: player}, is: 3 if p.coins > 5 else 1, sees: "true"}
  weight: {takes: {p: player}, is: 2 * toll(p)}
events:
  earn: {open: true, takes: {p: player, k: 0..99}, do: p.coins += k}
  sell: {open: true, takes: {p: player}, needs: p.goods > 0, do: p.goods -= 1}
  weigh: {takes: {p: player}, do: "dues(p, weight(p))"}
  dues: {open: true, takes: {p: player, k: 0..99}, do: "p.coins -= min(p.coins, k)"}
  again: {open: true, takes: {p: player}, do: p.goods += 1}
  bar: {open: true, takes: {who: player, victim: player}, do: victim.barred = true}
flow:
  - phase: day
    repeat: true
    steps:
      - phase: turn
        each: me in players
        steps:
          - {phase: gate, window: maybe, end: me.barred = false}
          - {phase: trade, window: many}
actions:
  sail: {during: gate, needs: not me.barred, do: 'earn(me, 2)'}
  pass_scales: {during: trade, do: weigh(me)}
  stop: {during: trade, do: finish closed}
endings:
  closed: {text: The wharf is closed.}
"""

CONTRACT = """
locked: "1.0"
default: closed
otherwise: [W-0]
packs: [cards]
points:
  - {id: toll, modify: [toll], ops: [add, set], each: -3..4, sum: -9..4, result: 1..6, over: [W-1], cites: [W-2]}
  - {id: gains, gain: [player.coins, player.goods], call: [earn], cites: [W-3]}
  - {id: sales, call: [sell], sources: {most: 1, per: turn}, cites: [W-4]}
  - {id: repeats, call: [again], sources: {most: 1, per: weigh}, cites: [W-5]}
  - {id: bars, call: [bar], cites: [W-6]}
  - {id: crates, move: [crate into hold, crate into quay], cites: [W-7]}
  - {id: acts, act: new, window: [gate, trade], cites: [W-8]}
  - {id: waits, listen: any, cites: [W-8]}
  - {id: instead, instead: [dues], as: [none, less, same], sources: {most: 1, per: day}, cites: [W-9]}
bounded:
  - {of: player.coins, per: turn, cites: [W-10]}
rates: {weigh: 9, earn: 9}
loops: {settled_by: [limit], fuse: 16, cites: [W-11]}
denial: {of: sail, window: gate, covers: 1, gap: 1, void: bar, clause: W-12}
conserve: {of: [crate], cites: [W-13]}
holds:
  - {that: count(c in ann.hold) <= 1, at: change, cites: [W-14]}
  - {that: all(p.goods <= 12 for p in players), at: commit, cites: [W-15]}
  - {that: all(p.coins <= 60 for p in players), at: turn_end, cites: [W-16]}
"""

HEAD = (
    'pack: {{id: {id}, title: {title}, version: "1.0", kind: cards, for: {{core: wharf, versions: "1.x"}}}}\n'
)


def wharf(folder: Path, contract: str = CONTRACT) -> Path:
    home = folder / "wharf"
    if not home.exists():
        home.mkdir()
        (home / "game.yaml").write_text(CORE, "utf-8")
        (home / "contract.yaml").write_text(contract, "utf-8")
    return home


def packs(folder: Path, **texts: str) -> tuple[str, ...]:
    """Packs beside the wharf, each of which keeps the contract by itself."""
    for id, text in texts.items():
        home = wharf(folder) / "expansions" / id
        home.mkdir(parents=True)
        (home / "pack.yaml").write_text(HEAD.format(id=id, title=id.title()), "utf-8")
        (home / "cards.yaml").write_text(text, "utf-8")
        found = judge(home)
        assert found.verdict == "accepted", found.faults
    return tuple(texts)


def game(folder: Path, packs: tuple[str, ...], backend: str = "python", observe: bool = False) -> Game:
    return load(wharf(folder), packs, backend=backend, observe=observe)
