"""Text -> the choices it names, one step or several in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.engine.errors import IllegalChoice

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
        following = _steps(trial, rest)
        if following is not None:
            return [choice, *following]
    return None
