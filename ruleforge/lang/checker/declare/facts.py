"""Facts: the constants of a kind, and their values for each of its things."""

from __future__ import annotations

from itertools import compress
from math import prod

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.constants import constant_value, thing_of
from ruleforge.lang.checker.declare.base import Declaring, zero
from ruleforge.lang.checker.types import ErrorT, ThingT, Type
from ruleforge.lang.checker.unknown_names import FEW
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.parser import nodes as n
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import listed

Value = int | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Head:
    """A fact before its values: its name, its type, and the kinds that it is `per`."""

    name: str
    type: Type
    per: tuple[t.Kind, ...]
    span: Span
    default: n.Expr | None = None  # of things that do not say: `0..9 = 2`

    @property
    def has_zero(self) -> bool:
        """A fact that is a thing for sure has no value of its own where nothing is said."""
        return not isinstance(self.type, ThingT) or self.type.optional


class Facts(Declaring):
    def values(self, head: Head, kind: t.Kind, things: tuple[m.Thing, ...]) -> tuple[Value, ...]:
        """One value after the other: those of the first thing, of the second, and so on.

        Things without a definition of their own have the default, or zero.
        """
        if isinstance(head.type, ErrorT):
            return (0,) * prod((kind.size, *(each.size for each in head.per)))
        default = self._spread(head.default, head.per, head) if head.default is not None else None
        found: list[Value] = []
        drawn = kind.name in self.symbols.room.boards
        is_named = [not drawn or thing.span != kind.span for thing in things]  # the others are only made
        if default is None and sum(max(1, thing.copies) for thing in compress(things, is_named)) < kind.size:
            self._all_must_have(kind, head)
        for thing, named in zip(things, is_named, strict=True):
            own = self._of_thing(thing, head, default) if named else self._rest(head, head.per, default)
            found += own * thing.copies
        rest = kind.size - sum(thing.copies for thing in things)
        return tuple(found + self._rest(head, head.per, default) * rest)

    def _of_thing(self, thing: m.Thing, head: Head, default: list[Value] | None) -> list[Value]:
        text = dict(thing.facts).get(head.name)
        node = self.expr(text) if text else None
        if node is not None:
            return self._spread(node, head.per, head, default, thing)
        if text is None and default is None:
            self._must_be_given(thing, head)
        return self._rest(head, head.per, default)

    def _spread(
        self,
        node: n.Expr,
        per: tuple[t.Kind, ...],
        head: Head,
        default: list[Value] | None = None,
        thing: m.Thing | None = None,
    ) -> list[Value]:
        """The values of a fact: a table by the things it is `per`, or one value for all."""
        if per and isinstance(node, n.Table):
            return self._table(node, per, head, default, thing)
        if isinstance(node, n.Table):
            message = f"expected a single value of `{head.name}` here"
            self.symbols.error(
                "RF509", message, node.span, "declare the fact `per` a kind to give one for each"
            )
            return [zero(head.type)]
        value = constant_value(node, head.type, self.symbols)
        return [zero(head.type) if value is None else value] * prod(each.size for each in per)

    def _table(
        self,
        node: n.Table,
        per: tuple[t.Kind, ...],
        head: Head,
        default: list[Value] | None,
        thing: m.Thing | None,
    ) -> list[Value]:
        owner, inner = per[0], per[1:]
        width = prod(each.size for each in inner)
        given: dict[int, n.Entry] = {}
        for entry in node.entries:
            number = thing_of(entry.key, owner.name, self.symbols)
            if number is not None and given.setdefault(number, entry) is not entry:
                self.symbols.error(
                    "RF510", f"`{entry.key.id}` is listed twice", entry.key.span, "delete one of the two"
                )
        found: list[Value] = []
        missing = [name for number, name in enumerate(owner.things, 1) if number not in given]
        if missing and default is None and thing is not None:
            self._must_be_given(thing, head, f" for {listed(missing, 'and')}")
        for number in range(1, owner.size + 1):
            own = default[len(found) : len(found) + width] if default is not None else None
            if number in given:
                found += self._spread(given[number].value, inner, head, own, thing)
                continue
            found += self._rest(head, inner, own)
        return found

    def _rest(self, head: Head, per: tuple[t.Kind, ...], default: list[Value] | None) -> list[Value]:
        return default if default is not None else [zero(head.type)] * prod(each.size for each in per)

    def _must_be_given(self, thing: m.Thing, head: Head, what: str = "") -> None:
        if not head.has_zero and not self.symbols.error_nodes.damage(thing.span):
            message = f"`{thing.id}` lacks the fact `{head.name}`{what}"
            self.symbols.error(
                "RF501", message, thing.span, self._help(head) if what else self._possible(head)
            )

    def _all_must_have(self, kind: t.Kind, head: Head) -> None:
        """Things that are counted, or made by a board, have what the fact says of all that do not say."""
        if not head.has_zero and not self.symbols.error_nodes.damage(kind.span):
            message = f"some {kind.plural} lack the fact `{head.name}`, which must have a value"
            self.symbols.error("RF501", message, head.span, self._help(head))

    def _help(self, head: Head) -> str:
        assert isinstance(head.type, ThingT)
        first = next(iter(self.symbols.kinds[head.type.kind].things), "...")
        return f"say what it is of those that do not say: `= {first}` at the end of its type, or that it may be none"

    def _possible(self, head: Head) -> str:
        assert isinstance(head.type, ThingT)
        few = self.symbols.kinds[head.type.kind].things
        return f"possible: {listed(few)}" if len(few) <= FEW else f"write `{head.name}: ...`"
