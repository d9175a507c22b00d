"""The saved form of a game at a table: its seed, its definitions, its journal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from ruleforge.play.journal import Journal
from ruleforge.play.record import Pairs
from ruleforge.play.replay import record
from ruleforge.play.session import Session
from ruleforge.support.records import dataclass

Opened = tuple[Session, int | None]


@dataclass(frozen=True, slots=True)
class SavedGame:
    """The seed a game began with (None: a saved position), its definitions, its journal if any."""

    resumed: Callable[[str], Opened]  # a game from a file, and its seed if that is known
    seed: int | None = None
    definitions: Mapping[str, str] = field(default_factory=dict)
    journal: Journal | None = None
    seats: Pairs = ()

    def follow(self, session: Session) -> None:
        if self.journal is not None:
            self.journal.follow(session)

    def record(self, session: Session) -> str:
        return record(session, self.seed, self.definitions, self.seats)
