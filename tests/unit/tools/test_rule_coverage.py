"""Rule coverage: what ran is told, what did not too, and watching changes nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ruleforge.engine.loader import load
from ruleforge.project.resolver import analyse
from ruleforge.support.resources import shipped_games
from ruleforge.tools.coverage.cover import Cover, observed, random_games
from ruleforge.tools.coverage.report import missing
from tests.unit.frontends.commands import Command

GAMES = sorted(shipped_games())


def test_everything_that_did_not_run_is_told(race: Path, ruleforge_command: Command) -> None:
    done = ruleforge_command("test", race, "--cover", "-q")
    told = re.findall(r"race\.yaml:(\d+):\d+: (.+)", done.out)
    assert told == [
        ("27", "choice never chosen"),
        ("31", "statement never ran"),
        ("31", "condition never evaluated"),
        ("31", "statement never ran"),
        ("32", "statement never ran"),
        ("42", "modifier never ran"),
        ("44", "condition never true"),
    ]
    assert "lines of rules" in done.out


def test_conditions_are_seen_both_ways(race: Path) -> None:
    found = observed(analyse(race), str(race))
    state = found.game.start(seed=1)
    for choice in ("add 2", "add 2", "rest", "add 2", "rest", "add 1"):
        state.apply(choice)
    cover = Cover(found.items)
    cover.add(found.take())
    assert {(item.kind, item.span.line, told) for item, told in missing(cover)} == {
        ("condition", 23, "never false"),
        ("condition", 26, "never true"),
        ("statement", 26, "never ran"),
    }


def test_random_games_count_as_well(race: Path, ruleforge_command: Command) -> None:
    plain, more = (
        json.loads(ruleforge_command("test", race, "--json", "--cover", "--cover-games", n).out)["coverage"]
        for n in (0, 20)
    )
    assert plain["statements"]["covered"] < more["statements"]["covered"] == more["statements"]["all"]
    assert plain["modifiers"]["covered"] == 0 and more["modifiers"]["covered"] == 1


def test_a_page_needs_nothing_from_elsewhere(race: Path, tmp_path: Path, ruleforge_command: Command) -> None:
    file = race / "race.yaml"
    file.write_text(file.read_text("utf-8").replace("Add one or two;", "<b>Add</b> one or two;"), "utf-8")
    ruleforge_command("test", race, "--cover-html", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "http" not in page and "<script" not in page and "<b>Add" not in page
    assert page.count('class="never"') > 2 and "modifier never ran" in page


@pytest.mark.parametrize("name", GAMES)
def test_watching_changes_nothing(name: str) -> None:
    """A game under observation is the same game, decision by decision."""
    found, plain = observed(analyse(name), name).game, load(name)
    watched, state = found.start(seed=5), plain.start(seed=5)
    for step in range(8):
        assert [c.text for c in watched.choices] == [c.text for c in state.choices]
        if state.outcome is not None:
            break
        text = state.choices[step * 7 % len(state.choices)].text
        watched.apply(text)
        state.apply(text)
    assert str(watched) == str(state) and watched.outcome == state.outcome


def test_games_are_the_same_for_the_same_seed(race: Path) -> None:
    one, other = (list(random_games(observed(analyse(race), str(race)), 3, 7, 1000)) for _ in range(2))
    assert one == other
