"""`costs` measures how many steps each line of the rules costs, and writes tables by definition and by line.

The decisions run in the plain interpreter. A step is a statement or a part of one of its expressions: about
one operation of a machine. Lines that list choices count like those that run effects; so does speculative
execution. A path search counts one step for each cell. A search for things with a value counts an eighth of a
step for each thing.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from ruleforge.backends import reference
from ruleforge.backends.faults import Trapped
from ruleforge.backends.reference.trace import Observer, TracedRun, TracingInterpreter
from ruleforge.compiler import ir
from ruleforge.compiler.visit import expressions, subexpressions
from ruleforge.engine.scripted_dice import ScriptedDice
from ruleforge.engine.trace import trace
from ruleforge.support.diagnostics import NOWHERE

if TYPE_CHECKING:
    from ruleforge.compiler.ir import Place
    from ruleforge.engine.choice import Choice
    from ruleforge.engine.game import Game
    from ruleforge.engine.state import State
    from ruleforge.engine.variant import Variant

AT_ONCE = 8  # things that are looked at in one step
TEXT = 70  # signs of a line that are shown


@dataclass(slots=True)
class Costs(Observer):
    """Steps by place of the rules, over some decisions of some games."""

    program: ir.Program
    decisions: int = 0
    games: int = 0
    steps: Counter[int] = field(default_factory=Counter)  # by the number of a place
    _weights: dict[int, int] = field(default_factory=dict)  # by the identity of a statement of the program

    def statement(self, run: TracedRun, statement: ir.Statement) -> None:
        weight = self._weights.get(id(statement))
        if weight is None:
            weight = self._weights[id(statement)] = _weight(statement)
        self.steps[statement.place] += weight

    @property
    def total(self) -> int:
        return self.steps.total()

    def by_definition(self) -> Counter[str]:
        """Steps by the definition they belong to (`action play`), the dearest first."""
        found: Counter[str] = Counter()
        for place, steps in self.steps.items():
            found[self.program.written[place].definition] += steps
        return found

    def by_line(self) -> Counter[ir.Place]:
        """Steps by line; its place is the first one on it that was met."""
        found: Counter[tuple[str, int]] = Counter()
        places: dict[tuple[str, int], ir.Place] = {}
        for number, steps in self.steps.items():
            place = self.program.written[number]
            line = place.span.file, place.span.line
            places.setdefault(line, place)
            found[line] += steps
        return Counter({places[line]: steps for line, steps in found.items()})


def _weight(statement: ir.Statement) -> int:
    parts = [part for e in expressions(statement) for part in subexpressions(e)]
    paths = sum(part.size for part in parts if isinstance(part, ir.Connected))
    looks = statement.size // AT_ONCE if isinstance(statement, ir.Scan) else 0
    return 1 + len(parts) + paths + looks


def costs_of(made: Sequence[tuple[State, Choice, tuple[str, ...]]]) -> Costs:
    """The cost of choices that were made, at least one, each with its state and its scripted dice."""
    found = Costs(made[0][0]._variant.program)
    for state, choice, dice in made:
        found.decisions += 1
        trace(state, choice, found, ScriptedDice(state._variant, dice))
    return found


def costs(variant: Variant, decisions: int, seed: int, seconds: float) -> Iterator[Costs]:
    """The growing cost of random games, until the number of decisions or the time is reached."""
    found, rng, until = Costs(variant.program), Random(seed), time.monotonic() + seconds
    plain, traced = reference.compile(variant.program), TracingInterpreter(variant.program, (found,))
    while found.decisions < decisions and time.monotonic() < until:
        found.games += 1
        row = plain.new_row(rng.getrandbits(31))
        try:
            codes = plain.codes(row)
            while codes and found.decisions < decisions and time.monotonic() < until:
                found.decisions += 1
                codes = traced.resume_codes(row, rng.choice(codes))
                yield found
        except Trapped:  # a limit of the rules: the next game
            continue
        if not found.decisions:
            return  # the game has no decisions
    yield found


# Costs as tables for people and data for programs, by definition and by line.


def costs_data(game: Game, found: Costs) -> dict[str, Any]:
    """Every definition and every line, the dearest first."""
    return {
        "steps": found.total,
        "definitions": [{"definition": of, "steps": n} for of, n in found.by_definition().most_common()],
        "lines": [
            {"place": _where(place), "definition": place.definition, "steps": n, "text": _text(game, place)}
            for place, n in found.by_line().most_common()
        ],
    }


def costs_table(game: Game, found: Costs, what: str, lines: int) -> Iterator[str]:
    """So many of each sort; `what` are the decisions in words."""
    total, made = max(found.total, 1), max(found.decisions, 1)

    def share(steps: int) -> str:
        return f"{100 * steps / total:5.1f} %  {steps / made:10,.0f}"

    yield f"{found.total:,} steps in {what}, {found.total // made:,} a decision"
    yield from ("", "  share  a decision  definition")
    for of, steps in found.by_definition().most_common(lines):
        yield f"{share(steps)}  {of or 'the engine itself'}"
    dearest = found.by_line().most_common(lines)
    names = {place: _within(_where(place), game.compiled.texts.files) for place, _ in dearest}
    width = max(map(len, names.values()), default=0)
    yield from ("", f"  share  a decision  {'line':{width}}  what is written there")
    for place, steps in dearest:
        yield f"{share(steps)}  {names[place]:{width}}  {_text(game, place)[:TEXT]}".rstrip()


def _within(where: str, files: Iterable[str]) -> str:
    """A place, without the folder that all files lie in."""
    folder = str(Path(next(iter(files), "")).parent)
    return where.removeprefix(os.path.commonpath([folder, *(str(Path(f).parent) for f in files)]) + os.sep)


def _where(place: Place) -> str:
    return "-" if place.span == NOWHERE else f"{place.span.file}:{place.span.line}"


def _text(game: Game, place: Place) -> str:
    """The line of the rules, as its author wrote it."""
    lines = game.compiled.texts.files.get(place.span.file, "").splitlines()
    return lines[place.span.line - 1].strip() if 0 < place.span.line <= len(lines) else ""
