"""Compute the labels of expressions: the hidden information that their values depend on.

This is the transfer function over expressions: a table with a row for every type of expression. The number of
things in a place is open, even if the place is hidden. Their identity is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from ruleforge.analysis.infoflow.bindings import Bindings, Branching, is_pile, members_of
from ruleforge.analysis.infoflow.labels import (
    NONE,
    Label,
    Labels,
    Mark,
    Substitution,
    fresh_in,
    made_indirect,
    stored_in,
)
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.offered_choices import Offered, offered, parameters_of
from ruleforge.lang.checker.typed.own_columns import KNOWN
from ruleforge.lang.checker.types import SetT, ThingT, Type
from ruleforge.lang.checker.walk import free_variables, parts


class Needs(NamedTuple):
    """The conditions of an event."""

    event: t.Event


Definition = t.Formula | t.Event | t.Rule | Needs | Offered
Cell = t.Variable | t.Column | t.Position | t.Kind
Key = Definition | Cell


class Context:
    """The facts about the rules that the transfer functions use before solving."""

    def __init__(self, rules: t.Checked, bindings: Bindings) -> None:
        self.rules, self.bindings = rules, bindings
        self.substitute = Substitution()
        self.unseen_chance = bindings.unseen_chance() if rules.sight else frozenset()
        self._hooks: dict[tuple[str, object], list[t.Rule]] = {}
        for rule in rules.rules:
            if rule.pattern is not None:
                self._hooks.setdefault((rule.form, rule.pattern.subject), []).append(rule)
        self._may_lie_hidden = {place.holds.name for place in rules.places.values() if place.hidden}
        self._things = {variable for variable in self._handed() if self.may_lie_hidden(variable.type)}
        self._uses: dict[object, tuple[t.Expr, ...]] = {}

    def hooks(self, form: str, subject: object) -> list[t.Rule]:
        """The rules of a form that wait for something, or change it."""
        return self._hooks.get((form, subject), [])

    def may_lie_hidden(self, type: Type) -> bool:
        """Whether a type holds things whose identity some players may not know."""
        return isinstance(type, ThingT | SetT) and type.kind in self._may_lie_hidden

    def is_handed(self, what: t.Expr) -> bool:
        """Whether a value is a thing that was passed on or found by chance, and that may lie hidden."""
        return isinstance(what, t.Use) and isinstance(what.type, ThingT) and what.variable in self._things

    def mixes(self, source: t.Expr) -> bool:
        """Whether an order mixes things that a player sees with others. The order then reveals the others."""
        match source:
            case t.Arithmetic():
                return True
            case t.Family(place=place):
                return bool(place.of) or self._is_seen_in_part(place)
            case t.Content(place=place):
                return self._is_seen_in_part(place)
        return False

    def _is_seen_in_part(self, place: t.Place) -> bool:
        """Whether a player can see one thing in an unordered place and not another."""
        sight = self.rules.sight.get(place)
        if place.ordered or sight is None:
            return False
        return (place.holds.name, KNOWN) in self.rules.columns or sight.thing in free_variables(sight.test)

    def is_by_name(self, column: t.Column, of: t.Expr) -> bool:
        """Whether an attribute is read of a thing known by name that may lie where others see only its back."""
        if column.constant or column.kind.name not in self._may_lie_hidden:
            return False
        if isinstance(of, t.Constant):
            return True
        return isinstance(of, t.Use) and isinstance(self.bindings.sources.get(of.variable), t.All)

    def uses(self, definition: t.Formula | t.Event) -> tuple[t.Expr, ...]:
        """The parameters of a definition as values, the same ones each time."""
        if definition not in self._uses:
            self._uses[definition] = tuple(t.Use(v.span, v.type, v) for v in definition.parameters)
        return self._uses[definition]

    def _handed(self) -> Iterable[t.Variable]:
        yield from self.bindings.chance
        for event in self.rules.events.values():
            yield from event.parameters
        for rule in self.rules.rules:
            match rule.pattern:
                case t.Pattern(subject=t.Event(), parameters=parameters):
                    yield from parameters
                case t.Pattern(subject=t.Kind(), parameters=(moved, *_)):
                    yield moved


class Reader:
    """Labels of expressions. `read` gives the labels of variables and definitions.

    `members` are variables that a client knows to be members of a source, besides those that the rules bind.
    """

    def __init__(
        self,
        context: Context,
        read: Callable[[Key], Labels],
        members: Mapping[t.Variable, t.Expr] | None = None,
    ) -> None:
        self.context, self.read = context, read
        self._members = members or {}

    def of(self, *values: t.Expr | None) -> Labels:
        """The labels of values."""
        found = [EXPRESSIONS[type(value)](self, value) for value in values if value is not None]
        return found[0] if len(found) == 1 else NONE.union(*found)

    def inside(self, node: object) -> Labels:
        """The labels of everything in a piece of the rules, including the events that it performs."""
        if isinstance(node, t.Expr):
            return self.of(node)
        if isinstance(node, t.Binder):
            self.context.bindings.bind(node)
        performed = self.done_by(node.event, node.arguments) if isinstance(node, t.Perform) else NONE
        return performed.union(*map(self.inside, parts(node)))

    def done_by(self, event: t.Event, given: tuple[t.Expr, ...]) -> Labels:
        """The labels of everything that an event does."""
        return self.context.substitute(stored_in(self.read(event), event), event.parameters, given)

    def needed_by(self, event: t.Event, given: tuple[t.Expr, ...]) -> Labels:
        """The labels that control whether an event can happen."""
        return self.context.substitute(self.read(Needs(event)), event.parameters, given)

    def hooked(self, form: str, subject: object, given: tuple[t.Expr, ...]) -> Labels:
        """The labels of the rules of a form that listen to a subject or modify it."""
        found = NONE
        for rule in self.context.hooks(form, subject):
            assert rule.pattern is not None
            found |= self.context.substitute(self.read(rule), rule.pattern.parameters, given)
        return found

    def size(self, source: t.Expr) -> Labels:
        """The labels that control the number of members of a source."""
        match source:
            case t.Content(place=place, index=index) if place.hidden:
                return self.of(*index)
            case t.Family(place=place) if place.hidden:
                return NONE
            case t.Arithmetic(op="|", left=left, right=right) if is_pile(source):
                return self.size(left) | self.size(right)
        return self.of(source)

    def member(self, what: t.Expr) -> t.Expr | None:
        """The hidden place of which a value is a member."""
        if not isinstance(what, t.Use):
            return None
        source = self._members.get(what.variable) or self.context.bindings.sources.get(what.variable)
        return source if source is not None and is_pile(source) else None

    def identity(self, what: t.Expr) -> Labels:
        """The label for the identity of a thing that was passed on."""
        if not self.context.is_handed(what):
            return NONE
        assert isinstance(what.type, ThingT)
        return frozenset([Label(self.context.rules.kinds[what.type.kind], (what,), what.span)])

    # --- control ---

    def deciding(self, node: Branching) -> Labels:
        """The labels that control whether, how often or for which players a statement acts."""
        match node:
            case t.If(branches=branches):
                return self.of(*(test for test, _ in branches))
            case t.Repeat(times=times, condition=condition):
                return self.of(times, condition)
            case t.For(binder=binder):
                return self.iterations(binder)

    def iterations(self, binder: t.Binder) -> Labels:
        """The visible labels that control the number and the order of the iterations of a loop.

        A member that is sorted by its own value is shown to the players who see it.
        """
        inner = members_of(binder)
        order = (label for label in self.of(*inner.by) if label.via is not inner.variable)
        rest = self.of(inner.where, inner.until).union(order)
        if inner is not binder and is_pile(inner.source):
            return rest | self.size(inner.source)  # every player sees whether a pile is empty
        source = binder.source
        return rest | (self.of(source) if self.context.mixes(source) else self.size(source))

    # --- cells and definitions: what the solver asks for ---

    def transfer(self, key: Key) -> Labels:
        match key:
            case t.Variable():
                return self._variable(key)
            case t.Column() | t.Position() | t.Kind():
                return self._inflows(key)
            case t.Formula(body=body):
                own = fresh_in(self.of(body), [body])
                return own | self.hooked("modify", key, self.context.uses(key))
            case Needs(event=event):
                own = fresh_in(self.of(*event.needs), event.needs)
                return own | self.hooked("forbid", event, self.context.uses(event))
            case t.Event(body=body):
                done = NONE if body is None else self.inside(body)  # a text that cannot be read does nothing
                return self.read(Needs(key)) | done
            case t.Rule(amount=amount, conditions=conditions):
                texts = conditions if amount is None else (amount, *conditions)
                return fresh_in(self.of(*texts), texts)
            case Offered():
                return self._offer(key)

    def _variable(self, variable: t.Variable) -> Labels:
        context = self.context
        found = self._inflows(variable)
        source = context.bindings.sources.get(variable)
        if source is not None:
            found |= self.of(source)
        if context.rules.sight and variable in context.bindings.sealed:
            found |= {Label(Mark.SEALED, (), variable.span)}
        if variable in context.unseen_chance:
            found |= {Label(Mark.CHANCE, (), variable.span)}
        column = context.bindings.observed.get(variable)
        if column is not None and column.hidden:
            found |= {Label(column, (), variable.span, None, True)}
        return found

    def _inflows(self, cell: Cell) -> Labels:
        found = NONE
        for inflow in self.context.bindings.inflows.get(cell, ()):
            values = self.of(*inflow.values).union(*map(self.deciding, inflow.control))
            if inflow.event is not None:
                values |= self.done_by(inflow.event, inflow.values)
            found |= made_indirect(values) if inflow.indirect else values
        return found

    def _offer(self, offer: Offered) -> Labels:
        """The labels that control whether an action is possible."""
        binders, needs = offer.action.binders, offer.action.needs
        rest = [text for text in parameters_of(offer) if text not in (*binders, *needs)]
        found = self.answerable(*binders) | self.of(*needs)
        return fresh_in(found.union(*map(self.inside, rest)), [*binders, *needs, *rest])

    def answerable(self, *binders: t.Binder | t.Several) -> Labels:
        """The labels that control whether a question has an answer."""
        found = NONE
        for binder in binders:
            plain = binder.binder if isinstance(binder, t.Several) else binder
            found |= self.size(plain.source) | self.of(plain.where, plain.until)
            if isinstance(binder, t.Several):
                found |= self.of(binder.least, binder.most, binder.such)
        return found


# --- one row for each type of expression ---


def _nothing(reader: Reader, node: t.Expr) -> Labels:
    return NONE


def _all_parts(reader: Reader, node: t.Expr) -> Labels:
    return NONE.union(*map(reader.inside, parts(node)))


def _all(reader: Reader, node: t.All) -> Labels:
    """Things that are made and removed, and may lie hidden: something hidden may have decided which there are."""
    unseen = node.kind.pool and reader.context.may_lie_hidden(node.type)
    return made_indirect(stored_in(reader.read(node.kind), node.kind)) if unseen else NONE


def _use(reader: Reader, node: t.Use) -> Labels:
    return stored_in(reader.read(node.variable), node.variable)


def _column(reader: Reader, node: t.Read) -> Labels:
    column, of = node.column, node.of
    found = reader.of(of, *node.index)
    if column.hidden:
        found |= {Label(column, (of,), node.span)}
    if reader.context.is_by_name(column, of):
        found |= {Label(column, (of,), node.span, None, True)}
    return found | reader.identity(of) if column.constant else found


def _whereabouts(reader: Reader, node: t.Whereabouts) -> Labels:
    pile = reader.member(node.of)
    if pile is not None:
        return reader.size(pile)
    return reader.of(node.of) | {Label(place, (), node.span) for place in node.places if place.hidden}


def _content(reader: Reader, node: t.Content) -> Labels:
    found = reader.of(*node.index)
    return found | {Label(node.place, node.index, node.span)} if node.place.hidden else found


def _family(reader: Reader, node: t.Family) -> Labels:
    return frozenset([Label(node.place, (), node.span)]) if node.place.hidden else NONE


def _compare(reader: Reader, node: t.Compare) -> Labels:
    left, right = node.left, node.right
    if node.op in ("==", "!=") and isinstance(right, t.Constant) and right.value == 0:
        picked = reader.context.bindings.chance.get(left.variable) if isinstance(left, t.Use) else None
        if is_pile(left):
            return reader.size(left)  # is something there?
        if picked is not None:
            return reader.answerable(picked)  # was there something to pick?
    return reader.of(left, right) | reader.identity(left) | reader.identity(right)


def _in(reader: Reader, node: t.In) -> Labels:
    return reader.of(node.element, node.source) | reader.identity(node.element)


def _keywords(reader: Reader, node: t.KeywordsOf) -> Labels:
    """The labels of keywords, including those that rules give to a thing."""
    found = NONE
    if isinstance(node.of.type, ThingT):
        kind = reader.context.rules.kinds[node.of.type.kind]
        found = NONE.union(*map(reader.read, reader.context.hooks("modify", kind)))
    return made_indirect(found) | reader.of(node.of) | reader.identity(node.of)


def _aggregate(reader: Reader, node: t.Aggregate) -> Labels:
    binder = node.binder
    reader.context.bindings.bind(binder)
    if node.op in ("any", "all", "count") and is_pile(binder.source):
        return reader.size(binder.source) | reader.of(binder.until, binder.where, node.value)
    return _all_parts(reader, node)


def _call(reader: Reader, node: t.CallFormula) -> Labels:
    formula, given = node.formula, reader.of(*node.arguments)
    if formula.sees is not None and isinstance(formula.sees.test, t.Constant) and formula.sees.test.value:
        return given  # every player can compute it
    return given | reader.context.substitute(reader.read(formula), formula.parameters, node.arguments)


def _can(reader: Reader, node: t.Can) -> Labels:
    return reader.of(*node.arguments) | reader.needed_by(node.event, node.arguments)


def _would(reader: Reader, node: t.Would) -> Labels:
    found = reader.of(*node.arguments, node.value) | reader.done_by(node.event, node.arguments)
    return stored_in(found, node.event) | {Label(Mark.TRIAL, (), node.span)}


def _can_act(reader: Reader, node: t.CanAct) -> Labels:
    found = reader.of(node.who, *node.arguments)
    for offer in offered(reader.context.rules, node):
        found |= reader.context.substitute(reader.read(offer), (offer.action.me,), (node.who,))
    return found


def _repeats(reader: Reader, node: t.Repeats) -> Labels:
    """The labels of the remembered positions, and of the hidden parts of the current position."""
    position = node.position
    found: tuple[t.Column | t.Place, ...] = (*position.columns, *position.places)
    compared = {Label(what, (), node.span) for what in found if what.hidden}
    return made_indirect(stored_in(reader.read(position) | compared, position))


EXPRESSIONS: dict[type[t.Expr], Callable[[Reader, Any], Labels]] = {
    t.Constant: _nothing,
    t.OptionValue: _nothing,
    t.Active: _nothing,
    t.All: _all,
    t.Use: _use,
    t.Read: _column,
    t.Whereabouts: _whereabouts,
    t.Content: _content,
    t.Family: _family,
    t.Compare: _compare,
    t.In: _in,
    t.KeywordsOf: _keywords,
    t.Aggregate: _aggregate,
    t.CallFormula: _call,
    t.Can: _can,
    t.Would: _would,
    t.CanAct: _can_act,
    t.Repeats: _repeats,
    t.Opponent: _all_parts,
    t.Interval: _all_parts,
    t.Builtin: _all_parts,
    t.Arithmetic: _all_parts,
    t.Negative: _all_parts,
    t.Not: _all_parts,
    t.Logic: _all_parts,
    t.Conditional: _all_parts,
    t.SetOf: _all_parts,
    t.Selection: _all_parts,
    t.Sure: _all_parts,
    t.AtPlace: _all_parts,
    t.Reached: _all_parts,
    t.Linked: _all_parts,
}
