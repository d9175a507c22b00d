"""Type checks `thing.name`, `thing.name[index]` and `cells[3]`: columns, contents of places, positions, members."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.names import last_word
from ruleforge.lang.checker.types import ERROR, ErrorT, NumberT, SetT, ThingT, Type
from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser.hints.other_languages import MEMBERS
from ruleforge.lang.parser.printer import print_expr
from ruleforge.support.diagnostics import Span
from ruleforge.support.spelling import listed

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope
    from ruleforge.lang.checker.symbols import Symbols


def attribute(checker: Expressions, node: n.Attribute, scope: Scope) -> t.Expr:
    symbols = checker.symbols
    if isinstance(node.of, n.Name) and node.of.id == "option" and "option" not in scope.variables:
        return _option(symbols, node)
    thing = _with_its_kind(checker, node, scope)
    if thing is not None:
        return thing
    of = checker.check(node.of, scope)
    if isinstance(of.type, ErrorT):
        return of
    if not isinstance(of.type, ThingT):
        help = _of_each(symbols, node.name, of.type) if isinstance(of.type, SetT) else None
        return symbols.error("RF502", f"{of.type} has no `.{node.name}`", node.span, help)
    member = _member(checker, node, of, scope)
    if of.type.optional and not isinstance(member.type, ErrorT):
        return checker.may_be_none(node.of, scope)
    return member


def _of_each(symbols: Symbols, name: str, of: SetT) -> str | None:
    """How to read of a set what each thing in it has."""
    if (of.kind, name) in symbols.columns:
        return f"each thing in it has its own: write `x.{name}` below `for x in SET:`"
    return MEMBERS.get(name)


def _option(symbols: Symbols, node: n.Attribute) -> t.Expr:
    option, here = symbols.options.get(node.name), last_word(node.span, node.name)
    if option is None:
        return symbols.unknown("option", node.name, here, list(symbols.options))
    symbols.uses.name("option", node.name, here)
    return t.OptionValue(node.span, option.type, option)


def _with_its_kind(checker: Expressions, node: n.Attribute, scope: Scope) -> t.Expr | None:
    """`cell.a1`: a thing and its kind, for things of other kinds may have the same name. None of anything else."""
    symbols, before = checker.symbols, node.of
    if not isinstance(before, n.Name) or before.id not in symbols.kinds or node.index:
        return None
    if before.id in scope.variables or symbols.is_name(before.id):
        return None
    for kind, number in symbols.things.get(node.name, ()):
        if kind.name == before.id:
            symbols.uses.name("kind", kind.name, before.span)
            symbols.uses.name("thing", node.name, last_word(node.span, node.name), kind.name)
            return t.Constant(node.span, ThingT(kind.name), number)
    return None


def _member(checker: Expressions, node: n.Attribute, of: t.Expr, scope: Scope) -> t.Expr:
    """The meaning of `.name` for a thing: a column, the contents of its place, or its own place."""
    assert isinstance(of.type, ThingT)
    kind, symbols = of.type.kind, checker.symbols
    column = symbols.column(kind, node.name)
    if column is not None:
        return _read(checker, node, of, column, scope)
    place = symbols.places_indexed_by(kind, node.name)
    if place is not None:
        return _content(checker, node, of, place, scope)
    inverse = symbols.inverse(kind, node.name)
    if inverse:
        return _whereabouts(checker, node, of, inverse)
    known = symbols.members(kind)
    return symbols.unknown(f"attribute of `{kind}`", node.name, _after_dot(node), known, kind)


def _read(checker: Expressions, node: n.Attribute, of: t.Expr, column: t.Column, scope: Scope) -> t.Expr:
    what = "fact" if column.constant else "attribute"
    checker.symbols.uses.name(what, node.name, _after_dot(node), column.kind.name)
    if is_number_behind(node, column.per, column.type):
        return nth(checker, node, _read(checker, without_number(node), of, column, scope), scope)
    index = _index(checker, node, column.per, scope)
    type = column.type if len(node.index) == len(column.per) else ERROR
    return t.Read(node.span, type, column, of, index)


def _content(checker: Expressions, node: n.Attribute, of: t.Expr, place: t.Place, scope: Scope) -> t.Expr:
    checker.symbols.uses.name("place", place.name, _after_dot(node))
    others, type = tuple(kind for _, kind in place.of[1:]), place.content
    if is_number_behind(node, others, type):
        return nth(checker, node, _content(checker, without_number(node), of, place, scope), scope)
    index = _index(checker, node, others, scope)
    return t.Content(node.span, type, place, (of, *index))


def _whereabouts(
    checker: Expressions, node: n.Attribute, of: t.Expr, found: tuple[tuple[t.Place, t.Kind], ...]
) -> t.Expr:
    """The place of a thing, by an index with the same kind in all places that have it."""
    here, (first, target) = _after_dot(node), found[0]
    for place, kind in found:
        checker.symbols.uses.name("place", place.name, here)
        if kind is not target:
            owners = f"a `{target.name}` in `{first.name}` and a `{kind.name}` in `{place.name}`"
            help = f"rename the `{node.name}` of one of the places"
            return checker.symbols.error("RF502", f"`.{node.name}` has two meanings: {owners}", here, help)
    places = tuple(place for place, _ in found)
    return t.Whereabouts(node.span, ThingT(target.name, True), places, node.name, of)


def _one_at_hand(kind: t.Kind, scope: Scope) -> str:
    """The one local of a kind, or what it would be."""
    alike = [v.name for v in scope.variables.values() if v.type == ThingT(kind.name)]
    return alike[0] if len(alike) == 1 else kind.name


def _index(
    checker: Expressions, node: n.Attribute, kinds: tuple[t.Kind, ...], scope: Scope
) -> tuple[t.Expr, ...]:
    if len(node.index) != len(kinds) and checker.symbols.error_nodes.may_hold(node.name):
        return tuple(t.Constant(node.span, ERROR, 1) for _ in kinds)  # which kinds is not known
    if len(node.index) != len(kinds):
        form = f"`.{node.name}[{', '.join(_one_at_hand(k, scope) for k in kinds)}]`" if kinds else ""
        message = f"`.{node.name}` takes {listed([k.name for k in kinds], 'and') or 'nothing'} in brackets"
        checker.symbols.error("RF504", message, node.span, f"write {form}" if form else "delete them")
        return tuple(t.Constant(node.span, ERROR, 1) for _ in kinds)
    return tuple(
        checker.wanted(i, scope, ThingT(k.name), f"the index of `.{node.name}`")
        for i, k in zip(node.index, kinds, strict=True)
    )


def _after_dot(node: n.Attribute) -> Span:
    """The span of an attribute's name."""
    if not node.index:
        return last_word(node.span, node.name)
    end = node.of.span
    return Span(end.file, end.end_line, end.end_column + 1, end.end_line, end.end_column + 1 + len(node.name))


