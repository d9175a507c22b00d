"""A chain of effects without end -> what goes round in it, found by running it once more."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from ruleforge.backends.api import Row, words
from ruleforge.backends.faults import Trapped
from ruleforge.backends.reference import Interpreter
from ruleforge.backends.reference.trace import Observer, TracedRun, TracingInterpreter
from ruleforge.compiler import ir
from ruleforge.support.diagnostics import Span

ENOUGH = 2000  # steps to run again: who goes round is known long before a fuse is burnt down
ENOUGH_WORK = 200_000
SHOWN = 12
PHASE = "phase "  # how the definitions of phases begin


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
            case ir.Burn():
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
        """What to say behind the limit that was broken, in the author's words."""
        if self.turns and all(link.phase for link in self.links):
            names = " and ".join(f"`{link.name}`" for link in self.links)
            return f": {names} {'goes' if len(self.links) == 1 else 'go'} round, and no player has a choice"
        names = " -> ".join(link.name for link in (*self.links, *self.links[: int(self.turns)]))
        return f": {names}" if self.turns else f", after {names}"


def beginning(program: ir.Program, seed: int) -> Row:
    """The row before the set-up."""
    return Interpreter(program).first_row(seed)


def chain(program: ir.Program, row: Row, code: int) -> Chain | None:
    """What a choice sets off at the end of its chain; None if nothing of it has a name."""
    again, links = words(row, program), Links()
    again[ir.FUSE] = max(0, program.fuse - ENOUGH)
    again[ir.METER] = max(0, program.work - ENOUGH_WORK)
    with suppress(Trapped, RecursionError):
        TracingInterpreter(program, (links,)).run(again).go_on(code)
    return _last(links.found[-4 * SHOWN :])


def _last(links: list[Link]) -> Chain | None:
    """The shortest part at the end that is there twice; if there is none, the last few."""
    for length in range(1, len(links) // 2 + 1):
        if links[-length:] == links[-2 * length : -length]:
            return Chain(tuple(links[-length:]), turns=True)
    return Chain(tuple(links[-SHOWN:]), turns=False) if links else None
