"""Sets as words: bit i of word j is thing 31 * j + i + 1."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower import branches
from ruleforge.compiler.lower.context import Env, Lazy, Lowering, Words, add, load
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import aggregates, modifiers
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import WORD, SetT


def word_count(low: Lowering, kind: t.Kind) -> int:
    return low.layout.words(kind)


def has_bit(words: tuple[ir.Expr, ...], element: ir.Expr) -> ir.Expr:
    if len(words) == 1:
        return ir.Binary("&", ir.Binary(">>", words[0], add(element, -1)), ir.Const(1))
    shift = ir.Binary("%", add(element, -1), ir.Const(WORD))
    return ir.Binary("&", ir.Binary(">>", _word_with(words, element), shift), ir.Const(1))


def _word_with(words: tuple[ir.Expr, ...], element: ir.Expr, before: int = 0) -> ir.Expr:
    """The word in which a thing has its bit, found by halving; `before` words come before these."""
    if len(words) == 1:
        return words[0]
    middle = len(words) // 2
    test = ir.Binary("<=", element, ir.Const(WORD * (before + middle)))
    below = _word_with(words[:middle], element, before)
    return ir.Select(test, below, _word_with(words[middle:], element, before + middle))


def bit(element: ir.Expr) -> ir.Expr:
    """The mask of one thing of a small kind."""
    if isinstance(element, ir.Const):
        return ir.Const(1 << (element.value - 1))
    return ir.Binary("<<", ir.Const(1), add(element, -1))


def bit_in(element: ir.Expr, word: int, count: int) -> ir.Expr:
    """The bits of one thing in word `word` of a set of `count` words."""
    if count == 1:
        return bit(element)
    if isinstance(element, ir.Const):
        at = element.value - 1 - WORD * word
        return ir.Const(1 << at if 0 <= at < WORD else 0)
    shift = ir.Binary("%", add(element, -1), ir.Const(WORD))
    inside = ir.Binary("==", ir.Binary("//", add(element, -1), ir.Const(WORD)), ir.Const(word))
    return ir.Select(inside, ir.Binary("<<", ir.Const(1), shift), ir.Const(0))


def with_member(words: tuple[ir.Expr, ...], element: ir.Expr) -> tuple[ir.Expr, ...]:
    return tuple(ir.Binary("|", w, bit_in(element, j, len(words))) for j, w in enumerate(words))


def packed_words(members: int | tuple[int, ...], count: int) -> tuple[int, ...]:
    """The words of a set known beforehand."""
    given = set(members) if isinstance(members, tuple) else set()
    return tuple(
        sum(1 << (m - 1 - WORD * j) for m in given if 0 < m - WORD * j <= WORD) for j in range(count)
    )


def constant_words(members: tuple[int, ...], count: int) -> tuple[ir.Expr, ...]:
    return tuple(ir.Const(word) for word in packed_words(members, count))


def mask(low: Lowering, node: t.Expr, env: Env) -> ir.Expr:
    """A set of a small kind as one word."""
    (word,) = words(low, node, env)
    return word


def words(low: Lowering, node: t.Expr, env: Env) -> tuple[ir.Expr, ...]:
    """A set as words: bit i of word j is thing 31 * j + i + 1."""
    count = _count(low, node)
    found = _unwalked(low, node, env, count)
    if found is not None:
        return found
    return tuple(aggregates.packed(low, node, env, j, count) for j in range(count))


def made_words(low: Lowering, node: t.Expr, env: Env) -> tuple[ir.Body, tuple[ir.Expr, ...]]:
    """The same where statements may stand: what has to be walked is walked once for all of its words."""
    if isinstance(node, t.Arithmetic):
        left, right = (made_words(low, side, env) for side in (node.left, node.right))
        return (*left[0], *right[0]), _combined(node.op, left[1], right[1])
    count = _count(low, node)
    found = _unwalked(low, node, env, count)
    if found is None and count > 1:
        return aggregates.packed_at_once(low, node, env, count)
    return (), found or words(low, node, env)


def _combined(op: str, left: tuple[ir.Expr, ...], right: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
    pairs = zip(left, right, strict=True)
    if op == "-":
        return tuple(ir.Binary("&", a, ir.Binary("^", b, ir.Const(-1))) for a, b in pairs)
    return tuple(ir.Binary(op, a, b) for a, b in pairs)


def _count(low: Lowering, node: t.Expr) -> int:
    assert isinstance(node.type, SetT), node
    return word_count(low, low.kind(node.type.kind))


def _unwalked(low: Lowering, node: t.Expr, env: Env, count: int) -> tuple[ir.Expr, ...] | None:
    """The words of a set that need no walk over it."""
    match node:
        case t.Constant():
            return (ir.Const(0),) * count
        case t.All(kind=kind) if not kind.pool:
            return constant_words(tuple(range(1, low.size(kind) + 1)), count)
        case t.Read(column=column):
            return _read_words(low, node, column, count, env)
        case t.Use(variable=variable):
            value = env.values[variable]
            if isinstance(value, Lazy):
                return words(low, value.source, value.env)
            return value.words if isinstance(value, Words) else (value,)
        case t.Arithmetic(op=op, left=left, right=right):
            return _combined(op, words(low, left, env), words(low, right, env))
        case t.Conditional(test=test, then=then, other=other):
            condition = values.value(low, test, env)
            pairs = zip(words(low, then, env), words(low, other, env), strict=True)
            return tuple(branches.choose(condition, a, b) for a, b in pairs)
        case t.Aggregate(op="best"):
            return aggregates.best(low, node, env, count)
        case t.SetOf(members=given) if all(isinstance(g, t.Constant) for g in given):
            return constant_words(
                tuple(g.value for g in given if isinstance(g, t.Constant) and g.value), count
            )
        case t.KeywordsOf(of=of):
            return modifiers.keywords(low, node, of, env)
        case t.CallFormula(formula=formula) if low.stands_alone(formula):
            return modifiers.set_formula(low, node, env, count)
    return None


def _read_words(low: Lowering, node: t.Read, column: t.Column, count: int, env: Env) -> tuple[ir.Expr, ...]:
    if column.constant:
        key = values.fact_key(low, node, env)
        vectors = [packed_words(v, count) for v in column.values]
        return tuple(branches.lookup(low, (0, *(v[j] for v in vectors)), key) for j in range(count))
    of = values.value(low, node.of, env)
    index = tuple(values.value(low, i, env) for i in node.index)
    base, at = values.slot(low, column, of, index)
    return tuple(load(base + j, at) for j in range(count))
