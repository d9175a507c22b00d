"""A point's limits and a change -> what of them the change does not keep."""

from __future__ import annotations

from dataclasses import replace

from ruleforge.analysis.effects.facts import ME, Change, Deed, Range, Who, Write, name_of
from ruleforge.analysis.effects.linear import put_in_its_place
from ruleforge.analysis.effects.regular import due
from ruleforge.analysis.effects.values import Known
from ruleforge.contracts.conditions import Circumstances, usual_limit, when_counted
from ruleforge.contracts.model import Bounds, Clauses, Point
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FlagT, ThingT
from ruleforge.lang.checker.walk import all_nodes
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

# How far from being admitted a failure leaves a change: the smallest is the one to tell.
_WEIGHTS = {"RF904": 1, "RF905": 1, "RF906": 1, "RF907": 1, "RF919": 1, "RF909": 2, "RF908": 3, "RF903": 4}
_CONDITIONAL = ("conditional", "conditional both ways")
_VERBS = {"forbid": "forbids", "instead": "acts instead of"}


@dataclass(frozen=True, slots=True)
class Failure:
    """A limit that is not kept; `guarded`: the clauses are those of the guard of the target."""

    code: str
    why: str
    span: Span
    repair: str | None = None
    clauses: Clauses = ()
    guarded: bool = False
    answer: str = "broken"

    @property
    def weight(self) -> int:
        return _WEIGHTS.get(self.code, 2)


