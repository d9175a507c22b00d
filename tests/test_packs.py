"""Packs on a small core: what they add, what names them, what belongs to them, and what goes wrong."""

import shutil
from pathlib import Path

import pytest

import ruleforge
from ruleforge.project.resolver import analyse
from ruleforge.support.resources import shipped_games
from ruleforge.tools.validation import validated
from tests.unit.frontends.commands import Command


@pytest.fixture
def ruleforge_command(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


MARSH = """
game: {id: marsh, title: Marsh, version: "1.2", players: 2}
options: {size: {values: [small, large], default: small}}
kinds:
  player: {things: [ann, ben]}
  card: {things: [newt, frog], facts: {cost: 0..9 = 1}}
formulas:
  price: {takes: {c: card}, is: c.cost, open: true}
flow:
  - {phase: turn, each: me in players, window: one}
  - {phase: last, do: finish over}
actions:
  wait: {during: turn, do: skip}
endings: {over: {text: It is over.}}
"""
RUST = """
pack: {id: rust, title: Rust Weather, version: "1.0", for: {core: marsh, versions: "1.x"}}
chooses: {size: large}
kinds: {card: {things: {toad: {cost: 4}}}}
rules: {wet: {modify: price(c), add: 2}}
"""


@pytest.fixture
def marsh(tmp_path: Path) -> Path:
    core = tmp_path / "marsh"
    (core / "expansions" / "rust").mkdir(parents=True)
    (core / "game.yaml").write_text(MARSH)
    (core / "expansions" / "rust" / "pack.yaml").write_text(RUST)
    return core


def test_an_explanation_names_the_pack(marsh):
    state = ruleforge.load(marsh, ["rust"]).start()
    assert state["price(newt)"] == 3
    assert state["price(toad)"] == 6
    assert "(Rust Weather)" in str(state.explain("price(newt)"))


def test_a_pack_by_itself_stands_for_its_game_with_it(marsh):
    game = ruleforge.load(marsh / "expansions" / "rust")
    assert (game.id, [pack.id for pack in game.info.packs]) == ("marsh", ["rust"])


def test_a_settled_option_cannot_be_chosen_otherwise(marsh):
    game = ruleforge.load(marsh, ["rust"])
    assert game.start().options["size"] == "large"
    with pytest.raises(ruleforge.StartError, match="with the pack `rust`"):
        game.start(options={"size": "small"})


def test_a_saved_game_belongs_to_its_packs(marsh):
    plain, rusty = ruleforge.load(marsh), ruleforge.load(marsh, ["rust"])
    saved = rusty.start(seed=3).save()
    assert rusty.restore(saved) == rusty.start(seed=3)
    with pytest.raises(ruleforge.RestoreError, match=r"played with rust 1\.0"):
        plain.restore(saved)
    with pytest.raises(ruleforge.RestoreError, match=r"these rules have rust 1\.0"):
        rusty.restore(plain.start().save())


def test_a_broken_pack_does_not_break_the_core(marsh):
    (marsh / "expansions" / "rust" / "pack.yaml").write_text("pack: [\n")
    assert ruleforge.analyse(marsh).complete
    assert not ruleforge.analyse(marsh, ["rust"]).complete
    with pytest.raises(ruleforge.RulesetError):
        ruleforge.load(marsh, ["rust"])


# --- in company ---

SHOW = """
pack: {id: show, title: Frog Show, version: "1.0", for: {core: marsh, versions: "1.x"}}
kinds: {player: {has: {prize: card or none}}}
flow:
  - at: before turn
    phases:
      - phase: parade
        each: me in players
        do: |
          me chooses c in cards: me.prize = c
actions:
  cheer: {during: turn, do: skip}
  applaud: {during: last_word, do: skip}
windows:
  last_word: {window: maybe}
rules:
  at_the_end:
    after: start of last
    do: offer last_word() to ann
"""
SCENARIO = """
scenario: both wait
steps:
  - expect: {decision.player: ann}
  - ann: wait
  - ben: wait
  - outcome: {reason: over}
"""


def test_a_scenario_holds_with_packs_it_does_not_know(marsh, ruleforge_command):
    show = marsh / "expansions" / "show"
    (show / "scenarios").mkdir(parents=True)
    (marsh / "scenarios").mkdir()
    (show / "pack.yaml").write_text(SHOW)
    (marsh / "scenarios" / "wait.yaml").write_text(SCENARIO)
    assert ruleforge_command("test", str(marsh)).code == 0
    assert ruleforge_command("test", str(marsh), "--with", "show").code == 0
    (show / "scenarios" / "shown.yaml").write_text(SCENARIO)  # this one knows the pack, and must answer
    asked = ruleforge_command("test", str(show))
    assert asked.code == 1 and "RF807" in asked.out


def test_a_decision_names_the_pack_that_asks_and_a_choice_the_one_that_offers(marsh):
    (marsh / "expansions" / "show").mkdir()
    (marsh / "expansions" / "show" / "pack.yaml").write_text(SHOW)
    state = ruleforge.load(marsh, ["show"]).start()
    assert state.decision is not None and state.decision.pack == "show"
    state.apply("newt")
    state.apply("frog")
    assert state.decision is not None and state.decision.pack == ""
    offered = {str(choice): state.pack_of(choice) for choice in state.choices}
    assert offered["wait"] is None
    assert offered["cheer"] is not None and offered["cheer"].title == "Frog Show"


# --- named ---


@pytest.mark.parametrize(
    "name",
    [
        "rooted-life",
        "primordial-orbs/expansions/rooted-life",
        "rulesets/primordial-orbs/expansions/rooted-life",
    ],
)
def test_a_pack_is_named_by_its_name_its_shelf_or_its_folder(name, monkeypatch):
    monkeypatch.chdir(Path(__file__).parent.parent)
    alone, beside = ruleforge.analyse(name), ruleforge.analyse("primordial-orbs", [name])
    assert [pack.pack.manifest.id for pack in alone.packs] == ["rooted-life"]
    assert [pack.pack.manifest.id for pack in beside.packs] == ["rooted-life"]
    assert alone.complete and beside.complete


def test_unknown_names_are_told_with_what_is_near(ruleforge_command):
    found = ruleforge_command("validate", "rooted-lif")
    assert found.code == 1 and "RF842" in found.out and "rooted-life" in found.out


def test_unsaved_texts_of_packs(marsh):
    pack = marsh / "expansions" / "rust"
    dearer = RUST.replace("add: 2", "add: 5")
    for where, packs, name in (
        (marsh, ["rust"], "expansions/rust/pack.yaml"),
        (marsh, ["rust"], str(pack / "pack.yaml")),
        (pack, [], "pack.yaml"),
    ):
        analysis = ruleforge.analyse(where, packs, {name: dearer})
        assert analysis.complete and "add: 5" in analysis.packs[0].source.files[0].content
        broken = analysis.edited({str(pack / "pack.yaml"): RUST.replace("price(c)", "prize(c)")})
        assert [d.code for d in broken.diagnostics] == ["RF501"]
    extra = ruleforge.analyse(marsh, ["rust"], {"expansions/rust/more.yaml": "numbers: {one: 1}\n"})
    assert extra.complete and extra.ruleset is not None and "one" in {n.id for n in extra.ruleset.numbers}


# --- on every command ---


def test_every_command_about_rules_takes_packs(marsh, ruleforge_command):
    pack = marsh / "expansions" / "rust"
    (marsh / "rulebook.yaml").write_text(RULEBOOK.format(id="MA-1"))
    (pack / "rulebook.yaml").write_text(RULEBOOK.format(id="RW-1"))
    rules = RUST.replace("add: 2}", "add: 1+1, cites: [RW-1, MA-1]}")
    (pack / "pack.yaml").write_text(rules)
    (pack / "scenarios").mkdir()
    (pack / "scenarios" / "wet.yaml").write_text(
        "scenario: wet\ncites: [RW-1]\nsteps:\n  - expect: {price(newt): 3}\n"
    )
    (marsh / "game.yaml").write_text(MARSH.replace("open: true", "open: true, cites: [MA-1]"))
    (marsh / "scenarios").mkdir()
    (marsh / "scenarios" / "wait.yaml").write_text(SCENARIO + "cites: [MA-1]\n")
    assert ruleforge_command("validate", str(marsh), "--with", "rust").out == f"{marsh}: fine\n"
    alone = ruleforge_command("coverage", str(pack), "--json")
    assert alone.code == 0 and '"RW-1"' in alone.out and '"MA-1"' not in alone.out
    both = ruleforge_command("coverage", str(marsh), "--with", "rust", "--json")
    assert both.code == 0 and '"RW-1"' in both.out and '"MA-1"' in both.out
    told = ruleforge_command("explain", "RW-1", "--game", str(marsh), "--with", "rust")
    assert told.code == 0 and "wet" in told.out
    assert ruleforge_command("explain", "RW-1", "--with", str(pack)).code == 0
    listed = ruleforge_command("games", "--with", str(pack), "--json")
    assert listed.code == 0 and '"Rust Weather"' in listed.out and '"Marsh"' in listed.out
    assert ruleforge_command("fmt", str(marsh), "--check").code == 0
    assert ruleforge_command("fmt", str(marsh), "--with", "rust", "--check").code == 1
    assert ruleforge_command("fmt", str(marsh), "--with", "rust").code == 0
    assert "add: 1 + 1" in (pack / "pack.yaml").read_text()
    assert ruleforge_command("fmt", str(marsh), "--with", "nothing").code == 1


def test_games_lists_packs_that_lie_elsewhere(tmp_path, ruleforge_command):
    pack = tmp_path / "dew"
    pack.mkdir()
    (pack / "pack.yaml").write_text(RUST.replace("rust", "dew").replace("core: marsh", "core: splicers"))
    found = ruleforge_command("games", "--with", str(pack), "--json")
    assert found.code == 0 and str(pack) in found.out
    assert ruleforge_command("games", "--with", "splicers").code == 1


RULEBOOK = """
game: marsh
title: Marsh
summary: A marsh.
clauses:
  - {{id: {id}, section: All, kind: info, rule: It is wet.}}
"""


# --- what happens names the pack ---

DEEP = """
game: {id: deep, title: Deep, version: "1.0", players: 2}
kinds:
  player: {things: [ann, ben], has: {mud: 0..20 = 9}}
  card: {things: [newt, frog], facts: {cost: 0..9 = 1}}
formulas:
  price: {takes: {c: card}, is: c.cost, open: true}
  bill: {takes: {c: card}, is: 2 * price(c)}
  may_hop: {takes: {p: player}, is: p.mud > 0, open: true}
events:
  sink: {takes: {p: player, amount: 0..9}, open: true, do: p.mud -= amount}
  hop: {takes: {p: player}, do: p.mud += 1}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  wait: {during: turn, do: skip}
  jump: {during: turn, needs: can(hop(me)), do: hop(me)}
  leap: {during: turn, cost: hop(me), do: skip}
  skim: {during: turn, needs: may_hop(me), do: skip}
  buy: {during: turn, choose: {c: in cards}, cost: "me.mud -= bill(c)", do: skip}
  dive: {during: turn, do: "sink(me, 2)"}
endings: {over: {text: It is over., when: ann.mud is 0}}
"""
WEATHER = """
pack: {id: rust, title: Rust Weather, version: "1.0", for: {core: deep, versions: "1.x"}}
rules:
  wet: {modify: price(c), add: 2, text: Wet cards cost more.}
  heavy: {modify: may_hop(p), when: p is ann, set: "false"}
  stuck: {forbid: hop(p), when: p.mud > 3, text: The mud holds you.}
  deeper: {after: "sink(p, amount)", do: p.mud -= 1, text: The mud is deep.}
  softer: {instead of: "sink(p, amount)", when: p is ben, do: "proceed with amount = 1"}
  bottomless: {after: "hop(p)", do: p.mud += 20}
"""


@pytest.fixture
def deep(tmp_path: Path) -> ruleforge.State:
    pack = tmp_path / "deep" / "expansions" / "rust"
    pack.mkdir(parents=True)
    (tmp_path / "deep" / "game.yaml").write_text(DEEP)
    (pack / "pack.yaml").write_text(WEATHER)
    return ruleforge.load(tmp_path / "deep", ["rust"]).start()


def test_a_rule_that_modifies_is_told_with_its_pack(deep):
    assert [(c.pack, c.in_words) for c in deep.explain("price(newt)").contributions] == [
        ("Rust Weather", "Rust Weather adds 2")
    ]
    poor = deep.patched({"ann.mud": 5})
    assert "it costs 6, you have 5 mud (Rust Weather adds 2)" in str(poor.why_not("buy newt")[0])
    assert "(Rust Weather makes it false)" in str(deep.why_not("skim")[0])


@pytest.mark.parametrize("choice", ["jump", "leap"])
def test_a_rule_that_forbids_is_told_with_its_pack(deep, choice):
    reason = deep.why_not(choice)[0]
    assert reason.pack == "Rust Weather"
    assert "forbidden: The mud holds you." in str(reason) and "(Rust Weather)" in str(reason)


def test_rules_that_act_are_told_with_their_pack(deep):
    told = [str(event) for event in deep.apply("dive")]
    assert "set player.mud of=ann old=9 new=7" in told
    assert "set player.mud of=ann old=7 new=6 (Rust Weather)" in told
    events = deep.apply("dive")  # of ben now
    assert {event.name: event.pack for event in events if event.name.startswith("rule ")} == {
        "rule softer": "Rust Weather",
        "rule deeper": "Rust Weather",
    }


def test_a_mistake_in_play_is_told_with_its_pack(deep):
    reason = deep.patched({"ann.mud": 1}).why_not("jump")[0]
    assert reason.pack == "Rust Weather" and reason.code == "RF810"


def test_a_pack_of_an_unknown_game_is_one_diagnostic(tmp_path: Path):
    """Its scenarios cite clauses of the game, which nobody can find then."""
    pack = Path(shutil.copytree(shipped_games()["splicers"] / "expansions" / "symbiosis", tmp_path / "pack"))
    manifest = pack / "pack.yaml"
    manifest.write_text(manifest.read_text("utf-8").replace("core: splicers", "core: splicerz"), "utf-8")
    assert [d.code for d in validated(analyse(pack)).diagnostics] == ["RF842"]
