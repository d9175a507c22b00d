"""Count, test and choose over sets: each becomes a small function with an early exit."""

from __future__ import annotations

from typing import TypeGuard

from ruleforge.compiler import ir
from ruleforge.compiler.lower.branches import lookup
from ruleforge.compiler.lower.context import Env, Inner, Lowering, add, both
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import masks, walks
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import INT_MAX, WORD, NumberT, SetT, ThingT, Type
from ruleforge.lang.checker.walk import all_nodes

ZERO, ONE = ir.Const(0), ir.Const(1)
UNROLL = 8


def aggregate(low: Lowering, node: t.Aggregate, env: Env) -> ir.Expr:
    free = values.captured(env, node)
    if node.op == "best":
        (word,) = best(low, node, env, 1)
        return word
    if node.op == "nth" and isinstance(node.value, t.Constant) and _printed_set(node.binder.source):
        return _printed(low, node.binder.source, node.value.value, env)
    return low.helper(node.op, free, env, node.span, lambda e: _body(low, node, e))


def _body(low: Lowering, node: t.Aggregate, env: Env) -> ir.Body:
    match node.op:
        case "any":
            lines = _through_lines(low, node, env)
            if lines is not None:
                return lines
            walk = walks.walk(low, node.binder, env, lambda e: (ir.Return(ONE),), anyhow=True)
            return (*walk, ir.Return(ZERO))
        case "all":
            return _all(low, node, env)
        case "count" | "sum":
            return _sum(low, node, env)
        case "min" | "max":
            return _extreme(low, node, env)
        case "first":
            return _first(low, node, env)
        case "nth":
            return _nth(low, node, env)
    raise AssertionError(node.op)


def _all(low: Lowering, node: t.Aggregate, env: Env) -> ir.Body:
    def fail(e: Env) -> ir.Body:
        assert node.value is not None
        return (ir.If(values.negated(values.value(low, node.value, e)), (ir.Return(ZERO),)),)

    return (*walks.walk(low, node.binder, env, fail, anyhow=True), ir.Return(ONE))


def _sum(low: Lowering, node: t.Aggregate, env: Env) -> ir.Body:
    total = low.fresh("total")

    def count(e: Env) -> ir.Body:
        if node.value is None:
            return (ir.Set(total, add(ir.Local(total), 1)),)
        more = values.value(low, node.value, e)
        return (ir.Set(total, ir.Binary("+", ir.Local(total), more, checked)),)

    checked = node.value is not None and _may_run_over(low, node.binder, node.value.type)
    walk = walks.walk(low, node.binder, env, count, anyhow=not checked)
    return (ir.Set(total, ZERO), *walk, ir.Return(ir.Local(total)))


def _may_run_over(low: Lowering, over: t.Binder, of: Type) -> bool:
    """Whether numbers of this type, one for each thing of a kind, may leave 32 bits on the way to their sum."""
    things = over.variable.type
    if not isinstance(things, ThingT) or not isinstance(of, NumberT):
        return True
    return low.size(low.kind(things.kind)) * max(-of.low, of.high) > INT_MAX


def _extreme(low: Lowering, node: t.Aggregate, env: Env) -> ir.Body:
    """The smallest or largest value; 0 over nothing."""
    found, most = low.fresh("found"), low.fresh("most")

    def better(e: Env) -> ir.Body:
        assert node.value is not None
        candidate = values.value(low, node.value, e)
        op = "<" if node.op == "min" else ">"
        name = low.fresh("candidate")
        test = ir.Logic(
            "or", (values.negated(ir.Local(found)), ir.Binary(op, ir.Local(name), ir.Local(most)))
        )
        return (
            ir.Set(name, candidate),
            ir.If(test, (ir.Set(most, ir.Local(name)), ir.Set(found, ONE))),
        )

    walk = walks.walk(low, node.binder, env, better)
    return (ir.Set(found, ZERO), ir.Set(most, ZERO), *walk, ir.Return(ir.Local(most)))


