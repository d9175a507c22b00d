"""The heads of formulas, events, windows and endings."""

from __future__ import annotations

from ruleforge.check import typed as t
from ruleforge.check.declare.base import Declaring
from ruleforge.check.types import ERROR, NOTHING


class Signatures(Declaring):
    def declare(self) -> None:
        self._endings()
        self._signatures()
        self._windows()

    def _windows(self) -> None:
        for window in self.ruleset.windows:
            parameters = self.parameters(window.takes)
            self.symbols.windows[window.id] = t.Window(
                window.id,
                parameters,
                window.window,
                window.span,
                window.title or window.text or window.id,
                window.cites,
                window.open,
            )

    def _endings(self) -> None:
        for ending in self.ruleset.endings:
            typed = t.Ending(ending.id, ending.text or "", ending.span, ending.cites)
            self.symbols.endings[ending.id] = typed

    def _signatures(self) -> None:
        for formula in self.ruleset.formulas:
            self.fresh(formula.id, formula.span)
            parameters = self.parameters(formula.takes)
            typed = t.Formula(formula.id, parameters, formula.span, ERROR, clauses=formula.cites)
            typed.open, typed.text = formula.open, formula.text or ""
            typed.each, typed.sum, typed.clamp = (
                self.bounds(b) for b in (formula.each, formula.sum, formula.clamp)
            )
            self.symbols.formulas[formula.id] = typed
        for event in self.ruleset.events:
            self.fresh(event.id, event.span)
            parameters = self.parameters(event.takes)
            typed_event = t.Event(event.id, parameters, event.span, NOTHING, clauses=event.cites)
            typed_event.together, typed_event.open = event.together, event.open
            self.symbols.events[event.id] = typed_event