class Limits:
    """Asks the limits of points; `is_new` says whether a place is in a pack."""

    def __init__(self, circumstances: Circumstances, is_new: frozenset[tuple[str, int]]) -> None:
        self.circumstances, self.new_things = circumstances, is_new

    def failures(self, point: Point, change: Change, deed: Deed | None, kind: str) -> list[Failure]:
        change = self._undisguised(change, deed)
        found: list[Failure | None] = [
            self._pack_kind(point, change, kind),
            self._op(point, change),
            self._via(point, change, deed),
            self._without(point, change, deed),
            self._acts(point, change),
            self._once(point, change, deed),
            self._made_of(point, change),
            self._window(point, change, deed),
            self._each(point, change),
            self._result(point, change),
            self._range(point, change),
            self._whose(point, change, deed),
            self._route(point, change, deed),
            self._subject(point, change, deed),
            self._when(point, change, deed),
            self._limit(point, change, deed),
            self._sources(point, change, deed),
        ]
        return [failure for failure in found if failure is not None]

    # --- who and where ---

    def _pack_kind(self, point: Point, change: Change, kind: str) -> Failure | None:
        if not point.packs or kind in point.packs:
            return None
        kinds = " or ".join(point.packs)
        why = f"does what only a pack of the kind {kinds} may do: `{change.name}`"
        return Failure("RF908", why, change.span, f"make it a pack of the kind {kinds}", (), True)

    def _via(self, point: Point, change: Change, deed: Deed | None) -> Failure | None:
        """Inside a filling or replacement of one of these events, after it, or in an effect that calls it."""
        ways = [target.text for target in point.via]
        called = {c.name for c in deed.changes if c.kind == "call"} if deed is not None else set()
        if change.kind == "act" and deed is not None and deed.action is not None:
            called = due(deed.action.cost) | due(deed.action.body)
        if not ways or any(way in change.path or way in called for way in ways):
            return None
        wanted = " or ".join(f"`{way}`" for way in ways)
        if change.kind == "act":
            why = f"offers an action during `{change.name}` that calls no {wanted}"
            return Failure("RF903", why, change.span, f"call `{ways[0]}` in its cost", (), True)
        why = f"reaches `{change.name}` outside of {wanted}"
        return Failure("RF903", why, change.span, f"do it in an effect that calls `{ways[0]}`", (), True)

    def _without(self, point: Point, change: Change, deed: Deed | None) -> Failure | None:
        """What may be done, but for no reward in the same effect."""
        given = {name_of(w.column): w for w in deed.writes if _raises(w)} if deed is not None else {}
        reward = next((given[target.text] for target in point.without if target.text in given), None)
        if reward is None:
            return None
        name = name_of(reward.column)
        why = f"does this to `{change.name}` and gives `{name}` for it"
        return Failure("RF903", why, reward.span, f"leave out what gives `{name}`")

    def _window(self, point: Point, change: Change, deed: Deed | None) -> Failure | None:
        allowed = [target.text for target in point.window]
        windows = deed.windows if deed is not None else change.windows
        outside = [window for window in windows if window not in allowed]
        if not allowed or not outside or change.kind == "act":
            outside = [window for window in change.windows if window not in allowed]
        if not allowed or not outside:
            return None
        why = f"acts during `{outside[0]}`, it may only during {' or '.join(f'`{w}`' for w in allowed)}"
        return Failure("RF909", why, change.span, f"write `during: {allowed[0]}`")

    def _whose(self, point: Point, change: Change, deed: Deed | None) -> Failure | None:
        if point.whose in ("own", "enemy") and deed is not None and not self._is_whose(change, deed, point):
            if change.kind == "call" and point.whose == "own":
                why = f"calls `{change.name}` for others than the player who acts"
                return Failure("RF903", why, change.span, "call it in an action, for `me`", (), True)
            other = "the player's own" if point.whose == "own" else "the enemy's"
            why = f"touches `{change.name}` of more than {other} things"
            repair = "say whose: `where owner(x) is me`" if point.whose == "own" else "say whose"
            return Failure("RF903", why, change.span, repair, (), change.kind != "move")
        if point.whose != "new" or deed is None or self._is_about_new(deed):
            return None
        why = f"touches `{change.name}` for more than the things of its own"
        return Failure("RF903", why, change.span, "hang it on a thing that the pack brings", (), True)

    def _is_whose(self, change: Change, deed: Deed, point: Point) -> bool:
        if change.kind != "move":
            return _is_whose(change, deed, point.whose)
        who = _actor(deed)
        return self.circumstances.whose(change) == (who if point.whose == "own" else who.flipped())

    def _route(self, point: Point, change: Change, deed: Deed | None) -> Failure | None:
        """Whose place a thing comes from, and whose it goes to; of a look, whose place and who gets to see it."""
        words = {"own": "the player's own", "enemy": "the enemy's"}
        source, who = change.lay[1] if change.lay is not None else None, _actor(deed)
        for wanted, found, way in ((point.out_of, source, "out of"), (point.into, change.goal, "into")):
            if wanted and found != (who if wanted == "own" else who.flipped()):
                verb = "shows" if change.kind == "look" else "moves"
                why = f"{verb} `{change.name}`, but not {way} {words[wanted]} place"
                return Failure("RF903", why, change.span, "say whose place: `me.PLACE`")
        return None

    def _is_about_new(self, deed: Deed) -> bool:
        """Is it carried by things of packs, or does its trigger ask for one?"""
        carrier = deed.carrier
        if carrier is not None and carrier.things is not None:
            numbers = carrier.things
            if numbers and all((carrier.kind.name, number) in self.new_things for number in numbers):
                return True
        pattern = deed.rule.pattern if deed.rule else None
        for variable in pattern.parameters if pattern else ():
            known = deed.environment.get(variable)
            if isinstance(known, Known) and known.things and isinstance(variable.type, ThingT):
                kind = variable.type.kind
                if all((kind, number) in self.new_things for number in known.things):
                    return True
        return carrier is None and pattern is None

    def _subject(self, point: Point, change: Change, deed: Deed | None) -> Failure | None:
        if point.subject != "one" or deed is None or _is_about_one(deed):
            return None
        why = f"touches `{change.name}` of more than one thing"
        return Failure("RF903", why, change.span, "say of which one: `when: x is self.chosen`", (), True)

    # --- how ---

    def _undisguised(self, change: Change, deed: Deed | None) -> Change:
        """Who adds what takes the formula's own value away, sets it."""
        pattern = deed.rule.pattern if deed is not None and deed.rule is not None else None
        if change.kind != "modify" or change.op != "add" or pattern is None:
            return change
        if change.subject is None or change.value is None:
            return change
        ranges = self.circumstances.ranges
        result = put_in_its_place(change.subject, pattern, change.value, ranges, {})
        return change if result is None else replace(change, op="set", amount=result, acts="other")

    def _op(self, point: Point, change: Change) -> Failure | None:
        if change.kind != "modify" or not point.ops or change.op in point.ops:
            return None
        if change.acts == "other":
            why = f"takes away what `{change.name}` is by itself and puts another value in its place"
            return Failure("RF903", why, change.amount_span or change.span, "add a number", (), True)
        why = f"uses `{change.op}` on `{change.name}`, only {' or '.join(point.ops)} is admitted"
        repair = f"write `{point.ops[0]}:`"
        return Failure("RF903", why, change.span, repair, (), True)

    def _acts(self, point: Point, change: Change) -> Failure | None:
        if change.kind != "instead" or not point.acts or change.acts in point.acts:
            return None
        words = {"none": "nothing", "less": "less of it", "same": "the same", "other": "something else"}
        why = f"lets {words[change.acts]} happen instead of `{change.name}`"
        return Failure("RF903", why, change.span, None, (), True)

    def _once(self, point: Point, change: Change, deed: Deed | None) -> Failure | None:
        """What is replaced happens once at most, unless the point says more."""
        if change.kind != "instead" or deed is None or deed.proceeds <= 1:
            return None
        if point.sources is not None or "other" in point.acts:
            return None
        why = f"lets `{change.name}` happen {deed.proceeds} times"
        return Failure("RF903", why, change.span, "proceed once", (), True)

    def _made_of(self, point: Point, change: Change) -> Failure | None:
        if change.kind != "gain" or point.made_of != "itself" or change.made_of_itself:
            return None
        why = f"gives `{change.name}` a value of its own"
        return Failure("RF903", why, change.span, "keep one of the values it had", (), True)

    # --- sizes ---

    def _each(self, point: Point, change: Change) -> Failure | None:
        if point.each is None or change.amount is None or change.op == "set":
            return None
        total = change.amount.times(Range(1, change.times)) if change.kind == "gain" else change.amount
        if _within(total, point.each):
            return None
        verb = {"add": "adds", "up": "adds", "down": "takes"}.get(change.op, "uses")
        span = change.amount_span or change.span
        if total.high > point.each.high:
            figure, bound = _figure(total.high), f"at most {int(point.each.high)}"
        else:
            figure, bound = _figure(total.low), f"at least {int(point.each.low)}"
        why = f"{verb} {'' if total.is_exact else 'up to '}{figure} to `{change.name}`, one source may add {bound}"
        cut = "min" if total.high > point.each.high else "max"
        return Failure(
            "RF904", why, span, _smaller(change, cut, self._furthest(point, change, cut)), point.over
        )

    def _furthest(self, point: Point, change: Change, cut: str) -> int:
        """How far one source may go, so that the outcome may still be within its limits, too."""
        assert point.each is not None
        base = self._base(change) if point.result is not None else None
        if base is None or point.result is None:
            return int(point.each.high if cut == "min" else point.each.low)
        if cut == "min":
            return int(min(point.each.high, point.result.high - base.low))
        return int(max(point.each.low, point.result.low - base.high))

    def _result(self, point: Point, change: Change) -> Failure | None:
        if point.result is None or change.amount is None or change.kind not in ("modify", "gain"):
            return None
        span = change.amount_span or change.span
        if change.op == "set":
            if _within(change.amount, point.result):
                return None
            if isinstance(change.subject.result if change.subject is not None else None, FlagT):
                only = "true" if point.result.low else "false"
                why = f"sets `{change.name}` to what may be {'false' if point.result.low else 'true'}"
                return Failure(
                    "RF905", f"{why}, only {only} is admitted", span, f'write `set: "{only}"`', point.over
                )
            why = f"sets `{change.name}` to {change.amount}, it must stay within {point.result}"
            return Failure("RF905", why, span, f"stay within {point.result}", point.over)
        base = self._base(change)
        if base is None:
            return None
        most, least = base.high + change.amount.high, base.low + change.amount.low
        if most < point.result.low:
            floor = int(point.result.low)
            why = f"leaves at most {_figure(most)} of `{change.name}`, the least is {floor}"
            return Failure("RF905", why, span, f"leave at least {floor}", point.over)
        if least > point.result.high:
            top = int(point.result.high)
            why = f"leaves at least {_figure(least)} of `{change.name}`, the most is {top}"
            return Failure("RF905", why, span, f"leave at most {top}", point.over)
        return None

    def _base(self, change: Change) -> Range | None:
        if change.subject is None or change.subject.body is None:
            return None
        found = self.circumstances.ranges.of(change.subject.body, {})
        return found.cut(*change.subject.clamp) if change.subject.clamp else found

    def _range(self, point: Point, change: Change) -> Failure | None:
        if point.range is None or change.amount is None or _within(change.amount, point.range):
            return None
        why = f"has {change.amount} as `{change.name}`, it must lie in {point.range}"
        return Failure("RF904", why, change.span, f"stay within {point.range}", point.over)

    # --- when ---

    def _when(self, point: Point, change: Change, deed: Deed | None) -> Failure | None:
        if not point.when or deed is None or change.kind == "act":
            return None
        around = self.circumstances
        timed, limited = around.timed(deed), around.limited(deed)
        head = change.span
        if point.when == "printed":
            if not any(_hangs_on_play(part) for part in (*deed.conditions, change.value) if part is not None):
                return None
            why = f"lets `{change.name}` hang on how the game goes"
            help = "ask only for what is printed, for options and for how many play"
            return Failure("RF906", why, head, help, point.bare, True)
        if point.when == "timed":
            if around.ends(deed):
                return None
            why = f"changes `{change.name}` for good"
            help = "let it end: a pool with `lasts`, or a rule that removes it"
            return Failure("RF907", why, head, help, point.bare)
        if limited or (timed and point.when in _CONDITIONAL):
            return None
        if point.when == "limited":
            why = f"does this to `{change.name}` as often as it likes"
            return Failure("RF907", why, head, f"add `{usual_limit(around.rules)}`", point.bare)
        return self._conditional(point, change, deed)

    def _conditional(self, point: Point, change: Change, deed: Deed) -> Failure | None:
        lower = change.amount is not None and change.op == "add" and change.amount.high <= 0
        penalty = lower and point.when == "conditional"
        tests, counted = when_counted(deed.rule.amount if deed.rule is not None else None)
        varies = change.amount is not None and not change.amount.is_exact
        if point.when == "conditional both ways" and not _hangs_on_subject(deed):
            varies = False
        if penalty or (varies and not (tests and isinstance(counted, t.Constant))):
            return None
        answer = self.circumstances.conditional(deed, tests)
        if answer:
            return None
        help = "add a `when` that is false for some, a duration, or a limit"
        verb = _VERBS.get(change.kind, "modifies")
        if answer is None:
            why = f"{verb} `{change.name}` under conditions too many to look at"
            return Failure("RF919", why, change.span, help, point.bare, True, "unknown")
        why = f"{verb} `{change.name}` always"
        return Failure("RF906", why, change.span, help, point.bare, True)

    def _limit(self, point: Point, change: Change, deed: Deed | None) -> Failure | None:
        if not point.limit or deed is None or deed.limit is not None:
            return None
        why = f"does this to `{change.name}` without a limit"
        return Failure("RF907", why, change.span, f"add `limit: {point.limit}`", point.bare)

    def _sources(self, point: Point, change: Change, deed: Deed | None) -> Failure | None:
        """One source for a roll: a use claims it once, and a replacement rolls once more for each claim."""
        sources = point.sources
        if sources is None or deed is None or change.kind not in ("call", "instead"):
            return None
        calls = [target.text for target in point.admits.get("call", ())]
        claims = [c for c in deed.changes if c.kind == "call" and c.name in calls]
        if change.kind == "call":
            before = sum(claim.times for claim in claims[: claims.index(change)])
            if before + change.times <= sources.most:
                return None
            why = f"is used more than {_often(sources.most)} for one `{sources.per}`"
            return Failure("RF904", why, change.span, "use it once", point.over)
        if change.name != sources.per:
            return None
        if calls and not claims and deed.proceeds != 1:
            why = f"changes `{sources.per}` without counting as its one source"
            return Failure("RF904", why, change.span, f"call `{calls[-1]}` first", point.over)
        if deed.proceeds > 1 + sources.most:
            why = f"lets `{sources.per}` happen {deed.proceeds} times"
            return Failure("RF904", why, change.span, "proceed twice at most", point.over)
        return None


