"""A trial -> faults of secrecy: packs that show what stays hidden, or let somebody choose or act by it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleforge.analysis.effects.facts import ME, Deed
from ruleforge.analysis.effects.values import Known, same
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.model import Secrecy
from ruleforge.contracts.trial import Trial, subject
from ruleforge.contracts.veiled import Veiled, is_own
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.choices_of import asked_of, offered
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.checker.walk import all_nodes, free_variables
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass


def faults(trial: Trial) -> list[Fault]:
    found: list[Fault] = []
    for secrecy in trial.contract.secrecy:
        leaks = [fault for deed in trial.prints.deeds for fault in _of(trial, deed, secrecy)]
        leaks += _shown_formulas(trial, secrecy)
        if not leaks:
            trial.note(secrecy.cites, "the pack shows nothing hidden, and nobody acts by it")
        found += leaks
    return found


def _shown_formulas(trial: Trial, secrecy: Secrecy) -> Iterator[Fault]:
    """Formulas of packs that are shown to players, and read what is hidden from them."""
    for formula in trial.rules.formulas.values():
        pack = trial.owner(formula.span)
        if not pack or formula.sees is None or formula.body is None:
            continue
        for span, hidden in Reader(trial, secrecy).leaks(formula.body, frozenset()):
            why = f"the formula `{formula.name}` shows what is hidden in `{hidden}`"
            core = (("what stays hidden", secrecy.span),)
            names, place = (formula.name,), (span,)
            yield Fault("broken", "RF915", pack, names, place, why, secrecy.cites, core, "delete `sees`")
            break


def _of(trial: Trial, deed: Deed, secrecy: Secrecy) -> Iterator[Fault]:
    for change in deed.changes:
        allowed = any(name in secrecy.allowed for name in change.path)
        if change.kind == "look" and any(name in secrecy.keep for name in change.names) and not allowed:
            yield _fault(deed, change.span, f"shows what lies in `{change.name}`", secrecy)
    mine = frozenset(
        v for v, known in deed.environment.items() if isinstance(known, Known) and known.who == ME
    )
    for asked in _asked(deed):
        reader = Reader(trial, secrecy, chooser=asked.by)
        for span, what in reader.leaks(asked.expression, _seen_by(asked.by, mine), asked.lists):
            yield _fault(deed, span, f"lets somebody act by what is hidden in `{what}`", secrecy)
    for span, what in _acting(trial, deed, secrecy, mine):
        yield _fault(deed, span, f"acts by what is hidden in `{what}`", secrecy)
    overheard = _overheard(trial, deed, secrecy)
    if overheard is not None:
        what = f"does something as soon as `{overheard}` changes, which is hidden"
        yield _fault(deed, deed.place, what, secrecy, "wait for something that all can see")
    fixed = Reader(trial, secrecy, always=True)
    for span, what in Veiled(fixed.hidden, fixed.keep, trial.owner).of(deed, mine):
        yield _fault(deed, span, f"acts by what is hidden in `{what}`", secrecy)


def _overheard(trial: Trial, deed: Deed, secrecy: Secrecy) -> str | None:
    """The hidden attribute for which a rule waits to do something that others see; one's own is no secret.

    A rule that asks for what the attribute is hidden by is taken to wait until it is open.
    """
    if deed.listens is None or deed.listens[0] != "set" or is_own(deed):
        return None
    name, sight = ".".join(deed.listens[1:]), trial.rules.sight
    hidden = next((seen for column, seen in sight.items() if _name(column) == name), None)
    if (
        name not in secrecy.keep
        or hidden is None
        or all(_is_hidden(sight.get(w.column)) for w in deed.writes)
    ):
        return None
    opened = {n.column for n in all_nodes(hidden.test) if isinstance(n, t.Read)}
    asked = {n.column for test in deed.conditions for n in all_nodes(test) if isinstance(n, t.Read)}
    return None if opened & asked else name


def _is_hidden(seen: t.Visibility | None) -> bool:
    """Is it hidden from somebody? `sees: true` hides nothing."""
    return seen is not None and not (isinstance(seen.test, t.Constant) and bool(seen.test.value))


def _name(hidden: t.Column | t.Place) -> str:
    return hidden.name if isinstance(hidden, t.Place) else f"{hidden.kind.name}.{hidden.name}"


@dataclass(frozen=True, slots=True)
class _Asked:
    """What decides about a choice: a list to choose from, or a condition; `by` chooses, where it is not who acts."""

    expression: object
    lists: bool = False
    by: t.Expr | None = None


def _asked(deed: Deed) -> Iterator[_Asked]:
    action = deed.action
    if action is not None:
        yield from (_Asked(_single(binder), True) for binder in action.binders)
        yield from (_Asked(need) for need in action.needs)
    for node in (n for block in _blocks(deed) for n in all_nodes(block)):
        match node:
            case t.Choose(who=who, binders=binders):
                yield from (_Asked(_single(binder), True, who) for binder in binders)
            case t.Pick(who=who, options=options):
                yield from (_Asked(test, False, who) for _, test, _ in options if test is not None)
            case t.Sealed(each=each, binders=binders):
                who = t.Use(each.span, each.variable.type, each.variable)
                yield from (_Asked(_single(binder), True, who) for binder in binders)


def _single(binder: t.Binder | t.Several) -> t.Binder:
    return binder.binder if isinstance(binder, t.Several) else binder


def _seen_by(chooser: t.Expr | None, mine: frozenset[t.Variable]) -> frozenset[t.Variable]:
    """Whose secrets are none for the one who chooses: nobody else's."""
    return mine if chooser is None or _is_mine(chooser, mine) else frozenset()


