"""`patched` makes a state with values written by path: scenarios set positions up with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ruleforge.backends.api import words
from ruleforge.backends.artifacts.setup import BEGIN
from ruleforge.backends.faults import Trapped
from ruleforge.compiler.ir import OUTCOME
from ruleforge.compiler.ir.header import HEADER, RNG_A, RNG_B
from ruleforge.engine import paths
from ruleforge.engine.errors import PathError
from ruleforge.engine.evaluate import kind_of_members
from ruleforge.engine.presentation.observation import Value
from ruleforge.support.spelling import several

if TYPE_CHECKING:
    from ruleforge.backends.artifacts.setup import Beginning
    from ruleforge.engine.state import State
    from ruleforge.engine.variant import Variant


def differing(state: State, other: State) -> dict[str, Value]:
    """The values to write into a state so that all its stored values equal those of another state."""
    mine, theirs = state._variant, other._variant
    found = {}
    for here, there in zip(_stored(mine), _stored(theirs), strict=True):
        value = paths.read(theirs.program, other._row, there)
        if paths.read(mine.program, state._row, here) != value:
            found[here.path] = value
    return found


def _stored(variant: Variant) -> tuple[paths.Stored, ...]:
    known = variant.visibility.shown_columns
    attributes = (path for path in variant.paths.attributes if path.info.base not in known)
    return (*variant.paths.places, *attributes)


def patched(state: State, values: Mapping[str, object]) -> State:
    """A copy of the state with the values written, its choices listed anew."""
    variant = state._variant
    row = [*state._row[: variant.program.row_size]]
    for path, value in values.items():
        try:
            for found in _found(state, path):
                paths.write(variant.program, row, found, value)
        except PathError as error:
            error.path = path
            raise
    attached = variant.runtime.attach(row)
    try:
        choices = variant.runtime.listing(attached)
    except Trapped as trapped:
        raise variant.refusal(trapped) from None
    if not choices and not row[OUTCOME]:
        raise PathError("RF832", "with these values the waiting decision has no choice")
    return state.copy()._put(attached, choices)


def begun(state: State, values: Mapping[str, object], begin: Beginning) -> State:
    """A state with the values written, in which nothing is under way and the flow begins with a phase."""
    old, game = state._variant, state.game
    setup = old.setup
    fresh = game.start(setup.players, 0, dict(setup.options), setup.chance, begin)
    while fresh.decision is not None and fresh.decision.is_chance:  # of a set-up that is written over
        fresh.apply(fresh.choices[0])
    program = fresh._variant.program
    row = words(fresh._row, program)
    common = min(program.stack, old.program.stack)
    row[HEADER:common] = words(state._row, old.program)[HEADER:common]
    row[RNG_A], row[RNG_B] = state._row[RNG_A], state._row[RNG_B]
    attached = fresh._variant.runtime.attach(row)
    again = patched(fresh.copy()._put(attached, fresh._variant.runtime.listing(attached)), values)
    again.apply(BEGIN)
    return again


def _found(state: State, path: str) -> list[paths.Stored]:
    """The stored values behind a path: one thing's, or those of many things at once."""
    if path.startswith(("decision.", "outcome.")):
        raise PathError("RF831", f"`{path}` is read-only")
    known = state._variant.paths
    try:
        found = [known.find(path)]
    except PathError:
        found = [known.find(one) for one in _one_by_one(state, path)]
        if not found and _is_readable(state, path):
            raise PathError("RF831", f"`{path}` is read-only") from None
        if not found:
            raise
    stored = [one for one in found if not isinstance(one, paths.FormulaPath)]
    if len(stored) < len(found):
        raise PathError("RF831", f"`{path}` is computed by a formula and is read-only")
    return stored


def _one_by_one(state: State, path: str) -> list[str]:
    """Split `cells.man` into `a1.man`, `b1.man` and so on; empty if it does not name several things."""
    many, variant = several(path), state._variant
    if many is None:
        return []
    try:
        things, kind = state.evaluate(many.things), kind_of_members(variant, many.things)
    except PathError as mistake:
        raise variant.paths.unknown(path, mistake) from None
    if kind is None or not isinstance(things, list):
        return []
    heads = dict(zip(variant.program.kinds[kind].things[1:], variant.paths.owners(kind), strict=True))
    return [f"{heads[str(thing)]}.{many.member}" for thing in things]


def _is_readable(state: State, path: str) -> bool:
    try:
        state[path]
    except PathError:
        return False
    return True
