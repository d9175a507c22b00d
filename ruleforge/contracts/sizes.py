"""The limits of a point on sizes: of one source, of the result, and of printed values."""

from __future__ import annotations

from ruleforge.analysis.effects.summary import Change
from ruleforge.analysis.intervals import Interval
from ruleforge.contracts.limit import Breach, LimitQuestion
from ruleforge.contracts.terms import RESULT, written
from ruleforge.lang.checker.types import FlagT


def each_breach(each: Interval, question: LimitQuestion) -> Breach | None:
    change = question.change
    if change.amount is None or change.op == "set":
        return None
    total = change.amount * Interval(1, change.times) if change.kind == "gain" else change.amount
    if total.within(each):
        return None
    verb = {"add": "adds", "up": "adds", "down": "takes"}.get(change.op, "uses")
    too_much = total.high > each.high
    figure = _figure(total.high if too_much else total.low)
    bound = f"at most {int(each.high)}" if too_much else f"at least {int(each.low)}"
    up_to = "" if total.is_single else "up to "
    why = f"{verb} {up_to}{figure} to `{change.name}`, one source may add {bound}"
    cut = "min" if too_much else "max"
    return Breach(why, _smaller(change, cut, _furthest(each, cut, question)), change.amount_span)


def _furthest(each: Interval, cut: str, question: LimitQuestion) -> int:
    """How far one source may go, so that the outcome may still be within its limits, too."""
    result = question.point[RESULT]
    base = _base(question) if result is not None else None
    if base is None or result is None:
        return int(each.high if cut == "min" else each.low)
    if cut == "min":
        return int(min(each.high, result.high - base.low))
    return int(max(each.low, result.low - base.high))


def set_breach(result: Interval, question: LimitQuestion) -> Breach | None:
    """The breach of a limit by an assigned value; None if the value is within the limit."""
    change = question.change
    stays_inside = change.amount is None or change.op != "set" or change.amount.within(result)
    return None if stays_inside else _beyond(result, change)


def result_breach(result: Interval, question: LimitQuestion) -> Breach | None:
    """The breach of a limit by an added value; None if the result is within the limit."""
    change, base = question.change, _base(question)
    if change.amount is None or change.op == "set" or base is None:
        return None
    most, least = base.high + change.amount.high, base.low + change.amount.low
    if most < result.low:
        floor = int(result.low)
        why = f"leaves at most {_figure(most)} of `{change.name}`, the least is {floor}"
        return Breach(why, f"leave at least {floor}", change.amount_span)
    if least > result.high:
        top = int(result.high)
        why = f"leaves at least {_figure(least)} of `{change.name}`, the most is {top}"
        return Breach(why, f"leave at most {top}", change.amount_span)
    return None


def _beyond(result: Interval, change: Change) -> Breach:
    if isinstance(change.subject.result if change.subject is not None else None, FlagT):
        only, other = ("true", "false") if result.low else ("false", "true")
        why = f"sets `{change.name}` to what may be {other}, only {only} is admitted"
        return Breach(why, f'write `set: "{only}"`', change.amount_span)
    why = f"sets `{change.name}` to {change.amount}, it must stay within {written(result)}"
    return Breach(why, f"stay within {written(result)}", change.amount_span)


def _base(question: LimitQuestion) -> Interval | None:
    subject = question.change.subject
    if subject is None or subject.body is None:
        return None
    found = question.around.ranges.of(subject.body, {})
    return found.clamp(*subject.clamp) if subject.clamp else found


def range_breach(bounds: Interval, question: LimitQuestion) -> Breach | None:
    change = question.change
    if change.amount is None or change.amount.within(bounds):
        return None
    why = f"has {change.amount} as `{change.name}`, it must lie in {written(bounds)}"
    return Breach(why, f"stay within {written(bounds)}")


def _figure(value: float) -> str:
    return str(int(value)) if abs(value) < 10**9 else "any number"


def _smaller(change: Change, cut: str, most: int) -> str:
    exact = change.amount is not None and change.amount.is_single
    return f"write `{most}`" if exact else f"write `{cut}({most}, ...)`"
