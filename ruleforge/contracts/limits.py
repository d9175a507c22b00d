"""The table of limits of a point: for each limit the check of a change, and the message of a breach."""

from __future__ import annotations

from dataclasses import replace

from ruleforge.analysis.effects.blocks import due
from ruleforge.analysis.effects.linear import put_in_its_place
from ruleforge.analysis.effects.summary import Change, EffectSummary, Who, Write, name_of
from ruleforge.contracts.conditions import Circumstances, usual_limit, when_counted
from ruleforge.contracts.limit import Breach, Failure, Limit, LimitQuestion
from ruleforge.contracts.sizes import each_breach, range_breach, result_breach, set_breach
from ruleforge.contracts.subjects import (
    actor,
    hangs_on_play,
    hangs_on_subject,
    is_about_new,
    is_about_one,
    is_whose,
)
from ruleforge.contracts.terms import (
    ACTS,
    EACH,
    INTO,
    LIMIT,
    MADE_OF,
    OPS,
    OUT_OF,
    PACKS,
    RANGE,
    RESULT,
    SOURCES,
    SUBJECT,
    VIA,
    WHEN,
    WHOSE,
    WINDOW,
    WITHOUT,
    Sources,
    Words,
)
from ruleforge.lang.checker import typed as t

_CONDITIONAL = ("conditional", "conditional both ways")
_VERBS = {"forbid": "forbids", "instead": "acts instead of"}


def failures(question: LimitQuestion) -> list[Failure]:
    """The limits of the point that a change does not keep, in the order in which they are told."""
    question = replace(question, change=_undisguised(question))
    found = (limit.failure(question) for limit in LIMITS)
    return [failure for failure in found if failure is not None]


def _undisguised(question: LimitQuestion) -> Change:
    """The change with its real operation: to add a value and subtract the formula's own is to set it."""
    change, effect = question.change, question.effect
    pattern = effect.rule.pattern if effect is not None and effect.rule is not None else None
    if change.kind != "modify" or change.op != "add" or pattern is None:
        return change
    if change.subject is None or change.value is None:
        return change
    result = put_in_its_place(change.subject, pattern, change.value, question.around.ranges, {})
    return change if result is None else replace(change, op="set", amount=result, acts="other")


# --- who and where ---


def _packs(kinds: Words, question: LimitQuestion) -> Breach | None:
    if question.pack_kind in kinds:
        return None
    named = " or ".join(kinds)
    why = f"does what only a pack of the kind {named} may do: `{question.change.name}`"
    return Breach(why, f"make it a pack of the kind {named}")


def _via(ways: Words, question: LimitQuestion) -> Breach | None:
    """Inside a filling or replacement of one of these events, after it, or in an effect that calls it."""
    change, effect = question.change, question.effect
    called = {c.name for c in effect.changes if c.kind == "call"} if effect is not None else set()
    if change.kind == "act" and effect is not None and effect.action is not None:
        called = due(effect.action.cost) | due(effect.action.body)
    if any(way in change.path or way in called for way in ways):
        return None
    wanted = " or ".join(f"`{way}`" for way in ways)
    if change.kind == "act":
        why = f"offers an action during `{change.name}` that calls no {wanted}"
        return Breach(why, f"call `{ways[0]}` in its cost")
    return Breach(
        f"reaches `{change.name}` outside of {wanted}", f"do it in an effect that calls `{ways[0]}`"
    )


def _without(rewards: Words, question: LimitQuestion) -> Breach | None:
    """A limit on effects that also give a reward."""
    given = (
        {name_of(w.column): w for w in question.effect.writes if _raises(w)}
        if question.effect is not None
        else {}
    )
    name = next((name for name in rewards if name in given), None)
    if name is None:
        return None
    why = f"does this to `{question.change.name}` and gives `{name}` for it"
    return Breach(why, f"leave out the effect that gives `{name}`", given[name].span)


def _window(allowed: Words, question: LimitQuestion) -> Breach | None:
    change = question.change
    windows = question.effect.windows if question.effect is not None and change.kind != "act" else ()
    outside = [w for w in windows if w not in allowed] or [w for w in change.windows if w not in allowed]
    if not outside:
        return None
    why = f"acts during `{outside[0]}`, it may only during {' or '.join(f'`{w}`' for w in allowed)}"
    return Breach(why, f"write `during: {allowed[0]}`")


