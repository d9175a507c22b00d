"""Compile checked rules, a number of players and options to a Program, which backends only translate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import NamedTuple

from ruleforge.compiler import ir
from ruleforge.compiler.continuations import cut, waits
from ruleforge.compiler.expression import Numbers, ValueProgram, lower_expression
from ruleforge.compiler.lower.context import Begin, Env
from ruleforge.compiler.lower.effects.statements import block
from ruleforge.compiler.lower.flow import phases
from ruleforge.compiler.lower.flow.ruleset import begin, lower, lower_check, lower_reachable
from ruleforge.compiler.questions import QuestioningProgram
from ruleforge.compiler.stack import address, fit, traps
from ruleforge.compiler.trace_marks import NO_MARKS, Marks
from ruleforge.compiler.visit import statements
from ruleforge.compiler.why_not import action_questions, site_questions
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import free_variables

QUESTION = 10  # a question is granted this part of the work for a decision


def program_from_checked(
    rules: t.Checked,
    players: int,
    options: dict[str, int],
    chance: bool = False,
    marks: Marks = NO_MARKS,
    first: Begin | None = None,
) -> ir.Program:
    """`options` gives the value of every option, `chance` makes chance a decision; what `marks` name can be seen.

    With `first` the flow begins there, after one choice that is waited for when the set-up is over.
    """
    return program_from_lowered(lower(begin(rules, players, options, chance, marks, first)))


def program_from_lowered(lowered: ir.Lowered) -> ir.Program:
    """Cut functions at their pauses, size the stack, assign addresses to frames: each once, in this order."""
    plain, frames = cut(lowered)
    row_size = lowered.stack + fit(frames, lowered.limit)
    paused = address(frames, lowered.stack, row_size)
    bodies = [f.body for f in plain.values()] + [b for f in paused for b in f.blocks]
    return ir.Program(
        **{field.name: getattr(lowered, field.name) for field in fields(ir.Lowered)},
        row_size=row_size,
        plain=plain,
        paused=(None, *paused),
        waits=waits(paused),
        counts_work=any(isinstance(s, ir.Link | ir.Spend) for body in bodies for s in statements(body)),
        traps=any(map(traps, bodies)),
    )


def _for_questions(lowered: ir.Lowered) -> ir.Program:
    """Questions are answered by the reference interpreter, which is slow: they are granted less work."""
    return program_from_lowered(replace(lowered, work=max(1, lowered.work // QUESTION)))


def questioning_program(
    rules: t.Checked, players: int, options: dict[str, int], chance: bool, marks: Marks = NO_MARKS
) -> QuestioningProgram:
    """The same program with a function for every requirement of every action, and before every answer."""
    low = begin(rules, players, options, chance, marks)
    phases.main(low)
    actions, sites = action_questions(low), site_questions(low)
    return QuestioningProgram(_for_questions(lower(low)), actions, sites)


def asking_program(
    rules: t.Checked,
    players: int,
    options: dict[str, int],
    tree: t.Expr,
    given: tuple[t.Variable, ...] = (),
) -> tuple[ir.Program, ValueProgram]:
    """A program on the same row that works out one expression, perhaps with some locals; it plays nothing."""
    low = begin(rules, players, options)
    value_program = lower_expression(low, tree, given)
    return _for_questions(lower_reachable(low)), value_program


class Measured(NamedTuple):
    """A measure of playouts: a value at the end of a game, or the number of events of a sort."""

    text: str
    what: t.Expr | ir.Meaning


def measuring_program(
    rules: t.Checked,
    players: int,
    options: dict[str, int],
    chance: bool,
    measured: Sequence[Measured],
    first: Begin | None = None,
) -> ir.Program:
    """The same program, which also tells of every game what is measured."""
    low = begin(rules, players, options, chance, first=first)
    phases.main(low)
    value_program = [lower_expression(low, m.what) if isinstance(m.what, t.Expr) else None for m in measured]
    lowered = lower(low)
    found = zip(measured, value_program, strict=True)
    return program_from_lowered(replace(lowered, measures=tuple(_measure(lowered, m, a) for m, a in found)))


def _measure(lowered: ir.Lowered, measured: Measured, value_program: ValueProgram | None) -> ir.Measure:
    if value_program is not None:
        assert value_program.type is not None and not isinstance(value_program.type, Numbers)
        return ir.Measure(measured.text, value_program.type, value_program.functions[0])
    notes = tuple(number for number, note in enumerate(lowered.notes) if note.means == measured.what)
    return ir.Measure(measured.text, ir.Number(0), None, notes)


def hinting_program(
    rules: t.Checked, players: int, options: dict[str, int], trees: Sequence[t.Expr]
) -> tuple[ir.Program, tuple[ValueProgram, ...]]:
    """A program on the same row that works out expressions over what choices name, each for itself."""
    low = begin(rules, players, options)
    found = tuple(lower_expression(low, tree, tuple(dict.fromkeys(free_variables(tree)))) for tree in trees)
    return _for_questions(lower_reachable(low)), found


def checking_program(rules: t.Checked) -> tuple[ir.Program, list[str]]:
    """A program with a function for every check.

    It takes a thing and gives 1 if the check holds or does not concern it.
    """
    options = {name: option.default for name, option in rules.options.items()}
    low = begin(rules, rules.players[1], options)
    functions = [lower_check(low, check) for check in rules.checks]
    return _for_questions(lower_reachable(low)), functions


def effect_program(rules: t.Checked, players: int, options: dict[str, int], tree: t.Block) -> ir.Program:
    """A program whose whole game is one block. The game of its row is over when the block is done."""
    low = begin(rules, players, options)
    low.reserve(phases.MAIN, ())
    low.define(phases.MAIN, (), (*block(low, tree, Env()), ir.Return()), tree.span)
    return program_from_lowered(lower(low))
