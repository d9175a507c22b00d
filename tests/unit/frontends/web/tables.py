"""Rooms and servers for tests: nothing is kept on the disk, nobody moves unless a test says so."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import ruleforge
from ruleforge.frontends.web.server import HERE, Server
from ruleforge.frontends.web.table import WebTable
from ruleforge.frontends.web.table_registry import OfferedGame, SeatKey, TableRegistry
from ruleforge.play.journal import SavedGame
from ruleforge.play.seats.seat_plan import HUMAN, SeatPlan
from ruleforge.play.session import Session


def nowhere(path: str) -> Any:
    raise AssertionError(f"nothing is read from {path}")


def room_of(game: ruleforge.Game, agents: dict[str, str] | None = None, **start: Any) -> WebTable:
    """A table around which people sit, but for these agents."""
    state = game.start(**{"seed": 1, **start})
    kinds = {player: (agents or {}).get(player, HUMAN) for player in state.players}
    return WebTable(Session(state), SeatPlan(kinds, 1), SavedGame(nowhere), print)


class Client:
    """A browser, as far as it sends and gets."""

    def __init__(self, port: int, key: str) -> None:
        self.port, self.key = port, key

    def ask(self, method: str, path: str, sent: object = None, **headers: str) -> tuple[int, str, Any]:
        connection = http.client.HTTPConnection(HERE, self.port, timeout=30)
        body = sent if isinstance(sent, bytes) or sent is None else json.dumps(sent).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, {"Content-Type": "application/json", **named})
        reply = connection.getresponse()
        text = reply.read().decode()
        connection.close()
        return reply.status, text, reply.headers

    def page(self, seen: str = "") -> dict[str, Any]:
        status, text, _ = self.ask("GET", f"/table/{self.key}/page?seen={seen}")
        assert status == 200
        found = json.loads(text)
        assert isinstance(found, dict)
        return found

    def do(self, deed: str, **given: object) -> dict[str, Any]:
        status, text, _ = self.ask("POST", f"/table/{self.key}/{deed}", given)
        assert status == 200, text
        found = json.loads(text)
        assert isinstance(found, dict)
        return found


@contextmanager
def served(
    *rooms: WebTable, offered: dict[str, OfferedGame] | None = None
) -> Iterator[tuple[Server, list[list[SeatKey]]]]:
    """A server with these tables, at any port."""
    house = TableRegistry(lambda order: room_of(ruleforge.load(order.game)), offered or {})
    server = Server(house, 0)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server, [list(house.add(room)) for room in rooms]
    finally:
        house.close()
        server.shutdown()
        server.server_close()
        thread.join()