def _first(low: Lowering, node: t.Aggregate, env: Env) -> ir.Body:
    """The first member in walking order. With keys, the one with the smallest keys, the first of equals."""
    binder = node.binder
    if not binder.by:
        walk = walks.walk(low, binder, env, lambda e: (ir.Return(e.expr(binder.variable)),))
        return (*walk, ir.Return(ZERO))
    chosen = low.fresh("chosen")
    keys = tuple(low.fresh("least") for _ in binder.by)
    plain = t.Binder(binder.span, binder.variable, binder.source, binder.until, binder.where)

    def better(e: Env) -> ir.Body:
        here = tuple(low.fresh("key") for _ in keys)
        sets_here = tuple(ir.Set(h, values.value(low, k, e)) for h, k in zip(here, binder.by, strict=True))
        smaller = _smaller(here, keys)
        test = ir.Logic("or", (ir.Binary("==", ir.Local(chosen), ZERO), smaller))
        keep = tuple(ir.Set(k, ir.Local(h)) for k, h in zip(keys, here, strict=True))
        return (*sets_here, ir.If(test, (ir.Set(chosen, e.expr(binder.variable)), *keep)))

    start = tuple(ir.Set(name, ZERO) for name in (chosen, *keys))
    return (*start, *walks.walk(low, plain, env, better), ir.Return(ir.Local(chosen)))


def _nth(low: Lowering, node: t.Aggregate, env: Env) -> ir.Body:
    """Counts down to the one that is wanted; none if there are fewer."""
    assert node.value is not None
    left = low.fresh("left")

    def count(e: Env) -> ir.Body:
        found = ir.If(ir.Binary("==", ir.Local(left), ZERO), (ir.Return(e.expr(node.binder.variable)),))
        return (ir.Set(left, add(ir.Local(left), -1)), found)

    walk = walks.walk(low, node.binder, env, count)
    number = ir.Set(left, values.value(low, node.value, env))
    none = ir.If(ir.Binary("<", ir.Local(left), ONE), (ir.Return(ZERO),))
    return (number, none, *walk, ir.Return(ZERO))


def _printed_set(node: t.Expr) -> TypeGuard[t.Read]:
    return isinstance(node, t.Read) and isinstance(node.type, SetT) and node.column.constant


def _printed(low: Lowering, fact: t.Read, number: int, env: Env) -> ir.Expr:
    """The n-th of what a thing has printed on it: a table."""
    sets = (v for v in fact.column.values if isinstance(v, tuple))
    members = (0, *(v[number - 1] if 1 <= number <= len(v) else 0 for v in sets))
    return lookup(low, members, values.fact_key(low, fact, env))


def _smaller(here: tuple[str, ...], least: tuple[str, ...]) -> ir.Expr:
    """Whether one tuple of keys is smaller than another."""
    test: ir.Expr = ZERO
    for a, b in reversed(list(zip(here, least, strict=True))):
        tie = both(ir.Binary("==", ir.Local(a), ir.Local(b)), test)
        less = ir.Binary("<", ir.Local(a), ir.Local(b))
        test = less if tie == ZERO else ir.Logic("or", (less, tie))
    return test


def best(low: Lowering, node: t.Aggregate, env: Env, count: int) -> tuple[ir.Expr, ...]:
    """All with the largest keys, as words."""
    free = values.captured(env, node)

    def body(word: int) -> Inner:
        return lambda e: _best_body(low, node.binder, e, word, count)

    return tuple(low.helper("best", free, env, node.span, body(j)) for j in range(count))


def _best_body(low: Lowering, binder: t.Binder, env: Env, word: int, count: int) -> ir.Body:
    bits, some = low.fresh("bits"), low.fresh("some")
    most = tuple(low.fresh("most") for _ in binder.by)
    plain = t.Binder(binder.span, binder.variable, binder.source, binder.until, binder.where)

    def better(e: Env) -> ir.Body:
        here = tuple(low.fresh("key") for _ in most)
        own = masks.bit_in(e.expr(binder.variable), word, count)
        larger = ir.Logic("or", (ir.Binary("==", ir.Local(some), ZERO), _smaller(most, here)))
        equal = both(*(ir.Binary("==", ir.Local(h), ir.Local(m)) for h, m in zip(here, most, strict=True)))
        keep = tuple(ir.Set(m, ir.Local(h)) for m, h in zip(most, here, strict=True))
        join = ir.If(equal, (ir.Set(bits, ir.Binary("|", ir.Local(bits), own)),))
        return (
            *(ir.Set(h, values.value(low, k, e)) for h, k in zip(here, binder.by, strict=True)),
            ir.If(larger, (ir.Set(bits, own), ir.Set(some, ONE), *keep), (join,)),
        )

    start = tuple(ir.Set(name, ZERO) for name in (bits, some, *most))
    return (*start, *walks.walk(low, plain, env, better), ir.Return(ir.Local(bits)))


def packed(low: Lowering, node: t.Expr, env: Env, word: int, count: int) -> ir.Expr:
    """One word of any set, computed by a walk."""

    def body(e: Env) -> ir.Body:
        bits, name = low.fresh("bits"), low.fresh("member")
        join = ir.Set(bits, ir.Binary("|", ir.Local(bits), masks.bit_in(ir.Local(name), word, count)))
        walk = walks.members(low, node, e, name, (join,), anyhow=True)
        return (ir.Set(bits, ZERO), *walk, ir.Return(ir.Local(bits)))

    return low.helper("packed", values.captured(env, node), env, node.span, body)


