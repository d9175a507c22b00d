"""The heads of formulas and events; windows and endings, which are nothing but a head."""

from __future__ import annotations

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.declare.base import Declaring
from ruleforge.lang.checker.symbols import Head


class Signatures(Declaring):
    def declare(self) -> None:
        self._endings()
        for formula in self.whole(self.ruleset.formulas):
            self.fresh(formula.id, formula.span)
            head = Head(formula.id, self.parameters(formula.takes), formula.span)
            self.symbols.formula_heads[formula.id] = head
        for event in self.whole(self.ruleset.events):
            self.fresh(event.id, event.span)
            if self.symbols.formula_heads.pop(event.id, None):  # which of the two is called cannot be told
                self.symbols.lost(event.id)
                continue
            head = Head(event.id, self.parameters(event.takes), event.span)
            self.symbols.event_heads[event.id] = head
        self._windows()

    def _windows(self) -> None:
        for window in self.whole(self.ruleset.windows):
            self.symbols.windows[window.id] = t.Window(
                window.id,
                self.parameters(window.takes),
                window.window,
                window.span,
                window.openly,
                window.title or window.text or window.id,
                window.cites,
                window.open,
            )

    def _endings(self) -> None:
        for ending in self.ruleset.endings:
            self.symbols.endings[ending.id] = t.Ending(
                ending.id, ending.text or "", ending.span, ending.cites, ending.lost
            )
