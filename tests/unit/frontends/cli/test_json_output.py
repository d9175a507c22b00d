"""What a command prints, it prints for programs, too."""

from __future__ import annotations

import json

import click
import pytest

from ruleforge.frontends.cli.main import COMMANDS, main
from ruleforge.support.resources import shipped_games
from tests.unit.contracts.mill import core, pack
from tests.unit.small_games import FAIR

# What comes of these is no result to be read by a program, but something else.
NO_RESULT = {
    "play": "a conversation; a remote seat has its own lines of JSON",
    "join": "a conversation",
    "lsp": "speaks JSON only",
    "mcp": "speaks JSON only",
    "dump": "a listing, in the language of the backend",
    "docs": "a document, in a format of its own",
    "graph": "a picture, in a format of its own",
    "new": "files",
}
RULES = FAIR.replace("me.coins -= much", "me.coins   -=  much")


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in NO_RESULT])
def test_every_command_that_prints_a_result_prints_it_for_programs(name):
    found = main.get_command(click.Context(main), name)
    assert found is not None
    options = {text: option for option in found.params for text in option.opts}
    form = options.get("--format")
    choices = form.type.choices if form is not None and isinstance(form.type, click.Choice) else ()
    assert "--json" in options or "json" in choices


def test_what_has_no_result_is_a_command():
    assert set(NO_RESULT) <= set(COMMANDS)


def test_a_contract_is_told_sentence_by_sentence(ruleforge_command, tmp_path):
    home = core(tmp_path)
    page = ruleforge_command("contract", home).out
    data = json.loads(ruleforge_command("contract", home, "--json").out)
    assert (data["core"], data["locked"], data["default"]) == ("mill", "1.0", "closed")
    lines = [line.removeprefix("- ") for line in page.splitlines() if line.startswith("- ")]
    told = [
        f"{s['says']} [{', '.join(s['clauses'])}]" if s["clauses"] else s["says"] for s in data["sentences"]
    ]
    assert told == lines
    sections = list(dict.fromkeys(sentence["section"] for sentence in data["sentences"]))
    assert sections == ["may", "may not", "whole"]


@pytest.mark.parametrize(
    "name", [n for n, home in shipped_games().items() if (home / "contract.yaml").exists()]
)
def test_the_terms_of_a_sentence_stand_at_its_place(ruleforge_command, name):
    data = json.loads(ruleforge_command("contract", name, "--json").out)
    lines = (shipped_games()[name] / "contract.yaml").read_text("utf-8").splitlines()
    for sentence in data["sentences"]:
        assert sentence["sort"] and sentence["says"] and sentence["terms"]
        if sentence["sort"] in ("point", "guard"):
            part = "\n".join(lines[sentence["line"] - 1 : sentence["end_line"]])
            assert all(key in part for key in sentence["terms"]), sentence


def test_a_lock_tells_what_changed(ruleforge_command, tmp_path):
    rules = tmp_path / "game.yaml"
    rules.write_text(FAIR, encoding="utf-8")

    def locked(*words):
        done = ruleforge_command("lock", tmp_path, "--json", *words)
        data = json.loads(done.out)
        return done.code, data["state"], data["written"], [(c["how"], c["path"]) for c in data["changes"]]

    assert locked("--check") == (1, "unlocked", False, [])
    assert locked() == (0, "unlocked", True, [])
    assert locked("--check") == (0, "as locked", False, [])
    rules.write_text(FAIR.replace("\nactions:\n", "\nnumbers:\n  spare: 3\nactions:\n"), encoding="utf-8")
    changed = [("added", "numbers.spare")]
    assert locked("--check") == (1, "changed", False, changed)
    assert locked() == (1, "changed", False, changed), "a new version is needed first"
    assert locked("--replace") == (0, "changed", True, changed)
    rules.write_text(FAIR.replace('version: "1.0"', 'version: "1.1"'), encoding="utf-8")
    assert locked("--check") == (1, "other version", False, [("removed", "numbers.spare")])


def test_formatting_tells_each_file_with_its_difference(ruleforge_command, tmp_path):
    rules = tmp_path / "game.yaml"
    rules.write_text(RULES, encoding="utf-8")
    done = ruleforge_command("fmt", tmp_path, "--check", "--json")
    data = json.loads(done.out)
    assert done.code == 1 and not data["written"]
    [file] = data["files"]
    assert file["file"] == str(rules) and "+      me.coins -= much" in file["diff"]
    done = ruleforge_command("fmt", tmp_path, "--json")
    assert (done.code, json.loads(done.out)) == (0, {"written": True, "files": [file]})
    assert json.loads(ruleforge_command("fmt", tmp_path, "--json").out) == {"written": False, "files": []}


def test_codes_clauses_and_effect_summaries_are_explained(ruleforge_command, tmp_path):
    code = json.loads(ruleforge_command("explain", "rf501", "--json").out)
    assert code["code"] == "RF501" and code["page"].startswith("# RF501")
    clause = json.loads(ruleforge_command("explain", "NIM-4", "--json").out)
    assert clause["id"] == "NIM-4" and clause["rule"] and clause["rules"] and clause["scenarios"]
    core(tmp_path)
    made = pack(tmp_path, "rules:\n  r: {modify: 'luck(p, x)', when: x is axe, add: 1}\n")
    [rule] = json.loads(ruleforge_command("explain", "--footprint", made, "--json").out)
    assert rule["name"] == "r" and "modify luck" in " ".join(rule["does"]) and rule["line"]
