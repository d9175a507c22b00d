"""The records of a step: their names, their meaning, and the types of their words."""

from __future__ import annotations

from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.layout import value_type
from ruleforge.compiler.lower.context import Lowering
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.typed.own_columns import KNOWN
from ruleforge.lang.checker.types import SetT
from ruleforge.support.diagnostics import Span

NUMBER = ir.Number()
PLAYERS = ir.SetOf(0)


def changed(low: Lowering, column: t.Column, span: Span) -> ir.NoteInfo:
    info = low.layout.columns[column]
    values = (ir.Argument("old", info.type, info.words), ir.Argument("new", info.type, info.words))
    things = (("of", column.kind), *(("index", kind) for kind in column.per))
    return ir.NoteInfo(
        f"set {column.kind.name}.{column.name}",
        ir.Changed(list(low.layout.columns).index(column)),
        (*(_thing(low, *thing) for thing in things), *values),
        span,
        column.clauses,
    )


def restarted(low: Lowering, column: t.Column) -> ir.NoteInfo:
    means = ir.Restarted(list(low.layout.columns).index(column))
    return ir.NoteInfo(f"restart {column.kind.name}.{column.name}", means, (), column.span)


def moved(low: Lowering, place: t.Place, span: Span, top: bool) -> ir.NoteInfo:
    kind = place.holds
    ways = (ir.Argument("from", ir.Container()), ir.Argument("to", ir.Container()))
    means = ir.Moved(low.layout.number(kind), top)
    return ir.NoteInfo(f"move {kind.name}", means, (_thing(low, "thing", kind), *ways), span, place.clauses)


def shuffled(low: Lowering, place: t.Place, span: Span) -> ir.NoteInfo:
    means = ir.Shuffled(list(low.layout.places).index(place))
    where = ir.Argument("place", ir.Container())
    return ir.NoteInfo(f"shuffle {place.name}", means, (where,), span, place.clauses)


def dealt(low: Lowering, kind: t.Kind) -> ir.NoteInfo:
    where = ir.Argument("place", ir.Container())
    return ir.NoteInfo(
        "lay", ir.ShuffledThing(low.layout.number(kind)), (_thing(low, "thing", kind), where), kind.span
    )


def shown(low: Lowering, kind: t.Kind, span: Span) -> ir.NoteInfo:
    known = low.layout.columns[low.rules.columns[kind.name, KNOWN]].base
    return ir.NoteInfo(
        "show", ir.Shown(known), (_thing(low, "thing", kind), ir.Argument("to", PLAYERS)), span
    )


def made(low: Lowering, kind: t.Kind) -> ir.NoteInfo:
    means = ir.Made(low.layout.number(kind))
    return ir.NoteInfo(f"new {kind.name}", means, (_thing(low, "thing", kind),), kind.span)


def removed(low: Lowering, kind: t.Kind) -> ir.NoteInfo:
    means = ir.Removed(low.layout.number(kind))
    return ir.NoteInfo(f"remove {kind.name}", means, (_thing(low, "thing", kind),), kind.span)


def began(
    low: Lowering,
    action: t.Action,
    given: tuple[t.Variable, ...],
    sees: str | None,
) -> ir.NoteInfo:
    """The record of an action with all choices. Hidden values of a window are marked."""
    means = ir.ActionBegan(low.action_number(action))
    hidden = {variable for variable in action.given if low.control.is_hidden(variable)}
    arguments = tuple(replace(_given(low, variable), hidden=variable in hidden) for variable in given)
    return ir.NoteInfo(f"action {action.name}", means, arguments, action.span, action.clauses, sees)


def ended(low: Lowering, action: t.Action) -> ir.NoteInfo:
    return ir.NoteInfo("end action", ir.ActionEnded(low.action_number(action)), (), action.span)


def closed(span: Span) -> ir.NoteInfo:
    return ir.NoteInfo("end action", ir.ActionEnded(None), (), span)


def unsealed(low: Lowering, span: Span, sees: str) -> ir.NoteInfo:
    who = _thing(low, "by", low.rules.kinds["player"])
    return ir.NoteInfo("unseal", ir.Unsealed(), (who,), span, sees=sees)


