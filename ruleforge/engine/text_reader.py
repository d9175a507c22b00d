"""The text reader splits a text into steps: each step answers the question that is open after the steps
before it.

A text answers the questions that it names, in order. Between two answers it may leave out a question with a
usual answer. The reader adds nothing behind the last word.

The host sees everything, so the engine reads its whole text before any step. A seat's text runs step by step,
and the engine reads the next step only after the one before it. A refusal therefore reveals nothing about
later steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.compiler.ir import SITE, WHO
from ruleforge.engine import why
from ruleforge.engine.default_answers import default_answers
from ruleforge.engine.errors import IllegalChoice, PathError, Reason
from ruleforge.engine.texts import answer_text, names_question, opening
from ruleforge.engine.visibility.disclosure import has_learned, sees_more
from ruleforge.support.spelling import as_number, did_you_mean

if TYPE_CHECKING:
    from ruleforge.engine.base_state import BaseState
    from ruleforge.engine.choice import Choice
    from ruleforge.engine.default_answers import DefaultAnswers
    from ruleforge.engine.events import Events

CHANCE_EVENTS = frozenset(("roll", "random", "shuffle"))


class TextReader:
    """A text in progress: the step to make now, and the words that are not done yet.

    Raises IllegalChoice at the first words that cannot be done. An `atomic` text ends where the player learns
    something, for nothing of it is done yet.
    """

    def __init__(self, state: BaseState, text: str, atomic: bool = False) -> None:
        self._state, self._atomic = state, atomic
        self._words = text.split()
        refusal = why.not_a_text(state, self._words)
        if refusal is not None:
            raise IllegalChoice((refusal,))
        self.choice, self.rest = _first(state, self._words)

    @property
    def left(self) -> str:
        """The words that remain, with those of the present step."""
        return " ".join(self._words)

    def advance(self, after: BaseState, has_learned: bool) -> bool:
        """Read the next step after the present one has led to this state; False at the end of the text.

        No usual answer is given if the player `has_learned` something.
        """
        before, choice, self._words = self._state, self.choice, self.rest
        self._state, usual = after, None
        goes_on = _decides_again(before, after) and not (self._atomic and has_learned)
        if self._words and not (goes_on and names_question(after, self._words)):
            defaults = default_answers(before, choice, after)
            self._words = _without_settled(before, choice, defaults, self._words)
            if self._words and not goes_on:
                raise IllegalChoice((too_much(choice, self._words),))
            usual = None if has_learned else usual_answer(after, defaults)
        if not self._words:
            return False
        if usual is None or names_question(after, self._words):
            self.choice, self.rest = _first(after, self._words)
        else:
            self.choice, self.rest = usual, self._words
        return True


def _decides_again(before: BaseState, after: BaseState) -> bool:
    """Whether the player who made a step decides again."""
    return after.outcome is None and before._row[WHO] == after._row[WHO]


def read_steps(state: BaseState, text: str) -> tuple[Choice, ...]:
    """The steps of a host's text, each possible after the one before; else IllegalChoice."""
    reader, now = TextReader(state, text, atomic=True), state
    steps = [reader.choice]
    while reader.rest:
        after = now.copy()
        after.apply(reader.choice)
        if not reader.advance(after, _stops(now, after)):
            break
        steps.append(reader.choice)
        now = after
    return tuple(steps)


def _stops(before: BaseState, after: BaseState) -> bool:
    """Whether a host's text ends behind a step: the player has learned something, or answered in secret.

    With a secret answer those of the others may come to light.
    """
    sealed = before._variant.program.sites[before._row[SITE]].sealed
    return sealed is not None or has_learned(before, after, before._row[WHO])


def learned_from(before: BaseState, after: BaseState, events: Events) -> bool:
    """Whether a step told its player something new. A chance event counts only if the player is told of it."""
    who = before._row[WHO]
    entries = events.seen_by(before.players[who - 1])
    return any(event.name in CHANCE_EVENTS for event in entries) or sees_more(before, after, who)


