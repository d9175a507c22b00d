"""Every code of a verdict is given where it belongs, with clauses and place; what is near it but fine is accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleforge import RulesetError, judge, load
from ruleforge.frontends.cli.main import run
from tests.unit.contracts.mill import CONTRACT, core, judged, pack

POOL = """
kinds:
  spell:
    pool: 2
    has: {{caster: player}}
    lasts: end of turn
    rules:
      works: {{{rule}}}
actions:
  cast: {{during: noon, limit: once per turn, cost: me.coins -= 1, do: new spell(caster = me)}}
"""
RULE = "rules:\n  r: {{{}}}\n"
ACTION = "actions:\n  a: {{during: noon, {}}}\n"

# code, clauses, line in cards.yaml, the pack
BROKEN = {
    "another name": ("RF902", ["M-2"], 1, "numbers: {bonus: 9}"),
    "a fact of a thing": ("RF902", ["M-3"], 1, "kinds: {tool: {things: {axe: {weight: 9}}}}"),
    "a number in an effect": ("RF902", ["M-2"], 2, ACTION.format("do: bonus = 9")),
    "a fact in an effect": (
        "RF902",
        ["M-3"],
        3,
        "actions:\n  a:\n    do: x.weight = 1\n    during: noon\n    choose: {x: in heap}",
    ),
    "a closed formula": ("RF903", ["M-2"], 2, RULE.format("modify: fee(p), when: p is ann, add: 1")),
    "an event nobody offers": ("RF903", ["M-0"], 2, ACTION.format("limit: once per turn, do: fix(me)")),
    "a phase inside a turn": (
        "RF903",
        ["M-4"],
        2,
        "flow:\n  - {at: after morning, phases: [{phase: nap, do: skip}]}",
    ),
    "leaving a phase": ("RF903", ["M-4"], 2, ACTION.format("do: leave turn")),
    "a move nobody offers": (
        "RF903",
        ["M-5"],
        5,
        "actions:\n  a:\n    during: noon\n    choose: {x: in heap}\n    do: move x to me.shed",
    ),
    "too much": ("RF904", ["M-8"], 2, RULE.format("modify: 'luck(p, x)', when: x is axe, add: 3")),
    "too much by a formula": (
        "RF904",
        ["M-8"],
        2,
        RULE.format("modify: 'luck(p, x)', when: x is axe, add: x.weight + 1"),
    ),
    "a result below the floor": (
        "RF905",
        ["M-6"],
        2,
        RULE.format("modify: price(p), when: p is ann, set: 0"),
    ),
    "always": ("RF906", ["M-9"], 2, RULE.format("modify: 'luck(p, x)', add: 1")),
    "always mine": ("RF906", ["M-9"], 2, RULE.format("modify: 'luck(p, x)', when: p is ann, add: 1")),
    "always, said twice": (
        "RF906",
        ["M-9"],
        2,
        RULE.format("modify: 'luck(p, x)', when: x is axe or x is not axe, add: 1"),
    ),
    "as often as one likes": (
        "RF907",
        ["M-14"],
        5,
        "actions:\n  a:\n    during: noon\n    choose: {x: in me.shed}\n    do: move x to heap",
    ),
    "a window": (
        "RF909",
        ["M-15"],
        2,
        "actions:\n  a: {during: aside, limit: once per turn, do: 'earn(me, 1)'}",
    ),
    "paid in grain": (
        "RF910",
        ["M-23"],
        2,
        ACTION.format("limit: once per turn, cost: me.grain -= 3, do: 'earn(me, 1)'"),
    ),
    "paid in either": (
        "RF910",
        ["M-23"],
        2,
        ACTION.format("limit: once per turn, cost: pay 3 from me.coins or me.grain, do: 'earn(me, 1)'"),
    ),
    "more for a swap": (
        "RF910",
        ["M-23"],
        2,
        RULE.format("after: swap(p), limit: once per turn, do: 'reap(p, 1)'"),
    ),
    "a loop": ("RF911", ["M-24"], 2, RULE.format("after: 'earn(p, k)', do: 'earn(p, 1)'")),
    "a loop on an attribute": (
        "RF911",
        ["M-24"],
        2,
        RULE.format("after: set player.coins, when: new > old, do: it.coins += 1"),
    ),
    "no bound for the amount": (
        "RF912",
        ["M-22"],
        2,
        RULE.format("after: start of turn, do: active.grain += active.grain"),
    ),
    "no bound for the times": ("RF912", ["M-22"], 2, ACTION.format("do: 'reap(me, 1)'")),
    "denied for good": ("RF913", ["M-25", "M-26"], 2, RULE.format("forbid: fix(p), when: p is ben")),
    "denied every turn": (
        "RF913",
        ["M-25", "M-26"],
        2,
        RULE.format("after: start of noon, do: ban(next(active))"),
    ),
    "dearer for good": (
        "RF913",
        ["M-25", "M-26"],
        2,
        RULE.format("modify: price(p), when: p is ben, add: 2"),
    ),
    "dice inside": ("RF914", ["M-27"], 2, RULE.format("after: 'reap(p, k)', do: let x = roll 1d6")),
    "a question inside": (
        "RF914",
        ["M-27"],
        2,
        RULE.format("after: grind(p), may: true, who: p, limit: once per turn, do: 'earn(p, 1)'"),
    ),
    "shown": ("RF915", ["M-28"], 2, ACTION.format("do: show opponent.cellar to me")),
    "chosen from what is hidden": (
        "RF915",
        ["M-28"],
        2,
        ACTION.format("choose: {x: in opponent.cellar}, limit: once per game, do: move x to heap"),
    ),
    "a tool that weighs nothing": ("RF917", ["M-16"], 1, "kinds: {tool: {things: {feather: {weight: 0}}}}"),
    "too heavy in all": ("RF917", ["M-30"], 1, "kinds: {tool: {things: {a1: {weight: 9}, a2: {weight: 9}}}}"),
    "another kind of pack": ("RF908", ["M-21"], 1, "chooses: {weeks: 5}"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_broken_is_refused_with_its_clause_and_place(name: str, tmp_path: Path):
    code, clauses, line, text = BROKEN[name]
    found = judged(tmp_path, text)
    assert [fault.code for fault in found.faults] == [code], str(found)
    assert found.verdict == "rejected"
    assert set(clauses) <= set(found.faults[0].clauses)
    assert (Path(found.faults[0].place.file).name, found.faults[0].place.line) == ("cards.yaml", line)


KEPT = {
    "nothing": "numbers: {own: 1}",
    "a bonus for one tool": RULE.format("modify: 'luck(p, x)', when: x is axe, add: 2"),
    "a penalty needs no condition": RULE.format("modify: 'luck(p, x)', add: -3"),
    "a size that is counted": RULE.format("modify: 'luck(p, x)', add: 'min(2, x.weight - 2)'"),
    "for a turn": POOL.format(rule="modify: 'luck(p, x)', when: p is self.caster, add: 2"),
    "paid in coins": ACTION.format("limit: once per turn, cost: me.coins -= 3, do: 'reap(me, 6)'"),
    "coins for coins": ACTION.format("limit: once per turn, cost: me.coins -= 3, do: 'earn(me, 2)'"),
    "a swap of the core": ACTION.format("limit: once per turn, do: swap(me)"),
    "a loop with a limit": RULE.format("after: 'earn(p, k)', limit: once per turn, do: 'earn(p, 1)'"),
    "a loop that costs": RULE.format("after: 'earn(p, k)', cost: p.grain -= 1, do: 'reap(next(p), 1)'"),
    "other player's loop": RULE.format("after: start of turn, do: 'earn(active, 1)'"),
    "denied once": ACTION.format("limit: once per game, do: ban(opponent)"),
    "cheaper": RULE.format("modify: price(p), when: p is ann, add: -1"),
    "a new tool": "kinds: {tool: {things: {plane: {weight: 4}}}}",
    "a place of its own": "places: {attic: {holds: tool}}\n"
    + ACTION.format("choose: {x: in heap}, limit: once per turn, do: move x to attic"),
    "counting what is hidden": ACTION.format(
        "needs: count(x in opponent.cellar) > 0, limit: once per turn, do: 'reap(me, 1)'"
    ),
    "less instead": RULE.format(
        "instead of: 'reap(p, k)', when: p is ben, do: 'proceed with k = max(0, k - 1)'"
    ),
    "a swap as often as the core lets it": ACTION.format("do: swap(me)"),
    "forbidden for the own turn": POOL.format(rule="modify: price(p), when: p is not self.caster, add: 2"),
    "what takes a thing with it": """
