"""What is measured of games: leads and drama by hand, use and win difference in a game that is known through."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ruleforge.tools.experiments import leads
from tests.unit.frontends.commands import Command

# Whoever takes the crown wins, whoever takes the stone does not; the third card cannot be taken at all.
CROWN = """
game: {id: crown, title: "Crown & <stone>", version: "1.0", players: 2}
kinds:
  player: {things: [ann, ben]}
  card:
    things: {crown: {keywords: [gold]}, stone: {}, ghost: {keywords: [gone]}, pebble: {copies: 2}}
    has: {taken_by: player or none}
  game: {has: {round: 0..9}}
keywords:
  gold: {kind: card, text: It shines.}
  gone: {kind: card, text: It is not there.}
flow:
  - {phase: turn, each: me in players, window: one}
  - phase: last
    do: |
      if crown.taken_by is none: finish nobody
      finish crowned for crown.taken_by
actions:
  take:
    text: Take a card.
    during: turn
    choose: {it: in cards where it.taken_by is none and it is not ghost}
    do: it.taken_by = me
  fly: {during: turn, needs: [game.round > 3], do: skip}
formulas:
  worth: {takes: {p: player}, is: count(c in cards where c.taken_by is p and c is crown)}
scores: worth(p)
endings: {crowned: {text: The crown is taken.}, nobody: {text: Nobody took it.}}
"""


@pytest.fixture
def crown(tmp_path: Path) -> Path:
    path = tmp_path / "crown.yaml"
    path.write_text(CROWN, encoding="utf-8")
    return path


def test_lead_changes() -> None:
    course = [(0, 0), (1, 0), (1, 1), (2, 1), (2, 3), (3, 3), (4, 3)]
    assert leads.lead_changes(course, (0, 1)) == 2  # ties change nothing
    assert not leads.was_led([(1, 1), (0, 0)], (0, 1))


def test_partners_lead_together() -> None:
    course = [(0, 0, 0, 0), (1, 0, 1, 0), (1, 2, 0, 0), (1, 2, 2, 0), (3, 2, 0, 0)]
    assert leads.lead_changes(course, (0, 1, 0, 1)) == 2
    assert leads.lead_changes(course, (0, 1, 2, 3)) == 1  # without them only one seat at a time is ahead
    assert not leads.was_led([(1,), (2,)], (0,))  # of nobody


def test_sides_are_compared_where_teams_play(ruleforge_command: Command) -> None:
    found = measured(ruleforge_command, Path("euchre"), "--games", 20, "--measure")
    assert found["even_share"] == 0.5
    wins, decided = found["teams"]["north_south"]["wins"], found["finished"]
    assert found["first_seat_advantage"]["value"] == pytest.approx(wins / decided - 0.5, abs=1e-4)
    assert found["measures"]["led"] == 20
    shown = ruleforge_command("simulate", "euchre", "--games", 20, "--seed", 1, "--measure").out
    assert "The first player's team won " in shown and "Lead changes in a game: " in shown


@pytest.mark.parametrize("game", ["fireworks", "blackjack"])
def test_where_nobody_plays_against_anybody_nobody_is_ahead(ruleforge_command: Command, game: str) -> None:
    found = ruleforge_command("simulate", game, "--games", 10, "--seed", 1, "--measure")
    shown = found.out.lower()
    assert "lead" not in shown and "drama" not in shown and "first player" not in shown
    data = measured(ruleforge_command, Path(game), "--games", 10)
    assert data["even_share"] is data["first_seat_advantage"] is None


def test_nothing_is_said_of_winning_where_no_game_ends(ruleforge_command: Command, crown: Path) -> None:
    found = ruleforge_command("simulate", crown, "--games", 10, "--limit", 1)
    assert "Wins" not in found.out and "Mean score" not in found.out
    data = measured(ruleforge_command, crown, "--limit", 1)
    assert data["win_shares"] == data["mean_scores"] == {"ann": None, "ben": None}


def test_drama() -> None:
    course = [(0, 4), (0, 0), (0, 1), (5, 4)]
    # Behind by 4 and by 1, where the widest gap was 4: the mean of 1 and 1/2.
    assert leads.drama(course, [0], chances=False) == 0.75
    assert leads.drama(course, [1], chances=False) == 0.5  # behind once by 1 of 4
    assert leads.drama([(1, 0)], [0], chances=False) == 0.0
    assert leads.drama([(0.25, 0.5), (0.5, 0.25)], [0], chances=True) == 0.5


def measured(ruleforge_command: Command, path: Path, *more: object) -> dict[str, Any]:
    done = ruleforge_command("simulate", path, "--games", 150, "--seed", 1, "--json", *more)
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def test_who_takes_the_crown_wins(ruleforge_command: Command, crown: Path) -> None:
    found = measured(ruleforge_command, crown, "--measure")["measures"]
    uses = {(use["what"], use["kind"], use["name"]): use for use in found["uses"]}
    best = uses["thing", "card", "crown"]
    assert best["win_difference"]["value"] == pytest.approx(1, abs=0.01)
    assert best["stands_out"] and uses["keyword", None, "gold"]["stands_out"]
    assert uses["thing", "card", "stone"]["win_difference"]["value"] < 0
    assert uses["thing", "card", "pebble"]["taken"] > uses["thing", "card", "stone"]["taken"]  # both copies
    assert {(mark["what"], mark["name"]) for mark in found["never_offered"]} == {
        ("action", "fly"),
        ("keyword", "gone"),
        ("thing", "ghost"),
    }
    assert found["branching"] == {"min": 3, "mean": 3.5, "median": 3, "max": 4}
    assert found["lead_changes"]["max"] == 0


def test_random_games_say_who_is_ahead(ruleforge_command: Command, crown: Path) -> None:
    found = measured(ruleforge_command, crown, "--chances", 10, "--games", 20)["measures"]
    assert found["ahead_by"] == "10 random games"
    assert found["led"] > 10


def test_a_page_for_people(ruleforge_command: Command, crown: Path, tmp_path: Path) -> None:
    page = tmp_path / "crown.html"
    measured(ruleforge_command, crown, "--report", page)
    text = page.read_text("utf-8")
    assert "<h1>Crown &amp; &lt;stone&gt;</h1>" in text
    assert "Content-Security-Policy" in text and "default-src 'none'" in text
    assert "<script" not in text and "http" not in text.replace("http-equiv", "")
    for heading in (
        "Who wins",
        "How games end",
        "How long games are",
        "Leads",
        "Never playable",
    ):
        assert f"<h2>{heading}</h2>" in text
    assert text.count("<svg") == text.count('role="img" aria-label="') >= 6
    assert text.count("<table>") >= 6
    assert "currentColor" in text and "prefers-color-scheme: dark" in text
    assert page.read_text("utf-8") == text


def test_where_results_cannot_go_nothing_is_played(
    ruleforge_command: Command, crown: Path, tmp_path: Path
) -> None:
    (tmp_path / "folder.csv").mkdir()
    for option, name, words in (
        ("--out", "games.txt", "is neither `NAME.csv` nor `NAME.parquet`"),
        ("--decisions", "no/such/folder.csv", "there is no folder"),
        ("--report", "page.pdf", "is not `NAME.html`"),
        ("--out", "folder.csv", "is a folder"),
    ):
        done = ruleforge_command("simulate", crown, "--games", 10**9, option, tmp_path / name)
        assert done.code == 2
        assert words in done.err


def test_a_broken_ruleset_is_reported(ruleforge_command: Command, crown: Path) -> None:
    crown.write_text(CROWN.replace("it.taken_by = me", "it.taken_bye = me"), encoding="utf-8")
    for command in (("simulate", crown, "--measure"), ("balance", crown, "--with", "nothing")):
        done = ruleforge_command(*command)
        assert done.code == 1
        assert "RF501" in done.err or "RF845" in done.err


def test_what_was_edited_is_played_as_it_is_now(ruleforge_command: Command, crown: Path) -> None:
    """Also by a process that has played it before."""
    before = measured(ruleforge_command, crown)
    crown.write_text(CROWN.replace("finish crowned for crown.taken_by", "finish nobody"), encoding="utf-8")
    after = measured(ruleforge_command, crown)
    assert before["endings"].keys() == {"crowned", "nobody"} and after["endings"] == {"nobody": 150}
