"""Packs in balance and out of it: a made-up game whose figures are known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.frontends.commands import Command

# Both draw a card and the higher one wins; who takes a boon has one more.
CORE = """
game: {id: duel, title: Duel, version: "1.0", players: 2}
kinds:
  player: {things: [ann, ben], has: {luck: 0..99, more: 0..20}}
flow:
  - {phase: turn, each: me in players, window: one}
  - phase: last
    do: |
      for p in players:
        let rolled = roll 1..10
        p.luck = rolled
      if ann.luck + ann.more > ben.luck + ben.more: finish higher for ann
      if ben.luck + ben.more > ann.luck + ann.more: finish higher for ben
      finish equal
actions:
  wait: {during: turn, do: skip}
endings: {higher: {text: The higher number wins.}, equal: {text: Nobody is higher.}}
"""
PACK = """
pack: {id: PACK, title: PACK, version: "1.0", for: {core: duel, versions: "1.x"}}
RULES
"""
PACKS = {
    "harmless": "actions: {nod: {during: turn, do: skip}}",
    "boons": "actions: {boon: {during: turn, do: me.more = 5}}",
    "first": "rules: {early: {after: start of last, do: ann.more += 4}}",
}


@pytest.fixture
def duel(tmp_path: Path) -> Path:
    (tmp_path / "duel").mkdir()
    (tmp_path / "duel" / "game.yaml").write_text(CORE, encoding="utf-8")
    for name, rules in PACKS.items():
        folder = tmp_path / "duel" / "expansions" / name
        folder.mkdir(parents=True)
        text = PACK.replace("PACK", name).replace("RULES", rules)
        (folder / "pack.yaml").write_text(text, encoding="utf-8")
    return tmp_path / "duel"


def judged(ruleforge_command: Command, duel: Path, pack: str, *more: object) -> tuple[int, dict[str, Any]]:
    done = ruleforge_command("balance", duel, "--with", pack, "--margin", 0.1, "--seed", 1, "--json", *more)
    assert done.err == ""
    return done.code, json.loads(done.out)


def test_a_pack_that_changes_nothing_is_within(ruleforge_command: Command, duel: Path) -> None:
    code, found = judged(ruleforge_command, duel, "harmless")
    assert (code, found["verdict"], found["settled"]) == (0, "within", True)
    assert [figure["name"] for figure in found["figures"]] == ["seat ann", "use"]
    assert all(figure["settled"] for figure in found["figures"])
    assert found["figures"][0]["deals"] < 5000  # it stopped when it knew


def test_a_pack_that_is_worth_taking_is_beyond(ruleforge_command: Command, duel: Path) -> None:
    code, found = judged(ruleforge_command, duel, "boons")
    assert (code, found["verdict"], found["settled"]) == (1, "beyond", True)
    use = found["figures"][1]
    assert use["difference"]["low"] > 0.1  # half of the users take five of ten more
    assert found["figures"][0]["difference"]["low"] < 0 < found["figures"][0]["difference"]["high"]


def test_a_pack_that_helps_a_seat_is_beyond(ruleforge_command: Command, duel: Path) -> None:
    code, found = judged(ruleforge_command, duel, "first")
    assert (code, found["verdict"]) == (1, "beyond")
    (seat,) = found["figures"]  # there is nothing of it that one could leave alone
    assert seat["difference"]["low"] > 0.1
    said = ruleforge_command("balance", duel, "--with", "first", "--margin", 0.1, "--seed", 1)
    assert said.code == 1
    assert said.out.startswith("Duel with first: beyond the margin of 10.0 %\n")
    assert "the packs add no choice that a player could avoid" in said.out


def test_the_answer_depends_on_the_seed_alone(ruleforge_command: Command, duel: Path) -> None:
    answers = []
    for jobs in (1, 2):
        _, found = judged(ruleforge_command, duel, "boons", "--jobs", jobs)
        answers.append({**found, "timing": {}})
    assert answers[0] == answers[1]


def test_what_is_not_settled_says_so(ruleforge_command: Command, duel: Path) -> None:
    done = ruleforge_command("balance", duel, "--with", "harmless", "--games", 50, "--margin", 0.2)
    assert ": probably " in done.out
    assert done.code == 0, "nothing was shown to be too much"
    assert "--games 200" in done.out


def test_what_looks_like_too_much_is_no_failure_before_it_is_sure(
    ruleforge_command: Command, duel: Path
) -> None:
    """Ten deals settle nothing: the estimate alone fails no build, unless somebody wants proof."""
    few = ("balance", duel, "--with", "first", "--games", "10", "--seed", "1", "--json")
    done = ruleforge_command(*few)
    found = json.loads(done.out)
    assert (found["verdict"], found["settled"], done.code) == ("beyond", False, 0)
    assert ruleforge_command(*few, "--strict").code == 1


def test_games_that_do_not_end_say_nothing(ruleforge_command: Command, duel: Path) -> None:
    code, found = judged(ruleforge_command, duel, "boons", "--limit", 1)
    assert (code, found["verdict"], found["settled"]) == (1, "unknown", False)
    assert found["unfinished"] == found["games"]
    assert found["deals"] == 100  # it does not go on and on
    assert "unknown, too few" in ruleforge_command("balance", duel, "--with", "boons", "--limit", 1).out


def test_there_must_be_a_pack(ruleforge_command: Command, duel: Path) -> None:
    done = ruleforge_command("balance", duel)
    assert (done.code, done.err) == (2, "error: there are no packs to compare; add `--with PACK`\n")
    alone = ruleforge_command(
        "balance", duel / "expansions" / "harmless", "--games", 50, "--compare", "seats"
    )
    assert alone.code in (0, 1) and alone.out.startswith("Duel with harmless")
    assert ruleforge_command("balance", duel, "--with", "harmles").code == 1
    assert ruleforge_command("balance", duel, "--with", "harmless", "--agent", "nobody").code == 2


@pytest.mark.parametrize("deals", [1, 7, 50, 60])
def test_no_more_deals_are_played_than_allowed(ruleforge_command: Command, duel: Path, deals: int) -> None:
    _, figures = judged(ruleforge_command, duel, "harmless", "--games", deals)
    assert figures["deals"] == deals and figures["games"] % deals == 0


def test_where_nothing_can_be_compared_nothing_is_in_balance(ruleforge_command: Command, duel: Path) -> None:
    done = ruleforge_command("balance", duel, "--with", "first", "--compare", "use")
    assert done.code == 2
    assert done.err == "error: nothing to compare: the packs add no choice that a player could avoid\n"


# A game that all win or lose: a throw that is high enough; the pack helps by four of ten.
TOGETHER = """
game: {id: vault, title: Vault, version: "1.0", players: "1..2"}
kinds:
  player: {things: [ann, ben]}
  game: {has: {help: 0..9}}