def _acting(
    trial: Trial, deed: Deed, secrecy: Secrecy, mine: frozenset[t.Variable]
) -> Iterator[tuple[Span, str]]:
    """What decides about effects that others see: conditions and amounts, also in events of the pack.

    What is hidden for a time only, by a state of the game, may be open when a rule acts: that is not judged here.
    A modifier is asked at all times, and may go by the secrets of the first player that its formula speaks of.
    """
    reader = Reader(trial, secrecy, always=True)
    rule = deed.rule
    if rule is not None:
        amount = (rule.amount,) if rule.amount is not None else ()
        for test in (*deed.conditions, *amount):
            yield from reader.leaks(test, mine)
            if rule.form == "modify":
                at_times = Reader(trial, secrecy, always=False)
                yield from at_times.leaks(test, mine | {*deed.subjects[:1]})
    todo = [(block, mine) for block in _blocks(deed)]
    seen: set[t.Event] = set()
    while todo:
        block, known = todo.pop()
        for node in all_nodes(block):
            for expression in _deciding(node):
                yield from reader.leaks(expression, known)
            if isinstance(node, t.Perform) and node.event not in seen and trial.owner(node.event.span):
                seen.add(node.event)
                pairs = zip(node.event.parameters, node.arguments, strict=False)
                own = frozenset(
                    p for p, value in pairs if isinstance(value, t.Use) and value.variable in known
                )
                todo += [(node.event.body, own)] if node.event.body is not None else []


def _deciding(node: object) -> Iterator[object]:
    """The expressions of a statement on which it hangs what can be seen to happen.

    What becomes of the very things that are found in a place is a question of moves.
    """
    match node:
        case t.If(branches=branches):
            yield from (test for test, _ in branches)
        case t.Repeat(times=times, condition=condition):
            yield times
            if condition is not None:
                yield condition
        case t.For(binder=binder, body=body) if binder.variable not in free_variables(body) or _sorts(binder):
            yield t.Aggregate(binder.span, binder.variable.type, "count", binder)
        case t.Store(value=value):
            yield value
        case t.Perform(arguments=arguments):
            yield from arguments


def _sorts(binder: t.Binder) -> bool:
    """Does it tell things apart by what they are? Then those it leaves alone are told of, too."""
    inner = binder.source
    if isinstance(inner, t.Selection | t.Aggregate) and _sorts(inner.binder):
        return True
    asked = (binder.until, binder.where, *binder.by)
    nodes = (node for part in asked if part is not None for node in all_nodes(part))
    return any(_is_about(node, binder.variable) for node in nodes)


def _is_about(node: object, variable: t.Variable) -> bool:
    """Is it about a thing itself, and not about whose it is?"""
    match node:
        case t.Read(of=of) | t.KeywordsOf(of=of):
            subjects: tuple[t.Expr, ...] = (of,)
        case t.CallFormula(arguments=arguments):
            subjects = arguments
        case _:
            return False
    about = any(isinstance(x, t.Use) and x.variable is variable for x in subjects)
    return about and not (isinstance(node.type, ThingT) and node.type.kind == "player")


def _blocks(deed: Deed) -> list[t.Block]:
    found = [deed.action.cost, deed.action.body] if deed.action else []
    found += [deed.rule.cost, deed.rule.body] if deed.rule else []
    return [block for block in found if block is not None]


def _tells_members(node: t.Aggregate) -> bool:
    """Does it say more of a place than how much lies there?"""
    return node.binder.where is not None or node.value is not None or node.op not in ("count", "any")


def _asked_whether_empty(node: object) -> tuple[t.Expr, ...]:
    """What is only compared with none: whether something lies there is open."""
    match node:
        case t.Compare(op="==" | "!=", left=left, right=t.Constant(value=0)):
            return (left,)
    return ()


