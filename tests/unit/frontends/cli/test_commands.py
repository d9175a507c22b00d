"""Commands do what they say, and meet mistakes with words."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from ruleforge.frontends.cli.main import COMMANDS
from ruleforge.support.input_files import Unreadable
from tests.unit.small_games import COIN, FAIR, rules_file


@pytest.fixture
def broken(tmp_path):
    (tmp_path / "game.yaml").write_text(FAIR.replace("me.coins", "me.coin"), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(ruleforge_command, name):
    done = ruleforge_command(name, "--help")
    assert done.code == 0
    assert f"Example:\n    ruleforge {name}" in done.out


def test_help_lists_all_commands(ruleforge_command):
    done = ruleforge_command("--help")
    assert all(f"\n  {name} " in done.out for name in COMMANDS)


def test_the_version_is_printed(ruleforge_command):
    assert ruleforge_command("--version").out.startswith("ruleforge 0.")


@pytest.mark.parametrize(
    "arguments",
    [
        ("plya",),
        ("play",),
        ("play", "--seed", "x", "nim"),
        ("play", "nim", "--seat", "ann"),
        ("play", "nim", "--seat", "zoe=random"),
        ("play", "nim", "--seat", "ann=wizard"),
        ("play", "nim", "--players", "5"),
        ("play", "nim", "--option", "misere=maybe"),
        ("play", "nim", "--option", "size=3"),
        ("play", "nim", "--load", "/nowhere/at/all"),
        ("simulate", "nim", "--games", "0"),
        ("simulate", "nim", "--seat", "ann=human"),
        ("validate", "nim", "--format", "xml"),
        ("dump", "nim", "--players", "7"),
    ],
)
def test_misuse_is_exit_code_2(ruleforge_command, arguments):
    done = ruleforge_command(*arguments)
    assert done.code == 2
    assert done.err.strip()


@pytest.mark.parametrize("command", ["play", "validate", "test", "simulate", "coverage", "dump"])
@pytest.mark.parametrize("name", ["no-such-game", ""])
def test_an_unknown_game_is_a_diagnostic(ruleforge_command, command, name):
    done = ruleforge_command(command, name)
    assert done.code == 1
    assert "RF842" in done.out + done.err


@pytest.mark.parametrize("command", ["play", "validate", "simulate", "dump"])
def test_mistakes_in_rules_are_shown_with_their_place(ruleforge_command, broken, command):
    done = ruleforge_command(command, broken)
    assert done.code == 1
    assert "game.yaml:" in done.out + done.err
    assert "error[RF501]" in done.out + done.err


@pytest.mark.parametrize(
    "command", ["validate", "test", "coverage", "mutate", "simulate", "graph", "docs", "fmt"]
)
def test_a_folder_without_rules_is_called_so_by_every_command(ruleforge_command, tmp_path, command):
    (tmp_path / "empty").mkdir()
    done = ruleforge_command(command, tmp_path / "empty")
    assert done.code == 1 and "RF102" in done.out + done.err and "RF850" not in done.out + done.err


READERS = [
    *(["validate"], ["test"], ["coverage"], ["mutate"], ["simulate"], ["graph"], ["docs"], ["fmt"], ["play"]),
    *(["dump"], ["profile"], ["lock"], ["compat"], ["contract"], ["explain", "F-1", "--game"]),
]


@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_a_path_that_leads_nowhere_is_called_so_by_every_command(ruleforge_command, tmp_path, words):
    done = ruleforge_command(*words, tmp_path / "no" / "where")
    said = done.out + done.err
    assert done.code in (1, 2) and f"there is no file or folder `{tmp_path / 'no' / 'where'}`" in said
    assert "RF850" not in said and "rulebook" not in said


@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_a_folder_that_cannot_be_read_is_called_so_by_every_command(
    ruleforge_command, tmp_path, monkeypatch, words
):
    def closed(*_):
        raise Unreadable("permission denied")

    monkeypatch.setattr("ruleforge.lang.source.folder.files_below", closed)
    done = ruleforge_command(*words, tmp_path)
    said = done.out + done.err
    assert done.code == 1 and "cannot be read: permission denied" in said
    assert "RF850" not in said and "RF102" not in said and "rulebook" not in said


@pytest.mark.parametrize("command", ["test", "mutate"])
def test_a_game_that_is_one_file_is_not_taken_for_a_scenario(ruleforge_command, command):
    file = rules_file(COIN) / "game.yaml"
    done = ruleforge_command(command, file)
    assert done.code == 1 and f"`{file}` is a game, not a scenario" in done.out + done.err


def test_games_lists_what_is_shipped(ruleforge_command):
    assert "tic-tac-toe" in ruleforge_command("games").out
    names = [game["name"] for game in json.loads(ruleforge_command("games", "--json").out)]
    assert "nim" in names and len(set(names)) == len(names)


def test_validate_says_what_is_fine(ruleforge_command):
    done = ruleforge_command("validate", "nim", "hex")
    assert (done.code, done.out) == (0, "nim: fine\nhex: fine\n")


def test_validate_prints_for_programs(ruleforge_command, broken):
    found = json.loads(ruleforge_command("validate", broken, "nim", "--format", "json").out)
    assert found[0]["code"] == "RF501" and found[0]["line"] > 0
    log = json.loads(ruleforge_command("validate", broken, "--format", "sarif").out)
    assert log["runs"][0]["results"][0]["ruleId"] == "RF501"
    assert json.loads(ruleforge_command("validate", "nim", "--format", "json").out) == []


def test_validate_looks_into_scenarios_and_rulebooks(ruleforge_command, tmp_path):
    (tmp_path / "game.yaml").write_text(COIN, encoding="utf-8")
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "one.yaml").write_text("scenario: x\nsteps: []\nmore: 1\n", encoding="utf-8")
    (tmp_path / "rulebook.yaml").write_text("game: coin\nclauses: [{idd: C-1}]\n", encoding="utf-8")
    done = ruleforge_command("validate", tmp_path)
    assert done.code == 1
    assert "one.yaml:3" in done.out and "rulebook.yaml:2" in done.out


def test_play_without_a_terminal_plays_by_itself(ruleforge_command):
    done = ruleforge_command("play", "tic-tac-toe", "--seed", "4")
    assert done.code == 0
    assert "Tic-tac-toe" in done.out and "decisions" in done.out
    assert done == ruleforge_command("play", "tic-tac-toe", "--seed", "4")


def test_play_with_search_and_a_saved_game(ruleforge_command, tmp_path):
    import ruleforge

    state = ruleforge.load("tic-tac-toe").start()
    for cell in ("a1", "a3", "b1", "b3"):
        state.apply(f"mark {cell}")
    (tmp_path / "game.json").write_text(state.save(), encoding="utf-8")
    done = ruleforge_command("play", "tic-tac-toe", "--load", tmp_path / "game.json", "--seat", "cross=mcts")
    assert "Cross won (three in a row) after 1 decision\n" in done.out
    (tmp_path / "game.json").write_text(state.save()[:-9], encoding="utf-8")
    assert ruleforge_command("play", "tic-tac-toe", "--load", tmp_path / "game.json").code == 2


def test_simulate_counts_games(ruleforge_command):
    done = ruleforge_command("simulate", rules_file(COIN), "--games", 200, "--seed", 1, "--json")
    data = json.loads(done.out)
    assert data["games"] == data["finished"] == 200
    assert sum(data["endings"].values()) == 200
    assert sum(data["wins"].values()) + data["draws"] == 200
    assert data["length"]["max"] == 2
    assert 60 < data["wins"]["ann"] < 140


def test_simulate_gives_the_same_numbers_with_more_jobs(ruleforge_command):
    def numbers(jobs):
        done = ruleforge_command(
            "simulate", "leduc-poker", "--games", 130, "--seed", 2, "--jobs", jobs, "--json"
        )
        data = json.loads(done.out)
        return json.dumps({key: value for key, value in data.items() if key != "timing"})

    assert numbers(1) == numbers(2) == numbers(3)


def test_simulate_counts_games_that_are_cut_off(ruleforge_command):
    done = ruleforge_command("simulate", "hex", "--games", 3, "--limit", 5, "--json")
    data = json.loads(done.out)
    assert (data["cut_off"], data["finished"], data["length"]["max"]) == (3, 0, 5)
    assert (
        "not finished after 5 decisions"
        in ruleforge_command("simulate", "hex", "--games", 3, "--limit", 5).out
    )


def test_simulate_reports_games_stopped_by_a_limit(ruleforge_command):
    done = ruleforge_command("simulate", rules_file(FAIR), "--games", 60, "--option", "rounds=5", "--json")
    data = json.loads(done.out)
    assert done.code == 1
    assert data["failed"] == sum(data["failures"].values()) > 0
    assert set(data["failures"]) <= {"RF810", "RF811"}


def test_explain_shows_the_page_of_a_code(ruleforge_command):
    assert ruleforge_command("explain", "rf803").out.startswith("# RF803 the game is over")


def test_explain_leaves_out_comments_for_the_tests_of_a_page(ruleforge_command):
    page = ruleforge_command("explain", "RF120").out
    assert "```yaml" in page and "<!--" not in page


def test_explain_shows_a_clause(ruleforge_command):
    done = ruleforge_command("explain", "NIM-4")
    assert done.code == 0
    assert "actions.take" in done.out
    assert ruleforge_command("explain", "nim-4", "--game", "nim").out == done.out
    assert ruleforge_command("explain", "XX-99").code == 1


def test_watch_waits_for_the_first_scenario(ruleforge_command, tmp_path, monkeypatch):
    (tmp_path / "game.yaml").write_text("game: {id: g, title: G, version: '1', players: 2}\n")
    seen = []

    def look(paths, run):
        seen.append((paths, run()))

    monkeypatch.setattr("ruleforge.frontends.cli.test_command.watch", look)
    done = ruleforge_command("test", tmp_path, "--watch")
    assert seen == [((tmp_path,), False)] and "there are no scenarios" in done.out and done.code == 0


def test_explain_says_that_rules_could_not_be_read(ruleforge_command, tmp_path):
    for name, text in (
        ("game.yaml", "game: {id: g, title: G, version: '1', players: 2}\n"),
        ("rulebook.yaml", "game: g\nclauses:\n  - {id: G-1, section: S, kind: flow, rule: Play.}\n"),
        ("broken.yaml", "formulas:\n  f: [\n"),
    ):
        (tmp_path / name).write_text(text)
    done = ruleforge_command("explain", "G-1", "--game", tmp_path)
    assert done.code == 1 and "Play." in done.out and "broken.yaml:2:6: error[RF108]" in done.err


def test_dump_prints_both_forms(ruleforge_command):
    assert "game.yaml" in ruleforge_command("dump", "nim").out
    assert "def " in ruleforge_command("dump", "nim", "--python").out
    assert "def " in ruleforge_command("dump", "nim", "--playout").out


def test_colours_only_on_a_terminal(ruleforge_command, broken):
    assert "\x1b" not in ruleforge_command("validate", broken).out
    assert ruleforge_command("--no-color", "validate", "nim").code == 0
    assert ruleforge_command("validate", "nim", "--no-color").code == 0


def test_a_closed_pipe_is_quiet():
    command = f"{sys.executable} -m ruleforge.frontends.cli.main dump breakthrough --python | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""


@pytest.mark.parametrize("threads", [0, 1])
@pytest.mark.parametrize(("what", "code"), [("nim", 0), ("nothing-of-this-name", 1)])
def test_a_process_ends_at_once_and_yet_in_good_order(threads, what, code):
    script = (
        "import atexit, sys, threading, time; from ruleforge.frontends.cli.main import main;"
        "atexit.register(print, 'tidied up');"
        f"[threading.Thread(target=lambda: (time.sleep(1), print('worked on'))).start() for _ in range({threads})];"
        f"sys.argv[1:] = ['validate', {what!r}]; main()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == code
    last = ["worked on"] * threads + ["tidied up"]
    assert what in done.stdout and done.stdout.split("\n")[-len(last) - 1 : -1] == last


def test_completion_offers_commands_and_games():
    def complete(words, position):
        environment = {
            "_RULEFORGE_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(position),
        }
        done = subprocess.run(
            [sys.executable, "-c", "from ruleforge.frontends.cli.main import main; main()"],
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
        return done.stdout

    assert "validate" in complete("ruleforge va", 1)
    assert "nim" in complete("ruleforge play ni", 2)
    assert complete("ruleforge explain rf50", 2).startswith("plain,RF501")
    for line in ("test splicers --with sym", "validate --with sym", "check-expansion sym"):
        assert "plain,symbiosis" in complete(f"ruleforge {line}", len(line.split()))


@pytest.mark.parametrize(
    ("words", "meant"),
    [(("valdate",), "validate"), (("new", "pack"), "expansion"), (("new", "gmae"), "game")],
)
def test_a_command_that_is_not_there_names_the_one_that_was_meant(ruleforge_command, words, meant):
    done = ruleforge_command(*words, "x")
    assert done.code == 2 and f"did you mean `{meant}`?" in done.err


@pytest.mark.parametrize("words", [("coverage", "splicers"), ("dump", "splicers"), ("games",)], ids=" ".join)
def test_whoever_reads_only_the_first_lines_sees_no_failure(words):
    """`head` closes the pipe; what is left to print is a lot, or nothing any more."""
    command = [sys.executable, "-c", "from ruleforge.frontends.cli.main import main; main()", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) in (0, 141)


def unread(*words):
    """The exit code of a command whose output nobody reads, and what it says of that."""
    command = [
        sys.executable,
        "-c",
        "from ruleforge.frontends.cli.main import main; main()",
        *map(str, words),
    ]
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, timeout=60)
    finally:
        os.close(writing)
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    "words",
    [
        *(
            ("--help",),
            ("games",),
            ("games", "--json"),
            ("validate", "nim"),
            ("test", "nim"),
            ("docs", "nim"),
        ),
        *(("explain", "RF501"), ("graph", "nim"), ("coverage", "nim", "--json"), ("dump", "nim")),
        *(("simulate", "nim", "--games", "3"), ("fmt", "nim", "--check"), ("contract", "splicers")),
    ],
    ids=" ".join,
)
def test_output_that_nobody_reads_is_no_diagnostic(words):
    assert unread(*words) == (141, b"")


def test_what_is_new_is_whole_though_nobody_reads_that_it_is(tmp_path):
    assert unread("new", "game", "marsh", "--into", tmp_path)[0] == 141
    assert len(list((tmp_path / "marsh").rglob("*.*"))) == 6
