"""RF713: a profile that looks at what the player of its seat does not see."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.check import typed as t
from ruleforge.check.choices_of import Offered, asked_of, offered
from ruleforge.check.walk import parts
from ruleforge.diagnostics import Report

Mine = frozenset[t.Variable]  # locals that are the player of the seat


def check(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    looking = _Looking(rules)
    for profile in rules.profiles.values():
        for weight in profile.weights:
            found = looking.beyond(weight.value, frozenset({weight.me}))
            if found is not None:
                report.add(
                    "RF713",
                    f"`{profile.name}` weighs `{weight.action.name}` by what its player does not see",
                    weight.value.span,
                    help="ask for what is open, or for what lies in places of `me`",
                    notes=(("it is hidden here", found.span),),
                )


class _Looking:
    """Where an expression reads something that one player is not shown, whatever it is."""

    def __init__(self, rules: t.Checked) -> None:
        self.rules = rules
        self._met: set[tuple[t.Formula | t.Event | Offered, Mine]] = set()

    def beyond(self, node: object, mine: Mine) -> t.Expr | None:
        """The first such place; `mine` are locals that are the player."""
        match node:
            case t.Would():
                return node  # all that is hidden takes part in a trial
            case t.Aggregate(op="count" | "any", binder=t.Binder(where=None, until=None, source=source)):
                if node.value is None and isinstance(source, t.Content | t.Family):
                    return self._inside(source, mine)  # how many there are is open
            case t.Content(place=place, index=index) if place.hidden and not self._own(place, index, mine):
                return node
            case t.Family(place=place) if place.hidden:
                return node
            case t.Whereabouts(places=places) if any(place.hidden for place in places):
                return node
            case t.Read(column=column, of=of) if column.hidden and not self._own(column, (of,), mine):
                return node
            case t.CallFormula(formula=formula, arguments=arguments):
                shown = formula.sees is not None and _always(formula.sees.test)
                called = None if shown else self._called(formula, [formula.body], arguments, mine)
                return called or self._inside(node, mine)
            case t.Can(event=event, arguments=arguments):
                return self._called(event, list(event.needs), arguments, mine) or self._inside(node, mine)
            case t.CanAct(who=who):
                return self._offered(node, mine if self._is_mine(who, mine) else frozenset())
        return self._inside(node, mine)

    def _offered(self, node: t.CanAct, mine: Mine) -> t.Expr | None:
        """Looks into all that decides whether there is a choice; who acts is the player, if `mine` is anybody."""
        for offer in offered(self.rules, node):
            me = frozenset({offer.action.me}) if mine else mine
            if (offer, me) not in self._met:
                self._met.add((offer, me))
                found = next((x for text in asked_of(offer) if (x := self.beyond(text, me))), None)
                if found is not None:
                    return found
        return self._inside(node, mine)

    def _inside(self, node: object, mine: Mine) -> t.Expr | None:
        return next((found for part in parts(node) if (found := self.beyond(part, mine))), None)

    def _own(self, what: t.Place | t.Column, index: tuple[t.Expr, ...], mine: Mine) -> bool:
        """Whether the rules show it to the one whose it is, and that is the player."""
        sight = self.rules.sight.get(what)
        match sight.test if sight is not None else None:
            case t.Compare(op="==", left=t.Use(variable=left), right=t.Use(variable=right)):
                pass
            case _:
                return False
        assert sight is not None
        bound = (sight.thing,) if isinstance(what, t.Column) else sight.index
        given = dict(zip(bound, index, strict=False))
        if sight.viewer not in (left, right):
            return False
        owner = given.get(right if left is sight.viewer else left)
        return self._is_mine(owner, mine)

    def _is_mine(self, who: t.Expr | None, mine: Mine) -> bool:
        return isinstance(who, t.Use) and who.variable in mine

    def _called(
        self,
        what: t.Formula | t.Event,
        texts: Sequence[object],
        arguments: tuple[t.Expr, ...],
        mine: Mine,
    ) -> t.Expr | None:
        """Looks into what has a name, with the parameters that stand for the player, and into rules that bear on it."""
        pairs = zip(what.parameters, arguments, strict=True)
        inner = frozenset(p for p, given in pairs if isinstance(given, t.Use) and given.variable in mine)
        if (what, inner) in self._met:
            return None  # said before, or being said
        self._met.add((what, inner))
        texts = [*texts, *self._rules_on(what)]
        found = next((x for text in texts if text is not None and (x := self.beyond(text, inner))), None)
        if found is not None:
            self._met.discard((what, inner))
        return found

    def _rules_on(self, what: t.Formula | t.Event) -> list[object]:
        found: list[object] = []
        for rule in self.rules.rules:
            if (
                rule.pattern is not None
                and rule.pattern.subject is what
                and rule.form in ("modify", "forbid")
            ):
                works = rule.carrier.works if rule.carrier else None
                found += [rule.amount, rule.when, works, *rule.pattern.tests]
        return found


def _always(test: t.Expr) -> bool:
    return isinstance(test, t.Constant) and bool(test.value)
