"""The rules' own conditions against an answer: those that fail, as reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.compiler.ir import SITE, WHO, Option, Part
from ruleforge.compiler.questions import Requirement
from ruleforge.engine.errors import Reason
from ruleforge.engine.given_answers import given_values
from ruleforge.engine.questions import Objections, Questions
from ruleforge.engine.reasons import one_of, reason_of
from ruleforge.engine.visibility.conditions import Visibility
from ruleforge.support.spelling import as_number

if TYPE_CHECKING:
    from ruleforge.engine.base_state import BaseState


def failed_requirements(state: BaseState, code: int, later: tuple[str, ...] = ()) -> tuple[Reason, ...]:
    """Why this code is not offered at the waiting site; empty if no condition of the rules says so.

    `later` are the words for what the action asks afterwards, as far as they were said.
    """
    program = state._variant.program
    site = program.sites[state._row[SITE]]
    option = site.option(code)
    questions = Questions(state)
    if option.action is None:
        return _to_a_question(state, questions, code)
    action = questions.of(program.actions[option.action].name)
    chosen = (*option.values(code), *_values_of(state, action.choices[len(option.parts) :], later))
    needs = [r for r in action.requirements if r.binds <= len(chosen) and r.during in (None, site.kind)]
    return _failed(questions.about(action.name), option.word, needs, chosen)


def _to_a_question(state: BaseState, questions: Questions, code: int) -> tuple[Reason, ...]:
    """The same for an answer to what an effect asks, or an action that is under way."""
    program, here = state._variant.program, questions.here()
    if here is None:
        return ()
    site = program.sites[state._row[SITE]]
    number = site.number_of(code)
    option, chosen = site.options[number], site.options[number].values(code)
    word, name, before = option.word, option.word, tuple[tuple[Part, int], ...]()
    if site.action is not None and option.parts:
        name = program.actions[site.action].name
        word, before = name.rpartition(".")[2], _before(state, questions, name)
    against = questions.about_answer(name, here, option.parts, before)
    return _failed(against, word, list(here.options[number]), chosen)


def _before(state: BaseState, questions: Questions, action: str) -> tuple[tuple[Part, int], ...]:
    """What was chosen for an action that is under way, as far as it is known and whoever decides sees it."""
    given_ones = given_values(state._variant.program, state._row)
    sight, who = Visibility(state._variant, state._row), state._row[WHO]
    known = (
        (part, given_ones[part.name]) for part in questions.of(action).choices if part.name in given_ones
    )
    return tuple((p, value) for p, value in known if p.kind is None or sight.thing(who, p.kind, value))


def _failed(
    against: Objections, word: str, needs: list[Requirement], chosen: tuple[int, ...]
) -> tuple[Reason, ...]:
    """What fails, as far as whoever decides may know it.

    That it is no choice they know: if nothing else fails, one of the requirements does that hang on hidden things. Which
    one may tell more than that, and is not even looked at.
    """
    met = [(requirement, against.holds(requirement, chosen)) for requirement in needs]
    failed = _nearest([requirement for requirement, holds in met if holds is False])
    doubtful = [requirement for requirement, holds in met if holds is None and requirement.what != "stopped"]
    if failed or len(doubtful) < 2:
        return tuple(reason_of(against, word, requirement, chosen) for requirement in failed or doubtful)
    return (one_of(against, word, doubtful, chosen),)


def _nearest(failed: list[Requirement]) -> list[Requirement]:
    outside = [r.binds for r in failed if r.what == "choice"]  # nothing stands between here and nowhere
    failed = [r for r in failed if r.what != "until" or r.binds not in outside]
    if any(r.what not in LAST for r in failed):  # what would be afterwards does not matter then
        return [r for r in failed if r.what not in LAST]
    stopped = [r for r in failed if r.what == "stopped"]  # for the phase and for the action: it is the same
    return stopped[:1] or failed


LAST = ("stopped", "holds", "later", "ahead", "complete")  # what is looked at only when nothing else fails


def failed_elsewhere(state: BaseState, name: str, words: tuple[str, ...]) -> Reason | None:
    """The first condition against an action that belongs to another occasion, if any can be asked here."""
    questions = Questions(state)
    action = questions.of(name)
    chosen = _values_of(state, action.choices, words)
    against = questions.about(name)
    for requirement in action.requirements:
        known = requirement.binds <= len(chosen) and requirement.during is None
        if action.given or not known or requirement.what in LAST:
            continue
        if against.holds(requirement, chosen) is False:
            return reason_of(against, name, requirement, chosen)
    return None


def with_usual(state: BaseState, option: Option, chosen: tuple[int, ...]) -> tuple[int, ...]:
    """The parts of an action's choice as far as they are known: those that were said, then the usual ones."""
    questions = Questions(state)
    if option.action is None:
        return chosen
    action = questions.of(questions.program.actions[option.action].name)
    against = questions.about(action.name)
    for part, function in zip(option.parts[len(chosen) :], action.usual[len(chosen) :], strict=False):
        value = 0 if function is None else against.ask(function, chosen)
        if function is None or not part.lowest <= value < part.lowest + part.size:
            break
        chosen = (*chosen, value)
    return chosen


def _values_of(state: BaseState, parts: tuple[Part, ...], words: tuple[str, ...]) -> tuple[int, ...]:
    """The things or numbers some words stand for, up to the first that fits nothing the player can know."""
    found: list[int] = []
    sight = Visibility(state._variant, state._row)
    for part, word in zip(parts, words, strict=False):
        if part.kind is None:
            number = as_number(word)
            if number is None:
                break
            found.append(number)
            continue
        things = state._variant.program.kinds[part.kind].things
        name = word.rpartition(".")[2]
        if name not in things[1:] or not sight.thing(state._row[WHO], part.kind, things.index(name, 1)):
            break
        found.append(things.index(name, 1))
    return tuple(found)
