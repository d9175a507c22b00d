"""`ruleforge mcp`, asked by the client of the protocol's own library."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from ruleforge.frontends.cli.mcp_command import opening
from ruleforge.frontends.mcp.server import MOST_GAMES, make_server

SCRIPT = "from ruleforge.frontends.cli.main import main; main()"


def called(
    *calls: tuple[str, dict[str, Any]], games: tuple[str, ...] = ("connect-four", "nim", "tic-tac-toe")
) -> list[tuple[bool, str]]:
    """Whether each call is an error, and its text."""

    async def ask() -> list[tuple[bool, str]]:
        async with Client(make_server(games, opening(()))) as client:
            found = [await client.call_tool(name, arguments) for name, arguments in calls]
        return [(bool(each.is_error), each.content[0].text) for each in found]  # type: ignore[union-attr]

    return asyncio.run(ask())


def test_a_client_plays_over_standard_input_and_output() -> None:
    async def play() -> tuple[list[str], str]:
        program = StdioServerParameters(command=sys.executable, args=["-c", SCRIPT, "mcp", "connect-four"])
        async with Client(program) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            shown = await client.call_tool("new_game", {"game": "connect-four", "seed": 3})
            for _ in range(30):
                last = shown.content[0].text  # type: ignore[union-attr]
                if "You can choose:" not in last:
                    break
                choice = last.rpartition("You can choose:\n")[2].strip().split(", ")[0]
                shown = await client.call_tool("choose", {"game_id": "1", "choice": choice})
        return tools, last

    tools, last = asyncio.run(play())
    assert tools == ["list_games", "new_game", "look", "choose", "why_not", "rules", "log"]
    assert "Scores: " in last


def test_a_refusal_has_its_reason() -> None:
    begun, refused, why, fine = called(
        ("new_game", {"game": "connect-four", "seed": 3}),
        ("choose", {"game_id": "1", "choice": "drop z"}),
        ("why_not", {"game_id": "1", "choice": "drop z"}),
        ("why_not", {"game_id": "1", "choice": "drop a"}),
    )
    assert "You are red." in begun[1]
    assert refused[1].startswith("Refused:\nThere is no column z.")
    assert (why[1], fine[1]) == ("There is no column z.", "It is possible.")


def test_the_log_and_the_rules_are_told() -> None:
    *_, log, rules = called(
        ("new_game", {"game": "connect-four", "seed": 3}),
        ("choose", {"game_id": "1", "choice": "drop a"}),
        ("log", {"game_id": "1"}),
        ("rules", {"game_id": "1", "about": "line"}),
    )
    assert log[1].startswith("Red drops a disc into column a.")
    assert "four in a row" in rules[1]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (("look", {"game_id": "7"}), "there is no game 7"),
        (("new_game", {"game": "/etc/passwd"}), "there is no game `/etc/passwd`"),
        (("new_game", {"game": "nim", "opponents": "command:true"}), "there is no agent `command:true`"),
        (("new_game", {"game": "nim", "opponents": "remote:4001"}), "there is no agent `remote:4001`"),
        (("new_game", {"game": "nim", "seat": "nobody"}), "there is no player `nobody`"),
        (("new_game", {"game": "nim", "players": 40}), "players"),
    ],
)
def test_a_mistake_is_told_in_a_sentence(call: tuple[str, dict[str, Any]], sentence: str) -> None:
    ((wrong, text),) = called(call)
    assert wrong and sentence in text and "Traceback" not in text


def test_only_offered_games_are_played() -> None:
    offered, refused = called(("list_games", {}), ("new_game", {"game": "chess"}), games=("nim",))
    assert offered == (False, "nim")
    assert refused[0]


def test_an_old_game_makes_room_for_a_new_one() -> None:
    begin = ("new_game", {"game": "tic-tac-toe", "seed": 1})
    *_, first, second = called(
        *[begin] * (MOST_GAMES + 1), ("look", {"game_id": "1"}), ("look", {"game_id": "2"})
    )
    assert first[0] and not second[0]
