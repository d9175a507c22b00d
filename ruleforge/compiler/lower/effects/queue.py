"""The queue of triggered rules, a part of the state vector.

An entry is a few words: the rule, its carrier, its place in the order, then the values of its trigger. The
values are stored because the thing may have moved or gone when the rule's turn comes. Rules are numbered in
`hooks.queued`. The first entry is always at the front and words behind the last are 0. The same rules waiting
in the same order are therefore the same row.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.compiler import ir
from ruleforge.compiler.layout import value_type
from ruleforge.compiler.lower import notes
from ruleforge.compiler.lower.context import Env, Inner, Lowering, add, both, times
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import carriers, masks
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NumberT, SetT
from ruleforge.lang.checker.walk import substitute

ZERO, ONE = ir.Const(0), ir.Const(1)
QUEUE_LENGTH = 64


def reserve(low: Lowering) -> None:
    """Reserve words in the row for waiting rules, if any rule can wait."""
    hooks = low.hooks
    for rule in (r for rules in hooks.after.values() for r in rules):
        hooks.queued.setdefault(rule, len(hooks.queued) + 1)
    if not hooks.queued:
        return
    hooks.entry = 3 + max(width(low, rule) for rule in hooks.queued)
    hooks.queue_length = low.rules.limits.get("queue", QUEUE_LENGTH)
    hooks.chosen = any(is_chosen(rule) for rule in hooks.queued)
    if hooks.chosen:
        hooks.entry += 1
    hooks.queue_slot = low.layout.reserve(hooks.queue_length * hooks.entry) + 1


def width(low: Lowering, rule: t.Rule) -> int:
    return sum(_words(low, v) for v in remembered(rule))


def _words(low: Lowering, variable: t.Variable) -> int:
    return masks.word_count(low, low.kind(variable.type.kind)) if isinstance(variable.type, SetT) else 1


def remembered(rule: t.Rule) -> tuple[t.Variable, ...]:
    assert rule.pattern is not None
    return (*rule.pattern.parameters, *(v for v, _ in rule.before))


def queue_info(low: Lowering) -> ir.QueueInfo | None:
    """The layout of the queue, for readers of a row."""
    hooks = low.hooks
    if not hooks.queued:
        return None
    rules = tuple(tuple(_types(low, rule)) for rule in hooks.queued)
    return ir.QueueInfo(hooks.queue_slot, hooks.entry, hooks.queue_length, rules)


def _types(low: Lowering, rule: t.Rule) -> Iterator[tuple[ir.ValueType, int]]:
    carrier = rule.carrier
    yield (ir.Number(0, 0), 1) if carrier is None else (value_type(low.layout, carrier.this.type), 1)
    for variable in remembered(rule):
        is_number = isinstance(variable.type, NumberT)  # what was left of it by modifiers may lie outside
        yield ir.Number() if is_number else value_type(low.layout, variable.type), _words(low, variable)


MARK = "mark"


def marked(low: Lowering, rules: list[t.Rule], body: ir.Body) -> ir.Body:
    """Wrap the pushes of one event, so that its rules are ordered among themselves."""
    return (ir.Set(MARK, ir.Load(ir.QUEUE)), *body) if in_order(rules) else body


def in_order(rules: list[t.Rule]) -> bool:
    """Whether the rules of one event have an order of their own."""
    return any(_ordered(r) for r in rules)


def _ordered(rule: t.Rule) -> bool:
    return rule.carrier is not None and rule.carrier.conduct.trigger_order is not None


def pusher(low: Lowering, rule: t.Rule, ordered: bool) -> Inner:
    """The code that queues a triggered rule. `ordered`: the same event can trigger several rules."""
    return lambda env: low.placed(_push(low, rule, env, ordered), rule.span)


def _push(low: Lowering, rule: t.Rule, env: Env, ordered: bool) -> ir.Body:
    """Remember a rule that was triggered, its carrier and the values it was triggered with."""
    hooks = low.hooks
    full = low.fault(
        "RF816", f"more than {hooks.queue_length} rules wait at once; see `limits: queue`", rule.span
    )
    number = ir.Const(hooks.queued[rule])
    entry_words: list[ir.Expr] = [number, carriers.number(rule, env), _key(low, rule, env)]
    for variable in remembered(rule):
        entry_words += env.words(variable)
    if hooks.chosen:
        entry_words += [ZERO] * (hooks.entry - 1 - len(entry_words)) + [_controller_of(low, rule, env)]
    given = (*entry_words, ir.Local(MARK)) if ordered else tuple(entry_words)
    test = ir.Binary(">=", ir.Load(ir.QUEUE), ir.Const(hooks.queue_length))
    waits = (low.note(notes.waits(rule)),) if low.rules.sight else ()
    return (
        ir.If(test, (ir.Trap(full),)),
        *waits,
        ir.Perform(_entering(low, len(entry_words), ordered, rule), given),
    )


def _entering(low: Lowering, count: int, ordered: bool, rule: t.Rule) -> str:
    """The function that appends an entry of this width to the queue. All rules share it."""
    name = f"wait {count}{' in order' if ordered else ''}"
    if name in low.functions:
        return name
    slot, entry = low.hooks.queue_slot, low.hooks.entry
    entry_words = tuple(f"word_{i}" for i in range(count))
    body: list[ir.Statement] = [ir.Set("at", ir.Load(ir.QUEUE))]
    if ordered:
        body.append(_making_room(low, ir.Local(entry_words[2])))
    place = times(ir.Local("at"), entry)
    body += [ir.Store(slot + i, place, ir.Local(word)) for i, word in enumerate(entry_words)]
    body += [ir.Store(slot + i, place, ZERO) for i in range(count, entry)] if ordered else []
    body.append(bump(ir.QUEUE, 1))
    return low.define(name, (*entry_words, MARK) if ordered else entry_words, tuple(body), rule.span)


def _making_room(low: Lowering, key: ir.Expr) -> ir.While:
    """Entries behind the mark that come later move up by one."""
    hooks, at = low.hooks, ir.Local("at")
    before = times(add(at, -1), hooks.entry)
    later = ir.Binary(">", ir.Load(hooks.queue_slot + 2, before), key)
    word = ir.Local("word")
    up = ir.Store(hooks.queue_slot + hooks.entry, word, ir.Load(hooks.queue_slot, word))
    shift = (
        ir.ForRange("word", before, add(before, hooks.entry - 1), (up,), hooks.entry),
        ir.Set("at", add(at, -1)),
    )
    return ir.While(both(ir.Binary(">", at, ir.Local(MARK)), later), shift, hooks.queue_length)


def _key(low: Lowering, rule: t.Rule, env: Env) -> ir.Expr:
    """The sort key of a triggered rule among those of the same event: smallest first."""
    if rule.carrier is None or rule.carrier.conduct.trigger_order is None:
        return ZERO
    return values.value(low, substitute(rule.carrier.conduct.trigger_order, rule.carrier.this), env)


def pop(low: Lowering) -> ir.Body:
    """Take the first entry into locals e0, e1, ...; the others move up, so that equal queues are equal rows."""
    hooks = low.hooks
    slot, entry = hooks.queue_slot, hooks.entry
    take = tuple(ir.Set(f"e{i}", ir.Load(slot + i)) for i in range(entry))
    rest = ir.Binary("*", add(ir.Load(ir.QUEUE), -1), ir.Const(entry))
    up = ir.Store(slot, ir.Local("i"), ir.Load(slot + entry, ir.Local("i")))
    # A ring would be cheaper, but then the same queue could be several rows.
    shift = ir.ForRange("i", ZERO, add(rest, -1), (up,), entry * hooks.queue_length)
    clear = ir.ForRange("i", rest, add(rest, entry - 1), (ir.Store(slot, ir.Local("i"), ZERO),), entry)
    return (*take, shift, clear, ir.Store(ir.QUEUE, None, add(ir.Load(ir.QUEUE), -1)))


def is_chosen(rule: t.Rule) -> bool:
    return rule.carrier is not None and rule.carrier.conduct.triggers_chosen


def _controller_of(low: Lowering, rule: t.Rule, env: Env) -> ir.Expr:
    """The player who orders rules like this one. 0 for rules that run in queue order."""
    if not is_chosen(rule):
        return ZERO
    assert rule.carrier is not None and rule.carrier.conduct.controller is not None
    return values.value(low, substitute(rule.carrier.conduct.controller, rule.carrier.this), env)


def bump(slot: int, by: int) -> ir.Store:
    """Count a word of the row up or down."""
    return ir.Store(slot, None, add(ir.Load(slot), by))