flow:
  - {phase: turn, each: me in players, window: one}
  - phase: last
    do: |
      let rolled = roll 1..10
      if rolled is 5: finish shut
      if rolled + game.help > 5: finish opened for players
      finish caught
actions: {wait: {during: turn, do: skip}}
endings:
  opened: {text: The vault is open.}
  shut: {text: It stays shut.}
  caught: {text: The guards are here., lost: true}
"""


@pytest.mark.parametrize("players", [1, 2])
def test_a_pack_that_makes_a_game_of_all_easier_is_beyond(
    ruleforge_command: Command, tmp_path: Path, players: int
) -> None:
    """Nobody wins what another loses, so it is how often all win that is compared."""
    folder = tmp_path / "vault" / "expansions" / "friend"
    folder.mkdir(parents=True)
    (tmp_path / "vault" / "game.yaml").write_text(TOGETHER, encoding="utf-8")
    rules = "actions: {wink: {during: turn, do: game.help = 4}}"
    text = PACK.replace("PACK", "friend").replace("RULES", rules).replace("duel", "vault")
    (folder / "pack.yaml").write_text(text, encoding="utf-8")
    code, found = judged(ruleforge_command, tmp_path / "vault", "friend", "--players", players)
    assert (code, found["verdict"], found["settled"]) == (1, "beyond", True)
    seats = {f["name"]: f["difference"] for f in found["figures"] if f["name"].startswith("seat ")}
    assert list(seats) == ["seat ann", "seat ben"][:players]
    share = (
        0.5 if players == 1 else 0.75
    )  # of the games in which somebody winks; four throws of ten are better then
    for difference in seats.values():
        assert difference["low"] < share * 0.4 < difference["high"]
    used = [figure["difference"]["value"] for figure in found["figures"] if figure["name"] == "use"]
    assert used == [0.0] * (players - 1)  # whoever used it won with the others
