"""`Questions` runs the functions of the questioning program on the row of a waiting state.

The deciding player may ask, so the answer must follow from the player's observation. An answer that depends
on anything else is in doubt.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from ruleforge.backends.api import Runtime
from ruleforge.backends.faults import Trapped
from ruleforge.backends.reference.trace import TracingInterpreter
from ruleforge.compiler.ir import SITE, WHO, WORK_DONE, Fault, Local, Part
from ruleforge.compiler.questions import ActionQuestions, Holds, Requirement, Shown, SiteQuestions
from ruleforge.compiler.visit import all_expressions
from ruleforge.engine.explain import changes_by_packs
from ruleforge.engine.faults import unanswered
from ruleforge.engine.given_answers import Taken, given, taken
from ruleforge.engine.paths import plain_value, value_text
from ruleforge.engine.presentation.titles import Names
from ruleforge.engine.refusal_words import RefusalWords
from ruleforge.engine.visibility.read_tracking import ReadCheck, Reads
from ruleforge.support.diagnostics import Span

if TYPE_CHECKING:
    from ruleforge.engine.base_state import BaseState

Chosen = tuple[int, ...]


class Questions:
    """The questions one state can be asked."""

    def __init__(self, state: BaseState) -> None:
        self._state = state
        self._questioning = state._variant.special.questioning
        self._texts = state._variant.compiled.texts
        self.program = self._questioning.runtime.program
        self.reads = Reads()
        self._row = [int(word) for word in state._row[: self.program.row_size]]
        self.names = Names(state._variant.info)
        self.has_packs = bool(state._variant.info.packs)
        self.plainly = RefusalWords(self.names, self.program.kinds[0].things[self._row[WHO]])

    @cached_property
    def observer(self) -> ReadCheck | None:
        """The read check of the deciding player; None in a game without hidden information."""
        variant = self._state._variant
        return ReadCheck(variant, self._state._row, self._row[WHO]) if variant.hides_something else None

    def of(self, action: str) -> ActionQuestions:
        """The requirements of an action."""
        return self._questioning.actions[action]

    def here(self) -> SiteQuestions | None:
        """The questions about answers to the present question."""
        return self._questioning.sites.get(self._row[SITE])

    def about(self, name: str) -> Objections:
        """Objections to an action: the deciding player and the values of the window are known."""
        action = self.of(name)
        lead = (Taken(self._row[WHO]), *given(self._state._variant.program, self._row))
        return Objections(self, name, lead, action.holds, action.choices, action.clauses)

    def about_answer(
        self, name: str, here: SiteQuestions, parts: tuple[Part, ...], before: tuple[tuple[Part, int], ...]
    ) -> Objections:
        """Objections to an answer: the values that the question takes from its context are known."""
        lead = taken(self._state._variant.program, self._row)
        return Objections(self, name, lead, here.holds, parts, here.clauses, before)

    def hides(self, value: Taken) -> bool:
        """Whether a value passed on by the rules may be hidden from a player."""
        known = self._state._variant.visibility.locals
        return any(known.hides(value.function, local) for local in value.locals)

    def call(self, function: str, arguments: Chosen) -> int:
        """The result of a function; arguments that are not known yet are 1."""
        return self._called(self._questioning.runtime, function, arguments)

    def call_traced(self, function: str, arguments: Chosen) -> int:
        """The same; what it reads is added to `reads`."""
        return self._called(self._tracing, function, arguments)

    def _called(self, runtime: Runtime, function: str, arguments: Chosen) -> int:
        wanted = len(self.program.functions[function].parameters)
        row = list(self._row)
        try:
            return runtime.call(function, row, (*arguments, *([1] * wanted))[:wanted])
        finally:
            self._row[WORK_DONE] = row[WORK_DONE]

    @cached_property
    def _tracing(self) -> TracingInterpreter:
        return TracingInterpreter(self.program, (self.reads,))

    def unanswered(self, trapped: Trapped) -> Exception:
        return unanswered(self.program, trapped, "there is no reason to report")

    def speaks_of(self, function: str) -> set[int]:
        """Which of its parameters a function looks at."""
        known = self.program.functions[function]
        used = {e.name for e in all_expressions(known.body) if isinstance(e, Local)}
        return {number for number, name in enumerate(known.parameters) if name in used}

    def written(self, questions: Requirement, span: Span | None = None) -> str:
        """A requirement, or a part of it, as it is written; what an event asks for in the names of the action."""
        text, names = self._texts.at(span or questions.span), dict(questions.called)
        if not names:
            return text
        return re.sub(r"(?<![.\w])[a-z]\w*", lambda word: names.get(word[0], word[0]), text)

    def pack_of(self, span: Span) -> str:
        """The title of the pack in whose files something is written; empty for the game's own."""
        pack = self._state._variant.info.pack_of(span)
        return pack.title if pack else ""

    def by_packs(self, formula: str, arguments: Chosen) -> list[str]:
        """The changes that rules of packs make to a formula: `Rust Weather adds 2`."""
        return changes_by_packs(self._state._variant, self._state._row, formula, arguments)


