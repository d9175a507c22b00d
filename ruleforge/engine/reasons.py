"""A failed requirement -> the reason in words: its text, its values, place and clauses."""

from __future__ import annotations

from ruleforge.compiler.ir import Part
from ruleforge.compiler.questions import Requirement
from ruleforge.engine.choice import part_name
from ruleforge.engine.errors import Reason
from ruleforge.engine.questions import Objections
from ruleforge.engine.refusal_words import Price, RefusedChoice
from ruleforge.support.spelling import listed

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
    """What was asked for, in the words of the rules."""
    names = (part_name(against.questions.program, part, value) for part, value in _named(against, chosen))
    return f"`{' '.join((word, *names)).strip()}`"


def one_of(against: Objections, word: str, doubtful: list[Requirement], chosen: Chosen) -> Reason:
    """For several of which one at least fails, and whoever decides must not know which."""
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
    """What there is to choose from instead, if it is a value or two that the one who decides may know."""
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
    """What it costs and what there is, if the one who decides may know both."""
    if failed.price is None:
        return None
    amount = against.shown(failed.price.amount, chosen)
    purses = [(name, against.shown(shown, chosen)) for name, shown in failed.price.purses]
    known = tuple((name, had) for name, had in purses if had is not None)
    if amount is None or len(known) < len(purses):
        return None
    return Price(amount, known, failed.price.own)


def _stopped(against: Objections, failed: Requirement, chosen: Chosen) -> str | None:
    """What stands in the way, if the one who decides may know it."""
    thing = against.shown(failed.stopper, chosen) if failed.stopper else None
    return f"cannot be chosen: {thing} is in the way" if thing else None
