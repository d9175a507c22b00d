"""Convert a session to a record and back. Hashes prove that the positions are the same.

A record for one seat or the public contains its log only. It can be read, but not replayed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from ruleforge.engine.errors import PlayError
from ruleforge.engine.game import Game
from ruleforge.engine.state import State
from ruleforge.play.record import (
    Line,
    Pairs,
    changed_since,
    differs,
    impossible,
    opening_of,
    read_record,
    record_text,
    start_again,
)
from ruleforge.play.session import Session
from ruleforge.support.spelling import as_number

LOG_FORMAT = 1


def record(
    session: Session,
    seed: int | None = None,
    definitions: Mapping[str, str] | None = None,
    seats: Pairs = (),
) -> str:
    """The record of a game so far.

    It includes the seed, a digest of each definition and the seating, if they are known.
    """
    return record_text(opening_of(session.start, seed, definitions, seats), lines_of(session))


def lines_of(session: Session, begin: int = 0) -> list[Line]:
    """The choices of a session from one of its turns on, each with where it led."""
    after = [turn.before for turn in session.turns[begin + 1 :]] + [session.state]
    turns = zip(session.turns[begin:], after, strict=False)
    return [Line(f"do {turn.choice}", state.imprint, turn.player) for turn, state in turns]


def record_for(session: Session, player: str | None) -> str:
    """The JSON text of the log of a player (None: the public): choices and events without hidden parts."""
    game = session.start.game
    entries = (
        (t.player, t.text_for(player), [str(e) for e in t.events.seen_by(player)]) for t in session.turns
    )
    steps = [
        {"player": who, "choice": choice, "events": events}
        for who, choice, events in entries
        if choice or events
    ]
    heading = {"record": LOG_FORMAT, "game": game.id, "version": game.version, "rules": game.digest}
    return json.dumps({**heading, "for": player, "steps": steps})


def replay(game: Game, text: str, definitions: Mapping[str, str] | None = None) -> Iterator[State]:
    """The positions of a record, the first included; RestoreError where they differ from what was recorded."""
    for session in _replayed(game, text, definitions):
        yield session.state.copy()


def session_from_record(game: Game, text: str, definitions: Mapping[str, str] | None = None) -> Session:
    """A session with the whole history of a record."""
    *_, session = _replayed(game, text, definitions)
    return session


def _replayed(game: Game, text: str, definitions: Mapping[str, str] | None) -> Iterator[Session]:
    """The session of a record after each of its lines."""
    found = read_record(text)
    because = changed_since(found.opening, game, definitions)
    session = Session(start_again(game, found.opening), analysis=True)
    if session.state.imprint != found.opening.start:
        raise differs(Line("start", number=1), because)
    yield session
    for line in found.lines:
        try:
            _apply(session, line)
        except PlayError as error:
            raise impossible(line, error.message, because) from None
        if line.imprint and session.state.imprint != line.imprint:
            raise differs(line, because)
        yield session
    session.analysis = False


def _apply(session: Session, line: Line) -> None:
    word, _, rest = line.text.partition(" ")
    steps = as_number(rest) if rest else 1
    match word:
        case "do":
            session.apply(rest)
        case "undo" if steps is not None and 0 < steps <= len(session.turns):
            for _ in range(steps):
                session.undo()
        case _:
            raise PlayError("RF825", "it is a command of the console, not of a game")
