"""The verdict on a pack of sixty cards comes quickly, whatever the cards do to one another."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from ruleforge import judge

CARDS = 60
SECONDS = 2.0  # of processor time
N, K = "<n>", "<k>"  # the number of a card, and a small one
PACK = (
    'pack: {id: sixty, title: Sixty, version: "1.0", text: Many cards., kind: cards, '
    'for: {core: soul-gems, versions: "0.x"}}\n'
)
TABLE = """places:
  shelf: {holds: charm, starts: charms}
  purse: {of: {bearer: player}, holds: charm}
kinds:
  charm:
    works: self.bearer is not none
    controller: self.bearer if self.bearer is not none else ann
    things:
"""


def modifier(formula: str, when: str, add: str) -> str:
    return f"rules: {{r{N}: {{modify: '{formula}', when: {when}, add: {add}}}}}"


def trigger(after: str, do: str, limit: str = "") -> str:
    return f"rules: {{r{N}: {{after: '{after}', {limit}do: '{do}'}}}}"


OWN = "owner(a) is self.bearer"
KINDS = (
    modifier("to_hit(a, t)", f"{OWN} and t.form is rook and self.bearer.sp > {N}", K),
    modifier("damage_bonus(a, t)", f"{OWN} and t.damage > 0", "1"),
    trigger("capture(who, t)", f"gain_sp(who, {K})", "when: who is self.bearer, limit: once per turn, "),
    modifier("move_distance(a, o, goal, far)", f"{OWN} and a.form is bishop", "-1"),
    modifier("gem_bonus(who, gem_of)", "who is self.bearer and gem_of is who", "1"),
    f"actions: {{a{N}: {{during: main_one, limit: once per turn, cost: activate(me), do: 'gain_sp(me, {K})'}}}}",
)
# Every card sets off every other one.
TANGLED = (trigger("gain_sp(who, k)", "gain_lp(who, 1)"), trigger("gain_lp(who, k)", "gain_sp(who, 1)"))


def pack(folder: Path, kinds: tuple[str, ...]) -> Path:
    home = folder / "sixty"
    home.mkdir()
    (home / "pack.yaml").write_text(PACK, "utf-8")
    cards = [kinds[n % len(kinds)].replace(N, str(n)).replace(K, str(n % 9 + 1)) for n in range(CARDS)]
    lines = [f"      c{n}: {{{card}}}\n" for n, card in enumerate(cards)]
    (home / "cards.yaml").write_text(TABLE + "".join(lines), "utf-8")
    return home


@pytest.mark.parametrize(("kinds", "verdict"), [(KINDS, "accepted"), (TANGLED, "rejected")])
def test_sixty_cards_are_judged_in_time(tmp_path: Path, kinds: tuple[str, ...], verdict: str):
    home = pack(tmp_path, kinds)
    judge(home)  # what is kept between runs is at hand
    began = time.process_time()
    found = judge(home)
    assert time.process_time() - began < SECONDS
    assert found.verdict == verdict, found.faults


def test_a_circle_is_found_among_more_than_can_be_looked_at(tmp_path: Path):
    found = judge(pack(tmp_path, TANGLED))
    (loop,) = [fault for fault in found.faults if fault.code == "RF911"]
    assert loop.answer == "broken" and len(loop.rules) == CARDS
