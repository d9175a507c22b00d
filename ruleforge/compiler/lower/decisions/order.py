"""Let the controller of waiting rules choose the next one."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower import branches
from ruleforge.compiler.lower.context import Env, Inquiry, Lowering, add, both, times
from ruleforge.compiler.lower.decisions.parts import part_of
from ruleforge.compiler.lower.effects import queue

ZERO, ONE = ir.Const(0), ir.Const(1)
NEXT = "choose what is next"


def chosen_first(low: Lowering) -> ir.Body:
    """Before a rule leaves the queue, let its controller move another of their rules to the front."""
    if not low.hooks.chosen:
        return ()
    return (ir.Perform(_asker(low), ()),)


def _word(low: Lowering, at: ir.Expr, offset: int) -> ir.Load:
    """A word of the waiting rule at a position."""
    return ir.Load(low.hooks.queue_slot + offset, times(at, low.hooks.entry))


def _owner(low: Lowering, at: ir.Expr) -> ir.Load:
    return _word(low, at, low.hooks.entry - 1)


def _asker(low: Lowering) -> str:
    """The function that asks, if the controller of the first waiting rule has others waiting too."""
    if NEXT in low.functions:
        return NEXT
    low.reserve(NEXT, ())
    site = _site(low)
    who = _owner(low, ZERO)
    own = ir.Binary("==", _owner(low, ir.Local("i")), ir.Local("who"))
    count = ir.If(own, (ir.Set("count", add(ir.Local("count"), 1)),))
    last = add(ir.Load(ir.QUEUE), -1)
    several = both(ir.Binary("!=", ir.Local("who"), ZERO), ir.Binary(">", ir.Local("count"), ONE))
    body = (
        ir.Set("who", who),
        ir.Set("count", ZERO),
        ir.ForRange("i", ZERO, last, (count,)),
        ir.If(several, (ir.Ask(site.number, ir.Local("who"), (), "answer"), *_to_front(low, site))),
    )
    return low.define(NEXT, (), body, site.span)


def _site(low: Lowering) -> ir.Site:
    """A site with one answer for each rule that can wait for this choice, with its carrier."""
    options: list[ir.Option] = []
    first = 0
    for rule in low.hooks.queued:
        parts: tuple[ir.Part, ...] = ()
        if queue.is_chosen(rule):
            assert rule.carrier is not None
            parts = (part_of(low, rule.carrier.this),)
        count = parts[0].size if parts else 1
        options.append(ir.Option(first, count, rule.name.rsplit(".", 1)[-1], parts, None, rule.span))
        first += count
    name = "choices of what is next"
    span = next(rule.span for rule in low.hooks.queued if queue.is_chosen(rule))
    low.define(name, (), _offers(low, options), span)
    prompt = "which of your rules comes first?"
    site = ir.Site(len(low.sites), "order", prompt, name, tuple(options), span=span)
    low.sites.append(site)
    low.inquiries.append(Inquiry(site, (), Env(), None))
    return site


def _offers(low: Lowering, options: list[ir.Option]) -> ir.Body:
    """Every waiting rule of the same controller once, also if it waits several times for the same carrier."""
    i, j = ir.Local("i"), ir.Local("j")
    same = both(
        ir.Binary("==", _word(low, j, 0), _word(low, i, 0)),
        ir.Binary("==", _word(low, j, 1), _word(low, i, 1)),
    )
    cases: list[tuple[int, ir.Body]] = []
    for number, option in enumerate(options, start=1):
        code = add(_word(low, i, 1), option.first - 1) if option.parts else ir.Const(option.first)
        cases.append((number, (ir.Offer(code),)))
    offers = branches.by_value(_word(low, i, 0), cases)
    seen = ir.ForRange("j", ZERO, add(i, -1), (ir.If(same, (ir.Set("seen", ONE),)),))
    own = ir.Binary("==", _owner(low, i), _owner(low, ZERO))
    each = (ir.Set("seen", ZERO), seen, ir.If(both(own, ir.Binary("==", ir.Local("seen"), ZERO)), offers))
    return (ir.ForRange("i", ZERO, add(ir.Load(ir.QUEUE), -1), each),)


def _to_front(low: Lowering, site: ir.Site) -> ir.Body:
    """Move the first waiting rule that was answered to the front; those before it step back."""
    slot, entry = low.hooks.queue_slot, low.hooks.entry
    answer, at = ir.Local("answer"), ir.Local("at")
    cases: list[tuple[int, ir.Body]] = []
    for number, option in enumerate(site.options, start=1):
        carrier = add(answer, 1 - option.first) if option.parts else ZERO
        found = (ir.Set("rule", ir.Const(number)), ir.Set("carrier", carrier))
        cases.append((option.first + option.count, found))
    find = branches.by_number(answer, cases)
    hit = both(
        ir.Binary("==", _word(low, ir.Local("i"), 0), ir.Local("rule")),
        ir.Binary("==", _word(low, ir.Local("i"), 1), ir.Local("carrier")),
    )
    search = ir.ForRange(
        "i", ZERO, add(ir.Load(ir.QUEUE), -1), (ir.If(hit, (ir.Set("at", ir.Local("i")), ir.Break())),)
    )
    keep = ir.ForRange(
        "k", ZERO, ir.Const(entry - 1), (ir.SetElement("held", ir.Local("k"), _at(slot, at, entry)),)
    )
    back = (
        ir.ForRange("k", ZERO, ir.Const(entry - 1), (_copied(slot, at, entry),)),
        ir.Set("at", add(at, -1)),
    )
    put = ir.ForRange(
        "k", ZERO, ir.Const(entry - 1), (ir.Store(slot, ir.Local("k"), ir.Element("held", ir.Local("k"))),)
    )
    start = (ir.Set("rule", ZERO), ir.Set("carrier", ZERO), ir.Set("at", ZERO), ir.NewArray("held", entry))
    return (*start, *find, search, keep, ir.While(ir.Binary(">", at, ZERO), back), put)


def _at(slot: int, at: ir.Expr, entry: int) -> ir.Load:
    return ir.Load(slot, ir.Binary("+", times(at, entry), ir.Local("k")))


def _copied(slot: int, at: ir.Expr, entry: int) -> ir.Store:
    """Copy one word of the entry before to the next entry."""
    to = ir.Binary("+", times(at, entry), ir.Local("k"))
    return ir.Store(slot, to, ir.Load(slot - entry, to))
