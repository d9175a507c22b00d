"""Type checks operators: arithmetic with ranges, set operations, comparisons, logic."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import TYPE_CHECKING

from ruleforge.analysis.intervals import WORD, apply
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import (
    ERROR,
    FLAG,
    ErrorT,
    NoneT,
    NumberT,
    SetT,
    ThingT,
    Type,
    comparable,
    element_of,
    joined,
    number_in,
)
from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser.printer import print_expr
from ruleforge.support.diagnostics import Edit, Span

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope
    from ruleforge.lang.checker.symbols import Symbols


def comparison(checker: Expressions, node: n.Comparison, scope: Scope) -> t.Expr:
    tests = []
    left = node.first
    for op, right in node.rest:
        tests.append(_compare(checker, op, left, right, scope))
        left = right
    return tests[0] if len(tests) == 1 else t.Logic(node.span, FLAG, "and", tuple(tests))


def _compare(checker: Expressions, op: str, left: n.Expr, right: n.Expr, scope: Scope) -> t.Expr:
    span = left.span.to(right.span)
    if op in ("<", "<=", ">", ">="):
        a = checker.wanted(left, scope, NumberT(0, 0), f"`{op}`")
        b = checker.wanted(right, scope, NumberT(0, 0), f"`{op}`")
        return t.Compare(span, FLAG, op, a, b)
    if op == "has":
        return _has(checker, span, left, right, scope)
    if op in ("in", "not in"):
        test = _in(checker, span, left, right, scope)
        return test if op == "in" else t.Not(span, FLAG, test)
    a, b = _pair(checker, left, right, scope)
    if isinstance(b.type, NoneT) and left in scope.present:  # to test it once more is no mistake
        a = checker.check(left, scope.doubting(left))
    if not comparable(a.type, b.type):
        return _never_equal(checker, span, a, b)
    return t.Compare(span, FLAG, "==" if op == "is" else "!=", a, b)


def _pair(checker: Expressions, left: n.Expr, right: n.Expr, scope: Scope) -> tuple[t.Expr, t.Expr]:
    """Both sides of `is`; each side's type helps to read a name on the other."""
    if _is_ambiguous(checker, left) or (isinstance(left, n.SetLiteral) and not left.members):
        b = checker.check(right, scope)
        return checker.check(left, scope, b.type), b
    a = checker.check(left, scope)
    return a, checker.check(right, scope, a.type)


def _never_equal(checker: Expressions, span: Span, a: t.Expr, b: t.Expr) -> t.Expr:
    if isinstance(b.type, NoneT) and isinstance(a.type, ThingT):
        return checker.symbols.error("RF502", f"this is {a.type}, which is never none", span)
    if isinstance(b.type, SetT) and isinstance(a.type, ThingT):
        return checker.symbols.error("RF502", f"{a.type} is compared with {b.type}", span, "write `in`")
    return checker.symbols.error("RF502", f"{a.type} can never be {b.type}", span)


def _in(checker: Expressions, span: Span, left: n.Expr, right: n.Expr, scope: Scope) -> t.Expr:
    element, source = _element_and_set(checker, left, right, scope)
    inner = element_of(source.type)
    if isinstance(source.type, NoneT):
        inner = ERROR if source.type.empty else None
    if inner is None:
        none = isinstance(source.type, NoneT)
        help = "write `is none`, or `[]` for a set without things" if none else None
        return checker.symbols.error(
            "RF502", f"`in` needs a set, but this is {source.type}", right.span, help
        )
    if isinstance(element.type, NoneT | SetT) or not comparable(element.type, inner):
        return checker.symbols.error("RF502", f"{element.type} can never be in {source.type}", span)
    return t.In(span, FLAG, element, source)


def _element_and_set(
    checker: Expressions, left: n.Expr, right: n.Expr, scope: Scope
) -> tuple[t.Expr, t.Expr]:
    """Both sides of `in`; each side's type helps to read a name on the other."""
    if _is_ambiguous(checker, left):
        source = checker.check(right, scope)
        return checker.check(left, scope, source.type), source
    element = checker.check(left, scope)
    kind = element.type.kind if isinstance(element.type, ThingT) else None
    return element, checker.check(right, scope, SetT(kind) if kind else None)


def _is_ambiguous(checker: Expressions, node: n.Expr) -> bool:
    """Is this the name of several things?"""
    return isinstance(node, n.Name) and len(checker.symbols.things.get(node.id, [])) > 1


def _has(checker: Expressions, span: Span, left: n.Expr, right: n.Expr, scope: Scope) -> t.Expr:
    """A keyword is for things of one kind: no other has it."""
    of, word = checker.thing(left, scope), _keyword(checker, right)
    keyword = checker.symbols.keywords.get(right.id) if isinstance(right, n.Name) else None
    if keyword is not None and isinstance(of.type, ThingT) and of.type.kind != keyword.kind.name:
        message = f"`{keyword.name}` is a keyword of `{keyword.kind.name}`, but this is {of.type}"
        return checker.symbols.error("RF502", message, span)
    return t.In(span, FLAG, word, t.KeywordsOf(span, SetT("keyword"), of))


def _keyword(checker: Expressions, node: n.Expr) -> t.Expr:
    if isinstance(node, n.Name) and node.id in checker.symbols.keywords:
        number = checker.symbols.keywords[node.id].number
        checker.symbols.uses.name("keyword", node.id, node.span)
        return t.Constant(node.span, ThingT("keyword"), number)
    if isinstance(node, n.Name):
        return checker.symbols.unknown("keyword", node.id, node.span, list(checker.symbols.keywords))
    help = "write one test for each: `x has a or x has b`" if isinstance(node, n.SetLiteral) else None
    return checker.symbols.error("RF502", "`has` needs the name of a keyword", node.span, help)


