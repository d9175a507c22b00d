"""Effects of packs -> where they act by what a hidden thing is that they hold in a variable of theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ruleforge.analysis.effects.facts import ME, Deed
from ruleforge.analysis.effects.values import Known
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.checker.walk import all_nodes, used_variables
from ruleforge.support.diagnostics import Span

Leak = tuple[Span, str]  # where, and the place in which it is hidden
Held = dict[t.Variable, str]  # what a variable holds, by the place where it is hidden
Hidden = Callable[[t.Expr, frozenset[t.Variable]], str | None]


@dataclass
class Veiled:
    """Follows things that were found in hidden places, until they come to lie in the open.

    `hidden` says in which of the places that are kept a source finds them, if not in one's own; `keep` are those places.
    """

    hidden: Hidden
    keep: tuple[str, ...]
    owner: Callable[[Span], str]
    seen: set[t.Event] = field(default_factory=set)

    def of(self, deed: Deed, mine: frozenset[t.Variable]) -> Iterator[Leak]:
        held = self._bound(deed)
        for test in deed.conditions:
            yield from self._told(test, held)
        rule = deed.rule
        if rule is not None and rule.amount is not None:
            yield from self._told(rule.amount, held)
        action = deed.action
        blocks = (action.cost, action.body) if action is not None else ()
        blocks = (rule.cost, rule.body) if rule is not None else blocks
        for block in blocks:
            yield from self._block(block, held, mine)

    # --- what a trigger binds ---

    def _bound(self, deed: Deed) -> Held:
        """Things that a trigger tells of while they lie in a hidden place of somebody else."""
        pattern = deed.rule.pattern if deed.rule is not None else None
        if pattern is None or is_own(deed):
            return {}
        if isinstance(pattern.subject, t.Event):
            inner = self._put_away(pattern.subject)
            pairs = zip(pattern.subject.parameters, pattern.parameters, strict=False)
            return {outer: inner[own] for own, outer in pairs if own in inner}
        if not isinstance(pattern.subject, t.Kind) or deed.listens is None:
            return {}
        places = [_place_of(test) for test in pattern.tests if isinstance(test, t.AtPlace)]
        goes = next((p for p in reversed(places) if p is not None), None)
        things = [v for v in pattern.parameters if v.type == ThingT(pattern.subject.name)]
        return {things[0]: goes} if things and goes in self.keep and goes is not None else {}

    def _put_away(self, event: t.Event) -> Held:
        """The parameters that an event itself moves to where they are hidden."""
        found: Held = {}
        for node in all_nodes(event.body) if event.body is not None else ():
            if isinstance(node, t.Move) and isinstance(node.thing, t.Use) and node.place.name in self.keep:
                found[node.thing.variable] = node.place.name
        return found

    # --- statements, in their order ---

    def _block(self, block: t.Block | None, held: Held, mine: frozenset[t.Variable]) -> Iterator[Leak]:
        statements = block.statements if block is not None else ()
        for number, node in enumerate(statements):
            before = set(held)
            yield from self._statement(node, held, mine)
            for variable in [v for v in held if v not in before and _opens(statements[number + 1 :], v)]:
                del held[variable]  # all get to see it in this very effect
            for variable in [v for v in held if _opens((node,), v)]:
                del held[variable]

    def _statement(self, node: t.Statement, held: Held, mine: frozenset[t.Variable]) -> Iterator[Leak]:
        match node:
            case t.Assign(variable=variable, value=value):
                self._hold(variable, value, held, mine)
            case t.RandomPick(variable=variable, binder=binder):
                self._find(variable, binder, held, mine)
            case t.Tell():
                pass  # of the rest of the thing nobody learns anything
            case t.Show(what=t.Use(variable=variable)):
                held.pop(variable, None)  # whether it may be shown is asked elsewhere
            case t.If(branches=branches, otherwise=otherwise):
                for test, body in branches:
                    yield from self._told(test, held)
                    yield from self._block(body, dict(held), mine)
                yield from self._block(otherwise, dict(held), mine)
            case t.For(binder=binder, body=body):
                inner = dict(held)
                if not _opens(body.statements, binder.variable):
                    self._find(binder.variable, binder, inner, mine)
                yield from self._block(body, inner, mine)
            case t.Repeat(times=times, body=body):
                yield from self._told(times, held)
                yield from self._block(body, dict(held), mine)
            case t.Choose(body=body, otherwise=otherwise):
                yield from self._block(body, dict(held), mine)
                yield from self._block(otherwise, dict(held), mine)
            case t.Pick(options=options):
                for _, _, body in options:
                    yield from self._block(body, dict(held), mine)
            case t.Together(body=body):
                yield from self._block(body, held, mine)
            case t.Store(value=value):
                yield from self._told(value, held)
            case t.Perform():
                yield from self._perform(node, held, mine)

    def _perform(self, node: t.Perform, held: Held, mine: frozenset[t.Variable]) -> Iterator[Leak]:
        event = node.event
        for parameter, argument in zip(event.parameters, node.arguments, strict=False):
            if not isinstance(argument, t.Use) and not _shows_itself(event, parameter):
                yield from self._told(argument, held)
        if self.owner(event.span) and event not in self.seen:
            self.seen.add(event)
            pairs = list(zip(event.parameters, node.arguments, strict=False))
            inner = {p: held[a.variable] for p, a in pairs if isinstance(a, t.Use) and a.variable in held}
            own = frozenset(p for p, a in pairs if isinstance(a, t.Use) and a.variable in mine)
            yield from self._block(event.body, inner, own)

    # --- what is held, what is told ---

    def _hold(self, variable: t.Variable, value: t.Expr, held: Held, mine: frozenset[t.Variable]) -> None:
        sources = [n.binder.source for n in all_nodes(value) if isinstance(n, t.Aggregate | t.Selection)]
        for source in (value, *sources):
            place = self.hidden(source, mine)
            if place is not None and isinstance(variable.type, ThingT):
                held[variable] = place
        for node in all_nodes(value):
            if isinstance(node, t.Use) and node.variable in held:
                held[variable] = held[node.variable]

    def _find(self, variable: t.Variable, binder: t.Binder, held: Held, mine: frozenset[t.Variable]) -> None:
        place = self.hidden(binder.source, mine)
        if place is not None:
            held[variable] = place

    def _told(self, root: t.Expr, held: Held) -> Iterator[Leak]:
        """What an expression says of a hidden thing besides that there is one, and whose it is."""
        for node in all_nodes(root):
            match node:
                case t.Use(variable=variable) if variable in held and not isinstance(node.type, ThingT):
                    yield node.span, held[variable]
                case t.Read(of=of) if not _is_player(node):
                    yield from ((node.span, held[v]) for v in _uses(of) if v in held)
                case t.CallFormula(arguments=arguments) if not _is_player(node):
                    yield from ((node.span, held[v]) for a in arguments for v in _uses(a) if v in held)


def is_own(deed: Deed) -> bool:
    """Does a condition say that it is about the player whose rule it is?"""
    for test in deed.conditions:
        if isinstance(test, t.Compare) and test.op == "==":
            sides = (test.left, test.right)
            if any(_is_me(side, deed) for side in sides) and isinstance(test.left.type, ThingT):
                return True
    return False


def _opens(statements: tuple[t.Statement, ...], variable: t.Variable) -> bool:
    """Does what a variable holds come to lie in the open, whatever happens?"""
    return any(_opened_by(node, variable) for node in statements)


def _opened_by(node: t.Statement, variable: t.Variable) -> bool:
    match node:
        case t.Move(thing=t.Use(variable=moved), place=place):
            return moved is variable and not place.hidden
        case t.If(branches=branches, otherwise=otherwise) if otherwise is not None:
            return all(_opens(b.statements, variable) for b in (*(body for _, body in branches), otherwise))
        case t.Together(body=body):
            return _opens(body.statements, variable)
        case t.Perform(event=event, arguments=arguments) if event.body is not None:
            pairs = zip(event.parameters, arguments, strict=False)
            own = [p for p, a in pairs if isinstance(a, t.Use) and a.variable is variable]
            return any(_opens(event.body.statements, parameter) for parameter in own)
    return False


def _shows_itself(event: t.Event, parameter: t.Variable) -> bool:
    """Does an event only say by it which thing comes to lie in the open, where all see it anyway?"""
    told = [s for s in (event.body.statements if event.body else ()) if parameter in used_variables(s)]
    return bool(told) and all(
        isinstance(s, t.For)
        and parameter not in used_variables(s.body)
        and _opens(s.body.statements, s.binder.variable)
        for s in told
    )


def _is_player(node: t.Expr) -> bool:
    return isinstance(node.type, ThingT) and node.type.kind == "player"


def _uses(node: t.Expr) -> tuple[t.Variable, ...]:
    return (node.variable,) if isinstance(node, t.Use) else ()


def _place_of(test: t.AtPlace) -> str | None:
    return test.place.place.name if isinstance(test.place, t.Content | t.Family) else None


def _is_me(node: t.Expr, deed: Deed) -> bool:
    known = deed.environment.get(node.variable) if isinstance(node, t.Use) else None
    return isinstance(known, Known) and known.who == ME and _is_carriers(node, deed)


def _is_carriers(node: t.Expr, deed: Deed) -> bool:
    me = deed.carrier.me if deed.carrier is not None else None
    return isinstance(node, t.Use) and node.variable is me
