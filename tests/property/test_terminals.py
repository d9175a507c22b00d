"""No text steers the terminal: signs that would are refused where they are read, all else is printed as it is."""

from __future__ import annotations

import copy
import json
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from ruleforge.frontends.cli.main import main, run
from ruleforge.project.resolver import diagnostics_of
from ruleforge.support.terminal_escape import CONTROL, harmless
from tests.unit.frontends.terminal import Terminal

ROOT = Path(__file__).resolve().parents[2]
STEERS = (
    "\x1b]0;mine\x07",
    "\x1b]52;c;bWluZQ==\x07",
    "\x9b2J",
    "\x1b[31m",
    "\u202egnp",
    "\x7f",
    "a\rb",
    "\x00",
    "\u2066x",
)
FOR_PEOPLE = ("title", "text", "section", "rule", "summary", "scenario")
MARKUP = "[/x] [link=http://example.org]x[/link] [bold] :skull: [red]"
COMMANDS = (
    ("validate", "{game}"), ("validate", "{game}", "--format", "json"), ("validate", "{game}", "--format", "sarif"),
    ("test", "{game}"), ("test", "{game}", "--json"), ("coverage", "{game}"), ("coverage", "{game}", "--json"),
    ("explain", "NIM-1", "--game", "{game}"), ("play", "{game}", "--seed", "1"), ("dump", "{game}"),
    ("dump", "{game}", "--python"), ("fmt", "--check", "{game}"),
    ("profile", "{game}", "--decisions", "5"), ("lock", "--check", "{game}"),
    ("repl", "{game}", "-c", "view; one.left; nothing_\x1b]0;x\x07"), ("repl", "{game}", "--json", "-c", "view; \x9b2J"),
    ("contract", "{game}"), ("check-expansion", "{game}"), ("simulate", "{game}", "--games", "3"),
    ("simulate", "{game}", "--games", "3", "--json"),
)  # fmt: skip
Place = tuple[str, tuple[str | int, ...]]  # a file, and the way to a value in it; the last step may be a key

# A game with a value at every place where a text for people can stand.
GAME = """\
game: {id: nim, title: T, version: "1.0", text: T, players: 2, cites: [NIM-1]}
options:
  misere: {text: T, type: flag, default: false}
  mood: {text: T, type: 1..3, default: 2}
kinds:
  player: {text: T, title: T, things: {ann: {title: T, text: T}, ben: {title: U}}}
  heap:
    title: T
    text: T
    facts: {size: {type: 1..9, text: T}}
    has: {left: {type: 0..9, text: T}}
    things: {one: {title: T, text: T, size: 1}, three: {title: U, size: 3}}
  card: {things: {ace: {title: T, text: T}}, title: T}
places:
  pile: {holds: card, starts: cards, title: T, text: T}
keywords:
  swift: {kind: card, title: T, text: T}
formulas:
  total: {is: "sum(h.left for h in heaps)", text: T, open: true}
events:
  grow: {takes: {h: heap}, text: T, do: "h.left = min(9, h.left + 1)"}
setup: |
  for h in heaps: h.left = h.size
flow:
  - {phase: turn, text: T, repeat: true, each: me in players, window: one}
actions:
  take:
    text: T
    title: T
    during: turn
    choose: {from: in heaps where from.left > 0, matches: in 1..from.left}
    do: |
      from.left -= matches
      if all(h.left is 0 for h in heaps): finish last for me
  feed: {text: T, during: turn, needs: one.left < 2, do: grow(one)}
rules:
  again: {after: grow(h), text: T, do: skip}
endings:
  last: {text: T, title: T}
invariants:
  sane: {text: T, that: one.left <= 9}
checks:
  printed: {text: T, that: any(h in heaps)}
"""
RULEBOOK = """\
game: nim
title: T
summary: T
players: [2, 2]
clauses:
  - {id: NIM-1, section: T, kind: info, rule: T}
"""
SCENARIO = "scenario: T\ncites: [NIM-1]\nsteps: [{ann: take one 1}]\n"
FILES = {"game.yaml": GAME, "rulebook.yaml": RULEBOOK, "scenarios/first.yaml": SCENARIO}


