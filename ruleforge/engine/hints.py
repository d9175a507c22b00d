"""`Hinter` fills in the hints beside the choices of a waiting state, as far as the deciding player may know them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ruleforge.backends.artifacts.query_programs import Answering, Filling, HintParts
from ruleforge.backends.faults import PlayError
from ruleforge.compiler.ir import SITE, WHO
from ruleforge.engine.choice import Choice
from ruleforge.engine.evaluate import Given, answered
from ruleforge.engine.given_answers import due_value, given_values
from ruleforge.engine.presentation.observation import Filled, Hint, Table
from ruleforge.engine.visibility.conditions import EVERYTHING, Visibility

if TYPE_CHECKING:
    from ruleforge.engine.base_state import BaseState

SOMEBODY = "me"
SIGNS = re.compile(r"([\[\]|])")


def with_hints(state: BaseState, table: Table) -> Table:
    """The table with hints beside the choices, if the choices are the seat's own."""
    decision = table.decision
    if decision is None or not decision.offers:
        return table
    due = due_value(state._variant.program, state._row)
    if due is not None and decision.prompt is not None:
        decision = replace(decision, prompt=decision.prompt.replace("of it", f"of {due}"))
    offers = decision.offers or ()
    if state._variant.compiled.hints(state._variant.setup):
        hinter = Hinter(state)
        pairs = zip(offers, state.choices, strict=True)
        offers = tuple(replace(offer, hint=hinter.hint(choice)) for offer, choice in pairs)
    return replace(table, decision=replace(decision, offers=offers))


class Hinter:
    """Fills the blanks of one state's hints; equal questions are worked out once."""

    def __init__(self, state: BaseState) -> None:
        self._variant, self._row = state._variant, state._row
        self._hints = state._variant.compiled.hints(self._variant.setup)
        row = self._row
        self._who = row[WHO]
        self._viewer = self._who if self._variant.hides_something else EVERYTHING
        self._visible = Visibility(self._variant, row)
        self._site = self._variant.program.sites[row[SITE]]
        self._given = given_values(self._variant.program, row)
        self._met: dict[tuple[int, ...], Filled | None] = {}

    def hint(self, choice: Choice) -> Hint:
        wording = self._variant.wordings[choice.site]
        assert wording is not None
        return self.of(self._action(choice), wording.by_name(choice._code), wording.things(choice._code))

    def of(
        self,
        action: str | None,
        named: dict[str, int],
        things: tuple[tuple[int | None, int], ...],
    ) -> Hint:
        """Beside a choice of an action that names these; nothing is worked out about a thing that is not seen."""
        parts = self._hints.get(action or "", ())
        if not all(kind is None or self._visible.thing(self._who, kind, thing) for kind, thing in things):
            named = {}
        given = {**self._given, SOMEBODY: self._who, **named}
        return _joined(parts, [self._filled(p, given) for p in parts if isinstance(p, Filling)])

    def _action(self, choice: Choice) -> str | None:
        """The action that a choice begins or goes on with; what merely closes a question has none."""
        program = self._variant.program
        option = self._site.option(choice._code)
        number = option.action if option.action is not None else self._site.action if option.parts else None
        return None if number is None else program.actions[number].name

    def _filled(self, part: Filling, given: dict[str, int]) -> Filled | str | None:
        """The value of a blank, or the text that it picks; None if it is not known."""
        answering = part.answering
        if answering is None or any(name not in given for name, _ in answering.value_program.given):
            return None
        key = (id(part), *(given[name] for name, _ in answering.value_program.given))
        if key not in self._met:
            self._met[key] = self._worked_out(answering, given)
        found = self._met[key]
        if found is None or part.answers is None:
            return found
        return part.answers[0 if found.value else 1]

    def _worked_out(self, answering: Answering, given: dict[str, int]) -> Filled | None:
        words = Given({}, lambda name, _: (given[name],))
        try:
            return Filled(answered(self._variant, self._row, answering, "the hint", self._viewer, words))
        except PlayError:  # it may not be known, or the rules have no value for it
            return None


def _joined(parts: HintParts, filled: list[Filled | str | None]) -> Hint:
    """Words and values; of what stands in brackets the first way that is known, of the rest all or nothing."""
    values = iter(filled)
    pieces: list[str | Filled | None] = []
    ways: list[list[str | Filled | None]] = []  # of the open bracket
    for part in parts:
        if isinstance(part, Filling):
            (ways[-1] if ways else pieces).append(next(values))
            continue
        for piece in SIGNS.split(part):
            if piece == "[" or (piece == "|" and ways):
                ways.append([])
            elif piece == "]":
                pieces += next((way for way in ways if None not in way), [])
                ways = []
            elif piece:
                (ways[-1] if ways else pieces).append(piece)
    known = tuple(piece for piece in pieces if piece is not None)
    return known if len(known) == len(pieces) else ()
