"""Keywords, and what is printed on things."""

from __future__ import annotations

from ruleforge.check import typed as t
from ruleforge.check.constants import constant_value
from ruleforge.check.declare.base import Declaring, zero
from ruleforge.check.types import SetT
from ruleforge.dsl import nodes as n
from ruleforge.model import ruleset as m


class Keywords(Declaring):
    def declare(self) -> None:
        self._keywords()

    def _keywords(self) -> None:
        for number, keyword in enumerate(self.ruleset.keywords, start=1):
            kind = self.kind_text(keyword.kind)
            if kind is None:
                continue
            parameters = self.parameters(keyword.takes)
            columns = []
            for parameter in parameters:
                name = f"{keyword.id}_{parameter.name}"
                values: list[int | tuple[int, ...]] = [zero(parameter.type)] * kind.size
                self.fact(kind, name, parameter.type, values)
                columns.append(self.symbols.columns[kind.name, name])
            self.symbols.keywords[keyword.id] = t.Keyword(
                keyword.id,
                number,
                kind,
                keyword.text or "",
                keyword.span,
                parameters,
                tuple(columns),
                None,
                keyword.cites,
            )
        for kind_source in self.ruleset.kinds:
            self._printed_keywords(kind_source)

    def _printed_keywords(self, source: m.Kind) -> None:
        """The fact `keywords` of a kind: what is printed on each thing, closed over what keywords include."""
        kind = self.symbols.kinds.get(source.id)
        if kind is None or not any(k.kind is kind for k in self.symbols.keywords.values()):
            return
        printed: list[int | tuple[int, ...]] = []
        for thing in source.things:
            first = len(printed)
            numbers = self._keywords_of(thing, range(first, first + thing.copies))
            printed += [numbers] * thing.copies
        printed += [()] * (kind.size - len(printed))
        self.fact(kind, "keywords", SetT("keyword"), printed)

    def _keywords_of(self, thing: m.Thing, places: range) -> tuple[int, ...]:
        found: list[str] = []
        for text in thing.keywords:
            node = self.expr(text)
            if node is None:
                continue
            name = node.id if isinstance(node, n.Name) else node.name if isinstance(node, n.Call) else ""
            keyword = self.symbols.keywords.get(name)
            if keyword is None:
                self.symbols.unknown("keyword", name, text.span, list(self.symbols.keywords))
                continue
            given = node.arguments if isinstance(node, n.Call) else ()
            if len(given) != len(keyword.columns):
                self.symbols.error("RF504", f"`{name}` takes {len(keyword.columns)} values", text.span)
                continue
            for column, argument in zip(keyword.columns, given, strict=True):
                value = constant_value(argument, column.type, self.symbols)
                for place in places:
                    column.values[place] = 0 if value is None else value
            found.append(name)
        return tuple(sorted({self.symbols.keywords[k].number for k in self._with_included(found)}))

    def _with_included(self, names: list[str]) -> list[str]:
        includes = {k.id: [i.text.strip() for i in k.includes] for k in self.ruleset.keywords}
        closed = list(names)
        for name in closed:
            closed += [i for i in includes.get(name, []) if i not in closed and i in self.symbols.keywords]
        return closed