def leaves(data: Any, way: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The ways to all texts, those of keys with a sign at their end."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield (*way, key, "key")
            yield from leaves(value, (*way, key))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from leaves(value, (*way, number))
    elif isinstance(data, str):
        yield way


def changed(data: Any, way: tuple[str | int, ...], text: str) -> Any:
    data = copy.deepcopy(data)
    inner = data
    if way[-1] == "key":
        for step in way[:-2]:
            inner = inner[step]
        inner[str(way[-2]) + text] = inner.pop(way[-2])
        return data
    for step in way[:-1]:
        inner = inner[step]
    inner[way[-1]] = inner[way[-1]] + text
    return data


@cache
def places() -> tuple[Place, ...]:
    return tuple((file, way) for file, text in FILES.items() for way in leaves(yaml.safe_load(text)))


def written(folder: Path, changes: dict[Place, str]) -> Path:
    for file, text in FILES.items():
        data = yaml.safe_load(text)
        # Keys last: the way to what lies below one is lost when it changes.
        for (_, way), more in sorted(
            ((p, m) for p, m in changes.items() if p[0] == file),
            key=lambda c: (c[0][1][-1] == "key", -len(c[0][1])),
        ):
            data = changed(data, way, more)
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        lines = [
            yaml.dump({key: value}, Dumper=Blocks, width=10**6, sort_keys=False)
            for key, value in data.items()
        ]
        (folder / file).write_text("".join(lines), encoding="utf-8")
    return folder


class Blocks(yaml.SafeDumper):
    """Writes effects of several lines as blocks, so that they can be followed."""


Blocks.add_representer(
    str,
    lambda dumper, text: dumper.represent_scalar(
        "tag:yaml.org,2002:str", text, style="|" if "\n" in text else None
    ),
)


def printed(arguments: tuple[str, ...], game: Path) -> str:
    done = CliRunner().invoke(main, [word.format(game=game) for word in arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), (arguments, done.exception)
    return done.output


def test_the_game_is_fine_as_it_is(tmp_path):
    assert [str(d) for d in diagnostics_of(written(tmp_path, {})) if d.severity == "error"] == []


@pytest.mark.parametrize("number", range(len(STEERS)))
def test_a_sign_that_controls_is_refused_wherever_a_text_can_stand(tmp_path, number):
    for keys in (False, True):
        hit = [place for place in places() if (place[1][-1] == "key") == keys]
        game = written(tmp_path, dict.fromkeys(hit, STEERS[number]))
        done = CliRunner().invoke(main, ["validate", str(game), "--format", "json"])
        refused = {
            (d["file"], d["line"], d["column"]) for d in json.loads(done.output) if d["code"] == "RF127"
        }
        assert len(refused) == len(hit)
        assert not CONTROL.search(done.output)
        assert not CONTROL.search(printed(("validate", "{game}"), game))


@pytest.mark.parametrize("number", range(len(COMMANDS)))
def test_no_command_passes_one_on(tmp_path, number):
    """Even with every text of the game full of them."""
    game = written(tmp_path, {place: STEERS[at % len(STEERS)] for at, place in enumerate(places())})
    assert not CONTROL.search(printed(COMMANDS[number], game))


def in_brackets(folder: Path) -> Path:
    """The game with brackets in all its texts for people."""
    free = [place for place in places() if place[1][-1] in FOR_PEOPLE]
    game = written(folder, dict.fromkeys(free, MARKUP))
    assert [str(d) for d in diagnostics_of(game) if d.severity == "error"] == []
    return game


def test_brackets_are_printed_as_they_are(tmp_path):
    game = in_brackets(tmp_path)
    for command in COMMANDS:
        text = printed(command, game)
        if command[0] in ("play", "explain", "test") and "--json" not in command:
            assert "[/x] [link=http://example.org]x[/link] [bold] :skull: [red]" in re.sub(
                r"\s+", " ", text
            ), command


def test_the_prompt_prints_them_as_they_are(tmp_path):
    game = in_brackets(tmp_path)
    terminal = Terminal("play", game, "--seat", "ann=human", "--seat", "ben=human")
    seen = ""
    try:
        seen += terminal.until("▸")
        for line in (
            "help",
            "about take",
            "about one",
            "list",
            "look",
            "why take one 9",
            "why total()",
            "[/x]",
            "why [/x]",
            "save [/x]/y",
        ):
            terminal.say(line)
            seen += terminal.until("▸")
        for line, next_ in (("take three 3", "▸"),):
            terminal.say(line)
            seen += terminal.until(next_)
        terminal.say("take one 1")
        seen += terminal.until(" won (")
        terminal.say("quit")
    finally:
        terminal.leave()
    assert "Traceback" not in seen
    assert seen.count("[link=http://example.org]x[/link]") > 3
    assert "\x1b]" not in seen


@pytest.mark.parametrize("text", (*STEERS[:3], MARKUP))
def test_what_is_typed_is_printed_as_text(tmp_path, text, capfd):
    folder = tmp_path / re.sub("[\0/]", "", text)
    shutil.copytree(ROOT / "examples" / "nim", folder)
    (folder / "broken.yaml").write_text("kinds: {x: {thing: []}}\n", encoding="utf-8")
    for known in COMMANDS[:-2]:
        run([word.format(game=folder) for word in known])
    for command in (
        [text], ["play", text], ["play", "nim", f"--{text}"], ["play", "nim", "--option", f"{text}=1"],
        ["play", "nim", "--option", f"misere={text}"], ["play", "nim", "--seat", f"{text}=human"], ["explain", text],
        ["play", "nim", "--seat", f"ann={text}"], ["play", "nim", "--with", text], ["play", "nim", "--load", text],
        ["simulate", "nim", "--games", text], ["validate", text], ["test", text, "--game", text], ["fmt", text],
        ["lock", text], ["new", "expansion", text],
    ):  # fmt: skip
        assert run([word.replace("\0", "") for word in command]) in (1, 2), command
    shown = capfd.readouterr()
    assert not CONTROL.search(shown.out + shown.err)


def test_what_is_harmless_stays():
    for text in ("naïve ünïcode", "שלום \u200f", "👩\u200d🚀", "tab\tand\nline", "漢字"):
        assert harmless(text) == text
