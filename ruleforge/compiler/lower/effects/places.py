"""Move things between places, shuffle places, and create and remove things of pools."""

from __future__ import annotations

from typing import cast

from ruleforge.compiler import ir
from ruleforge.compiler.lower import branches, notes
from ruleforge.compiler.lower.context import Env, Lowering, add, load, store
from ruleforge.compiler.lower.effects import event_gates, knowledge
from ruleforge.compiler.lower.expressions import values
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.typed.own_columns import EXISTS, KNOWN

ZERO, ONE = ir.Const(0), ir.Const(1)


def move(low: Lowering, node: t.Move, env: Env) -> ir.Body:
    thing, to = low.fresh("moved"), low.fresh("to")
    top = ONE if node.top else ZERO
    kind = node.place.holds
    return (
        ir.Set(thing, values.value(low, node.thing, env)),
        ir.Set(to, values.instance(low, node.place, node.index, env)),
        *(() if low.hooks.on(kind) else (_noted(low, node, ir.Local(thing), ir.Local(to)),)),
        event_gates.moving(low, kind, ir.Local(thing), ir.Local(to), top, env.mode),
    )


def _noted(low: Lowering, node: t.Move, thing: ir.Expr, to: ir.Expr) -> ir.Note:
    info = notes.moved(low, node.place, node.span, node.top)
    return low.note(info, thing, load(low.layout.places[node.place].where, thing), to)


def moved(low: Lowering, kind: t.Kind, thing: ir.Expr, to: ir.Expr, top: ir.Expr) -> ir.Body:
    """The record of a move to any place, after the gate."""
    homes = {place: info for place, info in low.layout.places.items() if place.holds is kind}
    if len({place.clauses for place in homes}) == 1:
        homes = {place: info for place, info in homes.items() if info.form == "list"} or homes
        place, info = next(iter(homes.items()))
        return (_at_either_end(low, place, info, thing, to, top),)
    return tuple(
        ir.If(_inside(to, info), (_at_either_end(low, place, info, thing, to, top),))
        for place, info in homes.items()
    )


def _at_either_end(
    low: Lowering, place: t.Place, info: ir.PlaceInfo, thing: ir.Expr, to: ir.Expr, top: ir.Expr
) -> ir.Statement:
    given = (thing, load(info.where, thing), to)
    below, above = (low.note(notes.moved(low, place, place.span, end), *given) for end in (False, True))
    return ir.If(top, (above,), (below,)) if info.form == "list" else below


def mover(low: Lowering, kind: t.Kind) -> str:
    """The function (thing, container, at top?) that takes a thing of this kind out of its place into another."""
    name = f"move {kind.name}"
    if name not in low.functions:
        home = next(p for p in low.layout.places if p.holds is kind)
        low.define(name, ("thing", "to", "top"), _moving(low, kind), home.span)
    return name


def _moving(low: Lowering, kind: t.Kind) -> ir.Body:
    homes = [(p, i) for p, i in low.layout.places.items() if p.holds is kind]
    where = homes[0][1].where
    thing, to, origin = ir.Local("thing"), ir.Local("to"), ir.Local("origin")
    body: list[ir.Statement] = [ir.Set("origin", load(where, thing))]
    for _, info in homes:
        out = (*knowledge.left_behind(low, kind, info, origin), *_take_out(info, thing, origin))
        if out:
            body.append(ir.If(_inside(origin, info), out))
    body.append(store(where, thing, to))
    known = low.rules.columns.get((kind.name, KNOWN))
    if known is not None:
        body.append(store(low.layout.columns[known].base, thing, ZERO))
    for place, info in homes:
        put = _put_in(low, place, info, thing, to)
        if put:
            body.append(ir.If(_inside(to, info), put))
    return tuple(body)


def _some(thing: ir.Expr) -> ir.Expr:
    return ir.Binary("!=", thing, ZERO)


def _inside(number: ir.Expr, info: ir.PlaceInfo) -> ir.Expr:
    if info.count == 1:
        return ir.Binary("==", number, ir.Const(info.first + 1))
    above = ir.Binary(">", number, ir.Const(info.first))
    return ir.Logic("and", (above, ir.Binary("<=", number, ir.Const(info.first + info.count))))


