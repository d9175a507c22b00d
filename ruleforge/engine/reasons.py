"""`reasons` finds the requirements that fail for an answer, and words each: its text, values, place and clauses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.compiler.ir import SITE, WHO, Option, Part
from ruleforge.compiler.questions import Requirement
from ruleforge.engine.choice import part_name
from ruleforge.engine.errors import Reason
from ruleforge.engine.given_answers import given_values
from ruleforge.engine.questions import Objections, Questions
from ruleforge.engine.refusal_words import Price, RefusedChoice
from ruleforge.engine.visibility.conditions import Visibility
from ruleforge.support.spelling import as_number, listed

if TYPE_CHECKING:
    from ruleforge.engine.base_state import BaseState

_SAYS = {
    "choice": "cannot be chosen: it is not in `{}`",
    "until": "cannot be chosen: the path ends before it, `{}`",
    "where": "cannot be chosen: `{}` does not hold",
    "needs": "is not allowed: `{}` does not hold",
    "forbid": "is forbidden",
    "limit": "reached its limit: `{}`",
    "cost": "cannot be paid: `{}`",
    "stopped": "is not allowed: {}",
    "holds": "is not allowed: afterwards `{}` would not hold",
    "such": "cannot be chosen: `{}` does not hold",
    "later": "cannot be chosen: it leaves no choice for `{}`",
    "ahead": "cannot be chosen: every choice after it is too expensive or forbidden",
    "share": "cannot be chosen",
    "taken": "is chosen already",
    "complete": "cannot be chosen: no combination with it fulfils `{}`",
    "least": "is not possible yet",
    "first": "is possible only before the first choice",
    "alone": "is possible only if there is no other choice",
    "waits": "cannot be chosen: it is not one of your waiting rules",
}
Chosen = tuple[int, ...]


def reason_of(against: Objections, word: str, failed: Requirement, chosen: Chosen) -> Reason:
    """In words, technical and plain."""
    questions, named = against.questions, _named(against, chosen)
    fault = against.fault(failed, chosen) if failed.breaks else None
    written = questions.written(failed) if fault is None else fault.message
    says = _stopped(against, failed, chosen) or _SAYS[failed.what].format(written)
    says += _priced(against, failed, chosen) + _bounded(against, failed, chosen)
    if changes := against.changes(failed, chosen):
        says += f" ({', '.join(changes)})"
    if failed.text:
        says += f": {failed.text}"
    shown = ((s, against.shown(s, chosen)) for s in failed.shown)
    values = tuple((questions.written(failed, s.span), value) for s, value in shown if value)
    clauses = tuple(dict.fromkeys((*failed.clauses, *against.clauses)))
    pack = questions.pack_of(failed.span)
    plain = _plain(against, word, failed, chosen, named, values, written)
    message = f"{_attempt(against, word, chosen)} {says}"
    span = failed.span if fault is None else fault.span
    return Reason("RF801", message, span, clauses, values, pack=pack, plain=plain)


def _named(against: Objections, chosen: Chosen) -> list[tuple[Part, int]]:
    return [*against.before, *zip(against.parts, chosen, strict=False)]


def _attempt(against: Objections, word: str, chosen: Chosen) -> str:
    """The attempted choice, in the words of the rules."""
    names = (part_name(against.questions.program, part, value) for part, value in _named(against, chosen))
    return f"`{' '.join((word, *names)).strip()}`"


def one_of(against: Objections, word: str, doubtful: list[Requirement], chosen: Chosen) -> Reason:
    """One reason for several requirements: at least one fails, and the deciding player must not know which."""
    each = [reason_of(against, word, requirement, chosen) for requirement in doubtful]
    conditions = list(dict.fromkeys(against.questions.written(r) for r in doubtful))
    message = f"{_attempt(against, word, chosen)} is not possible: not all of this holds: {listed(conditions, 'and')}"
    plain = "; or ".join(dict.fromkeys(reason.plain.partition(": ")[2] for reason in each))
    clauses = tuple(dict.fromkeys(clause for reason in each for clause in reason.clauses))
    what = each[0].plain.partition(": ")[0]
    return Reason("RF801", message, doubtful[0].span, clauses, plain=f"{what}: {plain}")


def _plain(
    against: Objections,
    word: str,
    failed: Requirement,
    chosen: Chosen,
    named: list[tuple[Part, int]],
    values: tuple[tuple[str, str], ...],
    written: str,
) -> str:
    """The same for players."""
    questions, kinds = against.questions, against.questions.program.kinds
    parts = {
        p.name: ("" if p.kind is None else kinds[p.kind].name, part_name(questions.program, p, v))
        for p, v in named
    }
    refused = RefusedChoice(against.name if word == against.name.rpartition(".")[2] else word, parts)
    price = price_of(against, failed, chosen)
    stopper = against.shown(failed.stopper, chosen) if failed.stopper else None
    if price is not None:
        says = questions.plainly.price(price)
    elif stopper is not None:
        says = f"the way there ends at {questions.plainly.words(stopper, refused)}"
    elif (among := _among(against, failed, chosen)) is not None:
        says = among
    else:
        last_named = against.parts[failed.binds - 1].name if failed.binds else ""
        kind, name = parts.get(last_named, ("", "it"))
        last = questions.names.thing(name, kind) if kind else name
        says = questions.plainly.condition(failed.what, failed.text, written, refused, last)
        says += _bounded(against, failed, chosen) + questions.plainly.values(values, refused)
    says += f" ({', '.join(changes)})" if (changes := against.changes(failed, chosen)) else ""
    return f"{questions.plainly.choice(refused)}: {says}"


def _among(against: Objections, failed: Requirement, chosen: Chosen) -> str | None:
    """The alternatives, if they are one or two values that the deciding player may know."""
    if failed.what != "choice":
        return None
    most = against.shown(failed.most, chosen) if failed.most else None
    if most is not None and chosen[failed.binds - 1] > int(most):
        more = f": {failed.text.rstrip('.')}" if failed.text else ""
        return f"{chosen[failed.binds - 1]} is more than {most}{more}"
    only = [against.shown(one, chosen) for one in failed.only]
    if not only or None in only:
        return None
    number = against.parts[failed.binds - 1].kind
    kind, names = (
        "" if number is None else against.questions.program.kinds[number].name,
        against.questions.names,
    )
    known = dict.fromkeys(name for name in only if name and name != "none")
    there = " or ".join(names.thing(name, kind) if kind else name for name in known)
    return f"only {there} can be chosen" if there else None


def _bounded(against: Objections, failed: Requirement, chosen: Chosen) -> str:
    """How many there must be, or how much there may be, if the one who decides may know it."""
    if failed.least is None:
        return ""
    least = against.shown(failed.least, chosen)
    most = against.shown(failed.most, chosen) if failed.most is not None else None
    if failed.what == "least":
        return f": at least {least} must be chosen" if least is not None else ""
    return f": {least} to {most} can come from it" if least and most else ""


def _priced(against: Objections, failed: Requirement, chosen: Chosen) -> str:
    price = price_of(against, failed, chosen)
    if price is None:
        return ""
    there = " and ".join(f"{value} {name}" for name, value in price.purses)
    return f": it costs {price.amount}, {'you have' if price.own else 'there is'} {there}"


def price_of(against: Objections, failed: Requirement, chosen: Chosen) -> Price | None:
    """The price and the available amounts, if the deciding player may know both."""
    if failed.price is None:
        return None
    amount = against.shown(failed.price.amount, chosen)
    purses = [(name, against.shown(shown, chosen)) for name, shown in failed.price.purses]
    known = tuple((name, had) for name, had in purses if had is not None)
    if amount is None or len(known) < len(purses):
        return None
    return Price(amount, known, failed.price.own)


def _stopped(against: Objections, failed: Requirement, chosen: Chosen) -> str | None:
    """The obstacle, if the deciding player may know it."""
    thing = against.shown(failed.stopper, chosen) if failed.stopper else None
    return f"cannot be chosen: {thing} is in the way" if thing else None


# The rules' own conditions against an answer: those that fail, as reasons.


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
    """The parts chosen earlier for the present action, as far as the deciding player sees them."""
    given_ones = given_values(state._variant.program, state._row)
    sight, who = Visibility(state._variant, state._row), state._row[WHO]
    known = (
        (part, given_ones[part.name]) for part in questions.of(action).choices if part.name in given_ones
    )
    return tuple((p, value) for p, value in known if p.kind is None or sight.thing(who, p.kind, value))


def _failed(
    against: Objections, word: str, needs: list[Requirement], chosen: tuple[int, ...]
) -> tuple[Reason, ...]:
    """The failed requirements, as far as the deciding player may know them.

    If no other requirement fails, one that depends on hidden information must fail. The player may not learn
    which one, so it is not evaluated.
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
