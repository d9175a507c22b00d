"""A rule that breaks a limit makes the engine refuse the choice; an endless chain of effects is shown by its links."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruleforge.backends.api import Row, words
from ruleforge.backends.faults import Trapped
from ruleforge.backends.reference import Interpreter
from ruleforge.backends.reference.trace import Observer, TracedRun, TracingInterpreter
from ruleforge.compiler import ir
from ruleforge.compiler.ir import RUNAWAY, Fault, Program
from ruleforge.compiler.step_budget import CODE
from ruleforge.engine.errors import IllegalChoice, PathError, Reason
from ruleforge.support.diagnostics import NOWHERE, Span

if TYPE_CHECKING:
    from ruleforge.backends.artifacts.info import GameInfo
    from ruleforge.engine.choice import Choice

ENOUGH = 2000  # steps to run again: who goes round is known long before the limit is reached
ENOUGH_WORK = 200_000
SHOWN = 12
PHASE = "phase "  # how the definitions of phases begin


def refusal_by_fault(
    program: Program,
    info: GameInfo,
    trapped: Trapped,
    choice: Choice | None = None,
    before: Row | None = None,
) -> IllegalChoice:
    """The refusal that names the limit and the rule's place (of a general limit: the choice's rule).

    A chain without end is told by its links, found by going on from the row `before`.
    """
    fault = program.faults[trapped.fault]
    span, message = None if fault.span == NOWHERE else fault.span, _message(program, fault)
    if before is not None and (trapped.fault == RUNAWAY or fault.code == CODE):
        found = chain(program, before, 0 if choice is None else choice._code)
        if found is not None:
            message = f"{message}{found}"
            span = found.links[0].span if span is None else span
    clauses = fault.clauses
    if choice is not None:
        option = program.sites[choice.site].option(choice._code)
        if option.action is not None and not clauses:
            clauses = program.actions[option.action].clauses
        if span is None and option.span != NOWHERE:
            span = option.span
    doing = f"`{choice.text}` is taken back: " if choice is not None else ""
    pack = info.pack_of(span) if span is not None else None
    title = pack.title if pack else ""
    return IllegalChoice((Reason(fault.code, f"{doing}{message}", span, clauses, pack=title),))


def unanswered(program: Program, trapped: Trapped, question: str) -> PathError:
    """A question about a position that its rules break off."""
    fault = program.faults[trapped.fault]
    where = "" if fault.span == NOWHERE else f" at {fault.span}"
    return PathError(fault.code, f"{question}: {_message(program, fault)}{where}")


def _message(program: Program, fault: Fault) -> str:
    """The event, with the limit."""
    if fault is program.faults[RUNAWAY]:
        return f"{fault.message} within {program.chain} steps and {program.work:,} steps of work"
    return f"{fault.message}, which is {program.work:,} steps" if fault.code == CODE else fault.message


# An endless chain of effects is run once more to find the links that repeat.


@dataclass(frozen=True, slots=True)
class Link:
    """An event that happened, a rule that acted, or a phase that was begun anew."""

    name: str
    span: Span
    phase: bool = False


class Links(Observer):
    """Keeps the links of all that runs; trials are none."""

    def __init__(self) -> None:
        self.found: list[Link] = []

    def statement(self, run: TracedRun, statement: ir.Statement) -> None:
        if run.tried:
            return
        match statement:
            case ir.Link():
                place = run.program.place_of(statement)
                if place.definition.startswith(PHASE):
                    name = place.definition.removeprefix(PHASE)
                    self.found.append(Link(name, place.span, phase=True))
            case ir.Note(note=number):
                info = run.program.notes[number]
                match info.means:
                    case ir.RuleApplied(rule=name) | ir.EventHappened(event=name):
                        self.found.append(Link(name, info.span))


@dataclass(frozen=True, slots=True)
class Chain:
    """Its last links, each once and in their order; `turns`: after the last one the first comes again."""

    links: tuple[Link, ...]
    turns: bool

    def __str__(self) -> str:
        """The text behind the broken limit, in the author's words."""
        if self.turns and all(link.phase for link in self.links):
            names = " and ".join(f"`{link.name}`" for link in self.links)
            return f": {names} {'goes' if len(self.links) == 1 else 'go'} round, and no player has a choice"
        names = " -> ".join(link.name for link in (*self.links, *self.links[: int(self.turns)]))
        return f": {names}" if self.turns else f", after {names}"


def beginning(program: ir.Program, seed: int) -> Row:
    """The row before the set-up."""
    return Interpreter(program).first_row(seed)


def chain(program: ir.Program, row: Row, code: int) -> Chain | None:
    """The last events and rules in the chain that a choice sets off; None if none of them has a name."""
    again, links = words(row, program), Links()
    again[ir.CHAIN_LENGTH] = max(0, program.chain - ENOUGH)
    again[ir.WORK_DONE] = max(0, program.work - ENOUGH_WORK)
    with suppress(Trapped, RecursionError):
        TracingInterpreter(program, (links,)).run(again).go_on(code)
    return _last(links.found[-4 * SHOWN :])


def _last(links: list[Link]) -> Chain | None:
    """The shortest part at the end that is there twice; if there is none, the last few."""
    for length in range(1, len(links) // 2 + 1):
        if links[-length:] == links[-2 * length : -length]:
            return Chain(tuple(links[-length:]), turns=True)
    return Chain(tuple(links[-SHOWN:]), turns=False) if links else None