def happened(low: Lowering, event: t.Event) -> ir.NoteInfo:
    arguments = tuple(_given(low, parameter) for parameter in event.parameters)
    means = ir.EventHappened(event.name)
    return ir.NoteInfo(f"event {event.name}", means, arguments, event.span, event.clauses)


def over(event: t.Event) -> ir.NoteInfo:
    return ir.NoteInfo("end event", ir.EventEnded(event.name), (), event.span)


def tainted(means: ir.TaintBegins, span: Span) -> ir.NoteInfo:
    whose = tuple(ir.Argument("whose", NUMBER) for _ in means.sources)
    return ir.NoteInfo("taint", means, whose, span)


def untainted(span: Span) -> ir.NoteInfo:
    return ir.NoteInfo("untaint", ir.TaintEnds(), (), span)


def waits(rule: t.Rule) -> ir.NoteInfo:
    return ir.NoteInfo("wait", ir.RuleWaits(rule.name), (), rule.span)


def due(rule: t.Rule) -> ir.NoteInfo:
    return ir.NoteInfo("due", ir.RuleDue(rule.name), (), rule.span)


def applied(low: Lowering, rule: t.Rule) -> ir.NoteInfo:
    by = _thing(low, "by", rule.carrier.kind) if rule.carrier else ir.Argument("by", NUMBER)
    means = ir.RuleApplied(rule.name)
    return ir.NoteInfo(f"rule {rule.name}", means, (by,), rule.span, rule.clauses)


def rested(rule: t.Rule) -> ir.NoteInfo:
    return ir.NoteInfo("end rule", ir.RuleEnded(rule.name), (), rule.span)


def void(low: Lowering, event: t.Event, clauses: tuple[str, ...], span: Span) -> ir.NoteInfo:
    arguments = tuple(_given(low, parameter) for parameter in event.parameters)
    return ir.NoteInfo(f"void {event.name}", ir.Void(event.name), arguments, span, clauses)


def breached(info: ir.BreachInfo) -> ir.NoteInfo:
    arguments = (ir.Argument("value", NUMBER), ir.Argument("limit", NUMBER))
    return ir.NoteInfo(info.name, ir.Breached(info.what), arguments, info.span, info.clauses)


def picked(low: Lowering, word: str, span: Span, sees: str | None) -> ir.NoteInfo:
    who = _thing(low, "by", low.rules.kinds["player"])
    return ir.NoteInfo(f"pick {word}", ir.Picked(word), (who,), span, sees=sees)


def rolled(span: Span, unseen: bool) -> ir.NoteInfo:
    return ir.NoteInfo("roll", ir.Rolled(unseen), (ir.Argument("result", NUMBER),), span)


def drawn(low: Lowering, variable: t.Variable, span: Span, unseen: bool) -> ir.NoteInfo:
    return ir.NoteInfo("random", ir.Drawn(unseen), (_given(low, variable, "result"),), span)


def usual(site: ir.Site, option: int) -> ir.NoteInfo:
    parts = tuple(ir.Argument(part.name, NUMBER) for part in site.options[option].parts)
    arguments = (ir.Argument("who", NUMBER), *parts)
    return ir.NoteInfo("usually", ir.Usual(site.number, option), arguments, site.span)


def finished(low: Lowering, ending: t.Ending, span: Span) -> ir.NoteInfo:
    means = ir.Finished(list(low.rules.endings.values()).index(ending))
    return ir.NoteInfo(
        f"finish {ending.name}", means, (ir.Argument("winners", PLAYERS),), span, ending.clauses
    )


def _thing(low: Lowering, label: str, kind: t.Kind) -> ir.Argument:
    return ir.Argument(label, ir.Thing(low.layout.number(kind)))


def _given(low: Lowering, variable: t.Variable, label: str | None = None) -> ir.Argument:
    """The description of an argument."""
    words = low.layout.words(low.kind(variable.type.kind)) if isinstance(variable.type, SetT) else 1
    return ir.Argument(label or variable.name, value_type(low.layout, variable.type), words)
