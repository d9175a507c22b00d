"""The packs behind the question that waits: those that could offer an answer, and those that hide places."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ruleforge.support.diagnostics import Span

if TYPE_CHECKING:
    from ruleforge.engine.state import State


def offering_packs(state: State) -> set[str]:
    """The packs that could offer something in the question that waits."""
    site = state._variant.program.sites[state.choices[0].site]
    return _packs(state, (option.span for option in site.options))


def hiding_packs(state: State) -> set[str]:
    """The packs with places that are hidden from some player."""
    program = state._variant.program
    sees = (program.functions[place.sees] for place in program.places if place.sees is not None)
    return _packs(state, (program.place_of(function).span for function in sees))


def _packs(state: State, spans: Iterable[Span]) -> set[str]:
    found = (state.game.info.pack_of(span) for span in spans)
    return {pack.id for pack in found if pack is not None}