class Reader:
    """Finds what expressions tell of hidden things, also by way of formulas; one's own secrets are no secrets.

    With `always` only what is hidden whatever happens counts, without it only the rest; None is all of it.
    """

    def __init__(
        self, trial: Trial, secrecy: Secrecy, always: bool | None = None, chooser: t.Expr | None = None
    ) -> None:
        self._trial, self.keep, self._chooser = trial, secrecy.keep, chooser
        if always is not None:
            sight = trial.rules.sight
            self.keep = tuple(name for name in secrecy.keep if self._is_fixed(sight, name) is always)

    def _is_fixed(self, sight: Mapping[t.Column | t.Place, t.Visibility], name: str) -> bool:
        """Does who may see it hang on nothing that changes?"""
        for hidden, seen in sight.items():
            if _name(hidden) == name:
                nodes = [
                    n for n in all_nodes(seen.test) if isinstance(n, t.Read | t.CallFormula | t.Aggregate)
                ]
                return all(isinstance(n, t.Read) and n.column.constant for n in nodes)
        return False

    def leaks(
        self, root: object, mine: frozenset[t.Variable], lists: bool = False
    ) -> Iterator[tuple[Span, str]]:
        """Hidden places whose members are listed or looked at, and hidden attributes of others."""
        if lists and isinstance(root, t.Binder):
            place = self.hidden(root.source, mine)
            if place is not None:
                yield root.source.span, place
                return
        yield from self._inside(root, mine, frozenset())

    def _inside(
        self, root: object, mine: frozenset[t.Variable], seen: frozenset[object]
    ) -> Iterator[tuple[Span, str]]:
        empty = {side for node in all_nodes(root) for side in _asked_whether_empty(node)}
        for node in all_nodes(root):
            match node:
                case t.Content() if node in empty:
                    continue
                case t.Aggregate(binder=binder) if _tells_members(node):
                    place = self.hidden(binder.source, mine)
                    if place is not None:
                        yield node.span, place
                case t.Content(place=place, index=index) if place.single and place.name in self.keep:
                    if not any(self._is_own(part, mine) for part in index):
                        yield node.span, place.name
                case t.Read(column=column, of=of) if f"{column.kind.name}.{column.name}" in self.keep:
                    if not self._is_own(of, mine):
                        yield node.span, f"{column.kind.name}.{column.name}"
                case t.CallFormula(formula=formula, arguments=arguments) if formula not in seen:
                    pairs = zip(formula.parameters, arguments, strict=False)
                    own = frozenset(p for p, value in pairs if self._is_own(value, mine))
                    if formula.body is not None:
                        for _, what in list(self._inside(formula.body, own, seen | {formula}))[:1]:
                            yield node.span, what
                case t.CanAct():
                    yield from self._offered(node, mine, seen)

    def _offered(
        self, node: t.CanAct, mine: frozenset[t.Variable], seen: frozenset[object]
    ) -> Iterator[tuple[Span, str]]:
        """What decides whether a player has a choice, who is the one of the rule where `mine` says so."""
        for offer in offered(self._trial.rules, node):
            own = frozenset({offer.action.me}) if self._is_own(node.who, mine) else frozenset()
            for text in asked_of(offer) if offer not in seen else ():
                for _, what in list(self._inside(text, own, seen | {offer}))[:1]:
                    yield node.span, what

    def hidden(self, source: t.Expr, mine: frozenset[t.Variable]) -> str | None:
        """The kept place, of somebody else, that a source lists."""
        match source:
            case t.Content(place=place, index=index) if place.name in self.keep:
                return None if any(self._is_own(part, mine) for part in index) else place.name
            case t.Family(place=place) if place.name in self.keep:
                return place.name
            case t.Selection(binder=binder) | t.Aggregate(binder=binder):
                return self.hidden(binder.source, mine)
        return None

    def _is_own(self, node: t.Expr, mine: frozenset[t.Variable]) -> bool:
        """Is it about the one who chooses, or whose rule it is?"""
        return _is_mine(node, mine) or (self._chooser is not None and same(node, self._chooser))


def _is_mine(node: t.Expr, mine: frozenset[t.Variable]) -> bool:
    return isinstance(node, t.Use) and node.variable in mine


_COUNTED = "count the hidden things, or use what the core offers for looking"


def _fault(deed: Deed, span: Span, what: str, secrecy: Secrecy, repair: str = _COUNTED) -> Fault:
    place = (("what stays hidden", secrecy.span),)
    why = f"{subject(deed)} {what}"
    return Fault("broken", "RF915", deed.origin, (deed.name,), (span,), why, secrecy.cites, place, repair)
