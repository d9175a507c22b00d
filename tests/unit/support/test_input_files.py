"""What is read is a plain file of bounded size inside the folder that was named; all else is a sentence, at once."""

from __future__ import annotations

import os
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

import ruleforge
from ruleforge.frontends.cli.main import main, run
from ruleforge.project.resolver import diagnostics_of
from ruleforge.support import input_files as reading

NIM = Path(__file__).resolve().parents[3] / "examples" / "nim"
SECRET = "the-secret-of-somebody"


@contextmanager
def at_once(seconds: float = 2.0) -> Iterator[None]:
    began = time.process_time()
    yield
    assert time.process_time() - began < seconds


@pytest.fixture
def game(tmp_path: Path) -> Path:
    shutil.copytree(NIM, tmp_path / "nim")
    (tmp_path / "secret.yaml").write_text(f"scenario: [{SECRET}]\nkinds: {SECRET}\n", encoding="utf-8")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "more.yaml").write_text(
        f"scenario: [{SECRET}]\nkinds: {SECRET}\n", encoding="utf-8"
    )
    return tmp_path / "nim"


def codes(path: Path | str) -> list[str]:
    with at_once():
        return [d.code for d in diagnostics_of(path)]


def a_socket(path: Path) -> None:
    here = os.getcwd()
    os.chdir(path.parent)  # the name of a socket is short
    try:
        socket.socket(socket.AF_UNIX).bind(path.name)
    finally:
        os.chdir(here)


def up(path: Path) -> Path:
    """The folder that holds the game."""
    return next(above for above in path.parents if above.name == "nim").parent


PLANTED: dict[str, tuple[Callable[[Path], object], str]] = {
    "a link out": (lambda path: path.symlink_to(up(path) / "secret.yaml"), "RF125"),
    "a link to a device": (lambda path: path.symlink_to("/dev/zero"), "RF125"),
    "a link to a folder outside": (
        lambda path: path.with_suffix("").symlink_to(up(path) / "outside"),
        "RF125",
    ),
    "a link to nothing": (lambda path: path.symlink_to("nothing.yaml"), "RF109"),
    "a link to itself": (lambda path: path.symlink_to(path.name), "RF109"),
    "a pipe": (lambda path: os.mkfifo(path), "RF109"),
    "a socket": (a_socket, "RF109"),
    "a folder": (lambda path: path.mkdir(), "RF109"),
}


@pytest.mark.parametrize("what", PLANTED)
@pytest.mark.parametrize(
    "where", ["planted.yaml", "rulebook.yaml", "contract.yaml", "scenarios/planted.yaml"]
)
def test_nothing_planted_in_a_game_is_followed(game, what, where):
    plant, code = PLANTED[what]
    path = game / where
    path.unlink(missing_ok=True)
    plant(path)
    with at_once():
        done = CliRunner().invoke(main, ["validate", str(game)], catch_exceptions=False)
    if where == "planted.yaml":
        assert codes(game) == [code]
    if path.is_symlink() or where == "planted.yaml":
        assert code in done.output
    assert SECRET not in done.output
    for command in (["test", str(game)], ["coverage", str(game)], ["explain", "NIM-1", "--game", str(game)]):
        with at_once(3):
            assert SECRET not in CliRunner().invoke(main, command, catch_exceptions=False).output


# Every name that a file or folder of a game has for RuleForge.
NAMES = (
    "planted.yaml", "game.yaml", "rulebook.yaml", "contract.yaml", "mutants.yaml", "core.lock", "scenarios",
    "scenarios/planted.yaml", "expansions", "expansions/added", "expansions/added/pack.yaml",
    "expansions/added/planted.yaml", "expansions/added/scenarios", "expansions/added/scenarios/planted.yaml",
)  # fmt: skip
COMMANDS = (
    "validate {}", "validate {} --format json", "validate {} --format sarif", "validate {} --with added", "test {}",
    "coverage {}", "lock {} --check", "contract {}", "fmt {} --diff", "fmt {} --check --with added",
    "explain NIM-1 --game {}", "check-expansion {}/expansions/added", "docs {}", "dump {}",
)  # fmt: skip


@pytest.mark.parametrize("target", ["secret.yaml", "outside"])
@pytest.mark.parametrize("name", NAMES)
def test_no_command_prints_a_line_of_a_file_outside(game, name, target):
    scenarios = game / "expansions" / "added" / "scenarios"
    scenarios.mkdir(parents=True)
    manifest = 'pack: {id: added, title: Added, version: "1.0", for: {core: nim, versions: 1.x}}\n'
    (game / "expansions" / "added" / "pack.yaml").write_text(manifest, encoding="utf-8")
    path = game / name
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.symlink_to(up(path) / target)
    for command in COMMANDS:
        if name == "expansions/added" and command.startswith("check-expansion"):
            continue  # whoever names a link has it read
        words = command.format(game).split()
        with at_once(4):
            assert SECRET not in CliRunner().invoke(main, words, catch_exceptions=False).output, command


