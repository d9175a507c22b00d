"""The checker of expressions turns a syntax tree in a scope into a typed tree."""

from __future__ import annotations

from dataclasses import replace

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.holders import report_taken
from ruleforge.lang.checker.scope import Scope, present_if_false, present_if_true
from ruleforge.lang.checker.symbols import Symbols
from ruleforge.lang.checker.teams import members
from ruleforge.lang.checker.types import (
    ERROR,
    FLAG,
    ErrorT,
    NoneT,
    NumbersT,
    NumberT,
    SetT,
    ThingT,
    Type,
    element_of,
    fits,
)
from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser.printer import print_expr
from ruleforge.support.diagnostics import Edit, Span


class Expressions:
    """Checks expressions against one table of symbols.

    The forms of expressions check their parts with this class, so it cannot import them: `forms.ExpressionForms` adds
    them.
    """

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self._types: dict[int, Type] = {}
        # A form may look at a part twice: without this, parts in parts would be looked at times without number.
        # What the numbers in a key stand for is held, so that nothing else gets them.
        self._known: dict[tuple[int, int, Type | None], tuple[n.Expr, Scope, t.Expr]] = {}

    def check(self, node: n.Expr, scope: Scope, expect: Type | None = None) -> t.Expr:
        """Type an expression; `expect` helps to tell things of the same name apart."""
        key = (id(node), id(scope), expect)
        known = self._known.get(key)
        if known is not None:
            return known[2]
        self.symbols.uses.scope(node.span, scope.variables)
        result = self._typed(node, scope, expect)
        if isinstance(result.type, ThingT) and result.type.optional and node in scope.present:
            sure = ThingT(result.type.kind)
            result = t.Sure(node.span, sure, result) if node in scope.looped else replace(result, type=sure)
        self._types[id(node)] = result.type
        self._known[key] = (node, scope, result)
        return result

    def _typed(self, node: n.Expr, scope: Scope, expect: Type | None) -> t.Expr:
        raise NotImplementedError

    def known_type(self, node: n.Expr) -> Type | None:
        """The type of an expression that was checked already."""
        return self._types.get(id(node))

    def wanted(self, node: n.Expr, scope: Scope, target: Type, what: str) -> t.Expr:
        """An expression that must fit a type; the diagnostic names what it is wanted for."""
        return self.fitting(node, self.check(node, scope, target), target, what, scope)

    def fitting(self, node: n.Expr, value: t.Expr, target: Type, what: str, scope: Scope) -> t.Expr:
        """The value of an expression if it fits a type."""
        if isinstance(value.type, NoneT) and fits(value.type, target):
            value = replace(value, type=target)
        if fits(value.type, target):
            return value
        if isinstance(value.type, ThingT) and isinstance(target, ThingT) and value.type.kind == target.kind:
            return self.may_be_none(node, scope)
        message = f"{what} needs {target}, but this is {value.type}"
        if target == FLAG and isinstance(value.type, ThingT) and value.type.optional:
            fix = (Edit(_behind(node.span), " is not none"),)
            return self.symbols.error("RF502", message, node.span, "write `is not none` after it", fix)
        if target == FLAG and isinstance(value.type, NumberT):
            help = f"compare it: `{print_expr(node)} > 0`"
            if isinstance(node, n.Number):
                help = f"write `{'true' if node.value else 'false'}`"
            return self.symbols.error("RF502", message, node.span, help)
        if target != FLAG or not isinstance(node, n.Name) or not isinstance(value.type, ThingT):
            return self.symbols.error("RF502", message, node.span)
        viewer = scope.variables.get("viewer")
        if viewer is not None and viewer.type == value.type:
            right = f"viewer is {node.id}"
            return self.symbols.error(
                "RF502", message, node.span, f"write `{right}`", (Edit(node.span, right),)
            )
        verb = "has" if value.type.kind == "keyword" else "is"
        help = f"compare it with something: `... {verb} {node.id}`"
        return self.symbols.error("RF502", message, node.span, help)

    def stored(self, node: n.Expr, scope: Scope, target: Type | None = None) -> t.Expr:
        """A value to be remembered; ranges and sets of numbers can only be looked through where they stand."""
        value = self.check(node, scope) if target is None else self.wanted(node, scope, target, "this")
        if isinstance(value.type, NumbersT):
            return self.symbols.error(
                "RF502", f"{value.type} cannot be stored", node.span, "store one of them"
            )
        return value

    def condition(self, node: n.Expr, scope: Scope) -> t.Expr:
        return self.wanted(node, scope, FLAG, "a condition")

    def players(self, node: n.Expr, scope: Scope, what: str) -> t.Expr:
        """A player, a set of players, or a team, which stands for its players; `none` and `[]` are empty sets."""
        value = self.check(node, scope, SetT("player"))
        if isinstance(value.type, NoneT):
            return replace(value, type=SetT("player"))
        if value.type == ThingT("player", True):
            return self.may_be_none(node, scope)
        if fits(value.type, SetT("player")) or fits(value.type, ThingT("player")):
            return value
        if (team := members(value, self.symbols.columns)) is not None:
            return team
        return self.symbols.error("RF502", f"{what}, but this is {value.type}", node.span)

    def thing(self, node: n.Expr, scope: Scope, expect: Type | None = None) -> t.Expr:
        """An expression that must be a thing for sure."""
        value = self.check(node, scope, expect)
        if isinstance(value.type, ThingT) and value.type.optional:
            return self.may_be_none(node, scope)
        return value

    def may_be_none(self, node: n.Expr, scope: Scope) -> t.Expr:
        """Reports; where it was known before that there is something, it says what may have changed that."""
        text, help = print_expr(node), f"test it first: `{print_expr(node)} is not none`"
        notes: tuple[tuple[str, Span], ...] = ()
        if node in scope.forgotten:
            notes = (("the test for none is no longer valid: something changed", scope.forgotten[node]),)
            help = f"store it in a local before that, or test it again: `{text} is not none`"
        self.symbols.report.add("RF503", f"`{text}` may be none here", node.span, help, notes)
        return t.Constant(node.span, ERROR, 0)

    def when_true(self, test: n.Expr, scope: Scope) -> Scope:
        known = self._types.get(id(test))
        if (
            isinstance(known, ThingT) and known.optional
        ):  # `if c:`, which was reported, means that it is there
            return scope.knowing(frozenset({test}))
        return scope.knowing(present_if_true(test, self._sure))

    def when_false(self, test: n.Expr, scope: Scope) -> Scope:
        return scope.knowing(present_if_false(test, self._sure))

    def _sure(self, node: n.Expr) -> bool | None:
        known = self._types.get(id(node))
        return None if isinstance(known, ErrorT) else isinstance(known, ThingT) and not known.optional

    def variable(self, name: str, type: Type, node: n.Node) -> t.Variable:
        """A new local; its name must not hide anything else that has one."""
        if name != "me" and self.symbols.taken(name):
            report_taken(self.symbols, name, node.span)
        return t.Variable(name, type, node.span)

    def binder(self, node: n.Binder, scope: Scope) -> tuple[t.Binder, Scope]:
        """A binder and the scope behind it, in which its variable is known and its `where` holds."""
        source = self.check(node.source, scope)
        element = element_of(source.type)
        if element is None:
            source = self.symbols.error(
                "RF502", f"`in` needs a set, but this is {source.type}", node.source.span
            )
            element = ERROR
        variable = self.variable(node.name, element, node)
        inner = scope.bind(variable).knowing(where_all_lie(source, node.name, node.span))
        until = self.condition(node.until, inner) if node.until else None
        where = self.condition(node.where, inner) if node.where else None
        if node.where:
            inner = self.when_true(node.where, inner)
        by = tuple(self.wanted(k, inner, NumberT(0, 0), "`by`") for k in node.by)
        return t.Binder(node.span, variable, source, until, where, by), inner


def _behind(span: Span) -> Span:
    return span._replace(line=span.end_line, column=span.end_column)


# The indices of the place that holds all things of a source: for `c in hand`, `c.holder` is never none.


def where_all_lie(source: t.Expr, name: str, span: Span) -> frozenset[n.Expr]:
    """The attributes of `name`, a member of the source, that are never none."""
    member = n.Name(span, name)
    return frozenset(n.Attribute(span, member, index) for index in _indices(source))


def _indices(source: t.Expr) -> frozenset[str]:
    match source:
        case t.Content(place=place) | t.Family(place=place):
            return frozenset(index for index, _ in place.of)
        case t.Selection(binder=binder) | t.Aggregate(op="best", binder=binder):
            return _indices(binder.source)
        case t.Arithmetic(op="|", left=left, right=right):
            return _indices(left) & _indices(right)
        case t.Arithmetic(left=left):  # what is in the second, or not in it, lies where the first lies
            return _indices(left)
    return frozenset()
