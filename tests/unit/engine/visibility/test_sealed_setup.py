"""A whole set-up that is laid out in secret: others learn neither what is laid where nor how often it was changed."""

from __future__ import annotations

from pathlib import Path

import ruleforge
from ruleforge.play import replay
from ruleforge.play.session import Session

ARMIES = Path(__file__).resolve().parents[3] / "rulesets" / "armies"
SHORT = ("lay una_scout a1", "lay una_guard b1", "finish_army")
LONG = (
    "lay una_guard a1",
    "lay una_scout a1",
    "lay una_guard c2",
    "lay una_scout b2",
    "lay una_guard a1",
    "finish_army",
)


def test_others_cannot_tell_one_way_to_lay_out_an_army_from_another():
    game = ruleforge.load(ARMIES)
    told = []
    for texts in (SHORT, LONG):
        session = Session(game.start(seed=1))
        for text in texts:
            session.apply(text)
        told.append((session.state.view("vic"), session.state.view(None), *_records(session)))
    assert told[0] == told[1]


def _records(session):
    return (
        replay.record_for(session, "vic"),
        replay.record_for(session, None),
        [str(event) for turn in session.turns for event in turn.events.seen_by("vic")],
    )
