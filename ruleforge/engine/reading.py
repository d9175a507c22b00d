"""Text -> the choices it names, one step or several in a row of one mind, the usual ones where it names none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.compiler.ir import SITE, WHO, Option
from ruleforge.engine.choice import Choice, Phrase, mingled
from ruleforge.engine.errors import IllegalChoice
from ruleforge.engine.influence import Said
from ruleforge.engine.unsaid import Answer, completed, leaves_room, unsaid
from ruleforge.engine.visibility.disclosure import has_learned
from ruleforge.quick import dataclass

if TYPE_CHECKING:
    from ruleforge.engine.state import State


MOST_WORDS = 100  # of one text; who has more to say says it in several


@dataclass(frozen=True, slots=True)
class Opening:
    """A choice that a text can begin with, and how many of its words that takes."""

    choice: Choice
    said: int


def read_steps(state: State, text: str) -> list[Choice] | None:
    """The steps a text stands for, each possible after the one before; None if it cannot be read so."""
    tokens = text.split()
    return _steps(state, tokens, Said(state)) if 0 < len(tokens) <= MOST_WORDS else None


def openings(state: State, tokens: list[str]) -> list[Opening]:
    """The choices that a text can begin with, the longest first; behind them those of which it leaves parts out."""
    if not state.choices:
        return []
    wording = state._variant.wordings[state._row[SITE]]
    assert wording is not None
    found = [
        Opening(choice, len(words))
        for choice in state.choices
        if _agree(wording.option(choice._code), words := choice.text.split(), tokens)
    ]
    shortened = [_shortened(state, phrase, tokens, n) for phrase, n in _shorter(wording.phrases)]
    return sorted(found, key=lambda o: -o.said) + [o for o in shortened if o is not None]


def _agree(option: Option, words: list[str], tokens: list[str], said: int | None = None) -> bool:
    """Whether a text begins with these words, or so many of them; the members of a set come in any order."""
    said = len(words) if said is None else said
    if len(tokens) < said:
        return False
    if not any(part.member for part in option.parts):
        return words[:said] == tokens[:said]
    head = len(words) - len(option.parts)
    same = words[:head] == tokens[:head]
    return same and mingled(option.parts, words[head:said]) == mingled(option.parts, tokens[head:said])


def _shorter(phrases: tuple[Phrase, ...]) -> list[tuple[Phrase, int]]:
    return [(phrase, n) for phrase in phrases for n in range(1, phrase.option.usual + 1)]


def _shortened(state: State, phrase: Phrase, tokens: list[str], left_out: int) -> Opening | None:
    """The choice that has the usual answers for its last parts, behind what the text says."""
    option = phrase.option
    said = len(phrase.word.split()) + len(option.parts) - left_out
    for choice in state.choices:
        fits = option.first <= choice._code < option.first + option.count
        if not fits or not _agree(option, choice.text.split(), tokens, said):
            continue
        codes = completed(state, choice)[left_out - 1 : left_out]
        meant = [c for c in state.choices if c._code in codes]
        return Opening(meant[0], said) if meant else None
    return None


def of_one_mind(before: State, said: Said, after: State) -> bool:
    """Whether a text may go on after what it said: the same player decides and knows no more than before.

    Otherwise a refusal, which is free of charge, would tell what the dice show or what another holds. Answers
    given in secret may come to light with the last of them, so a text ends with each.
    """
    who = before._row[WHO]
    if after.outcome is not None or who != after._row[WHO]:
        return False
    if before._variant.program.sites[before._row[SITE]].sealed or has_learned(before, after, who):
        return False
    return not said.leads_to_secrets()


def _steps(state: State, tokens: list[str], said: Said) -> list[Choice] | None:
    for opening in openings(state, tokens):
        following = _following(state, opening.choice, tokens[opening.said :], said)
        if following is not None:
            return [opening.choice, *following]
    return None


def _following(state: State, choice: Choice, rest: list[str], said: Said) -> list[Choice] | None:
    """The steps that the rest of a text stands for, after a choice; None if it cannot be read so."""
    if not rest and not leaves_room(state._variant.program):
        return []
    after = state.copy()
    try:
        after.apply(choice)
    except IllegalChoice:
        return None if rest else []
    left = unsaid(state, choice, after)
    for words in _without(state, left.settled, rest):
        steps = _onward(state, after, left.waits, words, said.then(choice))
        if steps is not None:
            return steps
    return None


def _onward(
    before: State, after: State, waits: Answer | None, rest: list[str], said: Said
) -> list[Choice] | None:
    usual = [c for c in after.choices if c._code == waits.code] if waits is not None else []
    if not rest and not usual:
        return []  # all is said, and whether more could have been need not be known
    if not of_one_mind(before, said, after):
        return None if rest else []
    steps = _steps(after, rest, said) if rest else None
    if steps is None and usual:
        following = _following(after, usual[0], rest, said)
        steps = None if following is None else [usual[0], *following]
    return [] if steps is None and not rest else steps


def _without(state: State, settled: tuple[Answer, ...], rest: list[str]) -> list[list[str]]:
    """What is left of a text without the answers that nobody asked for, where it gives them; then all of it."""
    left = rest
    for answer in settled:
        words = answer_text(state, answer).split()
        if answer.early and left[: len(words)] == words:
            left = left[len(words) :]
    return [left, rest] if left != rest else [rest]


def answer_text(state: State, answer: Answer) -> str:
    wording = state._variant.wordings[answer.site]
    assert wording is not None
    return wording.text(answer.code)
