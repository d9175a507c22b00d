"""Names of a pack are its own: two packs that use one name work together, and each means its own things by it."""

import shutil

import pytest

import ruleforge
from ruleforge.project.locator import packs_of
from ruleforge.support.diagnostics import Report
from ruleforge.support.resources import shipped_games
from ruleforge.tools.scenarios.runner import run_scenario
from ruleforge.tools.scenarios.scenario import read_scenario

CORE = """
game: {id: ferry, title: Ferry, version: "1.0", text: Carry goods., players: 2}
kinds:
  player: {things: [ann, ben], has: {coins: 0..99 = 3}}
  card: {things: [oak, elm], facts: {age: 0..9 = 1}, has: {wet: flag}}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  rest: {during: turn, do: me.coins += 1}
endings: {over: {text: It is over.}}
"""
RELICS = """
kinds:
  relic:
    facts: {worth: 1..9}
    has: {glow: flag, keeper: player or none}
    things:
      ruby: {worth: WORTH}
      opal: {worth: 1, copies: 2}
  card:
    facts: {shine: 0..9 = 2}
    has: {dusty: 0..3}
    rules:
      dries:
        after: lift(r, p)
        do: self.wet = false
    things: {yew: {age: 4, shine: WORTH}}
places:
  vault: {of: {p: player}, holds: relic}
formulas:
  value: {takes: {r: relic}, is: r.worth + yew.shine + count(x in relics where x.glow)}
events:
  lift: {takes: {r: relic, p: player}, do: move r to p.vault}
actions:
  take:
    during: turn
    choose: {r: in relics where not r.glow}
    do: |
      opal_1.glow = true  # so one glows
      r.glow = true
      lift(r, me)
      me.coins += value(r)
numbers: {flood: WORTH}
"""
SCENARIO = """
scenario: a relic pays
start: {yew.dusty: 1}
steps:
  - refuse: {choice: take elm, player: ann}
  - ann: take ruby
  - expect: {ann.coins: COINS, ruby.glow: true, "value(opal_2)": VALUE, ann.vault: [ruby], yew.dusty: 1}
"""


def write(folder, id, worth, more=""):
    head = (
        f'pack: {{id: {id}, title: The {id}, version: "1.0", for: {{core: ferry, versions: "1.x"}}{more}}}\n'
    )
    (folder / "scenarios").mkdir(parents=True)
    (folder / "pack.yaml").write_text(head)
    (folder / "cards.yaml").write_text(RELICS.replace("WORTH", str(worth)))
    said = SCENARIO.replace("COINS", str(3 + 2 * worth + 2)).replace("VALUE", str(worth + 3))
    (folder / "scenarios" / "pays.yaml").write_text(said)


@pytest.fixture
def ferry(tmp_path):
    game = tmp_path / "ferry"
    game.mkdir()
    (game / "game.yaml").write_text(CORE)
    write(game / "expansions" / "moss", "moss", 3)
    write(game / "expansions" / "old-mill", "old-mill", 5)
    return game


def held(game, pack, packs):
    report = Report()
    scenario = read_scenario(game / "expansions" / pack / "scenarios" / "pays.yaml", report)
    assert scenario is not None
    run_scenario(ruleforge.load(game, packs), scenario, report)
    return [d.message for d in report]


def test_two_packs_with_the_same_names_work_together(ferry):
    for pack in ("moss", "old-mill"):
        assert held(ferry, pack, [pack]) == []
        assert held(ferry, pack, ["moss", "old-mill"]) == []


def test_among_packs_a_common_name_has_the_pack_before_it(ferry):
    state = ruleforge.load(ferry, ["moss", "old-mill"]).start()
    assert state["moss_ruby.worth"] == 3 and state["old_mill_ruby.worth"] == 5
    assert state["moss_yew.moss_shine"] == 3 and state["moss_yew.age"] == 4
    assert "moss_take moss_opal_2" in [choice.text for choice in state.choices]
    alone = ruleforge.load(ferry, ["moss"]).start()
    assert alone["ruby.worth"] == 3


