"""What one player may know of a state, as plain data; built from what is seen, never by taking away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruleforge.backends.api import Row
from ruleforge.compiler.ir import WHO, Program
from ruleforge.engine import paths
from ruleforge.engine.paths import PlacePath, Value
from ruleforge.engine.sight import Sight

if TYPE_CHECKING:
    from ruleforge.engine.choice import Choice
    from ruleforge.engine.state import State

HIDDEN = "?"


def view_of(state: State, viewer: int) -> dict[str, Any]:
    """`attributes` and `places` by path: hidden attributes are absent, hidden things show as `?`."""
    variant, row = state._variant, state._row
    sight = Sight(variant, row)
    return {
        "game": variant.game.id,
        "player": variant.player_names[viewer - 1],
        "players": list(variant.player_names),
        "attributes": {
            path.path: paths.attribute_value(variant.program, row, path)
            for path in variant.paths.attributes
            if sight.attribute(viewer, path.column, path.indices)
        },
        "places": {
            path.path: _shown(variant.program, row, sight, viewer, path) for path in variant.paths.places
        },
        "decision": _decision(state, viewer),
        "outcome": _outcome(state),
    }


def _shown(program: Program, row: Row, sight: Sight, viewer: int, path: PlacePath) -> Value:
    things = paths.content(program, row, path)
    if path.info.sees is None:
        return paths.place_value(program, row, path)
    names = program.kinds[path.info.holds].things
    shown = [names[t] if sight.lying(viewer, path.info, path.indices, t) else HIDDEN for t in things]
    if path.info.form == "single":
        return shown[0] if shown else None
    if path.info.form == "bag":  # where a hidden thing stands among the others would tell which it is
        shown.sort(key=lambda name: name == HIDDEN)
    return shown


def told(before: State, after: State, choice: Choice, viewer: int) -> str:
    """A choice as a player hears of it, without the things they see neither before nor after."""
    variant = before._variant
    if before._row[WHO] == viewer:
        return choice.text
    sights = (Sight(variant, before._row), Sight(variant, after._row))
    wording = variant.wordings[choice.site]
    assert wording is not None
    words = choice.text.split()
    for n, (kind, thing) in enumerate(reversed(wording.things(choice.code)), 1):
        if kind is not None and not any(sight.thing(viewer, kind, thing) for sight in sights):
            words[-n] = HIDDEN
    return " ".join(words)


def _decision(state: State, viewer: int) -> dict[str, object] | None:
    decision = state.decision
    if decision is None:
        return None
    shown: dict[str, object] = {"player": decision.player, "kind": decision.kind, "prompt": decision.prompt}
    if decision.player == state.players[viewer - 1]:
        shown["choices"] = [choice.text for choice in state.choices]
    return shown


def _outcome(state: State) -> dict[str, object] | None:
    outcome = state.outcome
    if outcome is None:
        return None
    return {"reason": outcome.reason, "winners": list(outcome.winners), "scores": dict(outcome.scores)}
