"""What a host allows the files of a game: refused before it is read, at its place, packs included."""

import pytest

import ruleforge
from ruleforge import Ceilings

GAME = "game: {id: marsh, title: Marsh, version: '1', players: 2}\nkinds: {player: {things: [ann, ben]}}\n"


def codes(path, **ceilings):
    found = ruleforge.analyse(path, ceilings=Ceilings(**ceilings)).diagnostics
    return [(d.code, d.span.line) for d in found if d.severity == "error"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "game.yaml").write_text(GAME)
    (tmp_path / "more.yaml").write_text("numbers:\n  one: 1\n  two: 2\n")
    return tmp_path


def test_files(folder):
    assert codes(folder, files=2) == []
    assert codes(folder, files=1) == [("RF124", 1)]


def test_bytes(folder):
    size = sum(file.stat().st_size for file in folder.iterdir())
    assert codes(folder, bytes=size) == []
    assert codes(folder, bytes=size - 1) == [("RF124", 1)]
    assert codes(folder, file_bytes=len(GAME) - 1) == [("RF104", 1)]


def values_of(analysis: ruleforge.Analysis) -> int:
    assert analysis.source is not None
    return sum(file.values for file in analysis.source.files)


def test_values(folder):
    values = values_of(ruleforge.analyse(folder))
    assert codes(folder, values=values) == []
    assert codes(folder, values=values - 1) == [("RF124", 3)]


def test_packs_count_too():
    alone = values_of(ruleforge.analyse("splicers"))
    pack = next(iter((ruleforge.analyse("splicers").path / "expansions").iterdir()))
    found = ruleforge.analyse("splicers", [pack], ceilings=Ceilings(values=alone)).diagnostics
    assert next(d.code for d in found if d.severity == "error") == "RF124"


def test_an_edit_is_held_to_the_same_ceilings(folder):
    analysis = ruleforge.analyse(folder, ceilings=Ceilings(values=40))
    assert analysis.complete
    longer = analysis.edited({"more.yaml": "numbers:\n" + "".join(f"  n{i}: {i}\n" for i in range(40))})
    assert [d.code for d in longer.diagnostics if d.severity == "error"] == ["RF124"]


@pytest.mark.parametrize("value", [0, -1, True, "many", 1.5])
def test_a_ceiling_is_a_number(value):
    with pytest.raises(ValueError, match="`files`"):
        Ceilings(files=value)
