"""The rules' own conditions against an answer: each failed one with its text, its values, place and clauses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.compiler.ir import SITE, WHO, Option, Part
from ruleforge.compiler.questions import ActionQuestions, Requirement, Shown
from ruleforge.diagnostics import Span
from ruleforge.engine.choice import part_name
from ruleforge.engine.errors import Reason
from ruleforge.engine.paths import plain_value, value_text
from ruleforge.engine.sight import Sight
from ruleforge.names import as_number

if TYPE_CHECKING:
    from ruleforge.engine.state import State

_SAYS = {
    "choice": "cannot be chosen: it is not in `{}`",
    "where": "cannot be chosen: `{}` does not hold",
    "needs": "is not allowed: `{}` does not hold",
    "limit": "was used as often as allowed: `{}`",
    "cost": "cannot be paid: `{}`",
    "holds": "is not allowed: afterwards `{}` would not hold",
}


def failed_requirements(state: State, code: int, later: tuple[str, ...] = ()) -> tuple[Reason, ...]:
    """Why this code is not offered at the waiting site; empty if no condition of the rules says so.

    `later` are the words for what the action asks afterwards, as far as they were said.
    """
    program = state._variant.program
    site = program.sites[state._row[SITE]]
    option = site.option(code)
    if option.action is None:
        return ()
    asked = Questions(state)
    action = asked.of(program.actions[option.action].name)
    if action is None:
        return ()
    chosen = (*option.values(code), *_said(state, action.choices[len(option.parts) :], later))
    failed = [
        r
        for r in action.requirements
        if r.binds <= len(chosen) and r.during in (None, site.kind) and not asked.ask(r.function, chosen)
    ]
    if any(r.what != "holds" for r in failed):  # what would be afterwards does not matter then
        failed = [r for r in failed if r.what != "holds"]
    return tuple(_reason(asked, action, option, requirement, chosen) for requirement in failed)


def _said(state: State, parts: tuple[Part, ...], words: tuple[str, ...]) -> tuple[int, ...]:
    """The things or numbers some words stand for, up to the first that fits nothing the player can know."""
    found: list[int] = []
    sight = Sight(state._variant, state._row)
    for part, word in zip(parts, words, strict=False):
        if part.kind is None:
            number = as_number(word)
            if number is None:
                break
            found.append(number)
            continue
        things = state._variant.program.kinds[part.kind].things
        name = word.rpartition(".")[2]
        if name not in things[1:] or not sight.thing(state._row[WHO], part.kind, things.index(name, 1)):
            break
        found.append(things.index(name, 1))
    return tuple(found)


def _reason(
    asked: Questions, action: ActionQuestions, option: Option, failed: Requirement, chosen: tuple[int, ...]
) -> Reason:
    words = [
        option.word,
        *(part_name(asked.program, p, v) for p, v in zip(action.choices, chosen, strict=False)),
    ]
    says = _SAYS[failed.what].format(asked.written(failed.span))
    if failed.text:
        says += f": {failed.text}"
    values = tuple(
        (asked.written(s.span), _shown(asked, s, chosen))
        for s in failed.shown
        if s.open is None or asked.ask(s.open, chosen)
    )
    clauses = tuple(dict.fromkeys((*failed.clauses, *action.clauses)))
    return Reason("RF801", f"`{' '.join(words)}` {says}", failed.span, clauses, values)


def _shown(asked: Questions, shown: Shown, chosen: tuple[int, ...]) -> str:
    word = asked.ask(shown.function, chosen)
    return value_text(plain_value(asked.program, shown.type, word))


class Questions:
    """The questions one state can be asked: a function for every requirement, on the same row."""

    def __init__(self, state: State) -> None:
        self._questioning = state._variant.questioning
        self._texts = state.game.compiled.texts
        self.program = self._questioning.runtime.program
        self._row = [int(word) for word in state._row[: self.program.row_size]]

    def of(self, action: str) -> ActionQuestions | None:
        """The requirements of an action; None if it depends on values of its window, which are not known here."""
        found = self._questioning.actions.get(action)
        if found is None:
            return None
        known = 1 + len(found.choices)
        lacks = any(len(self._parameters(r.function)) > known for r in found.requirements)
        return None if lacks else found

    def ask(self, function: str, chosen: tuple[int, ...]) -> int:
        """What a function gives for the player who decides and what was chosen so far."""
        wanted = len(self._parameters(function))
        arguments = (self._row[WHO], *chosen, *([1] * wanted))[:wanted]
        return self._questioning.runtime.call(function, list(self._row), arguments)

    def written(self, span: Span) -> str:
        return self._texts.at(span)

    def _parameters(self, function: str) -> tuple[str, ...]:
        return self.program.functions[function].parameters