def _raises(write: Write) -> bool:
    return write.op in ("up", "set") and write.amount.high > 0


def _actor(deed: Deed | None) -> Who:
    """Whose rule it is: `me` or, where nobody has it, the first player of whom its trigger speaks."""
    mine = (
        deed is None or deed.action is not None or (deed.carrier is not None and deed.carrier.me is not None)
    )
    return ME if mine or deed is None or not deed.subjects else Who(0)


def _is_whose(change: Change, deed: Deed, whose: str) -> bool:
    """Is it the player's own, or somebody else's: by what is changed itself, else by what conditions say of it?"""
    if change.who is not None and change.who.base == ME.base:
        return change.who == (ME if whose == "own" else ME.flipped())
    for test in deed.conditions:
        if not isinstance(test, t.Compare) or test.op not in ("==", "!="):
            continue
        if not isinstance(test.left.type, ThingT) or test.left.type.kind != "player":
            continue
        sides = [_side(deed, side) for side in (test.left, test.right)]
        if "me" in sides and None in sides:
            return (test.op == "==") is (whose == "own")
        if "other" in sides and None in sides:
            return (test.op == "==") is (whose == "enemy")
    return False


def _side(deed: Deed, node: t.Expr) -> str | None:
    """`me`, another player, or somebody who depends on the thing."""
    if isinstance(node, t.Opponent) or (isinstance(node, t.Builtin) and node.name in ("next", "previous")):
        return "other"
    known = deed.environment.get(node.variable) if isinstance(node, t.Use) else None
    if isinstance(known, Known) and known.who is not None:
        return "me" if known.who == ME else "other" if known.who == ME.flipped() else None
    return None


