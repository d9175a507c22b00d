"""The console by `-c`, files and pipes: what is typed and what comes back."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from ruleforge.frontends.repl.command_reader import commands_in, unfinished
from ruleforge.frontends.repl.commands import COMMANDS
from tests.unit.frontends.commands import Command, Done
from tests.unit.frontends.repl.yard import write_yard


class Yard:
    """The console of the tiny game."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.home = write_yard(folder)
        self._command = Command(capsys)

    def __call__(self, *commands: str, options: tuple[str, ...] = ()) -> Done:
        given = [word for command in commands for word in ("-c", command)]
        return self._command("repl", self.home, *options, *given)

    def out(self, *commands: str) -> list[str]:
        done = self(*commands)
        assert done.code == 0, done.err
        return done.out.splitlines()


@pytest.fixture
def yard(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Yard:
    return Yard(tmp_path, capsys)


def test_expressions_have_values(yard):
    lines = yard.out("1 + 1; count(b in wood); ann.grain; first(b in wood); {b in wood where b.printed > 1}")
    assert lines == ["2", "3", "3", "wolf", "[wolf, pike]"]


def test_a_formula_says_how_it_comes_about(yard):
    lines = yard.out("power(pike); set game.rainy true; power(pike)")
    assert lines == ["2", "the position is marked as edited", "3 = 2 printed + 1 River Pike (game.yaml:17)"]


def test_a_mistake_is_shown_where_it_stands(yard):
    done = yard("ann.gain")
    assert done.code == 1
    assert "error[RF501]" in done.err and "^^^" in done.err and "did you mean `grain`?" in done.err


def test_a_choice_and_a_misspelt_command_are_recognised(yard):
    assert "use `do call wolf`" in yard("call wolf").err
    assert "did you mean `choices`" in yard("choises").err


def test_playing_and_asking_why(yard):
    done = yard("do call wolf; do wait; give wolf; ")
    assert done.code == 1
    lines = yard.out("do call wolf; do wait; why not give pike; why not wait; choices give")
    assert "not in `me.den`" in lines[0]
    assert lines[1] == "`wait` is possible here"
    assert lines[-1] == "  give wolf"


def test_moments_and_branches(yard):
    lines = yard.out(
        "do call wolf; do wait; fork other; do give wolf; switch main; do call pike; diff other; branches; log"
    )
    assert "wolf.fed: 1 → 0" in lines
    assert "* main: moment 4, do call pike" in lines
    assert "  other: moment 4, do give wolf" in lines
    assert lines[-1] == "   4  ann: call pike"


def test_undo_redo_and_goto(yard):
    lines = yard.out("do call wolf; do wait; undo 2; count(b in wood); redo; count(b in wood); goto 3; log")
    assert lines[:2] == ["3", "2"]
    assert lines[-1] == "   3  ben: wait"
    assert "0 steps can be taken back" in yard("undo").err
    assert "moments 1 to 1" in yard("goto 4").err


def test_watches_tell_what_changes(yard):
    lines = yard.out("watch power(wolf); do call wolf; do wait; do give wolf; undo; watch off; do give wolf")
    assert lines == ["power(wolf) is 3", "power(wolf): 3 → 4", "power(wolf): 4 → 3", "no value is watched"]


def test_a_trace_names_rules_and_places(yard):
    lines = yard.out("do call hare; do wait; do call wolf; do wait; trace on; do give wolf")
    assert any("rule hare.flees" in line and "game.yaml:" in line for line in lines)


def test_views_hide_what_a_seat_may_not_see(ruleforge_command):
    done = ruleforge_command(
        "repl", "kuhn-poker", "--seed", "1", "--json", "-c", "view alice; view public; view bob"
    )
    seen = [json.loads(line)["view"]["places"] for line in done.out.splitlines()]
    assert seen[0]["bob.hand"] == ["?"] and seen[1]["alice.hand"] == ["?"] and seen[2]["bob.hand"] != ["?"]


def test_json_has_one_object_for_each_command(yard):
    done = yard("ann.grain; do call wolf; nonsense.x", options=("--json",))
    first, second, third = map(json.loads, done.out.splitlines())
    assert first["ok"] and first["value"] == 3
    assert second["moment"] == 2 and second["decides"] == "ben" and len(second["digest"]) == 32
    assert not third["ok"] and third["problems"][0]["code"] == "RF501"
    assert done.code == 1 and not done.err


def test_a_script_ends_at_the_first_failure(yard):
    done = yard("1 + 1; do fly; 2 + 2")
    assert (done.code, done.out) == (1, "2\n")


def test_scripts_come_from_files_and_pipes(yard, tmp_path, monkeypatch, ruleforge_command):
    script = tmp_path / "a.repl"
    script.write_text(
        "do call wolf   # the grey one\n\ncount(b in\n  ann.den)\nquit\n1 + 1\n", encoding="utf-8"
    )
    assert ruleforge_command("repl", yard.home, script).out == "1\n"
    monkeypatch.setattr("sys.stdin", io.StringIO("1 + 1\n# nothing\n2 + 2\n"))
    assert ruleforge_command("repl", yard.home).out == "2\n4\n"


def test_options_and_seed_are_those_of_other_commands(ruleforge_command):
    done = ruleforge_command("repl", "nim", "--option", "nothing=3", "-c", "1")
    assert done.code == 2 and "RF841" in done.err
    assert ruleforge_command("repl", "no-such-game", "-c", "1").code == 1


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "="])
def test_every_command_has_help_with_an_example(yard, name):
    lines = yard.out(f"help {name}")
    assert lines[0] == COMMANDS[name].usage and lines[2].startswith(f"  example: {name}")


def test_how_texts_are_cut_into_commands():
    assert list(commands_in("a; b(c; d)\n# x\ne [\n1,\n2]\nrun:\n  x += 1\n  y += 2\nf".splitlines())) == [
        "a",
        "b(c; d)",
        "e [ 1, 2]",
        "run:\n  x += 1\n  y += 2",
        "f",
    ]
    assert unfinished("count(x in y") and unfinished("run:") and unfinished("run:\n  a += 1")
    assert not unfinished("run:\n  a += 1\n") and not unfinished("1 + 1")
