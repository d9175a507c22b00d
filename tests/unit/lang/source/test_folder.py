"""Files and folders -> SourceTree."""

import os
import time
from pathlib import Path

import pytest

from ruleforge.lang.source import read_folder
from ruleforge.lang.source.read_text import shown
from ruleforge.support.ceilings import CEILINGS
from ruleforge.support.diagnostics import Report

GAME = "game: {id: marsh}\n"


def write(folder, **files):
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_yaml", ".yaml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def diagnostics(path):
    report = Report()
    tree = read_folder(path, report)
    return tree, [d.code for d in report]


def only(path, code):
    report = Report()
    read_folder(path, report)
    (d,) = report
    assert d.code == code
    return d


def test_a_folder_is_read_in_a_fixed_order_without_what_is_no_rule(tmp_path):
    write(
        tmp_path,
        b_yaml="kinds: {}\n",
        a_yaml=GAME,
        cards__z_yaml="kinds: {}\n",
        cards__scenarios__deep_yaml="kinds: {}\n",
        scenarios__one_yaml="scenario: no\n",
        expansions__tides__x_yaml="game: {}\n",
        rulebook_yaml="game: x\n",
        **{"notes.txt": "no", ".hidden_yaml": "no", "c.yml": "kinds: {}\n"},
    )
    tree, codes = diagnostics(tmp_path)
    assert codes == []
    names = [os.path.relpath(file.path, tmp_path) for file in tree.files]
    assert names == ["a.yaml", "b.yaml", "c.yml", "cards/z.yaml", "cards/scenarios/deep.yaml"]
    assert len(tree.sections("kinds")) == 4


def test_one_file_is_a_game(tmp_path):
    write(tmp_path, a_yaml=GAME, other_yaml="game: {}\n")
    tree, codes = diagnostics(tmp_path / "a.yaml")
    assert codes == []
    assert len(tree.files) == 1


def test_places_are_relative_to_where_one_works(tmp_path, monkeypatch):
    write(tmp_path, marsh__a_yaml=GAME)
    monkeypatch.chdir(tmp_path)
    tree, _ = diagnostics(tmp_path / "marsh")
    assert tree.files[0].path == os.path.join("marsh", "a.yaml")


def test_missing_with_a_likely_neighbour(tmp_path):
    write(tmp_path, marsh_yaml=GAME)
    assert only(tmp_path / "mrash.yaml", "RF101").help == "did you mean `marsh.yaml`?"


def test_empty_folder(tmp_path):
    write(tmp_path, **{"readme.md": "x"})
    only(tmp_path, "RF102")


def test_a_folder_of_games_is_one_diagnostic_that_names_them(tmp_path):
    for number in range(7):
        write(
            tmp_path, **{f"g{number}__a_yaml": GAME, f"g{number}__expansions__p__p_yaml": "pack: {id: p}\n"}
        )
    found = only(tmp_path, "RF102")
    assert "holds 7 games" in found.message
    assert "g0`, " in found.help and "g4` and 2 more" in found.help
    assert diagnostics(tmp_path / "g0")[1] == []
    write(tmp_path, more_yaml="kinds: {}\n")  # with a file of its own it is a game, with too many heads
    assert set(diagnostics(tmp_path)[1]) == {"RF121"}


@pytest.mark.parametrize("content", [b"", b"  \n\n", b"# words only\n", b"\xef\xbb\xbf"])
def test_empty_file(tmp_path, content):
    only(write(tmp_path, a_yaml=content) / "a.yaml", "RF103")


def test_fifty_megabytes_are_not_even_read(tmp_path):
    path = tmp_path / "big.yaml"
    with path.open("wb") as file:
        file.truncate(50_000_000)
    began = time.process_time()
    assert "50000000 bytes" in only(path, "RF104").message
    assert time.process_time() - began < 0.5


def test_the_largest_file_allowed_is_read(tmp_path):
    padding = b"# " + b"x" * 100 + b"\n"
    text = GAME.encode() + padding * (CEILINGS.file_bytes // len(padding) - 1)
    tree, codes = diagnostics(write(tmp_path, a_yaml=text))
    assert codes == []
    assert tree is not None


def test_binary(tmp_path):
    only(write(tmp_path, a_yaml=b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff"), "RF105")


@pytest.mark.parametrize("sign", ["\x07", "\x85", "\u2028"])
def test_a_control_sign_has_a_place(tmp_path, sign):
    d = only(write(tmp_path, a_yaml=f"game: 1\nab{sign}c: 2\n"), "RF105")
    assert (d.span.line, d.span.column) == (2, 3)


def test_not_utf8_has_a_place(tmp_path):
    d = only(write(tmp_path, a_yaml="game: ä\ntitle: Bärß\n".encode("latin-1")), "RF106")
    assert (d.span.line, d.span.column) == (1, 7)


def test_utf16_is_not_called_binary(tmp_path):
    only(write(tmp_path, a_yaml=GAME.encode("utf-16")), "RF106")


def test_a_byte_order_mark_does_no_harm(tmp_path):
    tree, codes = diagnostics(write(tmp_path, a_yaml=b"\xef\xbb\xbf" + GAME.encode()))
    assert codes == []
    assert tree.files[0].root.entries[0].name == "game"


@pytest.mark.parametrize("name", ["null\0sign", "x" * 5000])
def test_impossible_names(name):
    tree, codes = diagnostics(name)
    assert tree is None
    assert codes in (["RF101"], ["RF109"])


def test_not_a_file(tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    only(tmp_path / "pipe.yaml", "RF109")


def test_no_game_section(tmp_path):
    assert diagnostics(write(tmp_path, a_yaml="kinds: {}\n"))[1] == ["RF120"]


def test_two_game_sections_name_both_places(tmp_path):
    d = only(write(tmp_path, a_yaml=GAME, b_yaml="\n" + GAME), "RF121")
    assert d.span.line == 2
    assert d.span.file.endswith("b.yaml")
    assert d.notes[0][1].file.endswith("a.yaml")


def test_an_unreadable_file_leaves_the_tree_incomplete_and_nothing_else_is_said(tmp_path):
    tree, codes = diagnostics(write(tmp_path, a_yaml="kinds: {}\n", b_yaml="a: [\n"))
    assert codes == ["RF108"]
    assert tree.error_nodes
    assert len(tree.files) == 1


def test_paths_are_whole_in_the_topmost_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs with windows start others there."""
    monkeypatch.chdir("/")
    assert Path(shown(Path("/games/nim.yaml"))).absolute() == Path("/games/nim.yaml")
    assert shown(Path("nim.yaml")) == "nim.yaml"


def test_a_folder_whose_files_are_not_saved_yet_has_files(tmp_path: Path) -> None:
    report = Report()
    tree = read_folder(tmp_path, report, {"a.yaml": "game: {id: a}\n"})
    assert tree is not None and [Path(f.path).name for f in tree.files] == ["a.yaml"] and not list(report)
    assert read_folder(tmp_path, report) is None and [d.code for d in report] == ["RF102"]
