"""Records, journals, reloading and exporting: nothing committed is lost, and what changed is said."""

from __future__ import annotations

import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ruleforge.engine.errors import RestoreError
from ruleforge.frontends.repl.commands import COMMANDS
from ruleforge.frontends.repl.console import Console, Start, read_rules
from ruleforge.frontends.repl.record_commands import restore, start_journal
from ruleforge.play.journal import MOST_JOURNALS, begin_journal, journals_of, latest_journal
from ruleforge.play.record import opening_of, read_record
from ruleforge.play.timeline import Timeline
from tests.unit.frontends.repl.test_commands import Yard

DEEDS = (
    "do call wolf",
    "do wait",
    "fork other",
    "dice 6",
    "do brawl wolf",
    "undo",
    "redo",
    "run --here lure(ben)",
    "do hare",
    "switch main",
    "set ann.grain 9",
    "break on feed",
    "do give wolf",
    "step",
    "continue",
    "watch power(wolf)",
    "run:\n  ann.points += 1\n  feed(wolf)",
    "undo 2",
)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEFORGE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def yard(tmp_path, capsys) -> Yard:
    return Yard(tmp_path, capsys)


def console_of(home: Path, seed: int = 3) -> Console:
    rules = read_rules(str(home), ())
    return Console(rules, Start(seed), Timeline(rules.game.start(seed=seed)), COMMANDS)


def shape(console: Console) -> object:
    """Where everything is: every branch with its positions, and what is stopped."""
    branches = {
        name: ([m.state.digest for m in branch.tip.path], [m.state.digest for m in branch.undone])
        for name, branch in console.timeline.branches.items()
    }
    stopped = console.pending.stop.tick if console.pending else 0
    return console.timeline.branch, branches, stopped, console.dice, tuple(console.watches)


# --- records ---


def test_a_record_plays_again_with_dice_and_what_was_set(yard, tmp_path):
    file = tmp_path / "a.record"
    deeds = "do call wolf; do wait; dice 6; do brawl wolf; set ben.grain 9; run --here lure(ben); do hare"
    lines = yard.out(f"{deeds}; save {file}; log")
    assert yard.out(f"load {file}; log")[1:] == lines[-7:]
    assert "is there already" in yard(f"save {file}").err
    assert yard(f"save {file} --force").code == 0


def test_a_record_can_be_read_and_changed_by_people(yard, tmp_path):
    file = tmp_path / "a.record"
    yard.out(f"do call wolf; save {file}")
    text = file.read_text("utf-8")
    assert (
        text.startswith("ruleforge record 2\ngame yard 1.0\nplayers 2\nseed 0\nrules ") and len(text) < 1000
    )
    file.write_text(text + "# then nothing\ndo wait\n", encoding="utf-8")
    assert yard.out(f"load {file}; log")[-1] == "   3  ben: wait"


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda text: text.replace("do call wolf", "do call pike"), "leads to another position"),
        (lambda text: text.replace("do call wolf", "do fly"), "is not possible"),
        (lambda text: text.replace("game yard", "game other"), "a record of `other`"),
        (lambda text: text.replace("seed 0", "seed x"), "lacks the start of the game"),
        (lambda text: text.replace("players 2", "players 2\nwith nonsense 1.0"), "--with"),
        (lambda text: text[:200], "ends before its first step"),
        (lambda text: "not a record\n" + text, "not a record"),
        (lambda text: "{}", "not a saved game"),
        (lambda text: "\x00\xff", "not a record"),
    ],
)
def test_damaged_and_foreign_files_are_told_and_left_alone(yard, tmp_path, spoil, words):
    file = tmp_path / "a.record"
    yard.out(f"do call wolf; do wait; save {file}")
    file.write_text(spoil(file.read_text("utf-8")), encoding="utf-8")
    before = file.read_bytes()
    done = yard(f"do call hare; load {file}", options=("--json",))
    last = json.loads(done.out.splitlines()[-1])
    assert done.code == 1 and words in last["error"], last
    assert file.read_bytes() == before
    resumed = yard("1", options=("--resume", str(file)))
    assert resumed.code == 2 and "RF82" in resumed.err
    assert file.read_bytes() == before


