"""Walk the members of sets in their order, without building the sets.

A loop over slots and constant relations is far faster than building a list, and most sets are used only once.
Two features need a list: an order (`by`), and a body that may change what the walk reads. The members are
then those at the beginning, as an author expects of `for`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Inner, Lazy, Lowering, add, load
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import connection, filters, masks, membership
from ruleforge.compiler.lower.sets.lists import append, capacity, from_array, insert, refuse_more
from ruleforge.compiler.lower.sets.set_literals import listed
from ruleforge.compiler.lower.sets.sources import (
    apart,
    board_relation,
    formula_env,
    has_own_order,
    read_in_place,
)
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.expressions import sets
from ruleforge.lang.checker.types import SetT, ThingT
from ruleforge.lang.checker.walk import all_nodes, free_variables


def walk(
    low: Lowering, binder: t.Binder, env: Env, inner: Inner, frozen: bool = False, anyhow: bool = False
) -> ir.Body:
    """Run `inner` for every member that a binder binds, in its order, or `anyhow`, in one that is quick.

    `frozen`: the body may change what the binder reads, so the members are collected first.
    """
    if binder.by or frozen or (binder.until is not None and not _is_one_loop(binder.source)):
        return _collected(low, binder, env, inner)
    return _direct(low, binder, env, inner, anyhow)


def _direct(low: Lowering, binder: t.Binder, env: Env, inner: Inner, anyhow: bool = False) -> ir.Body:
    """A loop over the source; where one attribute decides, a Scan, which a backend may answer from an index."""
    made, env = _marked(low, _tests_in(binder.where), env)
    scanned = filters.scannable(low, binder, env)
    if scanned is not None:
        return (*made, *scanned(inner))
    name = low.fresh(binder.variable.name)
    bound = env.bind(binder.variable, ir.Local(name))
    body = filters.guard(low, binder.where, bound, inner)
    if binder.until is not None:
        body += (ir.If(values.value(low, binder.until, bound), (ir.Break(),)),)
    return (*made, *members(low, binder.source, env, name, body, anyhow))


def _tests_in(where: t.Expr | None) -> list[t.Expr]:
    """The sets of which a condition asks what is in them."""
    return [x.source for x in all_nodes(where) if isinstance(x, t.In)] if where is not None else []


def _marked(low: Lowering, sources: Iterable[t.Expr], env: Env) -> tuple[ir.Body, Env]:
    """Make the sets among these that are dear and the same in every iteration, for a loop that asks what is in them."""
    made: list[ir.Statement] = []
    for source in sources:
        if not isinstance(source.type, SetT) or source in env.marks or not _is_dear(low, source):
            continue
        if any(variable not in env.values for variable in free_variables(source)):
            continue
        marks, name = low.fresh("inside"), low.fresh("member")
        mark = ir.SetElement(marks, ir.Local(name), ir.Const(1))
        made.append(ir.NewArray(marks, low.size(low.kind(source.type.kind)) + 1))
        made += members(low, source, env, name, (mark,), anyhow=True)
        env = replace(env, marks={**env.marks, source: marks})
    return tuple(made), env


def _is_dear(low: Lowering, source: t.Expr) -> bool:
    """Whether a test of one member computes the whole set."""
    for node in all_nodes(source):
        if isinstance(node, t.Reached) and isinstance(node.type, SetT):
            return True
        if isinstance(node, t.CallFormula) and node.formula.body is not None:
            if node.formula not in low.dear:
                low.dear[node.formula] = _is_dear(low, node.formula.body)
            if low.dear[node.formula]:
                return True
    return False


def _is_one_loop(source: t.Expr) -> bool:
    if isinstance(source.type, ThingT):
        return False
    return isinstance(source, t.All | t.Interval | t.Builtin | t.Content) or (
        isinstance(source, t.Read) and source.column.constant
    )


def members(
    low: Lowering, source: t.Expr, env: Env, name: str, body: ir.Body, anyhow: bool = False
) -> ir.Body:
    """Run `body` with the local `name` bound to each member of a source, in its order unless `anyhow`."""
    match source:
        case t.All(kind=kind) if kind.pool:
            exists = low.layout.columns[low.rules.columns[kind.name, "exists"]]
            return (ir.Scan(name, exists.base, low.size(kind), ir.Const(1), body),)
        case t.All(kind=kind):
            return (ir.ForRange(name, ir.Const(1), ir.Const(low.size(kind)), body),)
        case t.Interval(low=bottom, high=top):
            return (ir.ForRange(name, values.value(low, bottom, env), values.value(low, top, env), body),)
        case t.Read(column=column) if column.constant and isinstance(source.type, SetT):
            rows = ((), *(v for v in column.values if isinstance(v, tuple)))
            return (ir.Each((name,), low.relation(rows), values.fact_key(low, source, env), body),)
        case t.Builtin(name="ray" | "neighbours"):
            relation, key = board_relation(low, source, env)
            return (ir.Each((name,), relation, key, body),)
        case t.Content(place=place, index=index) if isinstance(source.type, SetT):
            return _content(low, place, values.instance(low, place, index, env), name, body)
        case t.Family(place=place):
            return _family(low, place, name, body)
        case t.Selection(binder=binder) if (parts := sets.parts(binder)) is not None:
            return _gathered(low, source, parts, env, name, body)
        case t.Selection(binder=binder):
            return walk(
                low, binder, env, lambda e: (ir.Set(name, e.expr(binder.variable)), *body), anyhow=anyhow
            )
        case t.Reached():
            return connection.reached(low, source, env, name, body, anyhow)
        case t.Conditional(test=test, then=then, other=other):
            then_body = members(low, then, env, name, body, anyhow)
            other_body = members(low, other, env, name, body, anyhow)
            return (ir.If(values.value(low, test, env), then_body, other_body),)
        case t.Arithmetic():
            return _combined(low, source, env, name, body, anyhow)
        case t.SetOf(members=given):
            return listed(low, given, env, name, body)
        case t.CallFormula(formula=formula) if read_in_place(low, source):
            assert formula.body is not None
            return members(low, formula.body, formula_env(low, source, env), name, body, anyhow)
        case t.Use(variable=variable) if isinstance(env.values[variable], Lazy):
            lazy = env.values[variable]
            assert isinstance(lazy, Lazy)
            return members(low, lazy.source, lazy.env, name, body, anyhow)
    if isinstance(source.type, ThingT):
        one = values.value(low, source, env)
        return (ir.Set(name, one), ir.If(ir.Binary("!=", ir.Local(name), ir.Const(0)), body))
    return _masked(low, source, env, name, body)


def _gathered(
    low: Lowering, source: t.Expr, parts: sets.Parts, env: Env, name: str, body: ir.Body
) -> ir.Body:
    """Walk the union of several sets: mark the members of each, then walk the marked things."""
    assert isinstance(source.type, SetT)
    size = low.size(low.kind(source.type.kind))
    marks, item = low.fresh("gathered"), low.fresh("item")
    mark = (ir.SetElement(marks, ir.Local(item), ir.Const(1)),)
    found = walk(
        low, parts.each, env, lambda e: members(low, parts.value, e, item, mark, anyhow=True), anyhow=True
    )
    marked = ir.If(ir.Element(marks, ir.Local(name)), body)
    return (ir.NewArray(marks, size + 1), *found, ir.ForRange(name, ir.Const(1), ir.Const(size), (marked,)))


def _family(low: Lowering, place: t.Place, name: str, body: ir.Body) -> ir.Body:
    """Walk the things in any place of a family, in the order of their kind."""
    inside = ir.If(membership.in_family(low, place, ir.Local(name)), body)
    return (ir.ForRange(name, ir.Const(1), ir.Const(low.size(place.holds)), (inside,)),)


def _content(low: Lowering, place: t.Place, instance: ir.Expr, name: str, body: ir.Body) -> ir.Body:
    info = low.layout.places[place]
    if info.form == "list":
        following = low.fresh("following")
        # The next one is read before the body runs, for the body may move this one elsewhere.
        step = (
            ir.Set(name, ir.Local(following)),
            ir.Set(following, load(info.next, ir.Local(name))),
            *body,
        )
        return (
            ir.Set(following, load(info.head, instance)),
            ir.While(ir.Binary("!=", ir.Local(following), ir.Const(0)), step, low.size(place.holds)),
        )
    return (ir.Scan(name, info.where, low.size(place.holds), instance, body),)


def _combined(
    low: Lowering, source: t.Arithmetic, env: Env, name: str, body: ir.Body, anyhow: bool
) -> ir.Body:
    """Walk a combined set.

    A union with an order walks the left side, then the rest of the right. Others filter the left.
    """
    left, right, local = source.left, source.right, ir.Local(name)
    if source.op == "|" and not has_own_order(low, source, env):
        assert isinstance(source.type, SetT)
        either = ir.If(membership.contains(low, source, local, False, env), body)
        size = low.size(low.kind(source.type.kind))
        return (ir.ForRange(name, ir.Const(1), ir.Const(size), (either,)),)
    if source.op == "|":
        if apart(low, left, right, env):
            return (*members(low, left, env, name, body), *members(low, right, env, name, body))
        # A member of both sides must be walked once only, so the right side leaves out what the left had.
        fresh = values.negated(membership.contains(low, left, local, False, env))
        return (*members(low, left, env, name, body), *members(low, right, env, name, (ir.If(fresh, body),)))
    made, inside = _marked(low, (right,), env)
    test = membership.contains(low, right, local, False, inside)
    guarded = ir.If(test if source.op == "&" else values.negated(test), body)
    return (*made, *members(low, left, env, name, (guarded,), anyhow))


def _masked(low: Lowering, source: t.Expr, env: Env, name: str, body: ir.Body) -> ir.Body:
    assert isinstance(source.type, SetT), source
    size = low.size(low.kind(source.type.kind))
    mask_words = masks.words(low, source, env)
    names = tuple(low.fresh("bits") for _ in mask_words)
    test = masks.has_bit(tuple(ir.Local(n) for n in names), ir.Local(name))
    loop: ir.Statement = ir.ForRange(name, ir.Const(1), ir.Const(size), (ir.If(test, body),))
    if len(names) > 1:  # most sets of many things are empty, or have few of them
        some: ir.Expr = ir.Const(0)
        for word in names:
            some = ir.Binary("|", some, ir.Local(word))
        loop = ir.If(ir.Binary("!=", some, ir.Const(0)), (loop,))
    return (*(ir.Set(n, w) for n, w in zip(names, mask_words, strict=True)), loop)


def _collected(low: Lowering, binder: t.Binder, env: Env, inner: Inner) -> ir.Body:
    """Collect the members (sorted by insertion where there is an order), then run the body."""
    plain = t.Binder(binder.span, binder.variable, binder.source, binder.until, binder.where)
    array, count = low.fresh("found"), low.fresh("count")
    keys = tuple(low.fresh("key") for _ in binder.by)
    size = capacity(low, binder.source)

    def collect(e: Env) -> ir.Body:
        item = e.expr(binder.variable)
        full = refuse_more(low, binder, count)
        if not binder.by:
            return (*full, *append(array, count, item))
        by = tuple(values.value(low, k, e) for k in binder.by)
        return (*full, *insert(low, array, count, keys, item, by))

    if binder.until is not None and not _is_one_loop(binder.source):
        inner_binder = t.Binder(
            binder.span, t.Variable(binder.variable.name, binder.variable.type), binder.source
        )
        return _prefix(low, binder, inner_binder, env, inner)
    name = low.fresh(binder.variable.name)
    body = inner(env.bind(binder.variable, ir.Local(name)))
    return (
        *(ir.NewArray(a, size) for a in (array, *keys)),
        ir.Set(count, ir.Const(0)),
        *_direct(low, plain, env, collect),
        *from_array(low, array, count, name, body, size),
    )


def _prefix(low: Lowering, binder: t.Binder, all_of: t.Binder, env: Env, inner: Inner) -> ir.Body:
    """`until` over a source that is no single loop: collect it whole, then walk up to the first hit."""
    name = low.fresh(binder.variable.name)
    array, count, i = low.fresh("found"), low.fresh("count"), low.fresh("i")
    bound = env.bind(binder.variable, ir.Local(name))
    assert binder.until is not None
    stop = ir.If(values.value(low, binder.until, bound), (ir.Break(),))
    step = (
        ir.Set(name, ir.Element(array, ir.Local(i))),
        *filters.guard(low, binder.where, bound, inner),
        stop,
    )
    size = capacity(low, binder.source)
    full = refuse_more(low, binder, count)
    return (
        ir.NewArray(array, size),
        ir.Set(count, ir.Const(0)),
        *_direct(low, all_of, env, lambda e: (*full, *append(array, count, e.expr(all_of.variable)))),
        ir.ForRange(i, ir.Const(0), add(ir.Local(count), -1), step, size),
    )
