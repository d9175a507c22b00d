"""Compile a text of the effect language to a program over the row of the game, or return its diagnostics."""

from __future__ import annotations

from collections.abc import Mapping

from ruleforge.backends import reference
from ruleforge.backends.api import Runtime
from ruleforge.compiler.expression import ValueProgram
from ruleforge.compiler.ir import Program
from ruleforge.compiler.program import asking_program, effect_program, hinting_program
from ruleforge.lang.checker.check_snippet import check_text
from ruleforge.lang.checker.typed import Block, Checked, Constant, Expr, Leave, Proceed
from ruleforge.lang.checker.types import ThingT, Type
from ruleforge.lang.checker.walk import all_nodes, free_variables
from ruleforge.support.diagnostics import Diagnostic, Report
from ruleforge.support.records import dataclass

Scope = Mapping[str, Type]  # locals that a text may use, by name


@dataclass(frozen=True, slots=True)
class Answering:
    """A program over the same row that evaluates one expression."""

    runtime: Runtime
    value_program: ValueProgram


def answering(
    rules: Checked, players: int, options: dict[str, int], text: str, scope: Scope | None = None
) -> Answering | tuple[Diagnostic, ...]:
    checked = check_text(rules, text, scope=scope)
    if not isinstance(checked.tree, Expr):
        return checked.diagnostics
    missing = absent(rules, players, checked.tree)
    if missing:
        return missing
    used = set(free_variables(checked.tree))
    given = tuple(variable for variable in checked.scope.values() if variable in used)
    program, value_program = asking_program(rules, players, options, checked.tree, given)
    return Answering(reference.compile(program), value_program)


@dataclass(frozen=True, slots=True)
class Filling:
    """The value for a blank of a hint.

    `answers` holds the words for yes and no. `answering` is None for a player who does not take part.
    """

    answering: Answering | None
    answers: tuple[str, str] | None


HintParts = tuple[str | Filling, ...]  # words, and what fills the blanks between them


def hinting(rules: Checked, players: int, options: dict[str, int]) -> dict[str, HintParts]:
    """The hints beside the choices of each action."""
    blanks = [b for h in rules.hints.values() for b in h.blanks if not absent(rules, players, b.tree)]
    program, found = hinting_program(rules, players, options, [blank.tree for blank in blanks])
    runtime = reference.compile(program)
    ready = {
        blank: Answering(runtime, value_program) for blank, value_program in zip(blanks, found, strict=True)
    }
    return {
        name: tuple(p if isinstance(p, str) else Filling(ready.get(p), p.answers) for p in hint.parts)
        for name, hint in rules.hints.items()
    }


def effect(
    rules: Checked, players: int, options: dict[str, int], text: str
) -> Program | tuple[Diagnostic, ...]:
    """A program that runs effects as they could stand in a rule, but belong to no phase."""
    checked = check_text(rules, text, "block")
    if not isinstance(checked.tree, Block):
        return checked.diagnostics
    report = Report()
    report.include(*absent(rules, players, checked.tree))
    for node in all_nodes(checked.tree):
        if isinstance(node, Leave | Proceed):
            report.add("RF835", "this effect works only inside a phase or a rule", node.span)
    if report.has_errors:
        return report.diagnostics
    return effect_program(rules, players, options, checked.tree)


def absent(rules: Checked, players: int, tree: Expr | Block) -> tuple[Diagnostic, ...]:
    """Diagnostics about named players who do not take part."""
    report = Report()
    seats = next(kind for kind in rules.kinds.values() if kind.seats)
    for node in all_nodes(tree):
        if isinstance(node, Constant) and node.type == ThingT(seats.name) and node.value > players:
            name = list(seats.things)[node.value - 1]
            report.add("RF830", f"`{name}` does not play in this game", node.span)
    return report.diagnostics