def packed_at_once(low: Lowering, node: t.Expr, env: Env, count: int) -> tuple[ir.Body, tuple[ir.Expr, ...]]:
    """All words of a set from one walk, if statements are possible here: the statements and the words."""
    names, member = [low.fresh("bits") for _ in range(count)], low.fresh("member")
    walk = walks.members(low, node, env, member, _joined(names, ir.Local(member)), anyhow=True)
    return (*(ir.Set(name, ZERO) for name in names), *walk), tuple(map(ir.Local, names))


def _joined(names: list[str], member: ir.Local, before: int = 0) -> ir.Body:
    """Set the bit of a member in its word, found by halving; `before` words come before these."""
    if len(names) == 1:
        bit = masks.bit(add(member, -WORD * before))
        return (ir.Set(names[0], ir.Binary("|", ir.Local(names[0]), bit)),)
    middle = len(names) // 2
    test = ir.Binary("<=", member, ir.Const(WORD * (before + middle)))
    upper = _joined(names[middle:], member, before + middle)
    return (ir.If(test, _joined(names[:middle], member, before), upper),)


def found(low: Lowering, node: t.Expr, element: ir.Expr, env: Env) -> ir.Expr:
    """Whether an element is a member of a set that can only be walked."""
    wanted = t.Variable("wanted", ThingT(""), node.span)
    inside = env.bind(wanted, element)

    def body(e: Env) -> ir.Body:
        name = low.fresh("member")
        hit = ir.If(ir.Binary("==", ir.Local(name), e.expr(wanted)), (ir.Return(ONE),))
        return (*walks.members(low, node, e, name, (hit,), anyhow=True), ir.Return(ZERO))

    return low.helper("found", (wanted, *values.captured(env, node)), inside, node.span, body)


# --- lines through a cell: rows of a constant relation tested as a whole ---


def _through_lines(low: Lowering, node: t.Aggregate, env: Env) -> ir.Body | None:
    """`any(l in c.lines where all(P(x) for x in l.cells))` with rows of one length: test whole rows.

    The two relations are composed when compiling, so that one loop binds all cells of a line at once.
    """
    binder, where = node.binder, node.binder.where
    if not isinstance(where, t.Aggregate) or where.op != "all" or binder.by or binder.until:
        return None
    outer, inner = binder.source, where.binder
    if not _constant_set(outer) or not _constant_set(inner.source) or inner.where or inner.by or inner.until:
        return None
    assert isinstance(outer, t.Read) and isinstance(inner.source, t.Read) and where.value is not None
    if not (isinstance(inner.source.of, t.Use) and inner.source.of.variable is binder.variable):
        return None
    uses = [x for x in all_nodes(where) if isinstance(x, t.Use) and x.variable is binder.variable]
    lengths = {len(v) for v in inner.source.column.values if isinstance(v, tuple)}
    if len(uses) != 1 or len(lengths) != 1 or not 1 <= (length := lengths.pop()) <= UNROLL:
        return None
    if any(isinstance(x, t.Aggregate | t.Reached | t.Selection) for x in all_nodes(where.value)):
        return None
    rows = [v for v in inner.source.column.values if isinstance(v, tuple)]
    composed = tuple(
        tuple(rows[line - 1] for line in through)
        for through in ((), *(v for v in outer.column.values if isinstance(v, tuple)))
    )
    key = values.value(low, outer.of, env)
    own: ir.Body = ()
    if length > 2 and all(c in row for c, lines in enumerate(composed) for row in lines):
        # Every line through a cell contains it: test the cell itself once, and only the others of each line.
        composed = tuple(
            tuple(tuple(x for x in row if x != c) for row in lines) for c, lines in enumerate(composed)
        )
        length -= 1
        here = values.value(low, where.value, env.bind(inner.variable, key))
        own = (ir.If(values.negated(here), (ir.Return(ZERO),)),)
    flat = composed if length > 1 else tuple(tuple(row[0] for row in lines) for lines in composed)
    names = tuple(low.fresh(inner.variable.name) for _ in range(length))
    tests = [values.value(low, where.value, env.bind(inner.variable, ir.Local(name))) for name in names]
    hit = ir.If(both(*tests), (ir.Return(ONE),))
    return (*own, ir.Each(names, low.relation(flat), key, (hit,)), ir.Return(ZERO))


def _constant_set(node: t.Expr) -> bool:
    return _printed_set(node) and not node.column.per
