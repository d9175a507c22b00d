"""What decides about something that is done, and not everybody sees: statements, rules, phases.

Whether, how often, in which order and with which numbers something is done would otherwise tell what is hidden.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.handing import Handing
from ruleforge.lang.checker.implied import implied
from ruleforge.lang.checker.secrets import members_of
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.checker.walk import all_nodes, said_of, substitute
from ruleforge.support.records import dataclass

Piles = dict[t.Variable, t.Expr]
Tests = Iterable[t.Expr | None]
Given = tuple[t.Expr, ...]
STEERED = t.If | t.For | t.Repeat | t.Perform | t.Store | t.Move | t.Show


@dataclass(frozen=True, slots=True)
class Steers:
    """A hidden column, place or thing that decides about something; `whose` is the owner, the index or the thing
    itself, nothing for any."""

    what: t.Column | t.Place | t.Kind
    whose: tuple[t.Expr, ...] = ()


class Steering:
    """Asked of each statement, rule and phase when it is compiled."""

    def __init__(self, rules: t.Checked) -> None:
        self._rules = rules
        self._secrets = Handing(rules)
        self._implied = implied(rules) if rules.sight else frozenset()
        parameters = [*(e.parameters for e in rules.events.values()), *map(_set_off_with, rules.rules)]
        self._handed = {variable for some in parameters for variable in some if self._lies(variable)}

    def _lies(self, variable: t.Variable) -> bool:
        return self._secrets.may_lie_hidden(t.Use(variable.span, variable.type, variable))

    def statement(self, node: STEERED) -> tuple[Steers, ...]:
        """What decides about a statement; mostly nothing. Things that may lie hidden are told to those who see them."""
        if not self._rules.sight:
            return ()
        secrets, own, of_loop = self._secrets, Piles(), tuple[t.Variable, ...]()
        match node:
            case t.If() | t.Repeat():
                tests: tuple[t.Expr | None, ...] = secrets.deciding(node)
            case t.For(binder=binder):
                tests, own = self._rounds(binder), self._piles(members_of(binder))
                of_loop = (binder.variable, members_of(binder).variable)
            case t.Perform(event=event, arguments=arguments):
                tests = tuple(a for a in arguments if not secrets.may_lie_hidden(a))
                return (*self._of(tests), *(() if node in self._implied else self._allowed(event, arguments)))
            case t.Store(column=column, of=of, index=index, value=value):
                return (*self._of((of, *index, value)), *self._forbidden(column, (of, *index)))
            case t.Show(what=what, to=to):  # how many lie in a place everybody knows
                one = isinstance(what.type, ThingT) and secrets.may_lie_hidden(what)
                tests = (to,) if one or secrets.is_pile(what) else (to, what)
            case t.Move(place=place, thing=thing):
                return self._forbidden(place.holds, (thing,))
        return self._of(tests, own, of_loop)

    def rule(self, rule: t.Rule) -> tuple[Steers, ...]:
        """What decides whether, or in which order among others, a rule acts."""
        if not self._rules.sight:
            return ()
        found = [*self._guards(rule)]
        if rule.carrier is not None and rule.carrier.conduct.trigger_order is not None:
            found.append(substitute(rule.carrier.conduct.trigger_order, rule.carrier.this))
        cost = [node for node in all_nodes(rule.cost) if isinstance(node, t.Expr)] if rule.cost else []
        return self._of((*found, *cost))

    def phase(self, phase: t.Phase) -> tuple[Steers, ...]:
        """What decides whether and how often a phase is run, and for whom."""
        if not self._rules.sight:
            return ()
        each = self._rounds(phase.each) if phase.each is not None else ()
        return self._of((phase.when, phase.repeat, *each))

    def held_back(self, node: t.Statement) -> tuple[Steers, ...]:
        """What decides about anything inside of steps that count as one: nobody looks on until they are over."""
        held = isinstance(node, t.Together) or (isinstance(node, t.Perform) and node.event.together)
        inside = [inner for inner in _all_done(node) if inner is not node] if held else []
        here = [inner for inner in all_nodes(node) if isinstance(inner, t.Statement)]
        changed = {inner.variable for inner in here if isinstance(inner, t.Assign)}
        found = (
            (steers, inner)
            for inner in inside
            if isinstance(inner, STEERED)
            for steers in self.statement(inner)
        )
        return tuple(
            steers if inner in here and _is_as_before(steers, changed) else Steers(steers.what)
            for steers, inner in found
        )

    def leaves(self, node: t.Statement) -> bool:
        return self._secrets.leaves(node)

    # --- what is asked before something is done ---

    def _guards(self, rule: t.Rule) -> Iterator[t.Expr | None]:
        yield rule.when
        if rule.carrier is not None:
            yield rule.carrier.works
        if rule.pattern is not None:
            yield from rule.pattern.tests
        if rule.binder is not None:
            yield from self._rounds(rule.binder)

    def _allowed(self, event: t.Event, given: Given) -> tuple[Steers, ...]:
        """Whether an event happens at all."""
        needs = _said_here(self._of(event.needs), event.parameters, given)
        return (*needs, *self._forbidden(event, given))

    def _forbidden(self, subject: object, given: Given) -> tuple[Steers, ...]:
        rules = [rule for rule in self._secrets.hooks("forbid", subject) if rule.pattern is not None]
        return tuple(
            steers
            for rule in rules
            for steers in _said_here(self.rule(rule), rule.pattern.parameters if rule.pattern else (), given)
        )

    def _rounds(self, binder: t.Binder) -> tuple[t.Expr | None, ...]:
        """Also what sorts them; a thing sorted by what it is itself is told by who sees it."""
        inner = members_of(binder)
        known = inner.variable in self._secrets.slots
        self._secrets.slots.discard(inner.variable)
        keys = [key for key in inner.by if self._secrets.is_secret(key)]
        if known:
            self._secrets.slots.add(inner.variable)
        return (*self._secrets.rounds(binder), *keys)

    # --- whose ---

    def _of(
        self, tests: Tests, own: Piles | None = None, of_loop: Iterable[t.Variable] = ()
    ) -> tuple[Steers, ...]:
        asked = [test for test in tests if test is not None]
        secret = [test for test in asked if self._secrets.is_secret(test)]
        hidden = (steers for test in secret for steers in self._hidden_in(test, own or {}, of_loop))
        return (*hidden, *(steers for test in asked for steers in self._things_in(test)))

    def _things_in(self, test: t.Expr) -> Iterator[Steers]:
        """Things that were handed over and may lie hidden, where it is asked which they are or what is printed there.

        Whoever sees such a thing knows the answer.
        """
        for node in all_nodes(test):
            match node:
                case t.Read(column=column, of=t.Use() as use) if column.constant:
                    asked = [use]
                case t.Compare(left=left, right=right):
                    asked = [side for side in (left, right) if isinstance(side, t.Use)]
                case t.In(element=t.Use() as use) | t.KeywordsOf(of=t.Use() as use):
                    asked = [use]
                case _:
                    continue
            for use in asked:
                if use.variable in self._handed and isinstance(use.type, ThingT):
                    yield Steers(self._rules.kinds[use.type.kind], (use,))

    def _piles(self, *roots: object) -> Piles:
        """The locals that a piece of rules binds itself to what lies in a hidden place -> that place."""
        binders = (n for root in roots for n in all_nodes(root) if isinstance(n, t.Binder))
        return {binder.variable: binder.source for binder in binders if self._secrets.is_pile(binder.source)}

    def _hidden_in(self, test: t.Expr, own: Piles, of_loop: Iterable[t.Variable]) -> Iterator[Steers]:
        """What a value may hang on that is hidden; all there is where that is not plain to see.

        A thing of a pile is known to whoever sees the pile; one that was bound earlier may have been moved since.
        `of_loop` are bound by the loop that is steered, to what is looked at, too.
        """
        secrets = self._secrets
        here: tuple[object, ...] = (
            test,
            *own.values(),
        )  # elsewhere nobody knows whose: there are other locals
        todo = list(here)
        met: set[object] = set()
        everything = [Steers(what) for what in self._rules.sight]
        while todo:
            root = todo.pop()
            whose_is_known = any(root is text for text in here)
            inside = tuple(all_nodes(root))
            # what is bound to members of something is known to whoever sees that, and it is met by itself
            bound = {node.variable for node in inside if isinstance(node, t.Binder)} | {*own} | {*of_loop}
            for node in inside:
                match node:
                    case t.Read(column=column, of=of) if secrets.is_private(column) or secrets.is_by_name(
                        column, of
                    ):
                        yield Steers(column, (of,) if whose_is_known else ())
                    case t.Content(place=place, index=index) if place.hidden:
                        yield Steers(place, index if whose_is_known else ())
                    case t.Family(place=place) if place.hidden:
                        yield Steers(place)
                    case t.Whereabouts(places=places):
                        yield from (Steers(place) for place in places if place.hidden)
                    case t.CallFormula(formula=formula) if formula not in met:
                        met.add(formula)
                        todo += [formula.body] if formula.body is not None else []
                        todo += [x for rule in secrets.hooks("modify", formula) for x in _read_by(rule)]
                    case t.Use(variable=variable) if variable in bound:
                        pass
                    case t.Use(variable=variable) if variable in secrets.slots or variable in secrets.veiled:
                        yield from everything
                    case t.Can() | t.Would() | t.CanAct() | t.Repeats():
                        yield from everything


def _is_as_before(steers: Steers, changed: Collection[t.Variable]) -> bool:
    """Whether it is said by names of which the values are still the same."""
    return all(isinstance(whose, t.Use) and whose.variable not in changed for whose in steers.whose)


def _set_off_with(rule: t.Rule) -> tuple[t.Variable, ...]:
    match rule.pattern:
        case t.Pattern(subject=t.Event(), parameters=parameters):
            return parameters
        case t.Pattern(subject=t.Kind(), parameters=(moved, *_)):
            return (moved,)
    return ()


def _said_here(found: Iterable[Steers], parameters: tuple[t.Variable, ...], given: Given) -> Iterator[Steers]:
    """The same with what is handed over in the place of the parameters; of other locals nothing is known here."""
    known = dict(zip(parameters, given, strict=False))
    for steers in found:
        whose = tuple(said_of(w, lambda use: known.get(use.variable, use)) for w in steers.whose)
        yield Steers(steers.what, whose)


def _all_done(node: object) -> Iterator[object]:
    """All that is done in a statement, also by the events that it performs."""
    met: set[t.Event] = set()
    todo = [node]
    while todo:
        for inner in all_nodes(todo.pop()):
            yield inner
            if isinstance(inner, t.Perform) and inner.event not in met and inner.event.body is not None:
                met.add(inner.event)
                todo.append(inner.event.body)


def _read_by(rule: t.Rule) -> list[object]:
    works = rule.carrier.works if rule.carrier else None
    tests = rule.pattern.tests if rule.pattern else ()
    return [x for x in (rule.amount, rule.when, works, *tests) if x is not None]
