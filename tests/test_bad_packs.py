"""Packs with something wrong: each is refused with a code of its own and both places, and the core still loads."""

from pathlib import Path

import pytest

import ruleforge
from ruleforge.support.diagnostics import Diagnostic
from tests.test_packs import MARSH

HEAD = 'pack: {{id: {id}, title: T, version: "1.0", for: {{core: {core}, versions: "{versions}"}}{more}}}\n'


def head(id: str = "bad", core: str = "marsh", versions: str = "1.x", more: str = "") -> str:
    return HEAD.format(id=id, core=core, versions=versions, more=more)


# What a pack says beside its manifest, the code it is refused with, and whether the other side is shown.
SAYS = {
    "a thing again": ("kinds: {card: {things: {newt: {cost: 2}}}}", "RF333"),
    "a fact again": ("kinds: {card: {facts: {cost: 0..5 = 1}}}", "RF333"),
    "another plural": ("kinds: {card: {plural: cardboard}}", "RF333"),
    "a pool of a kind with things": ("kinds: {card: {pool: 3}}", "RF333"),
    "a formula again": ("formulas: {price: {takes: {c: card}, is: 7}}", "RF333"),
    "an action again": ("actions: {wait: {during: turn, do: skip}}", "RF333"),
    "an ending again": ("endings: {over: {text: Over.}}", "RF333"),
    "an option again": ("options: {size: {values: [small, huge], default: huge}}", "RF333"),
    "a phase that is not there": ("flow: [{at: after dusk, phases: [{phase: late, do: skip}]}]", "RF340"),
    "an event that is not there": ("fills: {dance: {do: skip}}", "RF340"),
    "an option that is not there": ("chooses: {weather: dry}", "RF340"),
    "a condition of what is not there": ("holds: {calm: {of: storm, that: true}}", "RF340"),
}
HEADS = {
    "another game": (head(core="fen"), "RF330"),
    "another version": (head(versions="2.x"), "RF331"),
    "a pack that is missing": (head(more=", needs: [reeds]"), "RF336"),
}


@pytest.fixture
def marsh(tmp_path: Path) -> Path:
    (tmp_path / "marsh" / "expansions").mkdir(parents=True)
    (tmp_path / "marsh" / "game.yaml").write_text(MARSH)
    return tmp_path / "marsh"


def put(marsh: Path, text: str, name: str = "bad") -> Path:
    folder = marsh / "expansions" / name
    folder.mkdir()
    (folder / "pack.yaml").write_text(text)
    return folder


def refused(marsh: Path, *packs: str) -> list[Diagnostic]:
    """What is wrong with the packs; nothing is wrong without them."""
    assert ruleforge.load(marsh).start().choices
    analysis = ruleforge.analyse(marsh, packs)
    assert not analysis.complete and analysis.assembly is not None
    with pytest.raises(ruleforge.RulesetError):
        ruleforge.load(marsh, packs)
    return [d for d in analysis.diagnostics if d.severity == "error"]


@pytest.mark.parametrize("what", SAYS)
def test_a_pack_adds_and_changes_nothing(marsh, what):
    text, code = SAYS[what]
    put(marsh, head() + text + "\n")
    found = refused(marsh, "bad")
    assert [d.code for d in found] == [code]
    assert "bad" in found[0].span.file
    assert any("game.yaml" in place.file for _, place in found[0].notes), found[0].notes


@pytest.mark.parametrize("what", HEADS)
def test_a_pack_is_for_one_game_some_versions_and_its_pack_set(marsh, what):
    text, code = HEADS[what]
    put(marsh, text)
    assert [d.code for d in refused(marsh, "bad")] == [code]


def test_packs_that_keep_each_other_away(marsh):
    put(marsh, head("one", more=", excludes: [two]"), "one")
    put(marsh, head("two"), "two")
    found = refused(marsh, "one", "two")
    assert [d.code for d in found] == ["RF337"] and found[0].notes


def test_packs_that_need_one_another_in_a_circle(marsh):
    put(marsh, head("one", more=", needs: [two]"), "one")
    put(marsh, head("two", more=", needs: [one]"), "two")
    assert [d.code for d in refused(marsh, "one", "two")] == ["RF338"]


def test_two_packs_of_one_name(marsh):
    put(marsh, head("twin"), "one")
    put(marsh, head("twin"), "two")
    found = refused(marsh, "one", "two")
    assert [d.code for d in found] == ["RF334"] and found[0].notes


def test_two_packs_with_one_name_in_them(marsh):
    """Where one needs the other, its name already means something in it."""
    put(marsh, head("one") + "numbers: {depth: 1}\n", "one")
    put(marsh, head("two", more=", needs: [one]") + "numbers: {depth: 1}\n", "two")
    found = refused(marsh, "one", "two")
    assert [d.code for d in found] == ["RF334"] and "one" in found[0].notes[0][1].file


def test_two_packs_at_one_point(marsh):
    put(marsh, head("one") + "chooses: {size: large}\n", "one")
    put(marsh, head("two") + "chooses: {size: small}\n", "two")
    found = refused(marsh, "one", "two")
    assert [d.code for d in found] == ["RF335"] and "one" in found[0].notes[0][1].file


@pytest.mark.parametrize("text", ["pack: [\n", "", "pack: 3\n", "game: {id: bad}\n", "numbers: {one: 1}\n"])
def test_a_pack_that_cannot_be_read(marsh, text):
    put(marsh, text)
    found = refused(marsh, "bad")
    assert found and all("bad" in d.span.file for d in found)
    assert {d.code[:3] for d in found} <= {"RF1", "RF2", "RF3"}


@pytest.mark.parametrize("name", ["nowhere", "expansions/nowhere", "", "game.yaml"])
def test_a_pack_that_is_not_there(marsh, name):
    assert [d.code for d in refused(marsh, name)] == ["RF845"]


def test_a_pack_of_a_game_that_nobody_knows(tmp_path):
    (tmp_path / "pack.yaml").write_text(head(core="atlantis"))
    assert [d.code for d in ruleforge.analyse(tmp_path).diagnostics] == ["RF842"]
