"""One typed block of effects -> a program on the row of the game that runs it and then stops."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env
from ruleforge.compiler.lower.effects import statements
from ruleforge.compiler.lower.flow import phases
from ruleforge.compiler.lower.flow.ruleset import begin, lower
from ruleforge.compiler.program import program_from_lowered
from ruleforge.lang.checker import typed as t


def effect_program(rules: t.Checked, players: int, options: dict[str, int], tree: t.Block) -> ir.Program:
    """The block is what this program runs as a whole game: the row is over when it is done."""
    low = begin(rules, players, options)
    low.reserve(phases.MAIN, ())
    low.define(phases.MAIN, (), (*statements.block(low, tree, Env()), ir.Return()), tree.span)
    return program_from_lowered(lower(low))