# `cells[3]`, `me.row[2]`, `ray(c, d)[1]`: one thing of a set by its number, in the order in which the set is walked.


def is_number_behind(node: n.Attribute, kinds: tuple[t.Kind, ...], type: Type) -> bool:
    """Does a number stand behind the things that an attribute or place takes in brackets?"""
    return len(node.index) == len(kinds) + 1 and isinstance(type, SetT)


def without_number(node: n.Attribute) -> n.Attribute:
    return replace(node, index=node.index[:-1])


def numbered(checker: Expressions, node: n.Nth, scope: Scope) -> t.Expr:
    source = checker.check(node.of, scope)
    if isinstance(source.type, ErrorT):
        return source
    if not isinstance(source.type, SetT):
        return checker.symbols.error(
            "RF502", f"only the things of a set have numbers, but this is {source.type}", node.of.span
        )
    return nth(checker, node, source, scope)


def nth(checker: Expressions, node: n.Nth | n.Attribute, source: t.Expr, scope: Scope) -> t.Expr:
    if not isinstance(source.type, SetT):
        return source  # it was reported
    index = node.number if isinstance(node, n.Nth) else node.index[-1]
    number = checker.check(index, scope)
    if isinstance(number.type, ThingT) and isinstance(source, t.Family):
        return _whose(checker, source.place, index)
    number = checker.fitting(index, number, NumberT(0, 0), "the number of a thing", scope)
    if not isinstance(number.type, NumberT):
        return t.Constant(node.span, ERROR, 0)
    kind, bounds = checker.symbols.kinds[source.type.kind], number.type
    if bounds.high < 1 or bounds.low > kind.size:
        few = f"there are {kind.size} `{kind.plural}`" if bounds.high >= 1 else "the first has the number 1"
        return checker.symbols.error("RF508", f"no thing has such a number: {few}", index.span)
    if isinstance(source, t.All) and not kind.pool:
        sure = bounds.low >= 1 and bounds.high <= (
            kind.size if not kind.seats or checker.symbols.two_players else 1
        )
        return t.Builtin(node.span, ThingT(kind.name, not sure), "numbered", (number,), kind)
    variable = t.Variable("member", ThingT(kind.name), node.span)
    binder = t.Binder(node.span, variable, source)
    sure = bounds.low >= 1 and bounds.high <= _at_least(checker, source)
    return t.Aggregate(node.span, ThingT(kind.name, not sure), "nth", binder, number)


def _at_least(checker: Expressions, source: t.Expr) -> int:
    """The least size of a set: the neighbours of an edge or line. Printed sets may differ in a pack."""
    if not isinstance(source, t.Read) or source.column.span != source.column.kind.span:
        return 0
    if not isinstance(source.type, SetT) or source.type.kind not in checker.symbols.geometry:
        return 0
    return min((len(v) for v in source.column.values if isinstance(v, tuple)), default=0)


def _whose(checker: Expressions, place: t.Place, index: n.Expr) -> t.Expr:
    """A place is asked for behind its owner: `me.hand`."""
    others = ", ".join(name for name, _ in place.of[1:])
    form = f"{print_expr(index)}.{place.name}" + (f"[{others}]" if others else "")
    return checker.symbols.error(
        "RF502",
        f"the brackets after `{place.name}` take the number of a thing in it",
        index.span,
        f"write `{form}`",
    )
