"""`texts` finds the choices that the words of a text can begin with, and whether the words name a question at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.compiler.ir import SITE, Option, Part
from ruleforge.engine.choice import Choice, Phrase, Wording, mingled
from ruleforge.engine.default_answers import completed
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import as_number

if TYPE_CHECKING:
    from ruleforge.engine.base_state import BaseState


@dataclass(frozen=True, slots=True)
class FirstStep:
    """A choice that a text can begin with, and how many of the text's words name it."""

    choice: Choice
    length: int


def opening(state: BaseState, tokens: list[str]) -> FirstStep | None:
    """The choice that a text begins with: the longest, else one whose parts with a usual answer the text leaves out."""
    if not tokens or not state.choices:
        return None
    exact = " ".join(tokens)
    same = next((choice for choice in state.choices if choice.text == exact), None)
    if same is not None:
        return FirstStep(same, len(tokens))
    wording = _wording(state, state._row[SITE])
    whole = [
        FirstStep(choice, len(words))
        for choice in state.choices
        if _agree(wording.option(choice._code), words := choice.text.split(), tokens)
    ]
    if whole:
        return max(whole, key=lambda step: step.length)
    phrases = ((phrase, n) for phrase in wording.phrases for n in range(1, phrase.option.usual + 1))
    shortened = (_shortened(state, phrase, tokens, n) for phrase, n in phrases)
    return next((step for step in shortened if step is not None), None)


def _agree(option: Option, words: list[str], tokens: list[str], length: int | None = None) -> bool:
    """Whether a text begins with these words, or the first of them; the members of a set come in any order."""
    length = len(words) if length is None else length
    if len(tokens) < length:
        return False
    if not any(part.member for part in option.parts):
        return words[:length] == tokens[:length]
    head = len(words) - len(option.parts)
    same = words[:head] == tokens[:head]
    return same and mingled(option.parts, words[head:length]) == mingled(option.parts, tokens[head:length])


def _shortened(state: BaseState, phrase: Phrase, tokens: list[str], left_out: int) -> FirstStep | None:
    """The choice that the text begins, with the usual answers for its last parts."""
    option = phrase.option
    length = len(phrase.word.split()) + len(option.parts) - left_out
    if tokens[length:] and _can_name(state, option.parts[-left_out], tokens[length]):
        return None
    for choice in state.choices:
        fits = option.first <= choice._code < option.first + option.count
        if not fits or not _agree(option, choice.text.split(), tokens, length):
            continue
        codes = completed(state, choice)[left_out - 1 : left_out]
        meant = [c for c in state.choices if c._code in codes]
        return FirstStep(meant[0], length) if meant else None
    return None


def names_question(state: BaseState, tokens: list[str]) -> bool:
    """Whether a text begins like an answer to the present question, possible or not.

    This follows from the wording of the question alone, so it reveals nothing of the position.
    """
    if not tokens or not state.choices:
        return False
    for phrase in _wording(state, state._row[SITE]).phrases:
        word, parts = phrase.word.split(), phrase.option.parts
        if word and tokens[: len(word)] == word:
            return True
        if not word and parts and _can_name(state, parts[0], tokens[0]):
            return True
    return False


def _can_name(state: BaseState, part: Part, token: str) -> bool:
    """Whether a word is a number, a thing of the kind, or the place of a hidden thing."""
    if part.kind is None:
        return as_number(token) is not None
    kind = state._variant.program.kinds[part.kind]
    return token.removeprefix(f"{kind.name}.") in kind.things[1:] or token.endswith("]")


def answer_text(state: BaseState, site: int, code: int) -> str:
    """The text of an answer to a question, asked or not."""
    return _wording(state, site).text(code)


def _wording(state: BaseState, site: int) -> Wording:
    wording = state._variant.wordings[site]
    assert wording is not None
    return wording
