"""A controller in a seat: it gets the view of its player and the choices, and never the position itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import PlayError
from ruleforge.engine.state import State
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import as_number

TRIES = 10  # wrong answers to one question


@dataclass(frozen=True, slots=True)
class Question:
    """The input of a controller: the player, the player's view, and the choices as texts."""

    player: str
    prompt: str
    view: Mapping[str, Any]
    table: str
    choices: tuple[str, ...]
    refused: str = ""  # why the answer before was not taken


class Controller(Protocol):
    """Answers with the text of a choice, or its number in the list, from 1."""

    def answer(self, question: Question) -> str: ...


class SeatedAgent:
    """Lets a controller choose. It refuses a wrong answer with the reason and asks again."""

    def __init__(self, controller: Controller) -> None:
        self._controller = controller

    def choose(self, state: State) -> Choice:
        decision = state.decision
        assert decision is not None
        player, choices = decision.player, state.choices
        texts = tuple(choice.text for choice in choices)
        question = Question(player, decision.prompt, state.view(player), str(state.table(player)), texts)
        for _ in range(TRIES):
            answer = self._controller.answer(question)
            found = _found(answer, texts)
            if found is not None:
                return choices[found]
            question = replace(question, refused=_reason(state, answer, player))
        raise PlayError("RF846", f"the seat of `{player}` gave {TRIES} wrong answers: {question.refused}")


def _found(answer: object, texts: tuple[str, ...]) -> int | None:
    """The index of the choice that an answer means."""
    if not isinstance(answer, str):
        return None
    text = " ".join(answer.split())
    number = as_number(text)
    if text in texts:
        return texts.index(text)
    return number - 1 if number is not None and 0 < number <= len(texts) else None


def _reason(state: State, answer: object, player: str) -> str:
    if not isinstance(answer, str) or not answer.strip():
        return "an answer is the text of one choice, or its number"
    reasons = state.why_not(answer, player)
    return str(reasons[0]) if reasons else f"`{answer}` is more than one choice"
