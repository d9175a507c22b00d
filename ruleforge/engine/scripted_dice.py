"""`ScriptedDice` replaces the draws of a run by those of a script, as long as the script lasts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ruleforge.backends.reference.trace import Observer, TracedRun
from ruleforge.compiler.ir import Body, Drawn, Note, Program, Random, Rolled, Set, Statement, Thing
from ruleforge.compiler.visit import bodies
from ruleforge.engine.errors import PlayError
from ruleforge.engine.row_names import value_of

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant


class DiceError(PlayError):
    """A scripted result that cannot come up."""

    def __init__(self, message: str) -> None:
        super().__init__("RF834", message)


class ScriptedDice(Observer):
    """Gives each draw that tells its result the next result of the script; `left` are those that are not needed yet."""

    def __init__(self, variant: Variant, dice: tuple[str, ...]) -> None:
        self._variant, self._program = variant, variant.program
        self.left = dice
        self._used: list[str] = []
        self._shown: list[str] = []

    def statement(self, run: TracedRun, statement: Statement) -> None:
        """Keep the recorded rolls, to compare them with the script."""
        if run.tried or not self._used or not isinstance(statement, Note):
            return
        info = self._program.notes[statement.note]
        if isinstance(info.means, Rolled | Drawn):
            word = info.values([run.evaluate(a) for a in statement.arguments])[0]
            self._shown.append(str(value_of(self._variant, info.arguments[0].type, word)))

    def chance(self, run: TracedRun, node: Random) -> int | None:
        """The number by which the result that the script wants comes up."""
        if run.tried or not self.left or not node.is_reported:
            return None
        wanted, *rest = self.left
        results = self._results(run, node)
        if wanted not in results:
            shown = ", ".join(results[:12]) + (", ..." if len(results) > 12 else "")
            span = self._program.place_of(node).span
            raise DiceError(f"`{wanted}` cannot be rolled at {span.file}:{span.line}; possible: {shown}")
        self.left = tuple(rest)
        self._used.append(wanted)
        return results.index(wanted)

    def check(self) -> None:
        """Raise DiceError if the records differ from the script."""
        if self._shown[: len(self._used)] != self._used:
            raise DiceError(f"the script {' '.join(self._used)} does not come out: {' '.join(self._shown)}")

    def _results(self, run: TracedRun, node: Random) -> list[str]:
        """The meaning of each number of a draw, from the statement behind the draw."""
        behind = self._behind.get(id(node))
        numbers = range(run.evaluate(node.bound))
        if isinstance(behind, Set):
            found = [run.evaluate(behind.value, {node.into: number}) for number in numbers]
        else:
            found = [*numbers]
        kind = self._kind(node)
        things = None if kind is None else self._program.kinds[kind].things
        return [str(value) if things is None else things[value] for value in found]

    @cached_property
    def _behind(self) -> dict[int, Any]:
        """The statement behind each draw, by the identity of the draw."""
        return {
            id(one): behind
            for body in _bodies(self._program)
            for one, behind in pairwise(body)
            if isinstance(one, Random)
        }

    def _kind(self, node: Random) -> int | None:
        """The kind of the things that are picked from; None for dice, and for picks of numbers."""
        span = self._program.place_of(node).span
        for info in self._program.notes:
            if isinstance(info.means, Drawn) and info.span == span:
                type = info.arguments[0].type
                return type.kind if isinstance(type, Thing) else None
        return None


def _bodies(program: Program) -> Iterator[Body]:
    """All bodies of a program, also nested ones."""
    todo = [function.body for function in program.plain.values()]
    todo += [block for function in program.paused if function is not None for block in function.blocks]
    for body in todo:  # which grows meanwhile
        yield body
        todo += [inner for statement in body for inner in bodies(statement)]
