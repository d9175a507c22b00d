"""Table -> plain data that JSON can hold: what `state.view` gives."""

from __future__ import annotations

from typing import Any

from ruleforge.present.seen import HIDDEN, Outcome, SeenDecision, SeenPlace, SeenThing, Table


def plain(table: Table) -> dict[str, Any]:
    """`attributes` and `places` by path; a hidden thing is `?`, with marks on it `{"?": {name: value}}`."""
    return {
        "game": table.game,
        "player": table.seat,
        "players": list(table.players),
        "attributes": {seen.of.path: seen.value for seen in table.values},
        "places": {seen.of.path: _content(seen) for seen in table.places},
        "decision": _decision(table.decision),
        "outcome": _outcome(table.outcome),
    }


def _content(place: SeenPlace) -> Any:
    things = [_thing(thing) for thing in place.things]
    if place.single:
        return things[0] if things else None
    return things


def _thing(thing: SeenThing) -> Any:
    if thing.name is not None:
        return thing.name
    return {HIDDEN: dict(thing.marks)} if thing.marks else HIDDEN


def _decision(seen: SeenDecision | None) -> dict[str, object] | None:
    if seen is None:
        return None
    told: dict[str, object] = {
        "player": seen.player,
        "kind": HIDDEN if seen.kind is None else seen.kind,
        "prompt": HIDDEN if seen.prompt is None else seen.prompt,
    }
    return told if seen.choices is None else {**told, "choices": list(seen.choices)}


def _outcome(outcome: Outcome | None) -> dict[str, object] | None:
    if outcome is None:
        return None
    plain: dict[str, object] = {"reason": outcome.reason, "winners": list(outcome.winners)}
    return {**plain, **({"lost": True} if outcome.lost else {}), "scores": dict(outcome.scores)}
