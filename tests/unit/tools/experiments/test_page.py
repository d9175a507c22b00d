"""The page of `simulate --report` as its reader sees it: what it says of few games, and how it is had again."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

from tests.unit.frontends.commands import Command


def page_of(command: Command, tmp_path: Path, *arguments: object) -> str:
    out = tmp_path / "page.html"
    assert command("simulate", *arguments, "--report", out).code == 0
    return unescape(out.read_text("utf-8"))


def test_the_command_on_a_page_draws_the_same_page(ruleforge_command: Command, tmp_path: Path) -> None:
    given = ("nim", "--games", 6, "--seed", 5, "--first", 2, "--chances", 3, "--limit", 50)
    drawn = page_of(ruleforge_command, tmp_path, *given)
    again = re.search(r"<code>ruleforge simulate (.*?)</code>", drawn)
    assert again is not None
    (tmp_path / "page.html").unlink()
    assert ruleforge_command("simulate", *again[1].split()).code == 0
    timeless = re.compile(r"[\d.]+ ms")
    redrawn = unescape((tmp_path / "page.html").read_text("utf-8"))
    assert timeless.sub("", redrawn) == timeless.sub("", drawn)


def test_one_game_is_one_game_and_compares_nothing(ruleforge_command: Command, tmp_path: Path) -> None:
    drawn = page_of(ruleforge_command, tmp_path, "connect-four", "--games", 1, "--seed", 1)
    assert "1 game of connect-four" in drawn and "1 games" not in drawn
    assert "Too few games were won to compare" in drawn and "<figure></figure>" not in drawn
    assert re.search(r"Decisions in a game: always \d+\.", drawn)


def test_numbers_of_what_is_sure_are_said_in_grammar(ruleforge_command: Command, tmp_path: Path) -> None:
    drawn = page_of(ruleforge_command, tmp_path, "nim", "--games", 40, "--seed", 1)
    found = re.search(r"(\d+) of \d+ measured elements? (changes?) the win rate significantly\.", drawn)
    assert found and (found[1] == "1") == (found[2] == "changes")
    assert ("Diamonds mark them." in drawn) == (found[1] != "0")


def test_an_even_share_is_that_of_a_side(ruleforge_command: Command, tmp_path: Path) -> None:
    drawn = page_of(ruleforge_command, tmp_path, "euchre", "--games", 4, "--seed", 1)
    assert "The broken line is the expected share, 50.0\N{NO-BREAK SPACE}%." in drawn
    alone = page_of(ruleforge_command, tmp_path, "blackjack", "--games", 4, "--seed", 1)
    assert "broken line" not in alone and "Leads" not in alone
    endless = page_of(ruleforge_command, tmp_path, "connect-four", "--games", 2, "--limit", 3)
    assert "No game ended" in endless