def test_a_link_inside_the_folder_is_a_file(game):
    (game / "parts").mkdir()
    rules = sorted(game.glob("*.yaml"))
    moved = next(path for path in rules if path.name not in ("rulebook.yaml", "contract.yaml"))
    shutil.move(moved, game / "parts" / "moved.txt")
    moved.symlink_to("parts/moved.txt")
    assert codes(game) == []


def test_a_pack_on_the_shelf_that_is_a_link_out_is_none(game):
    (game / "expansions").mkdir()
    (game.parent / "outside" / "pack.yaml").write_text(f"pack: {{id: {SECRET}}}\n", encoding="utf-8")
    (game / "expansions" / "planted").symlink_to("../../outside")
    with at_once(), pytest.raises(ruleforge.RulesetError) as refused:
        ruleforge.load(game, ["planted"])
    assert [d.code for d in refused.value.diagnostics] == ["RF125"]
    assert SECRET not in str(refused.value)


def test_a_scenario_takes_no_pack_from_outside(game):
    (game.parent / "outside" / "pack.yaml").write_text(f"pack: {{id: {SECRET}}}\n", encoding="utf-8")
    text = f"scenario: x\npacks: [{game.parent}/outside]\nsteps: []\n"
    (game / "scenarios" / "planted.yaml").write_text(text, encoding="utf-8")
    done = CliRunner().invoke(main, ["test", str(game)], catch_exceptions=False)
    assert SECRET not in done.output
    assert done.exit_code == 1


@pytest.mark.parametrize(
    "name", ["/", "/dev", "/dev/zero", "/dev/null", "/proc", "x" * 5000, "y/" * 2500, "a\0b"]
)
def test_any_name_is_answered_at_once(name):
    with at_once(), pytest.raises(ruleforge.RulesetError):
        ruleforge.load(name)


def test_a_folder_of_thousands_of_files_is_answered_at_once(tmp_path):
    for number in range(5000):
        (tmp_path / f"{number}.yaml").touch()
    assert codes(tmp_path) == ["RF124"]
    for number in range(6000):
        (tmp_path / f"{number}.txt").touch()
    assert codes(tmp_path) == ["RF126"]


def test_a_folder_of_many_large_files_is_not_parsed(tmp_path):
    for number in range(60):
        (tmp_path / f"{number}.yaml").write_text("a: b\n" * 25_000)
    assert codes(tmp_path) == ["RF120"]
    (tmp_path / "game.yaml").write_text("game: {}\n" + "# x\n" * 400_000)
    assert codes(tmp_path) == ["RF124"]


def test_folders_without_end_are_not_walked(tmp_path):
    deep = tmp_path
    for _ in range(40):
        deep = deep / "d"
        deep.mkdir()
    assert codes(tmp_path) == ["RF109"]


@pytest.mark.parametrize("what", ["pipe", "zero", "folder", "missing", "huge", "binary", "nested", "digits"])
def test_any_saved_game_is_loaded_or_refused_at_once(tmp_path, what, capsys):
    path = tmp_path / "saved"
    match what:
        case "pipe":
            os.mkfifo(path)
        case "zero":
            path = Path("/dev/zero")
        case "folder":
            path.mkdir()
        case "huge":
            with path.open("wb") as file:
                file.truncate(1 << 30)
        case "binary":
            path.write_bytes(b"\xff\x00")
        case "nested":
            path.write_text("[" * 1_000_000)
        case "digits":
            path.write_text('{"row": [' + "9" * 5000 + "]}")
    with at_once(3):
        assert run(["play", "nim", "--load", str(path)]) == 2
    assert "error[RF82" in capsys.readouterr().err


def test_what_says_no_size_is_read_to_a_bound():
    with pytest.raises(reading.TooLarge):
        reading.read_bytes(Path("/proc/self/maps"), 100)


def test_what_strays_is_what_leads_elsewhere_when_all_links_are_followed(tmp_path: Path):
    home = tmp_path / "home"
    (home / "in" / "deep").mkdir(parents=True)
    (tmp_path / "out").mkdir()
    for file in (home / "in" / "deep" / "a", tmp_path / "out" / "a"):
        file.write_text("a")
    (home / "link").symlink_to(tmp_path / "out")
    (home / "in" / "link").symlink_to(tmp_path / "out" / "a")
    (home / "inner").symlink_to(home / "in")
    names = (
        "in/deep/a",
        "in/deep",
        "link/a",
        "in/link",
        "inner/deep/a",
        "in/../../out/a",
        "../out/a",
        "none",
    )
    for folder in (home, Path(os.path.relpath(home))):
        for name in (*names, str(home / "in" / "deep" / "a"), str(tmp_path / "out" / "a")):
            real = os.path.realpath(folder / name)
            assert reading.strays(folder / name, folder) == (
                not real.startswith(str(home.resolve()) + os.sep)
            )