def _whose(whose: str, question: LimitQuestion) -> Breach | None:
    change, effect = question.change, question.effect
    assert effect is not None
    if whose == "new":
        why = f"touches `{change.name}` for more than the things of its own"
        is_new = is_about_new(effect, question.new_things)
        return None if is_new else Breach(why, "print it on a thing of the pack", guarded=True)
    if whose not in ("own", "enemy") or _is_meant(change, effect, question):
        return None
    if change.kind == "call" and whose == "own":
        why = f"calls `{change.name}` for others than the player who acts"
        return Breach(why, "call it in an action, for `me`", guarded=True)
    other = "the player's own" if whose == "own" else "the enemy's"
    repair = "name the owner: `where owner(x) is me`" if whose == "own" else "say whose"
    return Breach(
        f"touches `{change.name}` of more than {other} things", repair, guarded=change.kind != "move"
    )


def _is_meant(change: Change, effect: EffectSummary, question: LimitQuestion) -> bool:
    whose, who = question.point[WHOSE] or "", actor(effect)
    if change.kind != "move":
        return is_whose(change, effect, whose)
    return question.around.whose(change) == (who if whose == "own" else who.flipped())


def _out_of(whose: str, question: LimitQuestion) -> Breach | None:
    """In whose place a thing lay; of a look, whose place it is."""
    lay = question.change.lay
    return _from_or_to(whose, "out of", lay[1] if lay is not None else None, question)


def _into(whose: str, question: LimitQuestion) -> Breach | None:
    """The owner of the place that a thing moves to; for a look, the player who sees it."""
    before = question.point[OUT_OF]
    if before and _out_of(before, question) is not None:
        return None  # one of the two is enough to tell
    return _from_or_to(whose, "into", question.change.goal, question)


def _from_or_to(whose: str, way: str, found: Who | None, question: LimitQuestion) -> Breach | None:
    who = actor(question.effect)
    if found == (who if whose == "own" else who.flipped()):
        return None
    words = {"own": "the player's own", "enemy": "the enemy's"}
    verb = "shows" if question.change.kind == "look" else "moves"
    why = f"{verb} `{question.change.name}`, but not {way} {words[whose]} place"
    return Breach(why, "name the owner: `me.PLACE`")


def _subject(subject: str, question: LimitQuestion) -> Breach | None:
    assert question.effect is not None
    if subject != "one" or is_about_one(question.effect):
        return None
    why = f"touches `{question.change.name}` of more than one thing"
    return Breach(why, "name the thing: `when: x is self.chosen`")


# --- how ---


def _ops(ops: Words, question: LimitQuestion) -> Breach | None:
    change = question.change
    if change.op in ops:
        return None
    if change.acts == "other":
        why = f"replaces the value of `{change.name}` by another one"
        return Breach(why, "add a number", change.amount_span)
    why = f"uses `{change.op}` on `{change.name}`, only {' or '.join(ops)} is admitted"
    return Breach(why, f"write `{ops[0]}:`")


_WHAT_HAPPENS = {"none": "nothing", "less": "less of it", "same": "the same", "other": "something else"}


def _acts(acts: Words, question: LimitQuestion) -> Breach | None:
    change = question.change
    if change.acts in acts:
        return None
    return Breach(f"lets {_WHAT_HAPPENS[change.acts]} happen instead of `{change.name}`", None)


def _once(_: Words, question: LimitQuestion) -> Breach | None:
    """A replaced event happens once at most, unless the point allows more."""
    assert question.effect is not None
    if (
        question.effect.proceeds <= 1
        or question.point[SOURCES] is not None
        or "other" in (question.point[ACTS] or ())
    ):
        return None
    return Breach(f"lets `{question.change.name}` happen {question.effect.proceeds} times", "proceed once")


def _made_of(what: str, question: LimitQuestion) -> Breach | None:
    if what != "itself" or question.change.made_of_itself:
        return None
    return Breach(f"gives `{question.change.name}` a value of its own", "keep one of the values it had")


# --- when ---


