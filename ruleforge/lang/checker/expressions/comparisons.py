"""Chains of `is`, `<`, `in`, `has` -> tests, each of two values that can be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ERROR, FLAG, NoneT, NumberT, SetT, ThingT, comparable, element_of
from ruleforge.lang.parser import nodes as n
from ruleforge.support.diagnostics import Span

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope


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
