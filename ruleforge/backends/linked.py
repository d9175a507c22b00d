"""A run of the plain interpreter that keeps the links of a chain: events, rules, and phases that come round again."""

from __future__ import annotations

from dataclasses import dataclass

from ruleforge.backends.api import Record, Row
from ruleforge.backends.reference import Interpreter, _Run
from ruleforge.compiler import ir
from ruleforge.support.diagnostics import Span

PHASE = "phase "  # how the definitions of phases begin


@dataclass(frozen=True, slots=True)
class Link:
    """An event that happened, a rule that acted, or a phase that was begun anew."""

    name: str
    span: Span
    phase: bool = False


class Linked(Interpreter):
    """Keeps the links of all that it runs; trials are none."""

    def __init__(self, program: ir.Program) -> None:
        super().__init__(program)
        self.links: list[Link] = []

    def run(self, row: Row, notes: list[Record] | None = None) -> _Run:
        return _LinkedRun(self, row, notes)


class _LinkedRun(_Run):
    machine: Linked

    def do_burn(self, node: ir.Burn) -> None:
        place = self.program.place_of(node)
        if place.definition.startswith(PHASE):
            name = place.definition.removeprefix(PHASE)
            self.machine.links.append(Link(name, place.span, phase=True))
        super().do_burn(node)

    def do_note(self, node: ir.Note) -> None:
        info = self.program.notes[node.note]
        match info.means:
            case ir.RuleApplied(rule=name) | ir.EventHappened(event=name):
                self.machine.links.append(Link(name, info.span))