def test_a_local_name_of_one_pack_may_be_a_kind_of_another(ferry):
    """Somebody else's `x` and `r` are names of things in a third pack."""
    third = ferry / "expansions" / "third"
    third.mkdir()
    head = 'pack: {id: third, title: T, version: "1.0", for: {core: ferry, versions: "1.x"}}\n'
    (third / "pack.yaml").write_text(head + "kinds: {letter: {things: [x, r, p]}}\n")
    packs = ["moss", "old-mill", "third"]
    assert [held(ferry, pack, packs) for pack in packs[:2]] == [[], []]


def test_a_pack_speaks_of_a_pack_that_it_needs(ferry):
    """It adds to that kind and names its things, whatever else is there; of others it sees nothing."""
    more = ferry / "expansions" / "more"
    more.mkdir()
    head = 'pack: {id: more, title: M, version: "1.0", needs: [moss], for: {core: ferry, versions: "1.x"}}\n'
    (more / "pack.yaml").write_text(
        head
        + "kinds: {relic: {things: {jade: {worth: 9}}}}\nformulas: {both: {is: ruby.worth + jade.worth}}\n"
    )
    state = ruleforge.load(ferry, ["moss", "more", "old-mill"]).start()
    assert state["both()"] == 12 and state["jade.glow"] is False
    (more / "pack.yaml").write_text(
        head.replace("needs: [moss], ", "") + "formulas: {one: {is: ruby.worth}}\n"
    )
    found = ruleforge.analyse(ferry, ["more", "moss"]).diagnostics
    assert any(d.severity == "error" and "ruby" in d.message for d in found)


def test_a_mistake_is_shown_where_the_author_wrote_it(ferry):
    cards = ferry / "expansions" / "moss" / "cards.yaml"
    cards.write_text(cards.read_text().replace("lift(r, me)", "lift(ruby, relics, me)"))
    lines = cards.read_text().split("\n")
    alone = [d for d in ruleforge.analyse(ferry, ["moss"]).diagnostics if d.severity == "error"]
    among = [d for d in ruleforge.analyse(ferry, ["moss", "old-mill"]).diagnostics if d.severity == "error"]
    assert alone and [d.span for d in alone] == [d.span for d in among]
    assert "lift" in lines[alone[0].span.line - 1]


def test_a_needed_packs_kind_is_not_called_the_games(ferry):
    more = ferry / "expansions" / "more"
    more.mkdir()
    (more / "pack.yaml").write_text(
        'pack: {id: more, title: M, version: "1.0", needs: [moss], for: {core: ferry, versions: "1.x"}}\n'
        "kinds: {relic: {title: Gem, things: {ruby: {worth: 1}}}}\n"
    )
    told = [
        d.message for d in ruleforge.analyse(ferry, ["moss", "more"]).diagnostics if d.severity == "error"
    ]
    assert len(told) == 2 and all("`moss`" in message and "the game's" not in message for message in told)


# What a copy of a pack under another id cannot share with it, by the code of the message.
SHARED = {
    "worlds": "RF334",  # an option whose name the game has for something else
    "temporal-vortex": "RF335",  # one placeholder
    "outer-dark": "RF601",  # a check of the game on the printed material: one ring of each level
    "symbiosis": "RF601",  # no two cards of one title
    "weathermakers": "RF601",
}
SHIPPED = [(core, pack) for core, path in shipped_games().items() for pack in packs_of(path)]


@pytest.mark.parametrize(("core", "pack"), SHIPPED, ids=str)
def test_every_shipped_pack_goes_with_a_copy_of_itself_under_another_id(core, pack, tmp_path):
    """All its names clash then: each definition, thing, phase and member."""
    folder = tmp_path / "twin"
    shutil.copytree(packs_of(shipped_games()[core])[pack], folder)
    manifest = folder / "pack.yaml"
    manifest.write_text(manifest.read_text().replace(f"id: {pack}", "id: twin", 1))
    found = ruleforge.analyse(core, [pack, folder])
    codes = {d.code for d in found.diagnostics if d.severity == "error"}
    assert codes == ({SHARED[pack]} if pack in SHARED else set()), found.diagnostics