def test_a_record_says_which_rule_changed(yard, tmp_path):
    file = tmp_path / "a.record"
    yard.out(f"do call wolf; do wait; do give wolf; save {file}")
    flow = yard.home / "flow.yaml"
    flow.write_text(flow.read_text("utf-8").replace("me.grain >= 1", "me.grain >= 9"), encoding="utf-8")
    lines = yard.out(f"load {file}; log")
    assert lines[0] == "the rules have changed since: `actions.give` changed"
    assert "`do give wolf`, is not possible" in lines[1] and "1 line left out" in lines[1]
    assert lines[-1] == "   3  ben: wait"


# --- journals ---


def test_a_journal_cut_at_any_byte_is_resumed_up_to_its_last_whole_line(yard, own_cache):
    """As after a kill at any moment: a line is written by one call, so only its beginning may be there."""
    console = console_of(yard.home)
    start_journal(console)
    assert console.journal is not None
    shapes = [shape(console)]
    for deed in DEEDS:
        console.answer(deed)
        shapes.append(shape(console))
    data = console.journal.path.read_bytes()
    begin = data.index(b"\n\n") + 2
    ends = [at + 1 for at in range(begin, len(data)) if data[at : at + 1] == b"\n"]
    assert len(ends) == len(DEEDS)
    for moment in range(begin, len(data) + 1):
        record = read_record(data[:moment].decode("utf-8", "replace"))
        whole = sum(end <= moment for end in ends)
        assert [line.text for line in record.lines] == list(DEEDS[:whole])
        if moment in (begin, *ends):
            again = console_of_same(console)
            assert restore(again, record) == []
            assert shape(again) == shapes[whole]


def console_of_same(console: Console) -> Console:
    """Another console with the same rules, nothing done yet."""
    start = console.timeline.here.path[0].state
    return Console(console.rules, Start(3), Timeline(start), COMMANDS)


def test_a_journal_cut_in_its_head_is_told(yard):
    console = console_of(yard.home)
    start_journal(console)
    assert console.journal is not None
    head = console.journal.path.read_text("utf-8")
    for moment in range(len(head)):
        with pytest.raises(RestoreError):
            restore(console_of_same(console), read_record(head[:moment]))


@pytest.mark.slow
def test_killed_programs_are_resumed(yard, own_cache):
    """The real program, ended by force while it works: what it has answered is there afterwards."""
    rng = random.Random(7)
    command = [sys.executable, "-m", "ruleforge.frontends.cli.main", "repl", str(yard.home), "--json"]
    lines = ["do call wolf", "do wait", "do give wolf", "do wait"] + ["undo", "redo"] * 400
    for _ in range(3):
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("".join(f"{line}\n" for line in lines))
        process.stdin.flush()
        answered = [json.loads(process.stdout.readline()) for _ in range(rng.randrange(1, 12))]
        time.sleep(rng.random() / 20)
        os.kill(process.pid, signal.SIGKILL)
        rest = process.stdout.read()
        process.wait()
        answered += [json.loads(line) for line in rest.splitlines() if line.endswith("}")]
        resumed = yard("log", options=("--resume", "--json"))
        digests = [a["digest"] for a in answered]
        journal = read_record(journals_of("yard")[0].read_text("utf-8"))
        assert resumed.code == 0 and len(journal.lines) >= len(digests)


def test_what_is_typed_into_a_pipe_is_kept_and_resumed(yard, monkeypatch, ruleforge_command):
    monkeypatch.setattr("sys.stdin", io.StringIO("do call wolf\nfork x\ndo wait\nundo\nswitch main\n1 + 1\n"))
    assert ruleforge_command("repl", yard.home, "--seed", "4").code == 0
    lines = yard("branches; log", options=("--resume",)).out.splitlines()
    assert lines[:2] == ["* main: moment 2, do call wolf", "  x: moment 2, do call wolf, 1 step taken back"]
    monkeypatch.setattr("sys.stdin", io.StringIO("do wait\n"))
    assert ruleforge_command("repl", yard.home, "--resume").code == 0
    assert yard("log", options=("--resume",)).out.splitlines()[-1] == "   3  ben: wait"


