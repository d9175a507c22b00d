"""A small core with a contract of every section, and a way to judge packs for it."""

from __future__ import annotations

from pathlib import Path

from ruleforge import Judgement, judge

CORE = """
game: {id: mill, title: Mill, version: "1.0", players: 2}
numbers: {bonus: 2, rate: 2}
options:
  weeks: {type: 1..9, default: 3}
kinds:
  player:
    things: [ann, ben]
    has:
      coins: 0..1000000000 = 5
      grain: 0..1000000000 = 5
      banned: flag
      swapped: 0..4
  tool:
    facts: {weight: 0..9}
    things: {axe: {weight: 2}, saw: {weight: 3}}
    has: {dull: flag}
places:
  shed: {of: {keeper: player}, holds: tool}
  cellar: {of: {cellarer: player}, holds: tool, sees: viewer is cellarer}
  heap: {holds: tool, starts: tools}
formulas:
  price: {open: true, takes: {p: player}, is: "3", clamp: 1..9}
  luck: {open: true, takes: {p: player, x: tool}, is: "0"}
  fee: {takes: {p: player}, is: "2 + bonus"}
events:
  earn: {open: true, takes: {p: player, k: 0..99}, do: p.coins += k}
  reap: {open: true, takes: {p: player, k: 0..99}, do: p.grain += k}
  swap:
    takes: {p: player}
    needs: [p.grain >= rate, p.swapped < 4]
    do: |
      p.swapped += 1
      p.grain -= rate
      p.coins += 1
  grind:
    takes: {p: player}
    do: |
      reap(p, fee(p))
      blank()
  fix: {takes: {p: player}, do: p.banned = false}
  ban: {open: true, takes: {victim: player}, do: victim.banned = true}
  blank: {placeholder: true, do: skip}
  spin: {open: true, takes: {p: player}, do: "earn(p, 1)"}
windows:
  aside: {window: maybe, open: true}
flow:
  - phase: week
    repeat: true
    steps:
      - phase: turn
        each: me in players
        steps:
          - {phase: morning, window: maybe}
          - {phase: noon, window: many}
    end: |
      if any(p in players where p.coins >= 20): finish rich
actions:
  mend:
    during: morning
    needs: not me.banned
    cost: pay price(me) from me.coins
    do: fix(me)
  work:
    during: noon
    do: |
      grind(me)
      spin(me)
      swap(me)
  take:
    during: noon
    choose: {x: in heap}
    do: |
      move x to me.shed
      x.dull = luck(me, x) > 0
  stop: {during: noon, do: finish rich}
endings:
  rich: {text: Somebody is rich.}
checks:
  handy:
    text: A tool weighs something.
    cites: [M-16]
    each: x in tools
    that: x.weight > 0
"""

CONTRACT = """
locked: "1.0"
default: closed
otherwise: [M-0]
packs: [cards, expansion, scenario]
guards:
  - {of: [version], say: made for this version, cites: [M-1]}
  - {of: [bonus, rate, fee], say: the numbers stay, fix: modify `price`, cites: [M-2]}
  - {of: [tool.weight], say: weights stay, cites: [M-3]}
  - {of: [flow], say: the week stays, cites: [M-4]}
  - {of: [shed], say: tools are not given away, cites: [M-5]}
points:
  - {id: price, modify: [price], ops: [add, set], each: -2..4, result: 1..9, warn: 3, over: [M-6], cites: [M-7]}
  - {id: luck, modify: [luck], ops: [add], each: -9..2, when: conditional, warn: 1, over: M-8, bare: M-9}
  - id: gains
    gain: [player.coins.up, player.grain.up, player.coins.down, player.grain.down]
    call: [earn, reap]
    cites: [M-11]
  - {id: swapping, call: [swap], cites: [M-12]}
  - {id: tools, define: [tool], move: [tool into new], cites: [M-13]}
  - {id: lend, move: [tool into heap], when: limited, cites: [M-14]}
  - {id: acts, act: new, window: [noon, morning], cites: [M-15]}
  - {id: waits, listen: any, cites: [M-15]}
  - {id: instead, instead: [reap, spin], as: [none, less, same], cites: [M-15]}
  - {id: bans, call: [ban], cites: [M-19]}
  - {id: filled, fill: [blank], most: 1, cites: [M-20]}
  - {id: ends, end: win, choose: [weeks], packs: [scenario], cites: [M-21]}
bounded:
  - {of: player.coins, per: turn, warn: 10, cites: [M-22]}
  - {of: player.grain, per: turn, cites: [M-22]}
rates: {earn: 2, reap: 2, swap: 4}
flows:
  - {from: player.grain, into: player.coins, cites: [M-23]}
  - {after: swap, into: [player.coins, player.grain], cites: [M-23]}
loops: {settled_by: [limit, spend], fuse: 32, cites: [M-24]}
denial: {of: mend, window: morning, covers: 1, gap: 1, void: ban, clause: M-25, endless: M-26}
chance: {inside: [grind], never: [roll, shuffle, pick, choice], cites: [M-27]}
secrecy: {keep: [cellar], cites: [M-28]}
conserve: {of: [tool], cites: [M-29]}
holds:
  - {that: "sum(x.weight for x in tools) <= 20", at: load, cites: [M-30]}
"""

HEAD = 'pack: {{id: {id}, title: Pack, version: "1.0", kind: {kind}, for: {{core: mill, versions: "{versions}"}}}}\n'


def core(folder: Path, contract: str = CONTRACT) -> Path:
    home = folder / "mill"
    if not home.exists():
        home.mkdir()
        (home / "game.yaml").write_text(CORE, "utf-8")
        (home / "contract.yaml").write_text(contract, "utf-8")
    return home


def pack(folder: Path, text: str, id: str = "p", kind: str = "cards", versions: str = "1.x") -> Path:
    """A pack beside the mill; its own text begins in line 1 of `cards.yaml`."""
    home = core(folder) / "expansions" / id
    home.mkdir(parents=True)
    (home / "pack.yaml").write_text(HEAD.format(id=id, kind=kind, versions=versions), "utf-8")
    (home / "cards.yaml").write_text(text.lstrip("\n"), "utf-8")
    return home


def judged(folder: Path, text: str, **head: str) -> Judgement:
    return judge(pack(folder, text, **head))