def _when(when: str, question: LimitQuestion) -> Breach | None:
    change, effect, around = question.change, question.effect, question.around
    assert effect is not None
    if change.kind == "act":
        return None
    if when == "printed":
        if not any(hangs_on_play(part) for part in (*effect.conditions, change.value) if part is not None):
            return None
        help = "use only printed facts, options and the number of players"
        return Breach(f"lets `{change.name}` depend on the course of the game", help, guarded=True)
    if when == "timed":
        help = "let it end: a pool with `lasts`, or a rule that removes it"
        return (
            None if around.ends(effect) else Breach(f"changes `{change.name}` for good", help, code="RF907")
        )
    if around.limited(effect) or (when in _CONDITIONAL and around.timed(effect)):
        return None
    if when == "limited":
        why = f"does this to `{change.name}` without a limit"
        return Breach(why, f"add `{usual_limit(around.rules)}`", code="RF907")
    return _conditional(when, change, effect, around)


def _conditional(when: str, change: Change, effect: EffectSummary, around: Circumstances) -> Breach | None:
    lower = change.amount is not None and change.op == "add" and change.amount.high <= 0
    tests, counted = when_counted(effect.rule.amount if effect.rule is not None else None)
    varies = change.amount is not None and not change.amount.is_single
    if when == "conditional both ways" and not hangs_on_subject(effect):
        varies = False
    if (lower and when == "conditional") or (varies and not (tests and isinstance(counted, t.Constant))):
        return None
    answer = around.conditional(effect, tests)
    if answer:
        return None
    help = "add a `when` that is false for some, a duration, or a limit"
    verb = _VERBS.get(change.kind, "modifies")
    if answer is None:
        why = f"{verb} `{change.name}` under too many conditions to check"
        return Breach(why, help, None, "RF919", True, "unknown")
    return Breach(f"{verb} `{change.name}` always", help, guarded=True)


def _limit(limit: str, question: LimitQuestion) -> Breach | None:
    if question.effect is None or question.effect.limit is not None:
        return None
    return Breach(f"does this to `{question.change.name}` without a limit", f"add `limit: {limit}`")


def _sources(sources: Sources, question: LimitQuestion) -> Breach | None:
    """One source for a roll: a use claims it once, and a replacement rolls once more for each claim."""
    change, effect = question.change, question.effect
    assert effect is not None
    calls = question.point.targets_of("call")
    claims = [c for c in effect.changes if c.kind == "call" and c.name in calls]
    if change.kind == "call":
        before = sum(claim.times for claim in claims[: claims.index(change)])
        if before + change.times <= sources.most:
            return None
        return Breach(f"is used more than {_often(sources.most)} for one `{sources.per}`", "use it once")
    if change.name != sources.per:
        return None
    if calls and not claims and effect.proceeds != 1:
        why = f"changes `{sources.per}` without counting as its one source"
        return Breach(why, f"call `{calls[-1]}` first")
    if effect.proceeds > 1 + sources.most:
        return Breach(f"lets `{sources.per}` happen {effect.proceeds} times", "proceed twice at most")
    return None


# The table: a point that has the term asks for it, in this order.
LIMITS = (
    Limit(PACKS, "RF908", _packs, guarded=True),
    Limit(OPS, "RF903", _ops, ("modify",), guarded=True),
    Limit(VIA, "RF903", _via, guarded=True),
    Limit(WITHOUT, "RF903", _without),
    Limit(ACTS, "RF903", _acts, ("instead",), guarded=True),
    Limit(None, "RF903", _once, ("instead",), of_effects=True, guarded=True),
    Limit(MADE_OF, "RF903", _made_of, ("gain",), guarded=True),
    Limit(WINDOW, "RF909", _window),
    Limit(RESULT, "RF905", set_breach, ("modify", "gain"), cites="over"),
    Limit(WHEN, "RF906", _when, of_effects=True, cites="bare"),
    Limit(EACH, "RF904", each_breach, cites="over"),
    Limit(RESULT, "RF905", result_breach, ("modify", "gain"), cites="over"),
    Limit(RANGE, "RF904", range_breach, cites="over"),
    Limit(WHOSE, "RF903", _whose, of_effects=True),
    Limit(OUT_OF, "RF903", _out_of),
    Limit(INTO, "RF903", _into),
    Limit(SUBJECT, "RF903", _subject, of_effects=True, guarded=True),
    Limit(LIMIT, "RF907", _limit, of_effects=True, cites="bare"),
    Limit(SOURCES, "RF904", _sources, ("call", "instead"), of_effects=True, cites="over"),
)


def _often(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _raises(write: Write) -> bool:
    return write.op in ("up", "set") and write.amount.high > 0
