"""An analysis is always returned, can be laid over by unsaved text, and after an edit is the same as a fresh one."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, is_dataclass
from pathlib import Path

import pytest

import ruleforge
from ruleforge.support.resources import shipped_games

GAME = """\
game: {id: t, title: T, version: "1", text: T., players: 2}
kinds:
  player: {things: [ann, ben], has: {chips: 0..9 = 1}}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  spend: {during: turn, do: "if me.chips is 0: finish over"}
endings:
  over: {text: Over.}
"""


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return folder


def codes(analysis: ruleforge.Analysis) -> list[str]:
    return [d.code for d in analysis.diagnostics]


def test_every_product_is_there_and_frozen(tmp_path: Path):
    analysis = ruleforge.analyse(written(tmp_path, game=GAME))
    assert analysis.complete and codes(analysis) == []
    products = (
        analysis,
        analysis.source,
        analysis.shaped,
        analysis.ruleset,
        analysis.parsed,
        analysis.checked,
    )
    for product in products:
        assert is_dataclass(product)
        with pytest.raises(FrozenInstanceError):
            setattr(product, fields(product)[0].name, None)


@pytest.mark.parametrize("what", ["no-such-game", "/no/such/folder", ""])
def test_nothing_to_read_is_a_diagnostic_and_no_exception(what: str):
    analysis = ruleforge.analyse(what)
    assert not analysis.complete and analysis.checked is None and analysis.diagnostics


def test_unsaved_text_stands_in_for_a_file_and_adds_one(tmp_path: Path):
    folder = written(tmp_path, game=GAME)
    assert codes(ruleforge.analyse(folder, overlay={"game.yaml": GAME.replace("0..9", "0..")})) == ["RF407"]
    more = ruleforge.analyse(folder, overlay={"more/extra.yaml": "numbers: {a: 1}\n"})
    assert more.complete and more.ruleset is not None
    assert [n.id for n in more.ruleset.numbers] == ["a"]
    assert ruleforge.analyse(folder, overlay={"scenarios/x.yaml": "["}).complete


def test_a_single_file_can_be_overlaid(tmp_path: Path):
    path = written(tmp_path, game=GAME) / "game.yaml"
    assert codes(ruleforge.analyse(path, overlay={"game.yaml": GAME.replace("me.chips", "me.chisp")})) == [
        "RF501"
    ]


@pytest.mark.parametrize("game", ["soul-gems", "primordial-orbs"])
def test_after_an_edit_all_is_as_if_read_afresh(game: str):
    folder = shipped_games()[game]
    first = ruleforge.analyse(folder)
    assert first.source is not None
    for file in first.source.files:
        text = Path(file.path).read_text("utf-8")
        name = Path(file.path).relative_to(folder) if Path(file.path).is_absolute() else Path(file.path).name
        for changed in ("# a line more\n" + text, text.replace("e", "a", 3)):
            edited = first.edited({str(name): changed})
            fresh = ruleforge.analyse(folder, overlay={str(name): changed})
            assert edited.diagnostics == fresh.diagnostics
            assert edited.parsed == fresh.parsed


def test_what_an_edit_does_not_touch_is_kept(tmp_path: Path):
    first = ruleforge.analyse(written(tmp_path, game=GAME, more="numbers: {a: 1}\n"))
    after = first.edited({"more.yaml": "numbers: {a: 2}\n"})
    assert first.source is not None and after.source is not None
    assert after.source.files[0] is first.source.files[0]
    assert after.source.files[1] is not first.source.files[1]


def test_every_mistake_of_a_load_is_in_its_error(tmp_path: Path):
    text = GAME.replace("during: turn", "during: trun").replace("0..9", "0..")
    with pytest.raises(ruleforge.RulesetError) as error:
        ruleforge.load(written(tmp_path, game=text, other="numbers: [\n"))
    assert sorted(d.code for d in error.value.diagnostics) == ["RF108", "RF407", "RF501"]
