"""`RulesetVisibility` says what a ruleset hides from any player; each variant has one, `variant.visibility`.

It holds for all positions. `conditions.Visibility` answers for one position.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ruleforge.compiler.ir import Local
from ruleforge.compiler.visit import all_expressions
from ruleforge.engine.paths import AttributePath, kinds_of
from ruleforge.engine.visibility.choices import ChoiceNames
from ruleforge.engine.visibility.control import sites_in_hidden_branches
from ruleforge.engine.visibility.hidden_locals import HiddenLocals, hidden_places
from ruleforge.engine.visibility.reverse_step import ReverseStep

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant


class RulesetVisibility:
    """The hidden parts of one variant: columns, places, questions and frames."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._program = variant.program
        self._parameters_read: dict[str, tuple[int, ...]] = {}

    @cached_property
    def hides_something(self) -> bool:
        """Whether the ruleset hides anything from any player."""
        program = self._program
        declared: list[str | None] = [c.sees for c in program.columns] + [p.sees for p in program.places]
        declared += [n.sees for n in program.notes] + [s.sees for s in program.sites if s]
        return any(sees is not None for sees in declared)

    def parameters_read(self, function: str) -> tuple[int, ...]:
        """The positions of the parameters that a `sees` function reads; its answer depends on no others."""
        if function not in self._parameters_read:
            definition = self._program.functions[function]
            read = {e.name for e in all_expressions(definition.body) if isinstance(e, Local)}
            places = (place for place, name in enumerate(definition.parameters) if name in read)
            self._parameters_read[function] = tuple(places)
        return self._parameters_read[function]

    # --- the state vector ---

    @cached_property
    def shown_columns(self) -> frozenset[int]:
        """The columns (by base) that store to whom the rules have shown a thing. No view shows them."""
        return frozenset(place.known for place in self._program.places if place.known is not None)

    @cached_property
    def hidden_slots(self) -> dict[int, AttributePath]:
        """The words of attributes whose value or owner may be hidden, each with its attribute."""
        private = (
            path
            for path in self._variant.paths.attributes
            if path.info.sees is not None or path.info.base in self.shown_columns
        )
        return {
            slot: path
            for path in (*self.attributes_of_hidden_things, *private)
            for slot in range(path.slot, path.slot + path.info.words)
        }

    @cached_property
    def attributes_of_hidden_things(self) -> tuple[AttributePath, ...]:
        """The attributes of things that may lie in a hidden place."""
        kinds = {place.holds for place in self._program.places if place.sees is not None}
        return tuple(path for path in self._variant.paths.attributes if not kinds.isdisjoint(kinds_of(path)))

    @cached_property
    def place_slots(self) -> dict[int, tuple[int, int] | None]:
        """The words that say what lies in hidden places: the thing (kind, number) they locate, or None."""
        found: dict[int, tuple[int, int] | None] = dict.fromkeys(hidden_places(self._program))
        for place in self._program.places:
            things = range(1, len(self._program.kinds[place.holds].things))
            own = {place.where + thing: (place.holds, thing) for thing in things}
            found |= {slot: one for slot, one in own.items() if slot in found}
        return found

    # --- frames and questions ---

    @cached_property
    def choices(self) -> ChoiceNames:
        """The names of choices among hidden things."""
        return ChoiceNames(self._variant)

    @cached_property
    def branch_sites(self) -> frozenset[int]:
        """The questions that the rules may ask inside a branch that depends on hidden information."""
        return sites_in_hidden_branches(self._program)

    @cached_property
    def locals(self) -> HiddenLocals:
        """Which locals of waiting functions may hold hidden information."""
        return HiddenLocals(self._program)

    @cached_property
    def reverse_step(self) -> ReverseStep:
        """Finds the answers behind a waiting position."""
        return ReverseStep(self._variant)
