"""The tables of a server by secret keys; the key of a seat opens only its page."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence

from ruleforge.frontends.web.table import Seat, WebTable
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import listed

MOST_TABLES = 50
KEY = 18  # bytes
Opener = Callable[["TableRequest"], WebTable]


class NoTable(Exception):
    """A table that cannot be opened, with the reason."""


@dataclass(frozen=True, slots=True)
class TableRequest:
    """A request for a table: game, packs, number of players, agents."""

    game: str
    packs: tuple[str, ...] = ()
    players: int | None = None
    people: str = "first"  # the first seat, all of them, or none
    others: str = "random"


@dataclass(frozen=True, slots=True)
class OfferedGame:
    """A game on the start page: name, title, text, numbers of players, packs."""

    name: str
    title: str
    text: str
    players: tuple[int, int]
    packs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatKey:
    """A seat of a room, behind a key."""

    key: str
    room: WebTable
    seat: Seat


class TableRegistry:
    """All tables of one server; `host` is the key of the start page."""

    def __init__(self, opener: Opener, offered: Mapping[str, OfferedGame]) -> None:
        self.host = secrets.token_urlsafe(KEY)
        self.offered = offered
        self._opener = opener
        self._places: dict[str, SeatKey] = {}
        self._rooms: list[WebTable] = []
        self._lock = threading.Lock()

    def lay(self, order: TableRequest) -> Sequence[SeatKey]:
        """A new table; raises NoTable, PlayError or RulesetError if there can be none."""
        if order.game not in self.offered:
            raise NoTable(f"there is no game `{order.game}` here")
        unknown = [pack for pack in order.packs if pack not in self.offered[order.game].packs]
        if unknown:
            raise NoTable(f"the game has no pack {listed(unknown)}")
        self._must_have_room()
        return self.add(self._opener(order))

    def _must_have_room(self) -> None:
        """Before a table is laid, for it opens files."""
        if len(self._rooms) >= MOST_TABLES:
            raise NoTable(f"there are {MOST_TABLES} tables already")

    def add(self, room: WebTable) -> Sequence[SeatKey]:
        """Keys for the seats of people and for all who look on; the room begins to play."""
        places = [SeatKey(secrets.token_urlsafe(KEY), room, seat) for seat in (*room.seating.people, None)]
        with self._lock:
            self._must_have_room()
            self._rooms.append(room)
            self._places |= {place.key: place for place in places}
        threading.Thread(target=room.run, daemon=True).start()
        return places

    def place(self, key: str) -> SeatKey | None:
        return self._places.get(key)

    @property
    def tables(self) -> Sequence[Sequence[SeatKey]]:
        """The places of each table, the latest first."""
        with self._lock:
            return [[p for p in self._places.values() if p.room is room] for room in reversed(self._rooms)]

    def close(self) -> None:
        for room in self._rooms:
            room.close()
