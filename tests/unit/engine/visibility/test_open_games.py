"""A game that hides nothing keeps no secrets: its log is the list of its records, and nothing is redacted on the way."""

from __future__ import annotations

import pytest

import ruleforge
from ruleforge.engine.visibility import conditions, control, read_tracking, seat_log, view_diff
from ruleforge.play.narration import Narrator
from ruleforge.play.session import Session

SECRECY = (
    conditions.Visibility,
    control.ControlStack,
    read_tracking.ReadCheck,
    seat_log.SeatLog,
    view_diff.ViewDiff,
)


def refuse(self: object, *given: object) -> None:
    raise AssertionError(f"an open game made a {type(self).__name__}")


@pytest.mark.parametrize("name", ["connect-four", "checkers"])
def test_a_move_passes_no_secrecy_object_on_its_way_to_the_log(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for secrecy in SECRECY:
        monkeypatch.setattr(secrecy, "__init__", refuse)
    session = Session(ruleforge.load(name).start(seed=1))
    narrator = Narrator(session.state.game.info)
    for _ in range(4):
        player = session.state["decision.player"]
        session.apply(session.state.choices[0])
        turn = session.turns[-1]
        events = turn.events
        for seat in (*session.state.players, None):
            assert events.seen_by(seat) == tuple(events) != ()
            assert narrator.step(str(player), turn.log_text_for(seat), events.seen_by(seat))
            assert turn.text_for(seat) == turn.choice.text
