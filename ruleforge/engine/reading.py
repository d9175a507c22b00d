"""Text -> the choices it names, one step or several in a row, as far as they are of one mind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.compiler.ir import SITE, WHO
from ruleforge.engine.errors import IllegalChoice
from ruleforge.engine.hidden import has_learned

if TYPE_CHECKING:
    from ruleforge.engine.choice import Choice
    from ruleforge.engine.state import State


def read_steps(state: State, text: str) -> list[Choice] | None:
    """The steps a text stands for, each possible after the one before; None if it cannot be read so."""
    exact = " ".join(text.split())
    for choice in state.choices:
        if choice.text == exact:
            return [choice]
    tokens = exact.split()
    return _steps(state, tokens) if tokens else None


def openings(state: State, tokens: list[str]) -> list[Choice]:
    """The choices that a text can begin with, the longest first."""
    found = [choice for choice in state.choices if _begins(choice.text.split(), tokens)]
    return sorted(found, key=lambda choice: -len(choice.text.split()))


def of_one_mind(before: State, after: State) -> bool:
    """Whether a text may go on after the step between: the same player decides and knows no more than before.

    Otherwise a refusal, which is free of charge, would tell what the dice show or what another holds. Answers
    given in secret may come to light with the last of them, so a text ends with each.
    """
    if after.outcome is not None or before._row[WHO] != after._row[WHO]:
        return False
    return not before._variant.program.sites[before._row[SITE]].sealed and not has_learned(
        before, after, before._row[WHO]
    )


def _begins(words: list[str], tokens: list[str]) -> bool:
    return len(words) <= len(tokens) and tokens[: len(words)] == words


def _steps(state: State, tokens: list[str]) -> list[Choice] | None:
    for choice in openings(state, tokens):
        rest = tokens[len(choice.text.split()) :]
        if not rest:
            return [choice]
        trial = state.copy()
        try:
            trial.apply(choice)
        except IllegalChoice:
            continue
        following = _steps(trial, rest) if of_one_mind(state, trial) else None
        if following is not None:
            return [choice, *following]
    return None