# `and`, `or`, `if ... else`: each part relies on the tests before it.


def every(checker: Expressions, node: n.And, scope: Scope) -> t.Expr:
    return t.Logic(node.span, FLAG, "and", _parts(checker, node.parts, scope, checker.when_true))


def some(checker: Expressions, node: n.Or, scope: Scope) -> t.Expr:
    return t.Logic(node.span, FLAG, "or", _parts(checker, node.parts, scope, checker.when_false))


def _parts(
    checker: Expressions, parts: tuple[n.Expr, ...], scope: Scope, learn: Callable[[n.Expr, Scope], Scope]
) -> tuple[t.Expr, ...]:
    """Each part may rely on what the parts before it have settled."""
    checked: list[t.Expr] = []
    for number, part in enumerate(parts):
        half = _half(checker, parts[number - 1], parts[number:], scope) if number else None
        if half is not None:
            return (*checked, half)  # the rest goes on like it
        checked.append(checker.condition(part, scope))
        scope = learn(part, scope)
    return tuple(checked)


def _half(checker: Expressions, before: n.Expr, rest: tuple[n.Expr, ...], scope: Scope) -> t.Expr | None:
    """`x is a or b`: what is compared is left out behind the first. One diagnostic for all of them."""
    if not isinstance(before, n.Comparison) or len(before.rest) != 1:
        return None
    [(sign, first)] = before.rest
    names = [*takewhile(lambda part: isinstance(part, n.Name), rest)]
    value = checker.check(names[0], scope) if names and sign in ("is", "has") else None
    alike = ThingT("keyword") if sign == "has" else checker.known_type(first)
    if value is None or not isinstance(value.type, ThingT) or value.type != alike:
        return None
    fix = tuple(Edit(name.span, f"{print_expr(before.first)} {sign} {print_expr(name)}") for name in names)
    message = f"a condition needs {FLAG}, but this is {value.type}"
    return checker.symbols.error("RF502", message, names[0].span, f"write `{fix[0].text}`", fix)


def conditional(checker: Expressions, node: n.Conditional, scope: Scope, expect: Type | None) -> t.Expr:
    condition = checker.condition(node.test, scope)
    a = checker.check(node.then, checker.when_true(node.test, scope), expect)
    b = checker.check(node.other, checker.when_false(node.test, scope), expect)
    type = joined(a.type, b.type)
    if type is None:
        return checker.symbols.error("RF502", f"one side is {a.type}, the other {b.type}", node.span)
    return t.Conditional(node.span, type, condition, a, b)


# Operators between values: numbers with their range, and unions of sets.


def negative(checker: Expressions, node: n.Negative, scope: Scope) -> t.Expr:
    number = checker.wanted(node.value, scope, NumberT(0, 0), "`-`")
    bounds = number.type if isinstance(number.type, NumberT) else NumberT(0, 0)
    return t.Negative(node.span, computed(checker.symbols, "-", NumberT(0, 0), bounds, node.span), number)


def arithmetic(checker: Expressions, node: n.Arithmetic, scope: Scope, expect: Type | None) -> t.Expr:
    left = checker.check(node.left, scope, expect)
    if node.op in ("|", "&") or (node.op == "-" and isinstance(left.type, SetT | NoneT)):
        return _of_sets(checker, node, left, scope)
    if node.op == "-" and isinstance(left.type, ErrorT):  # of numbers or of sets: unknown
        checker.check(node.right, scope)
        return t.Constant(node.span, ERROR, 0)
    if isinstance(left.type, SetT):
        return checker.symbols.error(
            "RF502",
            f"`{node.op}` needs numbers, but this is {left.type}",
            node.left.span,
            "join sets with `|`, `&` or `-`",
        )
    return _of_numbers(checker, node, left, scope)


def _of_sets(checker: Expressions, node: n.Arithmetic, left: t.Expr, scope: Scope) -> t.Expr:
    right = checker.wanted(node.right, scope, left.type, f"`{node.op}`")
    if not isinstance(left.type, SetT | ErrorT):
        return checker.symbols.error(
            "RF502", f"`{node.op}` joins sets, but this is {left.type}", node.left.span
        )
    return t.Arithmetic(node.span, left.type, node.op, left, right)


def _of_numbers(checker: Expressions, node: n.Arithmetic, left: t.Expr, scope: Scope) -> t.Expr:
    left = checker.fitting(node.left, left, NumberT(0, 0), f"`{node.op}`", scope)
    right = checker.wanted(node.right, scope, NumberT(0, 0), f"`{node.op}`")
    if not isinstance(left.type, NumberT) or not isinstance(right.type, NumberT):
        return t.Constant(node.span, ERROR, 0)
    if node.op in ("//", "%") and right.type.low == right.type.high == 0:
        return checker.symbols.error("RF508", "division by zero", node.span)
    type = computed(checker.symbols, node.op, left.type, right.type, node.span)
    return t.Arithmetic(node.span, type, node.op, left, right)


def computed(symbols: Symbols, op: str, left: NumberT, right: NumberT, span: Span) -> NumberT:
    """The range of a result; a diagnostic if all of it lies beyond 32 bits."""
    found = apply(op, left.range, right.range)
    if not found.is_empty and found.meet(WORD).is_empty:
        symbols.error("RF508", "this number needs more than 32 bits", span)
    return number_in(found)
