"""Sets are never built: a set is walked, in its order and over the members that it has.

A loop over slots and constant relations is far quicker than a list made first, and most sets are only looked at once.
Two things force a list: an order (`by`), and a body that may change what the walk reads. Then the members are those at
the beginning, as an author expects of `for`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ruleforge.check import typed as t
from ruleforge.check.expressions import gathering
from ruleforge.check.geometry import ray_of
from ruleforge.check.types import NumbersT, SetT, ThingT
from ruleforge.check.walk import all_nodes, free_variables
from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Held, Inner, Lazy, Lowering, add, both, digits, load
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import connection, filters, masks, membership, tabulated
from ruleforge.quick import dataclass

MANY = 10_000  # numbers at most that are kept in a list; things are as many as there are

# --- walking ---


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
    made, env = _marked(low, _asked_in(binder.where), env)
    scanned = filters.scannable(low, binder, env)
    if scanned is not None:
        return (*made, *scanned(inner))
    name = low.fresh(binder.variable.name)
    bound = env.bind(binder.variable, ir.Local(name))
    body = filters.guard(low, binder.where, bound, inner)
    if binder.until is not None:
        body += (ir.If(values.value(low, binder.until, bound), (ir.Break(),)),)
    return (*made, *members(low, binder.source, env, name, body, anyhow))


def _asked_in(where: t.Expr | None) -> list[t.Expr]:
    """The sets of which a condition asks what is in them."""
    return [x.source for x in all_nodes(where) if isinstance(x, t.In)] if where is not None else []


def _marked(low: Lowering, sources: Iterable[t.Expr], env: Env) -> tuple[ir.Body, Env]:
    """Make the sets among these that are dear and the same in every lap, for a loop that asks what is in them."""
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
    """Does asking for one member mean working out the whole set?"""
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
            inside = membership.in_family(low, place, ir.Local(name))
            return (ir.ForRange(name, ir.Const(1), ir.Const(low.size(place.holds)), (ir.If(inside, body),)),)
        case t.Selection(binder=binder) if (parts := gathering.parts(binder)) is not None:
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
            return _listed(low, given, env, name, body)
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
    low: Lowering, source: t.Expr, parts: gathering.Parts, env: Env, name: str, body: ir.Body
) -> ir.Body:
    """What lies in any of several sets: each set is walked once, what lies there is marked, then all that is marked."""
    assert isinstance(source.type, SetT)
    size = low.size(low.kind(source.type.kind))
    marks, item = low.fresh("gathered"), low.fresh("item")
    mark = (ir.SetElement(marks, ir.Local(item), ir.Const(1)),)
    found = walk(
        low, parts.each, env, lambda e: members(low, parts.value, e, item, mark, anyhow=True), anyhow=True
    )
    marked = ir.If(ir.Element(marks, ir.Local(name)), body)
    return (ir.NewArray(marks, size + 1), *found, ir.ForRange(name, ir.Const(1), ir.Const(size), (marked,)))


def read_in_place(low: Lowering, source: t.CallFormula) -> bool:
    if isinstance(source.type, NumbersT):
        return not low.is_modified(source.formula)
    return isinstance(source.type, SetT) and not low.stands_alone(source.formula)


def formula_env(low: Lowering, node: t.CallFormula, env: Env) -> Env:
    """The parameters of a formula that gives a set, which is always read in place."""
    given: dict[t.Variable, Held] = {}
    for parameter, argument in zip(node.formula.parameters, node.arguments, strict=True):
        given[parameter] = (
            Lazy(argument, env) if isinstance(argument.type, SetT) else values.value(low, argument, env)
        )
    return Env(given)


def _content(low: Lowering, place: t.Place, instance: ir.Expr, name: str, body: ir.Body) -> ir.Body:
    info = low.layout.places[place]
    if info.form == "list":
        following = low.fresh("following")
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


def has_own_order(low: Lowering, source: t.Expr, env: Env) -> bool:
    """Is a source walked in an order of its own? All others are walked in the order of their kind."""
    match source:
        case t.Interval() | t.Builtin(name="ray"):
            return True
        case t.Content(place=place):
            return place.ordered
        case t.Selection(binder=binder):
            return bool(binder.by) or has_own_order(low, binder.source, env)
        case t.Conditional(then=one, other=other) | t.Arithmetic(op="|", left=one, right=other):
            return has_own_order(low, one, env) or has_own_order(low, other, env)
        case t.Arithmetic(left=left):
            return has_own_order(low, left, env)
        case t.CallFormula(formula=formula) if read_in_place(low, source) and formula.body is not None:
            return has_own_order(low, formula.body, formula_env(low, source, env))
        case t.Use(variable=variable):
            held = env.values[variable]
            return isinstance(held, Lazy) and has_own_order(low, held.source, held.env)
    return False


def _combined(
    low: Lowering, source: t.Arithmetic, env: Env, name: str, body: ir.Body, anyhow: bool
) -> ir.Body:
    """Of a union with an order first the left, then what only the right has; the others filter the left."""
    left, right, local = source.left, source.right, ir.Local(name)
    if source.op == "|" and not has_own_order(low, source, env):
        assert isinstance(source.type, SetT)
        either = ir.If(membership.contains(low, source, local, False, env), body)
        size = low.size(low.kind(source.type.kind))
        return (ir.ForRange(name, ir.Const(1), ir.Const(size), (either,)),)
    if source.op == "|":
        if _apart(low, left, right, env):
            return (*members(low, left, env, name, body), *members(low, right, env, name, body))
        fresh = values.negated(membership.contains(low, left, local, False, env))
        return (*members(low, left, env, name, body), *members(low, right, env, name, (ir.If(fresh, body),)))
    made, inside = _marked(low, (right,), env)
    test = membership.contains(low, right, local, False, inside)
    kept = ir.If(test if source.op == "&" else values.negated(test), body)
    return (*made, *members(low, left, env, name, (kept,), anyhow))


@dataclass(frozen=True, slots=True)
class _Way:
    """Cells that lie in a direction from a cell: all of them, or the first."""

    board: t.Kind
    start: ir.Expr
    direction: int
    whole: bool

    def cells(self, low: Lowering, start: int) -> frozenset[int]:
        direction = low.kind("direction").things[self.direction - 1]
        met = ray_of(low.rules.geometry[self.board.name], start, direction)
        return frozenset(met if self.whole else met[:1])


def _apart(low: Lowering, left: t.Expr, right: t.Expr, env: Env) -> bool:
    """Do two sets surely share nothing: do they lie in directions from one cell that never meet again?"""
    one, other = _ways(low, left, env), _ways(low, right, env)
    if one is None or other is None:
        return False
    return all(
        a.board is b.board and a.start == b.start and _never_meet(low, a, b) for a in one for b in other
    )


def _ways(low: Lowering, source: t.Expr, env: Env) -> list[_Way] | None:
    """The directions a set is taken from; None if it may be anything else."""
    match source:
        case t.Builtin(name="ray" | "step", kind=kind, arguments=(start, way)) if kind is not None:
            direction = values.value(low, way, env)
            if not isinstance(direction, ir.Const):
                return None
            return [_Way(kind, values.value(low, start, env), direction.value, source.name == "ray")]
        case t.Read(column=column, of=of) if _is_step(low, column):
            number = low.kind("direction").things.index(column.name) + 1
            return [_Way(column.kind, values.value(low, of, env), number, False)]
        case t.Selection(binder=binder):
            return _ways(low, binder.source, env)
        case t.CallFormula(formula=formula) if read_in_place(low, source) and formula.body is not None:
            return _ways(low, formula.body, formula_env(low, source, env))
        case t.SetOf(members=members_):
            return _all_ways(low, members_, env)
        case t.Arithmetic(op="|", left=one, right=other) | t.Conditional(then=one, other=other):
            return _all_ways(low, (one, other), env)
    return None


def _all_ways(low: Lowering, sources: tuple[t.Expr, ...], env: Env) -> list[_Way] | None:
    found = [_ways(low, source, env) for source in sources]
    return None if None in found else [way for ways in found if ways for way in ways]


def _is_step(low: Lowering, column: t.Column) -> bool:
    """Is this the fact of a cell that says what lies in a direction?"""
    board = low.rules.geometry.get(column.kind.name)
    return column.constant and board is not None and column.name in board.steps


def _never_meet(low: Lowering, one: _Way, other: _Way) -> bool:
    key = (one.board, one.direction, one.whole, other.direction, other.whole)
    if key not in low.meeting:
        cells = range(1, one.board.size + 1)
        low.meeting[key] = any(one.cells(low, cell) & other.cells(low, cell) for cell in cells)
    return not low.meeting[key]


def _listed(low: Lowering, given: tuple[t.Expr, ...], env: Env, name: str, body: ir.Body) -> ir.Body:
    """A written-out set: constants are a relation; else collect without none and without repeats, then walk.

    Things come in the order of their kind, as from any other set; numbers as they are written.
    """
    items = [values.value(low, g, env) for g in given]
    things = isinstance(given[0].type, ThingT) if given else True
    if all(isinstance(i, ir.Const) for i in items):
        numbers = dict.fromkeys(i.value for i in items if isinstance(i, ir.Const))
        row = tuple(sorted(n for n in numbers if n) if things else numbers)
        return (ir.Each((name,), low.relation((row,)), ir.Const(0), body),) if row else ()
    if len(items) == 1:
        only = ir.Set(name, items[0])
        if not things:
            return (only, *body)
        return (only, ir.If(ir.Binary("!=", ir.Local(name), ir.Const(0)), body))
    fixed = tabulated.relation(low, given, env) if things else None
    if fixed is not None:
        return (ir.Each((name,), *fixed, body),)
    array, count, item = low.fresh("listed"), low.fresh("count"), low.fresh("item")
    seen, k, local = low.fresh("seen"), low.fresh("k"), ir.Local(item)
    keys = (low.fresh("key"),) if things else ()
    out: list[ir.Statement] = [ir.NewArray(a, len(items)) for a in (array, *keys)]
    out.append(ir.Set(count, ir.Const(0)))
    for expr in items:
        is_repeat = ir.If(
            ir.Binary("==", ir.Element(array, ir.Local(k)), local), (ir.Set(seen, ir.Const(1)),)
        )
        put = _insert(low, array, count, keys, local, (local,)) if things else _append(array, count, local)
        out += [
            ir.Set(item, expr),
            ir.Set(seen, ir.Binary("==", local, ir.Const(0)) if things else ir.Const(0)),
            ir.ForRange(k, ir.Const(0), add(ir.Local(count), -1), (is_repeat,), len(items)),
            ir.If(values.negated(ir.Local(seen)), put),
        ]
    return (*out, *_from_array(low, array, count, name, body, len(items)))


def _append(array: str, count: str, item: ir.Expr) -> ir.Body:
    return (ir.SetElement(array, ir.Local(count), item), ir.Set(count, add(ir.Local(count), 1)))


def _from_array(low: Lowering, array: str, count: str, name: str, body: ir.Body, most: int) -> ir.Body:
    i = low.fresh("i")
    step = (ir.Set(name, ir.Element(array, ir.Local(i))), *body)
    return (ir.ForRange(i, ir.Const(0), add(ir.Local(count), -1), step, most),)


def _masked(low: Lowering, source: t.Expr, env: Env, name: str, body: ir.Body) -> ir.Body:
    assert isinstance(source.type, SetT), source
    size = low.size(low.kind(source.type.kind))
    held = masks.words(low, source, env)
    names = tuple(low.fresh("bits") for _ in held)
    test = masks.has_bit(tuple(ir.Local(n) for n in names), ir.Local(name))
    loop: ir.Statement = ir.ForRange(name, ir.Const(1), ir.Const(size), (ir.If(test, body),))
    if len(names) > 1:  # most sets of many things are empty, or have few of them
        some: ir.Expr = ir.Const(0)
        for word in names:
            some = ir.Binary("|", some, ir.Local(word))
        loop = ir.If(ir.Binary("!=", some, ir.Const(0)), (loop,))
    return (*(ir.Set(n, w) for n, w in zip(names, held, strict=True)), loop)


def board_relation(low: Lowering, source: t.Builtin, env: Env) -> tuple[int, ir.Expr]:
    assert source.kind is not None
    geometry = low.rules.geometry[source.kind.name]
    cells = range(1, source.kind.size + 1)
    arguments = tuple(values.value(low, a, env) for a in source.arguments)
    if source.name == "neighbours":
        return low.relation(((), *geometry.near)), arguments[0]
    directions = low.kind("direction").things
    rows = ((), *(ray_of(geometry, c, d) for c in cells for d in directions))
    return low.relation(rows), digits(arguments, (source.kind.size, len(directions)))


# --- walking in an order, or over what is fixed first ---


def _collected(low: Lowering, binder: t.Binder, env: Env, inner: Inner) -> ir.Body:
    """Collect the members (sorted by insertion where there is an order), then run the body."""
    plain = t.Binder(binder.span, binder.variable, binder.source, binder.until, binder.where)
    array, count = low.fresh("found"), low.fresh("count")
    keys = tuple(low.fresh("key") for _ in binder.by)
    size = capacity(low, binder.source)

    def collect(e: Env) -> ir.Body:
        item = e.expr(binder.variable)
        full = _full(low, binder, count)
        if not binder.by:
            return (*full, *_append(array, count, item))
        by = tuple(values.value(low, k, e) for k in binder.by)
        return (*full, *_insert(low, array, count, keys, item, by))

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
        *_from_array(low, array, count, name, body, size),
    )


def _full(low: Lowering, binder: t.Binder, count: str) -> ir.Body:
    """Numbers that are kept in a list are as many as there is room for."""
    if _members(low, binder.source) <= MANY:
        return ()
    fault = low.fault("RF829", f"more than {MANY:,} numbers would be kept in a list", binder.span)
    return (ir.If(ir.Binary(">=", ir.Local(count), ir.Const(MANY)), (ir.Trap(fault),)),)


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
    full = _full(low, binder, count)
    return (
        ir.NewArray(array, size),
        ir.Set(count, ir.Const(0)),
        *_direct(low, all_of, env, lambda e: (*full, *_append(array, count, e.expr(all_of.variable)))),
        ir.ForRange(i, ir.Const(0), add(ir.Local(count), -1), step, size),
    )


def _insert(
    low: Lowering, array: str, count: str, keys: tuple[str, ...], item: ir.Expr, at: tuple[ir.Expr, ...]
) -> ir.Body:
    """Insertion sort, stable: move larger entries up by one, put the new one into the gap."""
    place, here = low.fresh("place"), tuple(low.fresh("key_of") for _ in keys)
    before = add(ir.Local(place), -1)
    smaller: ir.Expr = ir.Const(0)
    for array_key, local in reversed(list(zip(keys, here, strict=True))):
        old, new = ir.Element(array_key, before), ir.Local(local)
        tie = both(ir.Binary("==", new, old), smaller)
        less = ir.Binary("<", new, old)
        smaller = less if tie == ir.Const(0) else ir.Logic("or", (less, tie))
    shift = tuple(ir.SetElement(a, ir.Local(place), ir.Element(a, before)) for a in (array, *keys))
    loop = ir.While(
        both(ir.Binary(">", ir.Local(place), ir.Const(0)), smaller), (*shift, ir.Set(place, before))
    )
    put = tuple(ir.SetElement(k, ir.Local(place), ir.Local(h)) for k, h in zip(keys, here, strict=True))
    return (
        *(ir.Set(h, v) for h, v in zip(here, at, strict=True)),
        ir.Set(place, ir.Local(count)),
        loop,
        ir.SetElement(array, ir.Local(place), item),
        *put,
        ir.Set(count, add(ir.Local(count), 1)),
    )


def capacity(low: Lowering, source: t.Expr) -> int:
    """Room for a list of the members of a source."""
    return min(MANY, _members(low, source))


def _members(low: Lowering, source: t.Expr) -> int:
    """The most members a source can have."""
    match source.type:
        case SetT(kind=kind):
            return max(1, low.size(low.kind(kind)))
        case ThingT():
            return 1
    return max(1, source.type.high - source.type.low + 1)  # type: ignore[union-attr]