kinds:
  mole: {pool: 3}
actions:
  dig: {during: morning, limit: once per turn, do: new mole()}
  hunt:
    during: noon
    choose: {x: in moles}
    do: |
      remove x
      reap(me, 2)
""",
    "a filling": "fills: {blank: {do: skip}}",
}


@pytest.mark.parametrize("name", KEPT)
def test_what_keeps_the_contract_is_accepted(name: str, tmp_path: Path):
    found = judged(tmp_path, KEPT[name])
    assert found.verdict == "accepted", str(found)
    assert all(clause.answer == "kept" and clause.why for clause in found.clauses)


def test_a_pack_for_another_version_is_refused_before_all_else(tmp_path: Path):
    found = judged(tmp_path, "numbers: {bonus: 9}", versions="2.x")
    assert (found.verdict, [f.code for f in found.faults]) == ("rejected", ["RF901"])
    assert found.faults[0].clauses == ("M-1",)


def test_a_mistake_is_no_question_of_the_contract(tmp_path: Path):
    found = judged(tmp_path, ACTION.format("do: 'reap(me, lots)'") + RULE.format("modify: fee(p), add: 1"))
    assert found.verdict == "invalid"
    assert sorted((f.answer, f.code) for f in found.faults) == [("broken", "RF903"), ("invalid", "RF501")]


def test_every_fault_is_told_in_one_run(tmp_path: Path):
    text = "numbers: {bonus: 9}\nrules:\n  a: {modify: 'luck(p, x)', add: 1}\n"
    text += "  b: {modify: fee(p), when: p is ann, add: 1}\n"
    text += "  c: {modify: 'luck(p, x)', when: x is axe, add: 1}\n"
    found = judged(tmp_path, text)
    assert [fault.code for fault in found.faults] == ["RF902", "RF906", "RF903"]


def test_what_makes_things_of_the_core_is_refused(tmp_path: Path):
    home = pack(tmp_path, "kinds: {tool: {things: {plane: {weight: 4}}}}")
    contract = home.parent.parent / "contract.yaml"
    contract.write_text(contract.read_text("utf-8").replace("define: [tool], ", ""), "utf-8")
    found = judge(home)
    assert [(f.code, f.clauses) for f in found.faults] == [("RF916", ("M-29",))] * 2 or [
        f.code for f in found.faults
    ] == ["RF916"]


def test_packs_are_judged_together_too(tmp_path: Path):
    one = pack(tmp_path, RULE.format("after: 'earn(p, k)', do: 'reap(p, 1)'"), "one")
    two = pack(tmp_path, "rules:\n  s: {after: 'reap(p, k)', do: 'earn(p, 1)'}\n", "two")
    assert judge(one).verdict == judge(two).verdict == "accepted"
    found = judge(one, [two])
    assert found.verdict == "rejected" and found.faults == ()
    assert found.together is not None
    assert [(f.code, f.clauses, len(f.places)) for f in found.together.faults] == [("RF911", ("M-24",), 2)]


def test_one_placeholder_is_for_one_pack(tmp_path: Path):
    one = pack(tmp_path, "fills: {blank: {do: skip}}", "one")
    two = pack(tmp_path, "fills: {blank: {do: skip}}", "two")
    found = judge(one, [two])
    assert found.together is not None
    assert {"RF918"} <= {fault.code for fault in found.together.faults}


WARNED = {
    "RF920": ACTION.format("limit: once per turn, do: 'earn(me, 15)'"),
    "RF921": RULE.format("modify: 'luck(p, x)', when: x is axe, add: 2"),
    "RF922": RULE.format("modify: 'luck(p, x)', when: x is axe and x is saw, add: 1"),
    "RF923": ACTION.format("do: skip"),
    "RF924": """
