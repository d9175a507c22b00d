"""Number the places of the rules that a program refers to, each with the definition around it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import field

from ruleforge.compiler import ir
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import phases_of
from ruleforge.support.diagnostics import NOWHERE, Span
from ruleforge.support.records import dataclass


@dataclass
class Written:
    """The places of one program, numbered at their first use. 0 stands for no place."""

    definitions: list[tuple[Span, str]]  # sorted: text belongs to the last definition that begins before it
    numbers: dict[Span, int] = field(default_factory=lambda: {NOWHERE: 0})
    places: list[ir.Place] = field(default_factory=lambda: [ir.Place(NOWHERE, "")])
    cited: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # clauses by definition

    def number(self, span: Span) -> int:
        """The number of a place."""
        if span not in self.numbers:
            self.numbers[span] = len(self.places)
            self.places.append(ir.Place(span, self._definition(span)))
        return self.numbers[span]

    def clauses(self, span: Span) -> tuple[str, ...]:
        """The clauses that the definition cites in which something is written."""
        return self.cited.get(self._definition(span), ())

    def _definition(self, span: Span) -> str:
        after = Span(span.file, span.line, span.column + 1, 0, 0)
        position = bisect_right(self.definitions, (after, ""))
        if position and self.definitions[position - 1][0].file == span.file:
            return self.definitions[position - 1][1]
        return ""


def written(rules: t.Checked) -> Written:
    """All definitions of the rules, with no numbered place yet."""
    return Written(sorted(_definitions(rules)), cited=dict(_citing(rules)))


def _citing(rules: t.Checked) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The definitions with clauses, by name."""
    yield from ((f"event {e.name}", e.clauses) for e in rules.events.values())
    yield from ((f"action {a.name}", a.clauses) for a in rules.actions.values())
    yield from ((f"rule {r.name}", r.clauses) for r in rules.rules)
    yield from ((f"phase {p.name}", p.clauses) for p in phases_of(rules.flow))


def _definitions(rules: t.Checked) -> Iterator[tuple[Span, str]]:
    yield from ((k.span, f"kind {k.name}") for k in rules.kinds.values())
    yield from ((c.span, f"{c.kind.name}.{c.name}") for c in rules.columns.values())
    yield from ((p.span, f"place {p.name}") for p in rules.places.values())
    yield from ((f.span, f"formula {f.name}") for f in rules.formulas.values())
    yield from ((e.span, f"event {e.name}") for e in rules.events.values())
    yield from ((a.span, f"action {a.name}") for a in rules.actions.values())
    yield from ((d.span, f"manner {d.name}") for d in rules.names.declared if d.what == "manner")
    yield from ((r.span, f"rule {r.name}") for r in rules.rules)
    yield from ((w.span, f"window {w.name}") for w in rules.windows.values())
    yield from ((p.span, f"phase {p.name}") for p in phases_of(rules.flow))
    yield from ((e.span, f"ending {e.name}") for e in rules.endings.values())
    yield from ((i.span, f"invariant {i.name}") for i in rules.invariants)
    yield from ((c.span, f"check {c.name}") for c in rules.checks)
    yield from ((p.span, f"profile {p.name}") for p in rules.profiles.values())
    if rules.setup is not None:
        yield rules.setup.span, "setup"
