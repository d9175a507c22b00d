"""`NarrationValues` evaluates the log sentences of a ruleset in the middle of a step, as one viewer may know them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ruleforge.backends.artifacts.info import LogTemplate
from ruleforge.backends.faults import PlayError
from ruleforge.compiler.ir import NoteInfo
from ruleforge.engine import evaluate
from ruleforge.engine.presentation.observation import HIDDEN, Value
from ruleforge.engine.replayed_row import RecordValues, ReplayedRow

if TYPE_CHECKING:
    from ruleforge.engine.event import EventValue
    from ruleforge.engine.variant import Variant

_WORD = re.compile(r"\w+")


class NarrationValues:
    """The values of one event or action for its sentence: some when it happens, others when it is over."""

    def __init__(
        self,
        variant: Variant,
        viewer: int,
        row: ReplayedRow,
        template: LogTemplate,
        info: NoteInfo,
        given: RecordValues,
    ) -> None:
        self._variant, self._viewer, self._row, self._template = variant, viewer, row, template
        self._given = {argument.label: given[n] for n, argument in enumerate(info.arguments)}
        self.values: dict[str, EventValue] = {}

    def begin(self, arguments: tuple[tuple[str, EventValue], ...]) -> None:
        """Arguments by their names; expressions only where they speak of none that is hidden from the viewer."""
        self._hidden = frozenset(name for name, value in arguments if value == HIDDEN)
        named = dict(arguments)
        for placeholder in self._template.sentence.placeholders:
            name = placeholder.expression.text
            if name in named:
                self.values[placeholder.key] = named[name]
            elif not placeholder.then:
                self.values[placeholder.key] = self._answer(name)

    def end(self) -> None:
        for placeholder in self._template.sentence.placeholders:
            if placeholder.then and placeholder.key not in self.values:
                self.values[placeholder.key] = self._answer(placeholder.expression.text)

    def _answer(self, text: str) -> EventValue:
        if self._hidden & {*_WORD.findall(text)}:
            return HIDDEN
        row = self._variant.runtime.attach(list(self._row.words))
        scope = {name: type for name, type in self._template.scope.items() if name in self._given}
        try:
            given = evaluate.Given(scope, self._words)
            return _plain(evaluate.evaluate(self._variant, row, text, self._viewer, given))
        except PlayError:
            return HIDDEN

    def _words(self, name: str, _count: int) -> tuple[int, ...] | None:
        return self._given.get(name)


def _plain(value: Value) -> EventValue:
    return tuple(map(str, value)) if isinstance(value, list) else value
