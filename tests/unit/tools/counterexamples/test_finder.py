"""What a verdict says of play can be played: a scenario is found for every sort of fault, and it passes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from ruleforge import judge
from ruleforge.frontends.cli.check_expansion_command import _holds
from ruleforge.tools.counterexamples.finder import MONITORS, can_be_shown, counterexamples
from tests.test_contract_cases import PACKS
from tests.unit.contracts.mill import pack
from tests.unit.contracts.test_verdicts import BROKEN, RULE
from tests.unit.frontends.commands import Command

# What the mill cannot show: a window with nothing in it is not opened, and of two tools everybody knows where both are.
UNSEEN = ("denied for good", "denied every turn", "dearer for good", "chosen from what is hidden")
PLAYED = {
    name: text for name, (code, _, _, text) in BROKEN.items() if code in MONITORS and name not in UNSEEN
}
PLAYED |= {
    "a loop of two": "rules:\n  one: {after: 'earn(p, k)', do: 'reap(p, 1)'}\n"
    "  two: {after: 'reap(p, k)', do: 'earn(p, 1)'}\n",
    "a loop that asks": RULE.format("after: 'earn(p, k)', may: true, who: p, do: 'earn(p, 1)'"),
    "paid in what is bought with grain": "kinds:\n  player: {has: {chips: 0..9}}\nactions:\n"
    "  buy: {during: noon, limit: once per turn, cost: me.grain -= 2, do: me.chips += 1}\n"
    "  sell: {during: noon, limit: once per turn, cost: me.chips -= 1, do: 'earn(me, 1)'}\n",
}


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.mark.parametrize("name", PLAYED)
def test_a_line_of_play_is_found_and_passes(name: str, tmp_path: Path):
    found_for(pack(tmp_path, PLAYED[name]))


def test_a_denial_is_played_against_the_core_alone():
    """The action is taken in two windows in a row and comes to nothing; in the core it does something."""
    found_for(PACKS / "soul-gems" / "k-6-r2-b")


def test_a_secret_is_shown_by_two_positions_that_look_alike():
    found_for(PACKS / "primordial-orbs" / "mind-reader")


def test_a_loop_that_leaves_a_range_before_the_chain_is_too_long_is_shown():
    """What goes up by one leaves a range of 198 in one choice: it went up many times."""
    found_for(PACKS / "splicers" / "echo-bat")


def found_for(folder: Path) -> None:
    faults = [fault for fault in judge(folder).faults if can_be_shown(fault)]
    assert faults
    for found in counterexamples(folder, faults, (), _holds):
        assert found.scenario is not None, found.fault.why
        told = yaml.safe_load(found.scenario)
        assert told["cites"] == list(found.fault.clauses)
        assert told["with"] == [folder.name]
        assert any(step.keys() & {"expect", "refuse", "sees"} for step in told["steps"])


def test_the_command_writes_what_the_test_command_passes(tmp_path: Path, command: Command):
    folder, file = pack(tmp_path, PLAYED["a loop of two"]), tmp_path / "line.yaml"
    told = command("check-expansion", folder, "--counterexample", file)
    assert told.code == 1
    assert f"line of play: ruleforge test {file} --with {folder}" in told.out
    assert command("test", file, "--with", folder).out.endswith("1 passed\n")
    assert json.loads(command("check-expansion", folder, "--json").out)["faults"][0]["counterexample"] is None
    assert "line of play: ruleforge check-expansion" in command("check-expansion", folder).out


def test_nothing_is_written_where_nothing_takes_a_line_of_play(tmp_path: Path, command: Command):
    folder, file = pack(tmp_path, "numbers: {bonus: 9}"), tmp_path / "line.yaml"
    assert "nothing was written" in command("check-expansion", folder, "--counterexample", file).out
    assert not file.exists()


def test_a_folder_that_is_not_there_is_said_before_anything_is_played(tmp_path: Path, command: Command):
    folder = pack(tmp_path, PLAYED["a loop of two"])
    told = command("check-expansion", folder, "--counterexample", tmp_path / "nowhere" / "line.yaml")
    assert told.code == 2
    assert "there is no folder" in told.err
