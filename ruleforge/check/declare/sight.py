"""Who sees what, who controls what, and when what is printed counts."""

from __future__ import annotations

from ruleforge.check import typed as t
from ruleforge.check.declare.base import Declaring
from ruleforge.check.scope import Scope
from ruleforge.check.types import FLAG, NumberT, SetT, ThingT, Type
from ruleforge.diagnostics import NOWHERE
from ruleforge.model import ruleset as m
from ruleforge.source.scalar_origin import SourceText


class Sight(Declaring):
    def visibility(self) -> None:
        """`sees` may speak of anything declared, so it comes after all tables are filled."""
        for kind in self.ruleset.kinds:
            for column in kind.has:
                if column.sees is not None:
                    typed = self.symbols.columns[kind.id, column.id]
                    index = tuple(self.parameter(k.name, ThingT(k.name)) for k in typed.per)
                    typed.sees = self._visibility(column.sees, ThingT(kind.id), index)
        for kind in self.ruleset.kinds:
            self._about_kind(kind)
        for keyword in self.ruleset.keywords:
            if keyword.works is not None and keyword.id in self.symbols.keywords:
                typed_keyword = self.symbols.keywords[keyword.id]
                typed_keyword.works = self._about(keyword.works, typed_keyword.kind, FLAG, "`works`")
        for place in self.ruleset.places:
            found = self.symbols.places.get(place.id)
            if found and place.sees is not None:
                index = tuple(self.parameter(name, ThingT(k.name)) for name, k in found.of)
                found.sees = self._visibility(place.sees, ThingT(found.holds.name), index)
            if found and place.starts is not None and (node := self.expr(place.starts)):
                found.starts = self.expressions.wanted(node, Scope(), SetT(found.holds.name), "`starts`")

    def _about_kind(self, source: m.Kind) -> None:
        kind = self.symbols.kinds.get(source.id)
        if kind is None:
            return
        if source.controller is not None:
            kind.controller = self._about(source.controller, kind, ThingT("player"), "`controller`")
        else:
            kind.controller = self._owner(kind)
        if source.works is not None:
            kind.works = self._about(source.works, kind, FLAG, "`works`")
        if source.trigger_order is not None and source.trigger_order.text.strip() == "chosen":
            kind.triggers_chosen = True
            if kind.controller is None:
                self.symbols.error(
                    "RF506",
                    f"nobody controls a `{kind.name}`, so nobody can choose",
                    source.trigger_order.span,
                )
        elif source.trigger_order is not None:
            kind.trigger_order = self._about(source.trigger_order, kind, NumberT(0, 0), "`trigger_order`")

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

    def _about(self, text: SourceText, kind: t.Kind, type: Type, what: str) -> t.About | None:
        this = self.parameter("self", ThingT(kind.name))
        node = self.expr(text)
        if node is None:
            return None
        return t.About(this, self.expressions.wanted(node, Scope().bind(this), type, what))

    def told(self, text: SourceText | None) -> t.Visibility | None:
        """Who is told of an action: an expression over the viewer and the player who acts."""
        if text is None:
            return None
        viewer, me = self.parameter("viewer", ThingT("player")), self.parameter("me", ThingT("player"))
        node = self.expr(text)
        if node is None:
            return None
        return t.Visibility(viewer, me, (), self.expressions.condition(node, Scope().bind(viewer, me)))

    def shown(self, formula: t.Formula, text: SourceText | None) -> t.Visibility | None:
        """Who is shown a formula's value: an expression over the viewer and its parameters."""
        if text is None:
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
