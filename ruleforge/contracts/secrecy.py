"""A trial -> faults of secrecy: packs that show what stays hidden, or let somebody choose or act by it."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.check import typed as t
from ruleforge.check.walk import all_nodes
from ruleforge.contracts.footprints.facts import ME, Deed
from ruleforge.contracts.footprints.values import Known
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.model import Secrecy
from ruleforge.contracts.trial import Trial, subject
from ruleforge.diagnostics import Span


def faults(trial: Trial) -> list[Fault]:
    found: list[Fault] = []
    for secrecy in trial.contract.secrecy:
        leaks = [fault for deed in trial.prints.deeds for fault in _of(trial, deed, secrecy)]
        leaks += _shown_formulas(trial, secrecy)
        if not leaks:
            trial.note(secrecy.cites, "the pack shows nothing hidden, and nobody acts by it")
        found += leaks
    return found


def _shown_formulas(trial: Trial, secrecy: Secrecy) -> Iterator[Fault]:
    """Formulas of packs that are shown to players, and read what is hidden from them."""
    for formula in trial.rules.formulas.values():
        pack = trial.owner(formula.span)
        if not pack or formula.sees is None or formula.body is None:
            continue
        for node in all_nodes(formula.body):
            hidden = _reads_hidden(node, secrecy)
            if hidden and isinstance(node, t.Expr):
                why = f"the formula `{formula.name}` shows what is hidden in `{hidden}`"
                core = (("what stays hidden", secrecy.span),)
                names, place = (formula.name,), (node.span,)
                yield Fault("broken", "RF915", pack, names, place, why, secrecy.cites, core, "delete `sees`")
                break


def _reads_hidden(node: object, secrecy: Secrecy) -> str:
    match node:
        case t.Read(column=column):
            name = f"{column.kind.name}.{column.name}"
            return name if name in secrecy.keep else ""
        case t.Aggregate(binder=binder, value=value) if binder.where is not None or value is not None:
            match binder.source:
                case t.Content(place=place) | t.Family(place=place):
                    return place.name if place.name in secrecy.keep else ""
    return ""


def _of(trial: Trial, deed: Deed, secrecy: Secrecy) -> Iterator[Fault]:
    allowed = any(name in secrecy.allowed for name, _ in deed.calls)
    for change in deed.changes:
        if change.kind == "look" and any(name in secrecy.keep for name in change.names) and not allowed:
            yield _fault(deed, change.span, f"shows what lies in `{change.name}`", secrecy)
    for expression, knows in _asked(deed):
        for span, what in _leaks(trial, deed, expression, secrecy, knows):
            yield _fault(deed, span, f"lets somebody act by what is hidden in `{what}`", secrecy)


def _asked(deed: Deed) -> Iterator[tuple[object, bool]]:
    """What decides about choices: lists to choose from, and needs; the flag says whether members are listed."""
    action = deed.action
    if action is not None:
        for binder in action.binders:
            inner = binder.binder if isinstance(binder, t.Several) else binder
            yield inner, True
        for need in action.needs:
            yield need, False
    blocks = [action.cost, action.body] if action else [deed.rule.cost, deed.rule.body] if deed.rule else []
    for node in (n for block in blocks if block is not None for n in all_nodes(block)):
        if isinstance(node, t.Choose):
            for binder in node.binders:
                yield binder.binder if isinstance(binder, t.Several) else binder, True


def _leaks(
    trial: Trial, deed: Deed, root: object, secrecy: Secrecy, lists: bool
) -> Iterator[tuple[Span, str]]:
    """Hidden places whose members are listed or looked at, and hidden attributes of others."""
    if lists and isinstance(root, t.Binder):
        place = _hidden(trial, deed, root.source, secrecy)
        if place is not None:
            yield root.source.span, place
            return
    for node in all_nodes(root):
        match node:
            case t.Aggregate(binder=binder, value=value) if binder.where is not None or value is not None:
                place = _hidden(trial, deed, binder.source, secrecy)
                if place is not None:
                    yield node.span, place
            case t.Read(column=column, of=of) if f"{column.kind.name}.{column.name}" in secrecy.keep:
                if not _is_mine(deed, of):
                    yield node.span, f"{column.kind.name}.{column.name}"


def _hidden(trial: Trial, deed: Deed, source: t.Expr, secrecy: Secrecy) -> str | None:
    match source:
        case t.Content(place=place, index=index) if place.name in secrecy.keep:
            return None if any(_is_mine(deed, part) for part in index) else place.name
        case t.Family(place=place) if place.name in secrecy.keep:
            return place.name
        case t.Selection(binder=binder):
            return _hidden(trial, deed, binder.source, secrecy)
    return None


def _is_mine(deed: Deed, node: t.Expr) -> bool:
    """Is it about the one who chooses?"""
    if not isinstance(node, t.Use):
        return False
    known = deed.environment.get(node.variable)
    return isinstance(known, Known) and known.who == ME


def _fault(deed: Deed, span: Span, what: str, secrecy: Secrecy) -> Fault:
    place = (("what stays hidden", secrecy.span),)
    repair = "count the hidden things, or use what the core offers for looking"
    why = f"{subject(deed)} {what}"
    return Fault("broken", "RF915", deed.origin, (deed.name,), (span,), why, secrecy.cites, place, repair)