def _is_about_one(deed: Deed) -> bool:
    """Does its condition say which single thing is meant?"""
    pattern = deed.rule.pattern if deed.rule else None
    if pattern is None:
        return True
    bound = set(pattern.parameters)
    for test in deed.conditions:
        if not isinstance(test, t.Compare) or test.op != "==":
            continue
        for one, other in ((test.left, test.right), (test.right, test.left)):
            if not isinstance(one, t.Use) or one.variable not in bound:
                continue
            type_ = one.variable.type
            free = any(isinstance(x, t.Use) and x.variable in bound for x in all_nodes(other))
            if isinstance(type_, ThingT) and type_.kind != "player" and not free:
                return True
    return False


def _hangs_on_subject(deed: Deed) -> bool:
    """Is the amount of a modifier another one for one subject than for another?"""
    rule = deed.rule
    if rule is None or rule.pattern is None or rule.amount is None:
        return False
    used = (node.variable for node in all_nodes(rule.amount) if isinstance(node, t.Use))
    return any(variable in rule.pattern.parameters for variable in used)


def _hangs_on_play(node: t.Expr) -> bool:
    """Does it ask for an attribute, or for where something lies, also by way of formulas?"""
    moving = (t.Content, t.Family, t.Whereabouts, t.AtPlace, t.Active, t.CanAct, t.Would, t.KeywordsOf)
    for part in all_nodes(node):
        if isinstance(part, moving) or (isinstance(part, t.Read) and not part.column.constant):
            return True
        if isinstance(part, t.CallFormula):
            body = part.formula.body
            if part.formula.open or (body is not None and _hangs_on_play(body)):
                return True
    return False


def _within(amount: Range, bounds: Bounds) -> bool:
    return bounds.low <= amount.low and amount.high <= bounds.high


def _figure(value: float) -> str:
    return str(int(value)) if abs(value) < 10**9 else "any number"


def _smaller(change: Change, cut: str, most: int) -> str:
    exact = change.amount is not None and change.amount.is_exact
    return f"write `{most}`" if exact else f"write `{cut}({most}, ...)`"


def _often(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
