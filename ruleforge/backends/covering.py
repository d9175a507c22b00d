"""A run of the plain interpreter that keeps what ran: statements by place, marked values, answers that were given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ruleforge.backends.api import Choices, Record, Row
from ruleforge.backends.reference import Interpreter, _Run
from ruleforge.compiler import ir
from ruleforge.compiler.marks import shown_by
from ruleforge.support.diagnostics import Span


@dataclass(slots=True)
class Ran:
    """What ran of one program. Places are numbers of the program; marked functions have bit 0 for 0, bit 1 for else."""

    places: set[int] = field(default_factory=set)
    tried: set[int] = field(default_factory=set)  # on a copy only
    values: dict[str, int] = field(default_factory=dict)
    answers: set[tuple[int, int]] = field(default_factory=set)  # site, option


class Covering(Interpreter):
    """Keeps what ran until somebody takes it."""

    def __init__(self, program: ir.Program, choices: Choices | None = None) -> None:
        super().__init__(program, choices)
        self.ran = Ran()
        shown = {name: found for name in program.functions if (found := shown_by(name))}
        self.marked = {name: found.kind for name, found in shown.items()}
        self._fixed = {n: 1 << f.fixed for n, f in shown.items() if f.fixed is not None}

    def run(self, row: Row, notes: list[Record] | None = None) -> _Run:
        return _CoveringRun(self, row, notes)

    def resume_codes(self, row: Row, code: int) -> list[int]:
        site = self.program.sites[row[ir.SITE]]
        self.ran.answers.add((site.number, site.number_of(code)))
        return super().resume_codes(row, code)

    def take(self) -> Ran:
        """What ran since it was last taken; what was fixed before play is among it."""
        ran, self.ran = self.ran, Ran()
        if ran.places:
            ran.values |= self._fixed
        return ran

    def places(self, numbers: set[int]) -> Iterator[Span]:
        return (self.program.written[number].span for number in numbers)


class _CoveringRun(_Run):
    """`seen` are the places this run fills: those that ran, or in a trial those that were tried."""

    machine: Covering

    def __init__(self, machine: Covering, row: Row, notes: list[Record] | None = None, trial: bool = False):
        super().__init__(machine, row, notes)
        self.seen = machine.ran.tried if trial else machine.ran.places

    def trial(self, row: Row) -> _Run:
        return _CoveringRun(self.machine, row, trial=True)

    def body(self, body: ir.Body) -> None:
        for statement in body:
            self.seen.add(statement.place)
            self.DO[type(statement)](self, statement)

    def result(self, body: ir.Body) -> int:
        for statement in body:
            self.seen.add(statement.place)
            if type(statement) is ir.Return:
                return self.OF[type(statement.value)](self, statement.value)  # type: ignore[no-any-return]
            self.DO[type(statement)](self, statement)
        return 0

    def call(self, name: str, arguments: Sequence[int]) -> int:
        if name not in self.machine.marked:
            return super().call(name, arguments)
        value = arguments[0] if arguments else 1
        values = self.machine.ran.values
        values[name] = values.get(name, 0) | (2 if value else 1)
        return value