def open_default(before: BaseState, choice: Choice, after: BaseState) -> Choice | None:
    """The usual answer to the question that a step leads to, if the same player is asked and has learned nothing."""
    if not _decides_again(before, after) or _stops(before, after):
        return None
    return usual_answer(after, default_answers(before, choice, after))


def usual_answer(state: BaseState, defaults: DefaultAnswers) -> Choice | None:
    """The choice that gives the usual answer to the present question."""
    waits = defaults.waits
    return next((c for c in state.choices if waits is not None and c._code == waits.code), None)


def _without_settled(
    state: BaseState, choice: Choice, defaults: DefaultAnswers, words: list[str]
) -> list[str]:
    """The words without payments that could be made in one way only, and so were not asked for."""
    for answer in defaults.settled:
        only = answer_text(state, answer.site, answer.code).split()
        spoken = words[: len(only)]
        if spoken == only:
            words = words[len(only) :]
        elif spoken[:1] == only[:1]:
            message = (
                f"`{' '.join(spoken)}` is not possible after `{choice.text}`: only `{' '.join(only)}` is"
            )
            raise IllegalChoice((Reason("RF807", message),))
    return words


def too_much(choice: Choice, rest: list[str]) -> Reason:
    """The refusal of words behind a step at which a text ends."""
    message = (
        f"`{' '.join(rest)}` cannot follow in the same step: it depends on the result of `{choice.text}`"
    )
    return Reason("RF806", message, help="write the rest as a separate step")


def why_not(state: BaseState, text: str) -> tuple[Reason, ...]:
    """The reasons against a host's text, none if it can be applied."""
    try:
        state.copy().apply(text)
    except IllegalChoice as refusal:
        return refusal.reasons
    except PathError as unanswered:  # the rules break the question off
        return (Reason(unanswered.code, unanswered.message),)
    return ()


def why_not_seat(state: BaseState, text: str, player: str) -> tuple[Reason, ...]:
    """The reasons against the first step of a seat's text, before any of it is done."""
    refusal = why.not_yours(state, player)
    if refusal is not None:
        return (refusal,)
    try:
        reader = seat_reader(state, text)
        state.copy().apply(reader.choice)
    except IllegalChoice as refused:
        return refused.reasons
    except PathError as unanswered:  # the rules break the question off
        return (Reason(unanswered.code, unanswered.message),)
    return (_later(reader.choice, reader.rest),) if reader.rest else ()


def seat_reader(state: BaseState, text: str) -> TextReader:
    """The reader of a seat's text. A text with a misspelt word does nothing."""
    reader = TextReader(state, text)
    known = _vocabulary(state)
    unknown = next(
        (w for w in reader.rest if as_number(w) is None and w.partition("[")[0] not in known), None
    )
    if unknown is not None:
        help = did_you_mean(unknown, sorted(known))
        raise IllegalChoice((Reason("RF802", f"`{unknown}` is not a word of this game", help=help),))
    return reader


def _first(state: BaseState, tokens: list[str]) -> tuple[Choice, list[str]]:
    """The next step and the words behind it."""
    found = opening(state, tokens)
    if found is None:
        raise IllegalChoice(why.first_obstacle(state, tokens))
    return found.choice, tokens[found.length :]


def _vocabulary(state: BaseState) -> set[str]:
    """Every word that the text of a choice may have anywhere in this game, but for numbers."""
    variant = state._variant
    phrases = (phrase for wording in variant.wordings if wording is not None for phrase in wording.phrases)
    words = {word for phrase in phrases for word in phrase.word.split()}
    things = {(kind.name, thing) for kind in variant.program.kinds for thing in kind.things[1:]}
    names = {name for kind, thing in things for name in (thing, f"{kind}.{thing}")}
    return words | names | {path.path for path in variant.paths.places}


def _later(choice: Choice, rest: list[str]) -> Reason:
    message = f"`{choice.text}` is possible; whether `{' '.join(rest)}` is, becomes known after it"
    return Reason("RF806", message)