class Objections:
    """The questions about one action, or one answer, with the values known before any choice for it."""

    def __init__(
        self,
        questions: Questions,
        name: str,
        lead: tuple[Taken, ...],
        holds: tuple[Holds, ...],
        parts: tuple[Part, ...],
        clauses: tuple[str, ...],
        before: tuple[tuple[Part, int], ...] = (),
    ) -> None:
        self.questions, self.name, self.parts, self.clauses = questions, name, parts, clauses
        self.before = before  # what was chosen before, where it is under way
        self._lead, self._holds = lead, holds

    def ask(self, function: str, chosen: Chosen) -> int:
        """The result of a function with the parts chosen so far."""
        try:
            return self.questions.call(function, (*(value.value for value in self._lead), *chosen))
        except Trapped as trapped:
            raise self.questions.unanswered(trapped) from None

    def holds(self, requirement: Requirement, chosen: Chosen) -> bool | None:
        """Whether a requirement is met; None if the deciding player may not know."""
        observer = self.questions.observer
        if observer is None:
            return bool(self.ask(requirement.function, chosen))
        if self._in_doubt(requirement.function):
            return None
        reads, lead = self.questions.reads, tuple(value.value for value in self._lead)
        reads.forget()

        def call(function: str) -> int:
            return self.questions.call_traced(function, (*lead, *chosen))

        try:
            if not observer.may_look(requirement.looks, call, reads):
                return None
            met = call(requirement.function)
        except Trapped as trapped:
            if not observer.see_all(reads):  # what broke it off may be hidden
                return None
            raise self.questions.unanswered(trapped) from None
        return bool(met) if observer.see_all(reads) else None

    def fault(self, stopped: Requirement, chosen: Chosen) -> Fault | None:
        """The limit of the rules that an action breaks, found by doing it on a copy."""
        try:
            self.questions.call(stopped.breaks, (*(value.value for value in self._lead), *chosen))
        except Trapped as trapped:
            return self.questions.program.faults[trapped.fault]
        return None

    def shown(self, shown: Shown, chosen: Chosen) -> str | None:
        """A value in words; None if the one who decides may not know it."""
        if shown.open is not None and not self.ask(shown.open, chosen):
            return None
        if self.questions.observer is not None and self._in_doubt(shown.function):
            return None
        return value_text(plain_value(self.questions.program, shown.type, self.ask(shown.function, chosen)))

    def changes(self, failed: Requirement, chosen: Chosen) -> list[str]:
        """The changes that rules of packs make to the formulas of a requirement."""
        found: list[str] = []
        for formula in failed.modified if self.questions.has_packs else ():
            arguments = tuple(self.ask(function, chosen) for function in formula.arguments)
            found += self.questions.by_packs(formula.name, arguments)
        return list(dict.fromkeys(found))

    def _in_doubt(self, function: str) -> bool:
        """Whether a function looks at something that the one who decides may not know."""
        return bool(self._doubtful) and not self._doubtful.isdisjoint(self.questions.speaks_of(function))

    @cached_property
    def _doubtful(self) -> frozenset[int]:
        """The parameters that hold what was worked out from hidden things, or a hidden thing itself."""
        observer, lead = self.questions.observer, self._lead
        assert observer is not None
        found = {number for number, value in enumerate(lead) if self.questions.hides(value)}
        for each in self._holds:
            things = each.things(lead[each.parameter].value) if each.parameter < len(lead) else ()
            if not all(observer.thing(each.kind, thing) for thing in things):
                found.add(each.parameter)
        return frozenset(found)
