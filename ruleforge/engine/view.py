"""What one player may know of a state, as plain data; built from what is seen, never by taking away."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ruleforge.compiler.ir import WHO
from ruleforge.engine import paths
from ruleforge.engine.paths import AttributePath, PlacePath
from ruleforge.engine.sight import Sight

if TYPE_CHECKING:
    from ruleforge.engine.choice import Choice
    from ruleforge.engine.state import State

HIDDEN = "?"


def view_of(state: State, viewer: int) -> dict[str, Any]:
    """`attributes` and `places` by path.

    Hidden attributes and those of hidden things are absent. A hidden thing shows as `?` where it lies, with its
    attributes that may be seen and have changed as `{"?": {name: value}}`.
    """
    variant = state._variant
    looking = _Looking(state, viewer)
    return {
        "game": variant.game.id,
        "player": variant.player_names[viewer - 1],
        "players": list(variant.player_names),
        "attributes": looking.attributes(),
        "places": {path.path: looking.content(path) for path in variant.paths.places if looking.exists(path)},
        "decision": _decision(state, viewer),
        "outcome": _outcome(state),
    }


def existing_paths(state: State) -> Iterator[str]:
    """The paths of all that exists now."""
    known = state._variant.paths
    sight = Sight(state._variant, state._row)
    everything: tuple[paths.Path, ...] = (*known.attributes, *known.places, *known.shown)
    for path in everything:
        if sight.exist(paths.kinds_of(path), path.indices):
            yield path.path


class _Looking:
    """One player looks at one state."""

    def __init__(self, state: State, viewer: int) -> None:
        self._variant, self._row, self._viewer = state._variant, state._row, viewer
        self._sight = Sight(self._variant, self._row)

    def attributes(self) -> dict[str, Any]:
        known = self._variant.paths
        found = {
            path.path: paths.attribute_value(self._variant.program, self._row, path)
            for path in known.attributes
            if self._may_see(path) and self._names(path)
        }
        for shown in known.shown:
            if self._names(shown) and self._sight.formula(self._viewer, shown.info, shown.indices):
                found.setdefault(shown.path, self._variant.value(self._row, shown))
        return found

    def exists(self, path: paths.Path) -> bool:
        return self._sight.exist(paths.kinds_of(path), path.indices)

    def _names(self, path: paths.Path) -> bool:
        """Whether the player may know the things that a path names."""
        kinds = paths.kinds_of(path)
        return self._sight.exist(kinds, path.indices) and all(
            self._sight.thing(self._viewer, kind, thing)
            for kind, thing in zip(kinds, path.indices, strict=True)
        )

    def _may_see(self, path: AttributePath) -> bool:
        if path.info.base in self._variant.knowledge:
            return False
        return self._sight.attribute(self._viewer, path.column, path.indices)

    def content(self, path: PlacePath) -> Any:
        program = self._variant.program
        things = paths.content(program, self._row, path)
        names = program.kinds[path.info.holds].things
        shown = [
            names[thing]
            if self._sight.lying(self._viewer, path.info, path.indices, thing)
            else self._anonymous(path.info.holds, thing)
            for thing in things
        ]
        if path.info.form == "single":
            return shown[0] if shown else None
        if path.info.form == "bag" and path.info.sees is not None:
            shown.sort(key=_by_look)  # where a hidden thing stands among the others would tell which it is
        return shown

    def _anonymous(self, kind: int, thing: int) -> Any:
        """A hidden thing: nothing but what is openly marked on it."""
        program = self._variant.program
        marks = {}
        for path in self._variant.paths.of_thing(kind, thing):
            width = path.info.words
            changed = list(self._row[path.slot : path.slot + width]) != list(
                program.start[path.slot : path.slot + width]
            )
            others = zip(path.info.per, path.indices[1:], strict=True)
            if (
                changed
                and self._may_see(path)
                and all(self._sight.thing(self._viewer, kind, thing) for kind, thing in others)
            ):
                marks[path.tail] = paths.attribute_value(program, self._row, path)
        return {HIDDEN: marks} if marks else HIDDEN


def _by_look(entry: Any) -> tuple[bool, str]:
    """Things seen keep their order; hidden ones come last, in an order that tells nothing."""
    hidden = entry == HIDDEN or isinstance(entry, dict)
    return hidden, json.dumps(entry, sort_keys=True) if hidden else ""


def told(before: State, after: State, choice: Choice, viewer: int) -> str:
    """A choice as a player hears of it, without the things they see neither before nor after."""
    variant = before._variant
    if before._row[WHO] == viewer:
        return choice.text
    sights = (Sight(variant, before._row), Sight(variant, after._row))
    if not sights[0].answer(viewer, choice.code):
        return HIDDEN
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
    if decision.player == state.players[viewer - 1]:
        texts = [choice.text for choice in state.choices]
        return {
            "player": decision.player,
            "kind": decision.kind,
            "prompt": decision.prompt,
            "choices": texts,
        }
    if not Sight(state._variant, state._row).answer(viewer):  # what is asked would tell what was chosen
        return {"player": decision.player, "kind": HIDDEN, "prompt": HIDDEN}
    return {"player": decision.player, "kind": decision.kind, "prompt": decision.prompt}


def _outcome(state: State) -> dict[str, object] | None:
    outcome = state.outcome
    if outcome is None:
        return None
    return {"reason": outcome.reason, "winners": list(outcome.winners), "scores": dict(outcome.scores)}