def _take_out(info: ir.PlaceInfo, thing: ir.Expr, origin: ir.Expr) -> ir.Body:
    if info.form == "single":
        return (store(info.occupant, origin, ZERO),)
    if info.form == "bag":
        return ()
    before, after = ir.Local("before"), ir.Local("after")
    return (
        ir.Set("before", load(info.previous, thing)),
        ir.Set("after", load(info.next, thing)),
        ir.If(_some(before), (store(info.next, before, after),), (store(info.head, origin, after),)),
        ir.If(_some(after), (store(info.previous, after, before),), (store(info.tail, origin, before),)),
        store(info.next, thing, ZERO),
        store(info.previous, thing, ZERO),
        store(info.size, origin, add(load(info.size, origin), -1)),
    )


def _put_in(low: Lowering, place: t.Place, info: ir.PlaceInfo, thing: ir.Expr, to: ir.Expr) -> ir.Body:
    if info.form == "single":
        full = low.fault("RF814", f"`{place.name}` is full: it holds one `{place.holds.name}`", place.span)
        return (ir.If(_some(load(info.occupant, to)), (ir.Trap(full),)), store(info.occupant, to, thing))
    if info.form == "bag":
        return _capacity(low, place, info, to)
    first, last = ir.Local("first"), ir.Local("last")
    on_top = (
        ir.Set("first", load(info.head, to)),
        store(info.next, thing, first),
        ir.If(_some(first), (store(info.previous, first, thing),), (store(info.tail, to, thing),)),
        store(info.head, to, thing),
    )
    below = (
        ir.Set("last", load(info.tail, to)),
        store(info.previous, thing, last),
        ir.If(_some(last), (store(info.next, last, thing),), (store(info.head, to, thing),)),
        store(info.tail, to, thing),
    )
    grown = store(info.size, to, add(load(info.size, to), 1))
    return (*_capacity(low, place, info, to), ir.If(ir.Local("top"), on_top, below), grown)


def _capacity(low: Lowering, place: t.Place, info: ir.PlaceInfo, to: ir.Expr) -> ir.Body:
    """Moving into a full container is a fault that names the limit."""
    found = _limit(low, place, info, to)
    if found is None:
        return ()
    limit, message = found
    fault = low.fault("RF814", f"`{place.name}` is full: it holds {message} at most", place.span)
    if info.form == "list":
        return (ir.If(ir.Binary(">=", load(info.size, to), limit), (ir.Trap(fault),)),)
    count = ir.Set("held", add(ir.Local("held"), 1))
    scan = ir.Scan("other", info.where, low.size(place.holds), to, (count,))
    return (
        ir.Set("held", ZERO),
        scan,
        ir.If(ir.Binary(">", ir.Local("held"), limit), (ir.Trap(fault),)),
    )


def _limit(low: Lowering, place: t.Place, info: ir.PlaceInfo, to: ir.Expr) -> tuple[ir.Expr, str] | None:
    """The capacity of a container and its text. None if all things fit."""
    if place.room is not None:
        number, fact = place.room
        owners = [index[number] for _, index in low.layout.instances[info.first : info.first + info.count]]
        rooms = (0, *(cast(int, fact.values[owner - 1]) for owner in owners))
        return branches.lookup(
            low, rooms, add(to, -info.first)
        ), f"as many `{place.holds.name}` as its `{fact.name}`"
    if isinstance(place.max, t.Constant) and place.max.value < low.size(place.holds):
        return ir.Const(place.max.value), f"{place.max.value} `{place.holds.name}`"
    return None


def shuffle(low: Lowering, node: t.Shuffle, place: t.Place, instance: ir.Expr) -> ir.Body:
    """Draw the new order from the bottom of the urn: each member equally likely for each position."""
    info = low.layout.places[place]
    size = low.size(place.holds)
    urn, count, at, i = low.fresh("urn"), low.fresh("count"), low.fresh("at"), low.fresh("i")
    to, thing, item = low.fresh("to"), low.fresh("thing"), low.fresh("item")
    local = ir.Local
    collect = ir.While(
        _some(local(thing)),
        (
            ir.SetElement(urn, local(count), local(thing)),
            ir.Set(count, add(local(count), 1)),
            ir.Set(thing, load(info.next, local(thing))),
        ),
        size,
    )
    rebuild = (
        ir.Random(at, local(count)),
        ir.Set(item, ir.Element(urn, local(at))),
        ir.Set(count, add(local(count), -1)),
        ir.SetElement(urn, local(at), ir.Element(urn, local(count))),
        ir.Perform(mover(low, place.holds), (local(item), local(to), ZERO)),
        low.note(notes.dealt(low, place.holds), local(item), local(to)),
        *knowledge.forgotten(low, place.holds, local(item)),
    )
    note = low.note(notes.shuffled(low, place, node.span), local(to))
    return (
        ir.NewArray(urn, size),
        ir.Set(to, instance),
        ir.Set(count, ZERO),
        ir.Set(thing, load(info.head, local(to))),
        collect,
        ir.Set(i, local(count)),
        ir.ForRange(low.fresh("turn"), ONE, local(i), rebuild, size),
        note,
    )


