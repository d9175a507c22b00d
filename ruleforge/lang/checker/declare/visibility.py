"""Declarations of visibility, controllers, and the validity of printed rules."""

from __future__ import annotations

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.declare.base import Declaring
from ruleforge.lang.checker.scope import Scope
from ruleforge.lang.checker.symbols import Head
from ruleforge.lang.checker.types import ERROR, FLAG, NumberT, SetT, ThingT, Type
from ruleforge.lang.checker.walk import used_variables
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.parser import nodes as n
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.diagnostics import NOWHERE
from ruleforge.support.spelling import with_article


class Seeing(Declaring):
    def visibility(self) -> dict[t.Column | t.Place, t.Visibility]:
        """The visibility of hidden columns and places; `sees` may name any declaration, so it is checked
        after all tables are full.
        """
        found: dict[t.Column | t.Place, t.Visibility | None] = {}
        for kind in self.ruleset.kinds:
            for source in kind.has:
                column = self.symbols.column(kind.id, source.id)
                if column is not None and source.sees is not None:
                    index = tuple(self.parameter(k.name, ThingT(k.name)) for k in column.per)
                    found[column] = self._visibility(source.sees, ThingT(kind.id), index)
        for family in self.ruleset.places:
            place = self.symbols.places.get(family.id)
            if place is not None and family.sees is not None:
                index = tuple(self.parameter(name, ThingT(k.name)) for name, k in place.of)
                found[place] = self._visibility(family.sees, ThingT(place.holds.name), index)
        return {hidden: seen for hidden, seen in found.items() if seen is not None}

    def starts(self) -> dict[t.Place, t.Starting]:
        """The contents of places at the start of a game."""
        found = {}
        for source in self.ruleset.places:
            place = self.symbols.places.get(source.id)
            node = self.expr(source.starts)
            if place is not None and node is not None:
                found[place] = self._starting(place, node)
        return found

    def _starting(self, place: t.Place, node: n.Expr) -> t.Starting:
        index = tuple(self.parameter(name, ThingT(kind.name)) for name, kind in place.of)
        holds = SetT(place.holds.name)
        things = self.expressions.wanted(node, Scope().bind(*index), holds, "`starts`")
        if (
            things.type != ERROR
            and index
            and not any(variable in used_variables(things) for variable in index)
        ):
            names = " or ".join(f"`{variable.name}`" for variable in index)
            message = f"every `{place.name}` would begin with the same things"
            self.symbols.error("RF513", message, node.span, f"use {names} to say which things begin where")
        return t.Starting(index, things)

    def conduct(self) -> None:
        """Declare the controllers of a kind's things, and the condition under which their printed rules work."""
        for source in self.ruleset.kinds:
            kind = self.symbols.kinds.get(source.id)
            if kind is not None:
                self.symbols.conduct[kind] = self._of_kind(source, kind)
        for keyword in self.ruleset.keywords:
            typed = self.symbols.keywords.get(keyword.id)
            if typed is not None and keyword.works is not None:
                works = self._about(keyword.works, typed.kind, FLAG, "`works`")
                self.symbols.conduct[typed] = t.Conduct(works=works)

    def _of_kind(self, source: m.Kind, kind: t.Kind) -> t.Conduct:
        if source.controller is not None:
            controller = self._about(source.controller, kind, ThingT("player"), "`controller`")
        else:
            controller = self._owner(kind)
        works = self._about(source.works, kind, FLAG, "`works`")
        order = source.trigger_order
        if order is None or order.text.strip() != "chosen":
            by = self._about(order, kind, NumberT(0, 0), "`trigger_order`")
            return t.Conduct(controller, works, by)
        if controller is None:
            self.symbols.error(
                "RF506",
                f"no player controls {with_article(f'`{kind.name}`')}, so no player can choose",
                order.span,
            )
        return t.Conduct(controller, works, triggers_chosen=True)

    def _owner(self, kind: t.Kind) -> t.About | None:
        """Things with an `owner` are controlled by it; a player controls itself."""
        this = self.parameter("self", ThingT(kind.name))
        use = t.Use(NOWHERE, this.type, this)
        if kind.seats:
            return t.About(this, use)
        owner = self.symbols.column(kind.name, "owner")
        if owner is None or owner.per or owner.type != ThingT("player"):
            return None
        return t.About(this, t.Read(NOWHERE, owner.type, owner, use))

    def _about(self, text: SourceText | None, kind: t.Kind, type: Type, what: str) -> t.About | None:
        this = self.parameter("self", ThingT(kind.name))
        node = self.expr(text)
        if node is None:
            return None
        return t.About(this, self.expressions.wanted(node, Scope().bind(this), type, what))

    def observers_of_action(self, text: SourceText | None) -> t.Visibility | None:
        """The players who are told of an action: an expression over the viewer and the acting player."""
        if text is None:
            return None
        viewer, me = self.parameter("viewer", ThingT("player")), self.parameter("me", ThingT("player"))
        node = self.expr(text)
        if node is None:
            return None
        return t.Visibility(viewer, me, (), self.expressions.condition(node, Scope().bind(viewer, me)))

    def shown(self, formula: Head, text: SourceText | None) -> t.Visibility | None:
        """The players who see a formula's value: an expression over the viewer and its parameters."""
        if text is None:
            return None
        if any(p.type == ERROR for p in formula.parameters):
            return None
        if not formula.parameters or not all(_is_sure_thing(p.type) for p in formula.parameters):
            self.symbols.error("RF506", "only a formula about things can be shown", text.span)
            return None
        viewer = self.parameter("viewer", ThingT("player"))
        node = self.expr(text)
        if node is None:
            return None
        test = self.expressions.condition(node, Scope().bind(viewer, *formula.parameters))
        return t.Visibility(viewer, formula.parameters[0], formula.parameters[1:], test)

    def _visibility(
        self, text: SourceText, thing: Type, index: tuple[t.Variable, ...]
    ) -> t.Visibility | None:
        viewer = self.parameter("viewer", ThingT("player"))
        this = self.parameter("self", thing)
        node = self.expr(text)
        if node is None:
            return None
        test = self.expressions.condition(node, Scope().bind(viewer, this, *index))
        return t.Visibility(viewer, this, index, test)


def _is_sure_thing(type: Type) -> bool:
    return isinstance(type, ThingT) and not type.optional
