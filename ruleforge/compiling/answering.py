"""A text of the effect language -> a program on the row of the game that works it out, or what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass

from ruleforge.backends import reference
from ruleforge.backends.api import Runtime
from ruleforge.check.later import check_text
from ruleforge.check.typed import Checked, Constant, Expr
from ruleforge.check.types import ThingT
from ruleforge.check.walk import all_nodes
from ruleforge.compiler.expression import Asked
from ruleforge.compiler.program import asking_program
from ruleforge.diagnostics import Diagnostic, Report


@dataclass(frozen=True, slots=True)
class Answering:
    """A program on the same row that works out one expression."""

    runtime: Runtime
    asked: Asked


def answering(
    rules: Checked, players: int, options: dict[str, int], text: str
) -> Answering | tuple[Diagnostic, ...]:
    checked = check_text(rules, text)
    if not isinstance(checked.tree, Expr):
        return checked.diagnostics
    absent = _absent(rules, players, checked.tree)
    if absent:
        return absent
    program, asked = asking_program(rules, players, options, checked.tree)
    return Answering(reference.compile(program), asked)


def _absent(rules: Checked, players: int, tree: Expr) -> tuple[Diagnostic, ...]:
    """Complaints about players who are named but do not play."""
    report = Report()
    seats = next(kind for kind in rules.kinds.values() if kind.seats)
    for node in all_nodes(tree):
        if isinstance(node, Constant) and node.type == ThingT(seats.name) and node.value > players:
            name = list(seats.things)[node.value - 1]
            report.add("RF830", f"`{name}` does not play in this game", node.span)
    return report.diagnostics
