"""The rules' own conditions against an answer: each failed one with its text, its values, place and clauses."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ruleforge.backends import reference
from ruleforge.compiler.ir import SITE, WHO, Option, Part
from ruleforge.compiler.questions import ActionQuestions, Requirement, Shown
from ruleforge.diagnostics import Span
from ruleforge.engine.errors import Reason
from ruleforge.engine.paths import plain_value, value_text
from ruleforge.engine.sight import Sight

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
    option = next((o for o in site.options if o.first <= code < o.first + o.count), None)
    if option is None or option.action is None:
        return ()
    asked = state._variant.questions
    action = asked.actions.get(program.actions[option.action].name)
    if action is None or asked.lacks_values(action):
        return ()
    chosen = (*_values(option, code), *_said(state, action.choices[len(option.parts) :], later))
    failed = [
        r
        for r in action.requirements
        if r.binds <= len(chosen)
        and r.during in (None, site.kind)
        and not asked.ask(state, r.function, chosen)
    ]
    if any(r.what != "holds" for r in failed):  # what would be afterwards does not matter then
        failed = [r for r in failed if r.what != "holds"]
    return tuple(_reason(state, action, option, requirement, chosen) for requirement in failed)


def _said(state: State, parts: tuple[Part, ...], words: tuple[str, ...]) -> tuple[int, ...]:
    """The things or numbers some words stand for, up to the first that fits nothing the player can know."""
    found: list[int] = []
    sight = Sight(state._variant, state._row)
    for part, word in zip(parts, words, strict=False):
        if part.kind is None:
            if not word.lstrip("-").isdecimal():
                break
            found.append(int(word))
            continue
        things = state._variant.program.kinds[part.kind].things
        name = word.rpartition(".")[2]
        if name not in things[1:] or not sight.thing(state._row[WHO], part.kind, things.index(name, 1)):
            break
        found.append(things.index(name, 1))
    return tuple(found)


def _values(option: Option, code: int) -> tuple[int, ...]:
    """The things or numbers an answer consists of."""
    rest = code - option.first
    found = []
    for part in reversed(option.parts):
        rest, digit = divmod(rest, part.size)
        found.append(digit + (1 if part.kind is not None else part.low))
    return tuple(reversed(found))


def _reason(
    state: State, action: ActionQuestions, option: Option, failed: Requirement, chosen: tuple[int, ...]
) -> Reason:
    words = [option.word, *(_name(state, p, v) for p, v in zip(action.choices, chosen, strict=False))]
    says = _SAYS[failed.what].format(written(failed.span))
    if failed.text:
        says += f": {failed.text}"
    ask = state._variant.questions.ask
    values = tuple(
        (written(s.span), _shown(state, s, chosen))
        for s in failed.shown
        if s.open is None or ask(state, s.open, chosen)
    )
    clauses = tuple(dict.fromkeys((*failed.clauses, *action.clauses)))
    return Reason("RF801", f"`{' '.join(words)}` {says}", failed.span, clauses, values)


def _name(state: State, part: Part, value: int) -> str:
    return str(value) if part.kind is None else state._variant.program.kinds[part.kind].things[value]


def _shown(state: State, shown: Shown, chosen: tuple[int, ...]) -> str:
    word = state._variant.questions.ask(state, shown.function, chosen)
    return value_text(plain_value(state._variant.program, shown.type, word))


@lru_cache(maxsize=1024)
def written(span: Span) -> str:
    """The author's own words at a place, on one line."""
    try:
        with open(span.file, encoding="utf-8") as file:
            lines = file.read().splitlines()[span.line - 1 : span.end_line]
    except OSError:
        return f"{span.file}:{span.line}"
    if not lines:
        return f"{span.file}:{span.line}"
    if len(lines) == 1:
        return lines[0][span.column - 1 : span.end_column - 1].strip()
    cut = [lines[0][span.column - 1 :], *lines[1:-1], lines[-1][: span.end_column - 1]]
    return " ".join(line.strip() for line in cut)


class Questions:
    """The questioning program of a variant: the same row, with a function for every requirement."""

    def __init__(self, program: object, actions: dict[str, ActionQuestions]) -> None:
        self.actions = actions
        self._machine = reference.compile(program)  # type: ignore[arg-type]

    def lacks_values(self, action: ActionQuestions) -> bool:
        """Does the action depend on values of the window it is offered in, which are not known here?"""
        functions = self._machine.program.functions
        known = 1 + len(action.choices)
        return any(len(functions[r.function].parameters) > known for r in action.requirements)

    def ask(self, state: State, function: str, chosen: tuple[int, ...]) -> int:
        """What a function gives for the player who decides and what was chosen so far."""
        wanted = len(self._machine.program.functions[function].parameters)
        row = [int(word) for word in state._row[: self._machine.program.row_size]]
        arguments = (row[WHO], *chosen, *([1] * wanted))[:wanted]
        return self._machine.call(function, row, arguments)