kinds:
  toll:
    pool: 2
    has: {victim: player}
    rules:
      charges: {modify: price(p), when: p is self.victim, add: 2}
      ends: {after: end of morning, when: active is self.victim, do: remove self}
actions:
  levy: {during: noon, limit: once per game, do: new toll(victim = opponent)}
  bans: {during: noon, limit: once per game, do: ban(opponent)}
""",
    "RF925": """
actions:
  ruin:
    during: noon
    limit: once per turn
    do: |
      for p in players where p is not me:
        p.grain = 0
        p.coins -= p.coins
""",
}


@pytest.mark.parametrize("code", WARNED)
def test_warnings_reject_nothing(code: str, tmp_path: Path):
    found = judged(tmp_path, WARNED[code])
    assert (found.verdict, [warning.code for warning in found.warnings]) == ("accepted", [code])


def test_a_condition_too_large_to_look_at_is_unknown(tmp_path: Path):
    tests = " and ".join(
        f"{name}.{side} >= 0" for name in ("p", "next(p)") for side in ("coins", "grain", "swapped")
    )
    found = judged(tmp_path, RULE.format(f"modify: 'luck(p, x)', when: '{tests}', add: 1"))
    assert [(f.code, f.answer) for f in found.faults] in ([("RF919", "unknown")], [("RF906", "broken")])


WHOSE = {
    "me.grain += 1": {"own"},
    "opponent.grain -= 1": {"enemy"},
    "next(me).grain -= 1": {"enemy"},
    "for p in players: p.grain -= 1": set[str](),
}


@pytest.mark.parametrize("whose", ["own", "enemy"])
@pytest.mark.parametrize("effect", WHOSE)
def test_whose_it_is_follows_from_what_is_changed(effect: str, whose: str, tmp_path: Path):
    gains = "gain: [player.coins.up, player.grain.up, player.coins.down, player.grain.down]\n"
    core(tmp_path, CONTRACT.replace(gains, gains + f"    whose: {whose}\n"))
    found = judged(tmp_path, ACTION.format(f"limit: once per turn, do: '{effect}'"))
    assert (found.verdict == "accepted") is (whose in WHOSE[effect]), found.faults


MISREAD = {
    "lasts": """
