"""`ruleforge mcp`: games as tools for language models."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from ruleforge.frontends.cli.game_setup import GameOptions, set_up
from ruleforge.frontends.cli.output import leave, say
from ruleforge.frontends.repl.console import read_rules
from ruleforge.play.seats.seat_plan import SeatPlan
from ruleforge.play.session import Session
from ruleforge.support.resources import shipped_games

if TYPE_CHECKING:
    from ruleforge.frontends.mcp.server import Opening

MISSING = 'the MCP server is an extra; install it with: pip install "ruleforge[mcp]"'


@click.command("mcp")
@click.argument("games", nargs=-1)
@click.option("--with", "packs", multiple=True, metavar="PACK", help="Add a pack of the games (repeatable).")
def command(games: tuple[str, ...], packs: tuple[str, ...]) -> None:
    """Let a language model play GAMES, or any shipped game, over the Model Context Protocol.

    A client, such as a desktop assistant, starts this command and talks to it over standard input and
    output. The model gets the tools list_games, new_game, look, choose, why_not, rules and log. It holds
    one seat and sees only what that seat may know.

    \b
    Example:
      ruleforge mcp my-game --with my-pack
    """
    if find_spec("mcp") is None:
        say(f"error: {MISSING}", err=True)
        leave(2)
    from ruleforge.frontends.mcp.server import make_server

    make_server(games or tuple(sorted(shipped_games())), opening(packs)).run("stdio")


def opening(packs: tuple[str, ...]) -> Opening:
    """Begins games with these packs; each game is read once."""
    read = cache(lambda game: read_rules(game, packs))

    def begin(game: str, seed: int | None, players: int | None) -> tuple[Session, SeatPlan]:
        setup = set_up(read(game), GameOptions(game, players=players, seed=seed))
        return setup.session, setup.seating

    return begin