def test_journals_belong_to_their_owner_and_old_ones_go(yard, own_cache):
    state = console_of(yard.home).state
    for _ in range(MOST_JOURNALS + 3):
        journal = begin_journal(opening_of(state, 0))
        assert journal is not None
        journal.close()
    assert len(journals_of("yard")) == MOST_JOURNALS
    assert journals_of("yard")[0].stat().st_mode & 0o777 == 0o600
    assert (own_cache / "journals").stat().st_mode & 0o777 == 0o700
    with pytest.raises(RestoreError, match="no journal"):
        latest_journal("yard", frozenset())


def test_the_journal_of_a_game_on_the_table_stays_however_many_come_after_it(yard):
    state = console_of(yard.home).state
    first = begin_journal(opening_of(state, 0))
    assert first is not None
    for _ in range(MOST_JOURNALS + 1):
        journal = begin_journal(opening_of(state, 0))
        assert journal is not None
        journal.close()
    assert first.path in journals_of("yard")
    first.close()


def test_what_could_not_be_written_comes_with_the_next_line_and_nothing_is_half(yard, monkeypatch):
    """A disk without room in the middle of a line."""
    console = console_of(yard.home)
    start_journal(console)
    assert console.journal is not None
    write, sizes = os.write, iter((10, -1))

    def half(handle: int, data: bytes) -> int:
        size = next(sizes)
        if size < 0:
            raise OSError(28, "No space left on device")
        return write(handle, data[:size])

    with monkeypatch.context() as full:
        full.setattr(os, "write", half)
        with pytest.raises(OSError, match=r"No space left.*record"):
            console.keep("do call wolf")
    console.keep("do wait")
    lines = read_record(console.journal.path.read_text("utf-8")).lines
    assert [line.text for line in lines] == ["do call wolf", "do wait"]


def test_without_a_place_there_is_no_journal_and_nothing_fails(yard, monkeypatch, ruleforge_command):
    monkeypatch.setenv("RULEFORGE_CACHE", "")
    monkeypatch.setattr("sys.stdin", io.StringIO("do call wolf\n"))
    assert ruleforge_command("repl", yard.home).code == 0
    assert ruleforge_command("repl", yard.home, "--resume", "-c", "1").code == 2


# --- back and forth ---


@pytest.mark.parametrize("seed", range(6))
def test_undo_redo_fork_and_goto_restore_equal_digests(yard, seed):
    """A walk at random: the position of each moment is what it was when it was first reached."""
    console, rng = console_of(yard.home, seed), random.Random(seed)
    known: dict[str, dict[int, str]] = {"main": {1: console.state.digest}}
    for number in range(60):
        mine = known[console.timeline.branch]
        here = console.here.number
        match rng.randrange(6):
            case 0 if here > 1:
                console.answer(f"undo {rng.randrange(1, here)}")
            case 1 if console.timeline.branches[console.timeline.branch].undone:
                console.answer("redo")
            case 2 if number % 5 == 0:
                console.answer(f"fork b{number}")
                known[f"b{number}"] = dict(mine)
            case 3:
                console.answer(f"switch {rng.choice(list(known))}")
            case 4:
                console.answer(f"goto {rng.choice([m for m in mine if m <= here])}")
            case _ if console.state.choices:
                console.answer(f"do {rng.choice(console.state.choices).text}")
                mine = known[console.timeline.branch]
                known[console.timeline.branch] = {n: d for n, d in mine.items() if n <= here}
                known[console.timeline.branch] |= {m.number: m.state.digest for m in console.here.path}
        assert console.state.digest == known[console.timeline.branch][console.here.number]
        assert [m.state.digest for m in console.here.path] == [
            known[console.timeline.branch][m.number] for m in console.here.path
        ]


# --- reload ---