kinds:
  charm:
    pool: 2
    has: {owner: player}
    lasts: end of trun
    rules:
      helps: {modify: 'luck(p, x)', when: p is self.owner, add: 1}
actions:
  bless: {during: noon, limit: once per turn, do: new charm(owner = me)}
""",
    "limit": ACTION.format("limit: once per trun, do: 'earn(me, 1)'"),
    "when": RULE.format("modify: 'luck(p, x)', when: x is hammer, add: 1"),
    "the limit of a circle": """
rules:
  one:
    after: earn(p, k)
    limit: once per trun
    do: reap(p, 1)
  two:
    after: reap(p, k)
    do: earn(p, 1)
""",
}


@pytest.mark.parametrize("name", MISREAD)
def test_what_could_not_be_read_is_not_missed(name: str, tmp_path: Path):
    """One complaint, about the line itself: a limit, condition or end that it may have held is not asked for again."""
    found = judged(tmp_path, MISREAD[name])
    assert found.verdict == "invalid"
    assert len(found.faults) == 1, [f"{f.code} {f.why}" for f in found.faults]


@pytest.mark.parametrize(
    "text",
    ["locked: [", "", "- nothing", 'locked: "1.0"\nguard: []', CONTRACT.replace("each: -", "each: one or -")],
    ids=["no YAML", "empty", "a list", "an unknown key", "no range"],
)
def test_no_pack_is_accepted_by_a_contract_with_mistakes(tmp_path: Path, text: str):
    """What a contract would have forbidden must not be allowed because nobody can read it."""
    home = core(tmp_path)
    (home / "contract.yaml").write_text(text, encoding="utf-8")
    mine = pack(tmp_path, RULE.format("modify: 'luck(p, x)', when: x is axe, add: 1"))
    found = judge(mine)
    assert found.verdict == "invalid", found
    assert all(fault.place.file.endswith("contract.yaml") for fault in found.faults)
    with pytest.raises(RulesetError, match=r"contract\.yaml"):
        load(home, ["p"])
    assert run(["contract", str(home)]) == 1


def test_a_folder_in_place_of_a_contract_accepts_nothing(tmp_path: Path):
    home = core(tmp_path)
    (home / "contract.yaml").unlink()
    (home / "contract.yaml").mkdir()
    mine = pack(tmp_path, RULE.format("modify: 'luck(p, x)', when: x is axe, add: 1"))
    assert judge(mine).verdict == "invalid"


@pytest.mark.parametrize(
    ("does", "verdict"),
    [
        ("limit: once per turn, cost: 'reap(me, 1)', do: me.coins -= 1", "accepted"),
        ("limit: once per turn, do: me.coins -= 1", "rejected"),
        ("limit: once per turn, do: 'if me.coins > 9: reap(me, 1)'", "rejected"),  # one way among several
    ],
    ids=["in its cost", "nowhere", "not for sure"],
)
def test_an_action_surely_calls_what_its_point_asks_for(tmp_path: Path, does: str, verdict: str):
    acts = "act: new, window: [noon, morning]"
    core(tmp_path, CONTRACT.replace(acts, f"{acts}, via: [reap]"))
    found = judged(tmp_path, ACTION.format(does))
    assert found.verdict == verdict, found
    assert [fault.repair for fault in found.faults] == ["call `reap` in its cost"] * (verdict == "rejected")
