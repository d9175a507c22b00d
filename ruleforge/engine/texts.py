"""Text -> the choices it names: one step or several, the usual answer where the text leaves one out.

The host's text is read as a whole before any of it is done. A seat's text is read one step at a time, and each step is
done before the next is read, so that a seat cannot try out for free what a step would lead to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ruleforge.compiler.ir import SITE, WHO, Option
from ruleforge.engine.choice import Choice, Phrase, mingled
from ruleforge.engine.default_answers import DefaultAnswer, completed, leaves_room, unsaid
from ruleforge.engine.errors import IllegalChoice, Reason
from ruleforge.engine.visibility.disclosure import has_learned
from ruleforge.support.records import dataclass

if TYPE_CHECKING:
    from ruleforge.engine.base_state import BaseState


MOST_WORDS = 100  # in one text


@dataclass(frozen=True, slots=True)
class FirstStep:
    """A choice that a text can begin with, and how many of the text's words name it."""

    choice: Choice
    length: int


def read_steps(state: BaseState, text: str) -> list[Choice] | None:
    """The steps of a host's text, each possible after the one before; None if it cannot be read so."""
    tokens = text.split()
    return _steps(state, tokens) if 0 < len(tokens) <= MOST_WORDS else None


def openings(state: BaseState, tokens: list[str]) -> list[FirstStep]:
    """The choices that a text can begin with, the longest first; then those of which it leaves out usual parts."""
    if not state.choices:
        return []
    wording = state._variant.wordings[state._row[SITE]]
    assert wording is not None
    found = [
        FirstStep(choice, len(words))
        for choice in state.choices
        if _agree(wording.option(choice._code), words := choice.text.split(), tokens)
    ]
    shortened = [_shortened(state, phrase, tokens, n) for phrase, n in _shorter(wording.phrases)]
    return sorted(found, key=lambda o: -o.length) + [o for o in shortened if o is not None]


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


def _shorter(phrases: tuple[Phrase, ...]) -> list[tuple[Phrase, int]]:
    return [(phrase, n) for phrase in phrases for n in range(1, phrase.option.usual + 1)]


def _shortened(state: BaseState, phrase: Phrase, tokens: list[str], left_out: int) -> FirstStep | None:
    """The choice that the text begins, with the usual answers for its last parts."""
    option = phrase.option
    length = len(phrase.word.split()) + len(option.parts) - left_out
    for choice in state.choices:
        fits = option.first <= choice._code < option.first + option.count
        if not fits or not _agree(option, choice.text.split(), tokens, length):
            continue
        codes = completed(state, choice)[left_out - 1 : left_out]
        meant = [c for c in state.choices if c._code in codes]
        return FirstStep(meant[0], length) if meant else None
    return None


def may_go_on(before: BaseState, after: BaseState) -> bool:
    """Whether a text may go on after a step: the same player decides again and has learned nothing new.

    A sealed answer ends a text, for the other sealed answers may come to light with it.
    """
    who = before._row[WHO]
    if after.outcome is not None or who != after._row[WHO]:
        return False
    return not before._variant.program.sites[before._row[SITE]].sealed and not has_learned(before, after, who)


def too_much(choice: Choice, rest: Sequence[str]) -> Reason:
    """The refusal of words behind a step at which a text ends."""
    message = (
        f"`{' '.join(rest)}` cannot follow in the same step: it depends on the result of `{choice.text}`"
    )
    return Reason("RF806", message, help="write the rest as a separate step")


def _steps(state: BaseState, tokens: list[str]) -> list[Choice] | None:
    for opening in openings(state, tokens):
        following = _following(state, opening.choice, tokens[opening.length :])
        if following is not None:
            return [opening.choice, *following]
    return None


def _following(state: BaseState, choice: Choice, rest: list[str]) -> list[Choice] | None:
    """The steps that the rest of a text stands for, after a choice; None if it cannot be read so."""
    if not rest and not leaves_room(state._variant.program):
        return []
    after = state.copy()
    try:
        after.apply(choice)
    except IllegalChoice:
        return None if rest else []
    left = unsaid(state, choice, after)
    for words in without_settled(state, left.settled, rest):
        steps = _onward(state, after, left.waits, words)
        if steps is not None:
            return steps
    return None


def _onward(
    before: BaseState, after: BaseState, waits: DefaultAnswer | None, rest: list[str]
) -> list[Choice] | None:
    usual = usual_choice(after, waits)
    if not rest and usual is None:
        return []
    if not may_go_on(before, after):
        return None if rest else []
    steps = _steps(after, rest) if rest else None
    if steps is None and usual is not None:
        following = _following(after, usual, rest)
        steps = None if following is None else [usual, *following]
    return [] if steps is None and not rest else steps


def usual_choice(state: BaseState, waits: DefaultAnswer | None) -> Choice | None:
    """The choice that gives the usual answer to the present question, if there is one."""
    return next((c for c in state.choices if waits is not None and c._code == waits.code), None)


def without_settled(state: BaseState, settled: tuple[DefaultAnswer, ...], rest: list[str]) -> list[list[str]]:
    """The rest of a text without answers to questions that were not asked; then, if it differs, all of the rest."""
    left = rest
    for answer in settled:
        words = answer_text(state, answer).split()
        if answer.early and left[: len(words)] == words:
            left = left[len(words) :]
    return [left, rest] if left != rest else [rest]


def answer_text(state: BaseState, answer: DefaultAnswer) -> str:
    wording = state._variant.wordings[answer.site]
    assert wording is not None
    return wording.text(answer.code)
