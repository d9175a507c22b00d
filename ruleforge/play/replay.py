"""A session <-> a record: the choices in words, and the digests that prove the same states come out.

A record for one seat, or for the public, holds what was told there; it can be read, not replayed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import PlayError, RestoreError
from ruleforge.engine.game import Game
from ruleforge.engine.state import State
from ruleforge.play.session import Session

FORMAT = 1


def record(session: Session) -> str:
    """JSON text: the first state, then every choice with the digest of the state it led to."""
    after = [turn.before for turn in session.turns[1:]] + [session.state]
    steps = [
        {"player": turn.player, "choice": str(turn.choice), "digest": state.digest}
        for turn, state in zip(session.turns, after, strict=False)
    ]
    return json.dumps({"record": FORMAT, "start": json.loads(session.start.save()), "steps": steps})


def record_for(session: Session, player: str | None) -> str:
    """JSON text of what a player (None: the public) was told: choices and events as they may know them."""
    game = session.start.game
    told = ((t.player, t.told_to(player), [str(e) for e in t.events.seen_by(player)]) for t in session.turns)
    steps = [
        {"player": who, "choice": choice, "events": events}
        for who, choice, events in told
        if choice or events
    ]
    heading = {"record": FORMAT, "game": game.id, "version": game.version, "rules": game.digest}
    return json.dumps({**heading, "for": player, "steps": steps})


def replay(game: Game, text: str) -> Iterator[State]:
    """The states of a record, the first included; RestoreError where they differ from what was recorded."""
    start, steps = _read(text)
    state = game.restore(json.dumps(start))
    yield state.copy()
    for number, step in enumerate(steps, 1):
        try:
            state.apply(_exactly(state, step["choice"]))
        except PlayError as error:
            raise RestoreError("RF825", f"step {number} of the record is not possible: {error}") from None
        if state.digest != step["digest"]:
            raise RestoreError(
                "RF825", f"step {number} of the record, `{step['choice']}`, leads to another state"
            )
        yield state.copy()


def session_from_record(game: Game, text: str) -> Session:
    """A session with the whole history of a record."""
    states = replay(game, text)
    session = Session(next(states))
    for step, _ in zip(_read(text)[1], states, strict=True):
        session.apply(_exactly(session.state, step["choice"]))
    return session


def _exactly(state: State, text: str) -> Choice | str:
    """The choice that was recorded; a text alone would also answer what it leaves unsaid."""
    return next((choice for choice in state.choices if choice.text == text), text)


def _read(text: str) -> tuple[object, list[dict[str, str]]]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise RestoreError("RF820", "this is not a record of a game: it is not JSON") from None
    if not isinstance(data, dict) or data.get("record") != FORMAT or not isinstance(data.get("steps"), list):
        raise RestoreError("RF820", "this is not a record of a game")
    for step in data["steps"]:
        if not isinstance(step, dict) or not all(
            isinstance(step.get(key), str) for key in ("choice", "digest")
        ):
            raise RestoreError("RF820", "a step of the record has no choice or digest")
    return data.get("start"), data["steps"]
