"""Declares keywords, and the keywords printed on things."""

from __future__ import annotations

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.constants import constant_value
from ruleforge.lang.checker.declare.base import Declaring, zero
from ruleforge.lang.checker.names import first_word
from ruleforge.lang.checker.types import SetT
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.parser import nodes as n
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import counted

Value = int | tuple[int, ...]


@dataclass(frozen=True)
class _Head:
    """A keyword before anything is printed; `values` has a row for each parameter, filled from the things."""

    number: int
    source: m.Keyword
    kind: t.Kind
    parameters: tuple[t.Variable, ...]
    values: tuple[list[Value], ...]


class Keywords(Declaring):
    def declare(self) -> None:
        heads = {head.source.id: head for head in self._heads()}
        printed = {kind.id: self._printed(kind, heads) for kind in self.ruleset.kinds}
        for head in heads.values():
            self._keyword(head)
        for name, numbers in printed.items():
            if numbers is not None:
                self.fact(self.symbols.kinds[name], "keywords", SetT("keyword"), numbers)

    def _heads(self) -> list[_Head]:
        found = []
        for number, keyword in enumerate(self.ruleset.keywords, start=1):
            damaged = self.symbols.error_nodes.damage(keyword.span)
            kind = None if damaged else self.kind_text(keyword.kind)
            if kind is None:
                self.symbols.lost(keyword.id)
            else:
                parameters = self.parameters(keyword.takes)
                values: tuple[list[Value], ...] = tuple([zero(p.type)] * kind.size for p in parameters)
                found.append(_Head(number, keyword, kind, parameters, values))
        return found

    def _keyword(self, head: _Head) -> None:
        source = head.source
        columns = tuple(
            self.fact(head.kind, f"{source.id}_{parameter.name}", parameter.type, values)
            for parameter, values in zip(head.parameters, head.values, strict=True)
        )
        self.symbols.keywords[source.id] = t.Keyword(
            source.id,
            head.number,
            head.kind,
            source.text or "",
            source.span,
            head.parameters,
            columns,
            source.cites,
        )

    def _printed(self, source: m.Kind, heads: dict[str, _Head]) -> list[Value] | None:
        """The fact `keywords` of a kind: what is printed on each thing, closed over what keywords include."""
        kind = self.symbols.kinds.get(source.id)
        if kind is None or not any(head.kind is kind for head in heads.values()):
            return None
        printed: list[Value] = []
        for thing in self.symbols.room.made(source):
            first = len(printed)
            numbers = self._keywords_of(thing, kind, range(first, first + thing.copies), heads)
            printed += [numbers] * thing.copies
        return printed + [()] * (kind.size - len(printed))

    def _keywords_of(
        self, thing: m.Thing, kind: t.Kind, places: range, heads: dict[str, _Head]
    ) -> tuple[int, ...]:
        found: list[str] = []
        for text in thing.keywords:
            node = self.expr(text)
            if node is None:
                continue
            name = node.id if isinstance(node, n.Name) else node.name if isinstance(node, n.Call) else ""
            head = heads.get(name)
            if head is None:
                self.symbols.unknown("keyword", name, text.span, list(heads))
                continue
            if head.kind is not kind:
                self.symbols.error("RF502", f"`{name}` is a keyword of `{head.kind.name}`", text.span)
                continue
            self.symbols.uses.name("keyword", name, first_word(node.span, name))
            given = node.arguments if isinstance(node, n.Call) else ()
            if len(given) != len(head.parameters):
                self.symbols.error(
                    "RF504", f"`{name}` takes {counted(len(head.parameters), 'value')}", text.span
                )
                continue
            for parameter, row, argument in zip(head.parameters, head.values, given, strict=True):
                value = constant_value(argument, parameter.type, self.symbols)
                for place in places:
                    row[place] = 0 if value is None else value
            found.append(name)
        return tuple(sorted({heads[k].number for k in self._with_included(found, heads)}))

    def _with_included(self, names: list[str], heads: dict[str, _Head]) -> list[str]:
        closed = list(names)
        for name in closed:
            included = [i.text.strip() for i in heads[name].source.includes]
            closed += [i for i in included if i not in closed and i in heads]
        return closed
