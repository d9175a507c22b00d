"""Writes a judgement as text: the verdict, and each fault with its line, the broken part of the core and a repair."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ruleforge.contracts.judgement import Fault, Judgement
from ruleforge.support.diagnostics import Span

# The words for a line of play that shows a fault; empty without such a line.
Played = Callable[[Fault], str]


def render(judgement: Judgement, title: str = "", played: Played = lambda _: "") -> str:
    """One line for the verdict, a paragraph for each fault, and what is kept."""
    faults = len(judgement.faults)
    tail = "" if not faults else f", {faults} fault{'s' if faults > 1 else ''}"
    texts = judgement.texts or {}
    parts = [f"{title or judgement.pack} for {judgement.core}: {judgement.verdict}{tail}"]
    parts += [_fault(fault, texts, played) for fault in judgement.faults]
    parts += [_fault(fault, texts, played) for fault in judgement.warnings]
    together = judgement.together
    if together is not None:
        names = ", ".join(together.packs)
        parts.append(f"together with {names}: {'rejected' if together.faults else 'accepted'}")
        parts += [_fault(fault, texts, played) for fault in together.faults]
    return "\n\n".join(parts)


def render_clauses(judgement: Judgement) -> str:
    """Every clause of the contract with its answer and the reason."""
    width = max((len(verdict.clause) for verdict in judgement.clauses), default=0)
    return "\n".join(f"{v.clause:<{width}}  {v.answer:<7}  {v.why}" for v in judgement.clauses)


def _fault(fault: Fault, texts: Mapping[str, str], played: Played) -> str:
    clauses = f" {', '.join(fault.clauses)}" if fault.clauses else ""
    lines = [f"{fault.place}: {fault.answer}[{fault.code}]{clauses}: {fault.why}"]
    for number, span in enumerate(fault.places):
        if number:
            lines.append(f"  and {span}")
        lines += _shown(span, texts)
    lines += [f"  core  {span.file}:{span.line} {what}" for what, span in fault.core]
    if fault.repair:
        lines.append(f"  help  {fault.repair}")
    line = played(fault)
    if line:
        lines.append(f"  line of play: {line}")
    return "\n".join(lines)


def _shown(span: Span, texts: Mapping[str, str]) -> list[str]:
    """The line of a file with the place underlined."""
    rows = texts.get(span.file, "").splitlines()
    if not 1 <= span.line <= len(rows):
        return []
    row = rows[span.line - 1].rstrip()
    end = span.end_column if span.end_line == span.line else len(row) + 1
    marks = "^" * max(1, min(end, len(row) + 1) - span.column)
    return [f"{span.line:5} | {row}", f"{'':5} | {' ' * (span.column - 1)}{marks}"]
