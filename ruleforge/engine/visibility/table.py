"""`look` builds the observation (`Table`) of one seat from the information that it may see."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ruleforge.backends.artifacts.info import BoardInfo
from ruleforge.engine import paths
from ruleforge.engine.paths import AttributePath, FormulaPath, PlacePath
from ruleforge.engine.presentation.observation import (
    HIDDEN,
    Outcome,
    SeenBoard,
    SeenCell,
    SeenChoice,
    SeenDecision,
    SeenPart,
    SeenPlace,
    SeenThing,
    SeenValue,
    Table,
    Value,
)
from ruleforge.engine.visibility.clues import Clues
from ruleforge.engine.visibility.conditions import EVERYTHING, PUBLIC, Visibility

if TYPE_CHECKING:
    from ruleforge.engine.base_state import BaseState
    from ruleforge.engine.choice import Choice


def look(state: BaseState, viewer: int) -> Table:
    """The observation of a viewer: a player by number, PUBLIC or EVERYTHING.

    Hidden attributes, those of hidden things and things of a pool that are not in the game are absent.
    """
    looking = _Looking(state, viewer)
    values, places = looking.values(), looking.places()
    return Table(
        state._variant.info.id,
        state.players[viewer - 1] if viewer not in (PUBLIC, EVERYTHING) else None,
        state.players,
        values,
        places,
        tuple(_board(info, values, places) for info in state._variant.info.boards),
        _decision(state, viewer),
        state.outcome,
    )


class _Looking:
    def __init__(self, state: BaseState, viewer: int) -> None:
        self._variant, self._viewer = state._variant, viewer
        self._visible = Visibility(self._variant, state._row)
        self._row, self._start = self._visible.row, self._variant.program.start
        self._known: dict[tuple[int, int], bool] = {}

    def values(self) -> tuple[SeenValue, ...]:
        """Attributes, then shown formulas that are not called like one."""
        known = self._variant.paths
        found: dict[str, SeenValue] = {}
        for path, things in self._variant.shown:
            if path.path not in found and self._may_know(things) and self._may_see(path):
                found[path.path] = SeenValue(known.subject(path), self._variant.value(self._row, path))
        return tuple(found.values())

    def places(self) -> tuple[SeenPlace, ...]:
        known, kinds = self._variant.paths, self._variant.program.kinds
        return tuple(
            SeenPlace(
                known.subject(path),
                self._content(path),
                path.info.form == "single",
                kinds[path.info.holds].name,
                path.info.form == "list",
            )
            for path in known.places
            if self._visible.exist(paths.kinds_of(path), path.indices)
        )

    def _may_know(self, things: tuple[tuple[int, int], ...]) -> bool:
        """Whether all these are in the game, and the viewer may know them."""
        for one in things:
            known = self._known.get(one)
            if known is None:
                kind, thing = one
                in_game = self._visible.exist((kind,), (thing,))
                known = self._known[one] = in_game and self._visible.thing(self._viewer, kind, thing)
            if not known:
                return False
        return True

    def _may_see(self, path: AttributePath | FormulaPath) -> bool:
        if isinstance(path, FormulaPath):
            return self._visible.formula(self._viewer, path.info, path.indices)
        if path.info.base in self._variant.visibility.shown_columns:
            return False
        if path.info.parts and not self._changed(path):  # nothing was told
            return False
        return self._visible.attribute(self._viewer, path.column, path.indices)

    def _content(self, path: PlacePath) -> tuple[SeenThing, ...]:
        names = self._variant.program.kinds[path.info.holds].things
        things = [
            SeenThing(names[thing])
            if self._visible.in_place(self._viewer, path.info, path.indices, thing)
            else SeenThing(None, self._marks(path.info.holds, thing))
            for thing in paths.content(self._variant.program, self._row, path)
        ]
        if path.info.form == "bag" and path.info.sees is not None:
            things.sort(key=_by_look)  # where a hidden thing stands among the others would tell which it is
        return tuple(things)

    def _marks(self, kind: int, thing: int) -> tuple[tuple[str, Value], ...]:
        """The visible facts of a hidden thing: attributes changed since the start, and disclosed values."""
        program = self._variant.program
        parts = Clues(program, self._row, self._viewer, kind)
        attributes = (
            (path.tail, paths.attribute_value(program, self._row, path))
            for path in self._variant.paths.of_thing(kind, thing)
            if not path.info.parts
            and self._changed(path)
            and self._may_see(path)
            and self._names_others(path)
        )
        return (*attributes, *parts.disclosed(program, thing))

    def _changed(self, path: AttributePath) -> bool:
        here = range(path.slot, path.slot + path.info.words)
        return any(self._row[word] != self._start[word] for word in here)

    def _names_others(self, path: AttributePath) -> bool:
        """Whether the viewer may know the things a path names beside its owner."""
        others = zip(path.info.per, path.indices[1:], strict=True)
        return all(self._visible.thing(self._viewer, kind, thing) for kind, thing in others)


def _by_look(thing: SeenThing) -> tuple[bool, bool, str]:
    """Things seen keep their order; hidden ones come last, in an order that tells nothing."""
    return thing.hidden, bool(thing.marks), json.dumps(dict(thing.marks), sort_keys=True)


def _board(info: BoardInfo, values: tuple[SeenValue, ...], places: tuple[SeenPlace, ...]) -> SeenBoard:
    """The known contents of each cell; values for further things (`per`) are not on the board."""
    of: dict[str, tuple[list[SeenValue], list[SeenPlace]]] = {name: ([], []) for name in info.names}
    for value in values:
        if value.of.kind == info.kind and not value.of.index:
            of[value.of.thing][0].append(value)
    for place in places:
        if place.of.kind == info.kind and not place.of.index:
            of[place.of.thing][1].append(place)
    cells = ((name, *found) for name, found in of.items() if any(found))
    return SeenBoard(info, tuple(SeenCell(name, tuple(v), tuple(p)) for name, v, p in cells))


def _decision(state: BaseState, viewer: int) -> SeenDecision | None:
    decision = state.decision
    if decision is None:
        return None
    visible = Visibility(state._variant, state._row)
    offers = tuple(_offer(state, c) for c in state.choices) if visible.decides(viewer) else None
    if offers is None and not visible.answer(viewer):  # what is asked would tell what was chosen
        return SeenDecision(decision.player, None, None, None)
    return SeenDecision(decision.player, decision.kind, decision.prompt, offers)


def _offer(state: BaseState, choice: Choice) -> SeenChoice:
    """A choice in words; what the chooser cannot see is called by where it lies."""
    program = state._variant.program
    parts = program.sites[choice.site].option(choice._code).parts
    names = choice.arguments
    seen = tuple(
        SeenPart("" if part.kind is None else program.kinds[part.kind].name, name, part.name, part.member)
        for part, name in zip(parts, names, strict=True)
    )
    words = choice.text.split()
    word = " ".join(words[: len(words) - len(names)])
    return SeenChoice(choice.text, word, choice.action, seen)


# --- as plain data ---


def plain(table: Table) -> dict[str, Any]:
    """`attributes` and `places` by path; a hidden thing is `?`, with marks on it `{"?": {name: value}}`."""
    return {
        "game": table.game,
        "player": table.seat,
        "players": list(table.players),
        "attributes": {seen.of.path: seen.value for seen in table.values},
        "places": {seen.of.path: _plain_content(seen) for seen in table.places},
        "decision": _plain_decision(table.decision),
        "outcome": _plain_outcome(table.outcome),
    }


def _plain_content(place: SeenPlace) -> Any:
    things = [_plain_thing(thing) for thing in place.things]
    if place.single:
        return things[0] if things else None
    return things


def _plain_thing(thing: SeenThing) -> Any:
    if thing.name is not None:
        return thing.name
    return {HIDDEN: dict(thing.marks)} if thing.marks else HIDDEN


def _plain_decision(seen: SeenDecision | None) -> dict[str, object] | None:
    if seen is None:
        return None
    parts: dict[str, object] = {
        "player": seen.player,
        "kind": HIDDEN if seen.kind is None else seen.kind,
        "prompt": HIDDEN if seen.prompt is None else seen.prompt,
    }
    return parts if seen.choices is None else {**parts, "choices": list(seen.choices)}


def _plain_outcome(outcome: Outcome | None) -> dict[str, object] | None:
    if outcome is None:
        return None
    plain: dict[str, object] = {"reason": outcome.reason, "winners": list(outcome.winners)}
    return {**plain, **({"lost": True} if outcome.lost else {}), "scores": dict(outcome.scores)}
