"""Ratings of agents: what the model says of known results, and the command."""

from __future__ import annotations

import json
from math import log10

import pytest
from click.testing import CliRunner

from ruleforge.frontends.cli.ladder_command import command
from ruleforge.tools.experiments.ladder import Meeting, ratings


def test_ratings_differ_by_the_odds() -> None:
    found = ratings(("a", "b"), {("a", "b"): Meeting(100_000, 75_000.0)})
    assert found["a"].value - found["b"].value == pytest.approx(400 * log10(3), abs=0.1)
    assert found["a"].value == pytest.approx(-found["b"].value)


def test_more_games_make_intervals_narrow_and_equal_agents_are_equal() -> None:
    few, many = (
        ratings(("a", "b", "c"), dict.fromkeys([("a", "b"), ("a", "c"), ("b", "c")], Meeting(n, n / 2)))
        for n in (10, 1000)
    )
    assert [round(each.value, 6) for each in few.values()] == [0, 0, 0]
    assert (few["a"].high - few["a"].low) > 9 * (many["a"].high - many["a"].low) > 0


def test_whoever_wins_all_games_has_a_finite_rating() -> None:
    assert 100 < ratings(("a", "b"), {("a", "b"): Meeting(10, 10.0)})["a"].value < 2000


def test_the_command_rates_agents() -> None:
    given = ["tic-tac-toe", "--games", "10", "--agent", "random", "--agent", "mcts:30", "--json"]
    told = CliRunner().invoke(command, given)
    assert told.exit_code == 0, told.output
    data = json.loads(told.stdout)
    assert [each["agent"] for each in data["ratings"]] == ["mcts:30", "random"]
    assert data["meetings"][0]["games"] == 10
    assert CliRunner().invoke(command, ["tic-tac-toe", "--agent", "random"]).exit_code == 2
