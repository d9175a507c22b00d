"""`errors` turns diagnostics about a pack's rules into faults: questions of the contract, and invalid packs."""

from __future__ import annotations

from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.model import Contract, Guard
from ruleforge.lang.source.tree import MappingNode, SequenceNode
from ruleforge.project.pipeline import Analysis
from ruleforge.support.diagnostics import Diagnostic, Span

# Diagnostics that a pack touches what is the core's: where a fault says the same with clauses, they are silent.
_COVERED_BY_FAULTS = frozenset(
    {"RF201", "RF203", "RF302", "RF333", "RF335", "RF339", "RF505", "RF506", "RF601"}
)
_HEADER = ("RF330", "RF331")


def header_fault(analysis: Analysis, contract: Contract | None) -> Fault | None:
    """A pack for another core or version is refused before anything else is looked at."""
    wrong = next((d for d in analysis.diagnostics if d.code in _HEADER), None)
    if wrong is None:
        return None
    guards = [g for g in contract.guards if any(t.text == "version" for t in g.of)] if contract else []
    clauses = tuple(clause for guard in guards for clause in guard.clauses)
    core = tuple(("guard of `version`", guard.span) for guard in guards)
    pack = _pack_at(analysis, wrong.span)
    fallback = contract.fallback if contract else ()
    return Fault(
        "broken", "RF901", pack, (), (wrong.span,), wrong.message, clauses or fallback, core, wrong.help
    )


def mistakes_of_contract(analysis: Analysis, contract: Contract) -> tuple[Fault, ...]:
    """The mistakes that make a contract unusable: they are not the pack's fault, but no pack is accepted."""
    pack = analysis.packs[0].pack.manifest.id if analysis.packs else ""
    return tuple(
        Fault(
            "invalid", d.code, pack, (), (d.span,), f"the contract has a mistake: {d.message}", repair=d.help
        )
        for d in contract.mistakes
    )


def mistakes(
    analysis: Analysis, guards: tuple[Guard, ...] = (), faults: tuple[Fault, ...] = ()
) -> list[Fault]:
    """The diagnostics that no fault covers yet."""
    covered = {(span.file, span.line) for fault in faults for span in fault.places} | _foreign_flow(analysis)
    found = []
    for diagnostic in analysis.diagnostics:
        if diagnostic.severity != "error":
            continue
        place = (diagnostic.span.file, diagnostic.span.line)
        if diagnostic.code in _COVERED_BY_FAULTS and place in covered:
            continue
        if _is_echo(analysis, diagnostic, faults):
            continue
        found.append(_fault(analysis, diagnostic, guards))
    return found


def _is_echo(analysis: Analysis, diagnostic: Diagnostic, faults: tuple[Fault, ...]) -> bool:
    """A diagnostic at a place of the core is about what a pack does elsewhere, where a fault tells it."""
    in_pack = any(f.path == diagnostic.span.file for pack in analysis.packs for f in pack.source.files)
    if in_pack:
        return False
    code = {"RF505": "RF902", "RF506": "RF903", "RF508": "RF903", "RF601": "RF917"}.get(diagnostic.code)
    return any(fault.code == code for fault in faults)


def _foreign_flow(analysis: Analysis) -> set[tuple[str, int]]:
    """Lines of a flow that is written as the core writes its own: that it stands there is the one fault."""
    found: set[tuple[str, int]] = set()
    for section in (part for pack in analysis.packs for part in pack.source.sections("flow")):
        items = section.value.items if isinstance(section.value, SequenceNode) else ()
        for item in items:
            if isinstance(item, MappingNode) and item.get("phase") is not None:
                found |= {(item.span.file, line) for line in range(item.span.line, item.span.end_line + 1)}
    return found


def _fault(analysis: Analysis, diagnostic: Diagnostic, guards: tuple[Guard, ...]) -> Fault:
    pack = _pack_at(analysis, diagnostic.span)
    guards = _guards_at(analysis, diagnostic.span, guards)
    clauses = tuple(dict.fromkeys(clause for guard in guards for clause in guard.clauses))
    if guards:
        core = tuple((f"guard of `{guard.of[0].text}`", guard.span) for guard in guards)
        say = "; ".join(guard.say for guard in guards if guard.say)
        why = f"{diagnostic.message}: {say}" if say else diagnostic.message
        return Fault("broken", "RF903", pack, (), (diagnostic.span,), why, clauses, core, diagnostic.help)
    clauses = _cites_at(analysis, diagnostic.span)
    place, why = (diagnostic.span,), diagnostic.message
    return Fault("invalid", diagnostic.code, pack, (), place, why, clauses, repair=diagnostic.help)


def _guards_at(analysis: Analysis, span: Span, guards: tuple[Guard, ...]) -> tuple[Guard, ...]:
    """Those of what is printed at a place: a fact of a new thing."""
    wanted = ".".join(_printed_at(analysis, span) or ())
    return tuple(guard for guard in guards if any(target.text == wanted for target in guard.of))


def _cites_at(analysis: Analysis, span: Span) -> tuple[str, ...]:
    """The clauses of what a pack misuses at a place: those of the fact, else of the kind."""
    core = analysis.assembly.core if analysis.assembly else None
    printed = _printed_at(analysis, span)
    if core is None or printed is None:
        return ()
    kind = next((k for k in core.kinds if k.id == printed[0]), None)
    fact = next((f for f in kind.facts if f.id == printed[1]), None) if kind else None
    return (fact.cites if fact is not None else ()) or (kind.cites if kind is not None else ())


def _printed_at(analysis: Analysis, span: Span) -> tuple[str, str] | None:
    """The kind and the fact that a thing of a pack prints at a place."""
    for pack in analysis.packs:
        for kind in pack.pack.adds.kinds:
            for thing in kind.things:
                found = [name for name, text in thing.facts if _is_within(span, text.span)]
                if found:
                    return kind.id, found[0]
    return None


def _is_within(span: Span, text: Span) -> bool:
    """Is it about this text, and not about another one on the same line?"""
    if span.file != text.file or not text.line <= span.line <= text.end_line:
        return False
    starts = span.line > text.line or span.column >= text.column
    return starts and (span.line < text.end_line or span.column < text.end_column)


def _pack_at(analysis: Analysis, span: Span) -> str:
    for reading in analysis.packs:
        if any(file.path == span.file for file in reading.source.files):
            return reading.pack.manifest.id
    return analysis.packs[0].pack.manifest.id if analysis.packs else ""
