"""`why` finds the first reason why a text is not among the choices, in the words of the players."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from ruleforge.compiler.ir import SITE, WHO, Part, Program
from ruleforge.engine.choice import Phrase, Wording, part_name, part_value
from ruleforge.engine.errors import Reason
from ruleforge.engine.presentation.titles import Names
from ruleforge.engine.reasons import failed_elsewhere, failed_requirements, with_usual
from ruleforge.engine.visibility.conditions import Visibility
from ruleforge.support.spelling import as_number, did_you_mean, listed, nearest, with_article

if TYPE_CHECKING:
    from ruleforge.engine.base_state import BaseState

MOST_SHOWN = 5
MOST_WORDS = 100  # in one text


def not_yours(state: BaseState, player: str) -> Reason | None:
    """The reason against any choice of this player: another player decides now."""
    decision = state.decision
    if decision is None or player == decision.player:
        return None
    state._variant.player_number(player)  # an unknown player is a mistake of its own
    return Reason("RF804", f"`{decision.player}` decides now, not `{player}`")


def not_a_text(state: BaseState, tokens: list[str]) -> Reason | None:
    """The reason against a text, whatever its words: the game is over, or it has no words or too many."""
    outcome = state.outcome
    if outcome is not None:
        return Reason("RF803", f"the game is over: {outcome}")
    if not tokens:
        return Reason("RF802", "nothing was chosen", help=_offered(state))
    if len(tokens) > MOST_WORDS:
        return Reason("RF806", f"a text has {MOST_WORDS} words at most, this one has {len(tokens):,}")
    return None


def first_obstacle(state: BaseState, tokens: list[str]) -> tuple[Reason, ...]:
    """The reasons against a text that no choice begins."""
    variant = state._variant
    wording = variant.wordings[state._row[SITE]]
    assert wording is not None
    fitting = [
        phrase for phrase in wording.phrases if tokens[: len(phrase.word.split())] == phrase.word.split()
    ]
    worded = [phrase for phrase in fitting if phrase.word] or fitting
    if not worded:
        return (_unknown_word(state, wording, tokens),)
    found: list[Reason] = []
    for phrase in worded:
        tokens = _with_usual(state, phrase, tokens)
        parts = tokens[len(phrase.word.split()) :]
        reason = _misread(variant.program, phrase, parts)
        if reason is not None and phrase.option.action is not None and len(parts) > len(phrase.option.parts):
            own = len(tokens) - len(parts) + len(phrase.option.parts)
            ahead = _misread(variant.program, phrase, tokens[len(phrase.word.split()) : own])
            if ahead is None and _unseen(state, phrase, parts) is None:
                code = _code(variant.program, phrase, tokens[:own])
                failed = failed_requirements(state, code, tuple(tokens[own:]))
                if failed:
                    return failed
        if reason is None:
            unseen = _unseen(state, phrase, tokens[len(phrase.word.split()) :])
            if unseen is not None:
                return (unseen,)
            code = _code(variant.program, phrase, tokens)
            return failed_requirements(state, code) or (_not_among(state, tokens),)
        found.append(reason)
    if all(not phrase.word for phrase in worded) and not any(r.code == "RF806" for r in found):
        elsewhere = _words_elsewhere(state)
        if tokens[0] in elsewhere:
            return (_not_now(state, tokens),)
    return tuple(found[:1])


def _with_usual(state: BaseState, phrase: Phrase, tokens: list[str]) -> list[str]:
    """The text with the usual names for the last parts, where it leaves them out."""
    program, parts = state._variant.program, phrase.option.parts
    names = tokens[len(phrase.word.split()) :]
    missing = len(parts) - len(names)
    if not 0 < missing <= phrase.option.usual:
        return tokens
    if any(_unknown_part(program, part, name) for part, name in zip(parts, names, strict=False)):
        return tokens
    texts = tuple(part_value(program, part, name) for part, name in zip(parts, names, strict=False))
    values = with_usual(state, phrase.option, texts)[len(texts) :]
    pairs = zip(parts[len(texts) :], values, strict=False)
    return [*tokens, *(part_name(program, part, value, phrase.full) for part, value in pairs)]


def _misread(program: Program, phrase: Phrase, tokens: list[str]) -> Reason | None:
    """The mistake in the parts after the word, if any."""
    parts = phrase.option.parts
    for part, token in zip(parts, tokens, strict=False):
        reason = _unknown_part(program, part, token)
        if reason is not None:
            return reason
    twice = [b for a, b in pairwise(sorted(_members(phrase, tokens))) if a == b]
    if twice:
        return Reason("RF801", f"`{twice[0][1]}` is named twice")
    if len(tokens) < len(parts):
        missing = parts[len(tokens)]
        what = "a number" if missing.kind is None else with_article(program.kinds[missing.kind].name)
        return Reason("RF806", f"`{' '.join([phrase.word, *tokens]).strip()}` still needs {what}")
    if len(tokens) > len(parts):
        return (
            Reason("RF801", f"`{' '.join(tokens[: len(parts)])}` cannot be chosen here")
            if parts
            else Reason("RF806", f"`{phrase.word}` takes no values")
        )
    return None


def _members(phrase: Phrase, tokens: list[str]) -> list[tuple[str, str]]:
    """The names that belong to sets, each with the name of its set."""
    return [(p.name, token) for p, token in zip(phrase.option.parts, tokens, strict=False) if p.member]


def _unseen(state: BaseState, phrase: Phrase, tokens: list[str]) -> Reason | None:
    """A thing the player cannot see gets one and the same answer, wherever it is."""
    who, sight = state._row[WHO], Visibility(state._variant, state._row)
    for part, token in zip(phrase.option.parts, tokens, strict=False):
        if part.kind is None or not who:
            continue
        if not sight.thing(who, part.kind, part_value(state._variant.program, part, token)):
            message = f"`{token}` cannot be chosen by name: you cannot see its place"
            plain = (
                f"{Names(state._variant.info).word(token)} cannot be chosen by name: you cannot see its place"
            )
            return Reason("RF801", message, help=_offered(state), plain=plain)
    return None


def _unknown_part(program: Program, part: Part, token: str) -> Reason | None:
    if part.kind is None:
        number, highest = as_number(token), part.low + part.size - 1
        if number is not None and part.low <= number <= highest:  # a range is searched for what is no number
            return None
        return Reason("RF805", f"`{token}` is not a number from {part.low} to {highest}")
    kind = program.kinds[part.kind]
    if token.removeprefix(f"{kind.name}.") in kind.things[1:]:
        return None
    others = [other.name for other in program.kinds if token in other.things[1:]]
    if others:
        return Reason(
            "RF805", f"`{token}` is {with_article(others[0])}; {with_article(kind.name)} is needed here"
        )
    hint = did_you_mean(token, kind.things[1:])
    return Reason("RF805", f"there is no {kind.name} `{token}`", help=hint)


def _code(program: Program, phrase: Phrase, tokens: list[str]) -> int:
    parts = zip(phrase.option.parts, tokens[len(phrase.word.split()) :], strict=True)
    return phrase.option.code(tuple(part_value(program, part, token) for part, token in parts))


def _unknown_word(state: BaseState, wording: Wording, tokens: list[str]) -> Reason:
    word = tokens[0]
    if word in _words_elsewhere(state):
        return _not_now(state, tokens)
    here = [phrase.word for phrase in wording.phrases if phrase.word]
    hint = did_you_mean(word, [*here, *_words_elsewhere(state)])
    return Reason("RF802", f"`{word}` is not a choice", help=hint or _offered(state))


def _not_now(state: BaseState, tokens: list[str]) -> Reason:
    """It belongs to another occasion; if that was passed over since it is not possible anyway, with the cause."""
    word = tokens[0]
    action = next((a for a in state._variant.program.actions if a.name == word), None)
    decision = state.decision
    question = f"; `{decision.player}` is asked: {decision.prompt}" if decision else ""
    span, clauses = (action.span, action.clauses) if action else (None, ())
    says, help = f"`{word}` is not offered now{question}", _offered(state)
    cause = failed_elsewhere(state, action.name, tuple(tokens[1:])) if action and state._row[WHO] else None
    names = Names(state._variant.info)
    plain = f"{names.action(action.name if action else word)} is not possible now"
    occasions = dict.fromkeys(names.action(wording.site.prompt) for wording in _wordings_with(state, word))
    if occasions and decision is not None:
        plain += f", only at: {'; '.join(occasions)}"
    if cause is None:
        return Reason("RF807", says, span, clauses, help=help, plain=plain)
    message, plain = f"{says}; also {cause.message}", f"{plain}; also {cause.plain}"
    return Reason("RF807", message, cause.span, cause.clauses, cause.values, help, plain=plain)


def _wordings_with(state: BaseState, word: str) -> list[Wording]:
    """The wordings of the sites that accept this word."""
    known = (wording for wording in state._variant.wordings if wording is not None)
    return [wording for wording in known if any(phrase.word == word for phrase in wording.phrases)]


def _words_elsewhere(state: BaseState) -> set[str]:
    known = [wording for wording in state._variant.wordings if wording is not None]
    return {phrase.word for wording in known for phrase in wording.phrases if phrase.word}


def _not_among(state: BaseState, tokens: list[str]) -> Reason:
    return Reason(
        "RF801", f"`{' '.join(tokens)}` is not among the choices", help=_closest(state, " ".join(tokens))
    )


def _closest(state: BaseState, text: str) -> str:
    texts = [choice.text for choice in state.choices]
    near: list[str] = []
    while len(near) < 3 and (found := nearest(text, texts)) is not None:
        near.append(found)
        texts.remove(found)
    return f"close to it: {listed(near)}" if near else _offered(state)


def _offered(state: BaseState) -> str:
    texts = [choice.text for choice in state.choices]
    if len(texts) <= MOST_SHOWN:
        return f"possible: {listed(texts)}"
    some = ", ".join(f"`{text}`" for text in texts[:MOST_SHOWN])
    return f"possible: {some} and {len(texts) - MOST_SHOWN} more"
