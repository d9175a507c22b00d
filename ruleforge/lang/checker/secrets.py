"""What everybody can work out about a question: its open part, without the conditions that read hidden things.

Whether somebody is asked tells the others that there is something to choose. So a question that can be closed with a
word is asked as soon as its open part can be answered, and nobody learns from it what only hidden things decide. How
many things lie in a place is open, hidden or not; which things they are is not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.choices_of import Offered, asked_of, offered
from ruleforge.lang.checker.everything import nodes
from ruleforge.lang.checker.silence import is_silent
from ruleforge.lang.checker.types import NumberT, SetT
from ruleforge.lang.checker.unseen_rolls import unseen_rolls
from ruleforge.lang.checker.walk import all_nodes, free_variables, parts

Branching = t.If | t.For | t.Repeat


class Secrets:
    """What of the rules some see and others do not."""

    def __init__(self, rules: t.Checked, everything: Iterable[object] | None = None) -> None:
        self.rules = rules
        self.slots: set[t.Variable] = set()  # one of the things in a hidden place: where it lies is open
        self.veiled: set[t.Variable] = set()  # another value that not everybody knows
        self.sealed: set[t.Variable] = (
            set()
        )  # what somebody has chosen secretly; nobody else is told of its use
        self._known: dict[t.Formula | t.Event | t.Rule | Offered, bool] = {}
        self._hooks: dict[tuple[str, object], list[t.Rule]] = {}
        for rule in rules.rules:
            if rule.pattern is not None:
                self._hooks.setdefault((rule.form, rule.pattern.subject), []).append(rule)
        self.unseen: frozenset[t.Variable] = (
            frozenset()
        )  # of those, what chance lays where not everybody looks
        if rules.sight:
            found = tuple(nodes(rules) if everything is None else everything)
            self.unseen = unseen_rolls(found)
            self.veiled |= self.unseen
            self._mark(found)

    def _mark(self, found: Iterable[object]) -> None:
        """Every local once; a node comes before what stands inside it, so what it speaks of is marked already."""
        for node in found:
            match node:
                case t.Binder(variable=variable, source=source):
                    self._bind(variable, source)
                case t.Several(chosen=variable, binder=binder):
                    if self.is_pile(binder.source) or self.is_secret(binder.source):
                        self.veiled.add(variable)
                case t.Sealed(binders=binders):
                    self.sealed |= {b.chosen if isinstance(b, t.Several) else b.variable for b in binders}
                case t.If() | t.For() | t.Repeat() if self.is_steered(node):
                    self._set_in_secret(node)
                case t.Assign(variable=variable, value=value):
                    if self.is_secret(value):
                        self.veiled.add(variable)

    def _set_in_secret(self, node: t.Statement) -> None:
        """What is put into locals where hidden things decide whether it is says something about them."""
        self.veiled |= {inner.variable for inner in all_nodes(node) if isinstance(inner, t.Assign)}

    def _bind(self, variable: t.Variable, source: t.Expr) -> None:
        if self.is_pile(source):
            self.slots.add(variable)
        elif self.is_secret(source):
            self.veiled.add(variable)

    # --- values ---

    def is_pile(self, source: t.Expr) -> bool:
        """All that lies in some places, hidden ones among them: everybody can see how many."""
        match source:
            case t.Content(place=place, index=index):
                return place.hidden and not any(map(self.is_secret, index))
            case t.Family(place=place):
                return place.hidden
            case t.Arithmetic(op="|", left=left, right=right):
                piles = [self.is_pile(side) for side in (left, right)]
                return any(piles) and all(
                    pile or not self.is_secret(side) for pile, side in zip(piles, (left, right), strict=True)
                )
        return False

    def is_secret(self, what: t.Expr) -> bool:
        """Whether a value depends on something that some see and others do not."""
        match what:
            case t.Use(variable=variable):
                return variable in self.slots or variable in self.veiled or variable in self.sealed
            case t.Read(column=column) if self.is_private(column):
                return True
            case t.Content() | t.Family() if self.is_pile(what):
                return True
            case t.Whereabouts(of=t.Use(variable=variable)) if variable in self.slots:
                return False
            case t.Whereabouts(places=places) if any(place.hidden for place in places):
                return True
            case t.Compare(op="==" | "!=", left=left, right=t.Constant(value=0)) if self.is_pile(left):
                return False  # is something there?
            case t.Aggregate(op="any" | "all" | "count", binder=binder) if self.is_pile(binder.source):
                self._bind(binder.variable, binder.source)
                tests = (binder.until, binder.where, what.value)
                return any(self.is_secret(test) for test in tests if test is not None)
            case t.CallFormula(formula=formula, arguments=arguments):
                return self._formula(formula) or any(map(self.is_secret, arguments))
            case t.Can(event=event, arguments=arguments):
                return self._can(event) or any(map(self.is_secret, arguments))
            case t.Would(event=event, arguments=arguments, value=value):
                return self._event(event) or any(map(self.is_secret, (*arguments, value)))
            case t.CanAct(who=who, arguments=arguments):
                hidden = any(map(self._offer, offered(self.rules, what)))
                return hidden or any(map(self.is_secret, (who, *arguments)))
        return any(map(self.speaks_of_hidden, parts(what)))

    def speaks_of_hidden(self, node: object) -> bool:
        """Whether any value in a piece of rules is secret, the events that it performs included."""
        match node:
            case t.Expr():
                return self.is_secret(node)
            case t.Binder(variable=variable, source=source):
                self._bind(variable, source)
            case t.Perform(event=event) if self._event(event):
                return True
        return any(map(self.speaks_of_hidden, parts(node)))

    def is_private(self, column: t.Column) -> bool:
        """Some see it and others do not; what hangs on no viewer is seen by all or by nobody."""
        sight = self.rules.sight.get(column)
        return sight is not None and sight.viewer in free_variables(sight.test)

    def hooks(self, form: str, subject: object) -> list[t.Rule]:
        """The rules of a form that hang on something."""
        return self._hooks.get((form, subject), [])

    # --- what has a name: looked at once ---

    def _once(self, what: t.Formula | t.Event | t.Rule, texts: Iterable[object]) -> bool:
        if what not in self._known:
            self._known[what] = False  # whatever comes back to itself adds nothing by that
            self._known[what] = any(self.speaks_of_hidden(text) for text in texts if text is not None)
        return self._known[what]

    def _formula(self, formula: t.Formula) -> bool:
        if formula.sees is not None and isinstance(formula.sees.test, t.Constant) and formula.sees.test.value:
            return False  # everybody may ask for it
        rules = self.hooks("modify", formula)
        return any(map(self._rule, rules)) or self._once(formula, [formula.body])

    def _rule(self, rule: t.Rule) -> bool:
        works = rule.carrier.works if rule.carrier else None
        tests = rule.pattern.tests if rule.pattern else ()
        return self._once(rule, [rule.amount, rule.when, works, *tests])

    def _can(self, event: t.Event) -> bool:
        rules = self.hooks("forbid", event)
        return any(map(self._rule, rules)) or any(map(self.is_secret, event.needs))

    def _event(self, event: t.Event) -> bool:
        return self._can(event) or self._once(event, [event.body])

    def _offer(self, offer: Offered) -> bool:
        """Whether hidden things decide if an action can be taken."""
        if offer not in self._known:
            self._known[offer] = False
            binders, needs = offer.action.binders, offer.action.needs
            rest = [text for text in asked_of(offer) if text not in (*binders, *needs)]
            self._known[offer] = self.decide(binders, needs) or any(map(self.speaks_of_hidden, rest))
        return self._known[offer]

    # --- questions ---

    def open_tests(self, *tests: t.Expr | None) -> tuple[t.Expr, ...]:
        """What everybody can follow of conditions: they hold whenever the whole ones do."""
        found: list[t.Expr] = []
        for test in (part for whole in tests for part in conjuncts(whole)):
            if not self.is_secret(test):
                found.append(test)
            elif isinstance(test, t.Aggregate) and test.op == "any" and test.value is None:
                binder = self.open_part(test.binder)
                found += [replace(test, binder=binder)] if isinstance(binder, t.Binder) else []
        return tuple(found)

    def open_part(self, binder: t.Binder | t.Several) -> t.Binder | t.Several | None:
        """The same binder as far as everybody can follow it, itself if nothing of it is hidden; None: not at all.

        It has a member whenever the whole one has.
        """
        if isinstance(binder, t.Several):
            return self._open_set(binder)
        source, variable = binder.source, binder.variable
        if self.is_secret(source) and not self.is_pile(source):
            return None
        if not any(self.is_secret(test) for test in (binder.where, binder.until) if test is not None):
            return binder
        pile = None if self.is_pile(source) else self._pile_of(variable, conjuncts(binder.where))
        if pile is not None:
            self.slots.add(variable)
        kept, until = self.open_tests(binder.where), self.open_tests(binder.until)
        if pile is not None:
            self.slots.discard(variable)
        return replace(
            binder, source=pile or source, where=_joined(kept), until=_joined(until), by=(), usual=None
        )

    def _pile_of(self, variable: t.Variable, conjuncts: list[t.Expr]) -> t.Expr | None:
        """The hidden place in which the members of a larger source lie, if a condition says so."""
        for part in conjuncts:
            match part:
                case t.In(element=t.Use(variable=element), source=source):
                    if element is variable and self.is_pile(source):
                        return source
                case t.Compare(op="==", left=t.Whereabouts(places=(place,), of=t.Use(variable=of))):
                    if of is variable and place.hidden:
                        return t.Family(part.span, SetT(place.holds.name), place)
        return None

    def _open_set(self, node: t.Several) -> t.Several | None:
        """One thing at least where it is hidden which sets will do: whether none will is asked of the whole."""
        binder = self.open_part(node.binder)
        if binder is None:
            return None
        assert isinstance(binder, t.Binder)
        secret = [x is not None and self.is_secret(x) for x in (node.least, node.most, node.such)]
        if binder is node.binder and not any(secret):
            return node
        bare = secret[0] or (isinstance(node.least, t.Constant) and node.least.value == 0)
        one = t.Constant(node.span, NumberT(1, 1), 1)
        return replace(
            node,
            binder=binder,
            least=one if bare else node.least,
            most=None if secret[1] else node.most,
            such=None if secret[2] else node.such,
        )

    def hush(self, node: t.Choose | t.Pick | t.Sealed) -> bool:
        """Whether one who must choose is asked also with nothing to choose from, for nothing else would tell it.

        What is chosen in the open, with an effect that all can see, tells as much as the question.
        """
        match node:
            case t.Choose(binders=binders, body=body):
                sources = tuple(b.binder.source if isinstance(b, t.Several) else b.source for b in binders)
                return not node.openly and self.decide(binders) and is_silent(body, sources)
            case t.Pick(options=options):
                tests = [test for _, test, _ in options if test is not None]
                hidden = len(tests) == len(options) and any(map(self.is_secret, tests))
                return not node.openly and hidden and any(is_silent(body) for _, _, body in options)
        return self.decide(node.binders)

    def decide(self, binders: tuple[t.Binder | t.Several, ...], needs: tuple[t.Expr, ...] = ()) -> bool:
        """Whether hidden things decide if there is an answer."""
        return any(self.open_part(b) is not b for b in binders) or any(map(self.is_secret, needs))

    def is_steered(self, node: Branching) -> bool:
        """Whether hidden things decide about a statement."""
        return any(map(self.is_secret, self.deciding(node)))

    def deciding(self, node: Branching) -> tuple[t.Expr, ...]:
        """What says whether, how often or for whom a statement acts."""
        match node:
            case t.If(branches=branches):
                tests: tuple[t.Expr | None, ...] = tuple(test for test, _ in branches)
            case t.Repeat(times=times, condition=condition):
                tests = (times, condition)
            case t.For(binder=binder):
                tests = self.rounds(binder)
        return tuple(test for test in tests if test is not None)

    def rounds(self, binder: t.Binder) -> tuple[t.Expr | None, ...]:
        """What says how often a loop goes round, and in which order it shows."""
        source, inner = binder.source, members_of(binder)
        rest = (inner.where, inner.until)
        if inner is not binder and self.is_pile(inner.source):
            return rest  # the first of a pile: whether it is empty everybody sees
        mixed = isinstance(source, t.Family) and len(source.place.of) > 0
        return rest if self.is_pile(source) and not mixed else (source, *rest)

    def leaves(self, node: t.Statement) -> bool:
        """Whether what comes after a statement may be left out by it."""
        return any(isinstance(inner, t.Return | t.Leave) for inner in all_nodes(node))


def members_of(binder: t.Binder) -> t.Binder:
    """What a loop picks its members with."""
    source = binder.source
    return source.binder if isinstance(source, t.Aggregate | t.Selection) else binder


def conjuncts(test: t.Expr | None) -> list[t.Expr]:
    if isinstance(test, t.Logic) and test.op == "and":
        return [inner for part in test.parts for inner in conjuncts(part)]
    return [] if test is None else [test]


def _joined(tests: tuple[t.Expr, ...]) -> t.Expr | None:
    if len(tests) < 2:
        return tests[0] if tests else None
    return t.Logic(tests[0].span, tests[0].type, "and", tests)
