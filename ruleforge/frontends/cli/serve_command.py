"""`ruleforge serve`: tables in a browser, for people on this machine and agents."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

from ruleforge.frontends.cli.arguments import GameType, table_options, with_option
from ruleforge.frontends.cli.game_loader import rules_or_leave, set_up_or_leave
from ruleforge.frontends.cli.game_setup import GameOptions, GameSetup, set_up
from ruleforge.frontends.cli.output import colour_option, leave, say
from ruleforge.frontends.repl.console import read_rules
from ruleforge.frontends.web.server import Server
from ruleforge.frontends.web.table import WebTable
from ruleforge.frontends.web.table_registry import NoTable, OfferedGame, SeatKey, TableRegistry, TableRequest
from ruleforge.play.seats.seat_plan import HUMAN
from ruleforge.support.resources import shipped_games
from ruleforge.support.spelling import as_number
from ruleforge.tools.catalogue import described

PORT = 8642


@click.command("serve")
@click.argument("game", type=GameType(), metavar="[GAME]", required=False)
@with_option
@table_options
@click.option("--ask-all", is_flag=True, help="Ask even if only one choice is possible.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="Port on this machine; 0 takes any free port.",
)
@click.option("--open", "browse", is_flag=True, help="Open the first page in a browser.")
@click.option("--json", "as_json", is_flag=True, help="Print the addresses as one line of JSON for programs.")
@colour_option
def command(game: str | None, port: int, browse: bool, as_json: bool, **given: Any) -> None:
    """Play a game in the browser. Without GAME, a start page offers to open tables.

    Each player has a page with a secret address and sees only their own hidden cards there. Click on a
    component and then on its target, or type an answer. Every choice is saved before it is shown, so
    --resume continues a game that was interrupted. The server listens on this machine only. For a player
    elsewhere, open a tunnel such as `ssh -L 8642:localhost:8642 MACHINE`.

    \b
    Example:
      ruleforge serve my-game --seat 2=mcts:1s
      ruleforge serve
    """
    registry = TableRegistry(_set_up_again, _offered() if game is None else {})
    server = _server(registry, port)
    if game is None:
        answer: dict[str, Any] = {"host": f"{server.address}/host/{registry.host}"}
        first = answer["host"]
    else:
        options = GameOptions(game, **given)
        table = set_up_or_leave(rules_or_leave(game, options.packs), options)
        places = registry.add(_room(table))
        answer, first = _as_json(table, places, server.address), _address(places[0], server.address)
    if as_json:
        say(json.dumps(answer))  # in one line, for it is not the end of what a server does
    else:
        _say(answer)
    if browse:
        click.launch(first)
    try:
        server.serve_forever()
    finally:
        registry.close()
        server.server_close()


def _server(registry: TableRegistry, port: int) -> Server:
    try:
        return Server(registry, port)
    except OSError as error:
        say(f"error: nothing can listen at port {port}: {(error.strerror or str(error)).lower()}", err=True)
        say("  help: --port 0 takes any port that is free", err=True)
        leave(2)


def _room(table: GameSetup) -> WebTable:
    saved_game = table.saved_game(journal=True)
    if saved_game.journal is None:
        say("warning: no journal can be written; an interrupted game is lost", err=True)
    return WebTable(table.session, table.seating, saved_game, lambda words: say(words, err=True))


def _as_json(table: GameSetup, places: Sequence[SeatKey], address: str) -> dict[str, Any]:
    """The players and their addresses; spectators share one more page."""
    room = places[0].room
    found = {place.seat: _address(place, address) for place in places}
    seats = [
        {"player": player, "name": room.name(player), "kind": kind, "address": found.get(player)}
        for player, kind in room.seating.kinds.items()
    ]
    return {"title": room.title, "seed": table.seed, "seats": seats, "look_on": found[None]}


def _say(answer: dict[str, Any]) -> None:
    """The same for people."""
    if "host" in answer:
        say(f"Tables are laid here: {answer['host']}")
    else:
        seed = f", seed {answer['seed']}" if answer["seed"] is not None else ""
        say(f"{answer['title']}{seed}")
        for seat in answer["seats"]:
            say(f"  {seat['name']}: {seat['address'] or seat['kind']}")
        say(f"  to look on: {answer['look_on']}")
    say("Ctrl-C ends.")


def _address(place: SeatKey, address: str) -> str:
    return f"{address}/table/{place.key}"


def _offered() -> dict[str, OfferedGame]:
    """The games that come with RuleForge."""
    found = {}
    for name, path in shipped_games().items():
        words = described(name, path, {})
        packs = tuple(pack["name"] for pack in words["packs"])
        found[name] = OfferedGame(name, words["title"], words["text"], _range(words["players"]), packs)
    return found


def _range(players: str) -> tuple[int, int]:
    least, _, most = players.partition("..")
    return as_number(least) or 1, as_number(most or least) or 1


def _set_up_again(order: TableRequest) -> WebTable:
    """A table as it is asked for on the page of the host. Raises RulesetError, PlayError or NoTable."""
    table = set_up(
        read_rules(order.game, order.packs), GameOptions(order.game, order.packs, players=order.players)
    )
    players = table.session.state.players
    people = {"first": players[:1], "all": players, "none": ()}.get(order.people)
    if people is None:
        raise NoTable("choose the players that are people: `first`, `all` or `none`")
    seating = tuple((player, HUMAN if player in people else order.others) for player in players)
    try:
        return _room(table.seated(seating))
    except click.BadParameter as problem:
        raise NoTable(problem.message) from None