# Things made and removed in play: taken from a pool, and put back as they were.


def maker(low: Lowering, kind: t.Kind, among: tuple[int, int]) -> str:
    """The function that creates a thing: it finds the first unused one of these things and returns it."""
    first, last = among
    what = next(name for name, numbers in kind.made.items() if numbers == among)
    name = f"new {kind.name}" if what == kind.name else f"new {kind.name}.{what}"
    if name not in low.functions:
        exists = low.layout.columns[low.rules.columns[kind.name, EXISTS]].base
        message = f"all {last - first + 1} things of the pool `{what}` are in use"
        fault = low.fault("RF818", message, kind.span)
        slot = load(exists, ir.Local("thing"))
        note = low.note(notes.made(low, kind), ir.Local("thing"))
        take = (ir.Store(slot.base, slot.index, ONE), note, ir.Return(ir.Local("thing")))
        if what == kind.name:
            search: ir.Statement = ir.Scan("thing", exists, low.size(kind), ZERO, take, frozen=True)
        else:
            free = ir.If(ir.Binary("==", slot, ZERO), take)
            search = ir.ForRange("thing", ir.Const(first), ir.Const(last), (free,))
        low.define(name, (), (search, ir.Trap(fault)), kind.span)
    return name


def remover(low: Lowering, kind: t.Kind) -> str:
    """The function (thing): it leaves its place, and its attributes are as in the beginning."""
    name = f"remove {kind.name}"
    if name not in low.functions:
        low.reserve(name, ("thing",))
        thing = ir.Local("thing")
        body: list[ir.Statement] = [low.note(notes.removed(low, kind), thing)]
        if any(p.holds is kind for p in low.layout.places):
            body.append(ir.Perform(mover(low, kind), (thing, ZERO, ZERO)))
        for column, column_info in low.layout.columns.items():
            if column.kind is kind:
                body += _reset(low, column, column_info, thing)
        low.define(name, ("thing",), tuple(body), kind.span)
    return name


def _reset(low: Lowering, column: t.Column, info: ir.ColumnInfo, thing: ir.Expr) -> ir.Body:
    """Reset all words of one thing's attribute, for all indices."""
    width = info.size // low.size(column.kind)
    first = info.base + 1 - width
    start = 0 if column.name == EXISTS else low.layout.start[info.base + 1]
    if width == 1:
        return (store(info.base, thing, ir.Const(start)),)
    at = ir.Binary("+", ir.Binary("*", thing, ir.Const(width)), ir.Local("i"))
    return (ir.ForRange("i", ZERO, ir.Const(width - 1), (store(first, at, ir.Const(start)),)),)


def reset_column(low: Lowering, column: t.Column) -> ir.Body:
    """A whole attribute back to its start, as at the beginning of a phase that resets it."""
    info = low.layout.columns[column]
    start = ir.Const(low.layout.start[info.base + 1])
    followed = low.note(notes.restarted(low, column))
    if info.size == 1:
        return (ir.Store(info.base + 1, None, start), followed)
    name = low.fresh("slot")
    every = store(info.base, ir.Local(name), start)
    return (ir.ForRange(name, ONE, ir.Const(info.size), (every,)), followed)


def gone(low: Lowering, kind: t.Kind) -> ir.Body:
    """Remove all expired things of a pool."""
    exists = low.layout.columns[low.rules.columns[kind.name, EXISTS]].base
    name = low.fresh("thing")
    remove = ir.Perform(remover(low, kind), (ir.Local(name),))
    return (ir.Scan(name, exists, low.size(kind), ONE, (remove,), frozen=True),)
