"""A seat's text -> its steps one at a time, each done before the next is read, or why the next cannot be done.

A seat does not see everything. If it could try a whole text for free, a refusal would show what lies behind the first
step. So nothing behind the first step is read until that step is done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.compiler.ir import WHO
from ruleforge.engine import why
from ruleforge.engine.default_answers import unsaid
from ruleforge.engine.errors import IllegalChoice, PathError, Reason
from ruleforge.engine.texts import openings, too_much, usual_choice, without_settled
from ruleforge.engine.visibility.disclosure import sees_more
from ruleforge.support.spelling import as_number, did_you_mean

if TYPE_CHECKING:
    from ruleforge.engine.base_state import BaseState
    from ruleforge.engine.choice import Choice
    from ruleforge.engine.events import Events

CHANCE_EVENTS = frozenset(("roll", "random", "shuffle"))


class SeatText:
    """A seat's text in progress: the step to make now, and the words that are not done yet.

    Raises IllegalChoice at the first words that cannot be done; the steps before them stay done.
    """

    def __init__(self, state: BaseState, text: str) -> None:
        self._state = state
        self._words = text.split()
        self.choice, self._rest = _first(state, self._words)

    @property
    def left(self) -> str:
        """What is not done yet, the present step included."""
        return " ".join(self._words) or self.choice.text

    def advance(self, after: BaseState, events: Events) -> bool:
        """Read the next step after the present one has led to this state; False at the end of the text."""
        before, choice, self._words = self._state, self.choice, self._rest
        other = why.not_the_only_answer(before, choice, after, self._words)
        if other is not None:
            raise IllegalChoice((other,))
        left = unsaid(before, choice, after)
        self._words = without_settled(before, left.settled, self._words)[0]
        asked_again = after.outcome is None and before._row[WHO] == after._row[WHO]
        if self._words and not asked_again:
            raise IllegalChoice((too_much(choice, self._words),))
        usual = usual_choice(after, left.waits) if asked_again else None
        if usual is not None and _has_learned(before, after, events):
            usual = None
        if not self._words and usual is None:
            return False
        self._state = after
        self.choice, self._rest = _following(after, self._words, usual)
        return True


def _has_learned(before: BaseState, after: BaseState, events: Events) -> bool:
    """Whether a step told the player who made it something new. Chance that the player is not told of is nothing new."""
    who = before._row[WHO]
    told = events.seen_by(before.players[who - 1])
    return any(event.name in CHANCE_EVENTS for event in told) or sees_more(before, after, who)


def why_not(state: BaseState, text: str, player: str) -> tuple[Reason, ...]:
    """What a seat is told against its text before any of it is done: the reasons against the first step."""
    refusal = why.not_yours(state, player)
    if refusal is not None:
        return (refusal,)
    try:
        choice, rest = _first(state, text.split())
        state.copy().apply(choice)
    except IllegalChoice as refused:
        return refused.reasons
    except PathError as unanswered:  # the rules break the question off
        return (Reason(unanswered.code, unanswered.message),)
    return (_later(choice, rest),) if rest else ()


def _first(state: BaseState, tokens: list[str]) -> tuple[Choice, list[str]]:
    """The first step of a text and the words behind it. A text with a misspelt word does nothing."""
    refusal = why.not_a_text(state, tokens)
    if refusal is not None:
        raise IllegalChoice((refusal,))
    choice, rest = _following(state, tokens, None)
    known = _vocabulary(state)
    unknown = next((w for w in rest if as_number(w) is None and w.partition("[")[0] not in known), None)
    if unknown is not None:
        help = did_you_mean(unknown, sorted(known))
        raise IllegalChoice((Reason("RF802", f"`{unknown}` is not a word of this game", help=help),))
    return choice, rest


def _following(state: BaseState, tokens: list[str], usual: Choice | None) -> tuple[Choice, list[str]]:
    """The next step and the words behind it: the longest choice that the words name, else the usual answer."""
    found = openings(state, tokens) if tokens else []
    if found:
        return found[0].choice, tokens[found[0].length :]
    if usual is None:
        raise IllegalChoice(why.first_obstacle(state, tokens))
    return usual, tokens


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