def edit(home: Path, file: str, old: str, new: str) -> None:
    path = home / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_reload_says_what_changed_and_keeps_the_position(yard):
    console = console_of(yard.home)
    for deed in ("do call wolf", "do wait", "watch power(wolf)", "fork other", "do give wolf", "switch main"):
        console.answer(deed)
    assert console.answer("reload").lines == ("nothing has changed",)
    edit(yard.home, "game.yaml", "printed: 3}", "printed: 5}")
    lines = console.answer("reload").lines
    assert lines[:2] == ("1 definition changed", "  wolf.printed 3 → 5")
    assert "replayed 2 of 2 steps on `main`" in lines and "replayed 3 of 3 steps on `other`" in lines
    assert lines[-1] == "power(wolf): 3 → 5" and console.here.number == 3


def test_a_reload_says_where_it_could_not_go_on(yard):
    console = console_of(yard.home)
    for deed in ("do call wolf", "do wait", "do give wolf", "do wait", "undo"):
        console.answer(deed)
    edit(yard.home, "flow.yaml", "me.grain >= 1", "me.grain >= 9")
    lines = console.answer("reload").lines
    assert lines[1].startswith("  give.needs") and "replayed 2 of 3 steps" in lines
    assert any("step 3, `do give wolf`, is no longer possible: " in line for line in lines)
    assert console.here.number == 3


def test_rules_with_mistakes_are_told_and_the_old_ones_stay(yard):
    edit(yard.home, "flow.yaml", "me.grain >= 1", "me.grian >= 1")
    home = yard.home
    edit(home, "flow.yaml", "me.grian >= 1", "me.grain >= 1")
    console = console_of(home)
    edit(home, "flow.yaml", "me.grain >= 1", "me.grian >= 1")
    with pytest.raises(Exception, match="have mistakes now"):
        console.answer("reload")
    assert console.answer("ann.grain").lines == ("3",)


def test_a_saved_file_is_reloaded_by_itself(yard, monkeypatch, ruleforge_command):
    def typed() -> Iterator[str]:
        yield "do call wolf\n"
        yield "watch power(wolf)\n"
        edit(yard.home, "game.yaml", "printed: 3}", "printed: 5}")
        yield "1 + 1\n"
        edit(yard.home, "game.yaml", "printed: 5}", "printed: five}")
        yield "2 + 2\n"

    class Pipe:
        def __iter__(self) -> Iterator[str]:
            return typed()

        def isatty(self) -> bool:
            return False

    monkeypatch.setattr("sys.stdin", Pipe())
    done = ruleforge_command("repl", yard.home, "--watch")
    assert done.out.splitlines() == [
        "power(wolf) is 3",
        "game.yaml saved: 1 definition changed",
        "  wolf.printed 3 → 5",
        "replayed 1 of 1 step",
        "power(wolf): 3 → 5",
        "2",
        "4",
    ]
    assert "game.yaml saved: the rules have mistakes now" in done.err


# --- export ---


@pytest.mark.parametrize(
    "deeds",
    [
        "do call wolf; do wait; do give wolf",
        "do grope; do grope; do wait",
        "do call wolf; do wait; dice 6; do brawl wolf; do wait; do brawl wolf",
        "do tempt; do pike; do tempt; do decline",
        "set game.rainy true; do call pike; run --here lure(ben); do hare; do wait",
        "set ann.points 4; do call wolf; do wait; dice 6; do brawl wolf",
        "do call wolf; run feed(wolf); undo; do wait",
    ],
)
def test_what_was_played_becomes_a_scenario_that_holds(yard, deeds, ruleforge_command):
    folder = yard.home / "scenarios"
    folder.mkdir()
    lines = yard.out(f"{deeds}; export test {folder / 'it_holds.yaml'}")
    assert lines[-1].endswith("`ruleforge test` passes it")
    done = ruleforge_command("test", yard.home)
    assert done.code == 0 and "1 passed" in done.out, done.out
    assert ruleforge_command("validate", yard.home).code == 0


def test_a_scenario_is_never_written_over(yard, tmp_path):
    file = tmp_path / "a.yaml"
    file.write_text("mine", encoding="utf-8")
    assert "is there already" in yard(f"do wait; export test {file}").err
    assert file.read_text("utf-8") == "mine"
    assert "no folder" in yard("do wait; export test nowhere/a.yaml").err
