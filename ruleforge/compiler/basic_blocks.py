"""Number the labelled parts of a function as blocks. Small parts and parts with one entry are inlined."""

from __future__ import annotations

from dataclasses import field, replace

from ruleforge.analysis.dataflow import reach
from ruleforge.compiler import ir
from ruleforge.compiler.passes.expressions import negation
from ruleforge.compiler.passes.loop_unrolling import size
from ruleforge.compiler.visit import Node, same, statements, with_bodies
from ruleforge.support.records import dataclass


@dataclass(eq=False)
class Label:
    """A jump target; `resumes` marks a target after a pause."""

    body: ir.Body = ()
    resumes: bool = False
    place: int = 0  # of an entry: that of the function
    arrivals: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Jump:
    to: Label


@dataclass(frozen=True, slots=True)
class Pause:
    """A Wait or Push whose block is still a label."""

    node: ir.Wait | ir.Push
    to: Label


def numbered(entry: Label, repeat: int) -> list[ir.Body]:
    """Number the entry, the places after a pause and large joins. Inline the rest."""
    _count(entry)
    return _Numbering(entry, repeat).blocks()


class _Numbering:
    def __init__(self, entry: Label, repeat: int) -> None:
        self.entry, self.repeat = entry, repeat
        self.numbers: dict[Label, int] = {entry: 0}
        self.order = [entry]
        self.budget = 0  # how much may still be repeated in a block

    def blocks(self) -> list[ir.Body]:
        found: list[ir.Body] = []
        while len(found) < len(self.order):
            label, self.budget = self.order[len(found)], 6 * self.repeat
            found.append(self.place(label.body, (label,)))
        return found

    def number(self, label: Label) -> int:
        if label not in self.numbers:
            self.numbers[label] = len(self.order)
            self.order.append(label)
        return self.numbers[label]

    def may_repeat(self, label: Label) -> bool:
        if label.arrivals == 1:
            return True
        # Code in place saves a jump. But joins behind joins would double with each repetition, so a block has a budget.
        cost = size(label.body)
        self.budget -= cost
        return cost <= self.repeat and self.budget > 0

    def place(self, body: ir.Body, inside: tuple[Label, ...]) -> ir.Body:
        out: list[Node] = []
        statement: Node
        for statement in body:
            match statement:
                case Jump(to=to):
                    out.extend(self.gone_to(to, inside))
                case Pause(node=node, to=to):
                    out.append(replace(node, block=self.number(to)))
                case ir.If():
                    out.append(with_bodies(statement, lambda b: self.place(b, inside)))
                case _:
                    out.append(statement)
        return tuple(out)

    def gone_to(self, to: Label, inside: tuple[Label, ...]) -> tuple[Node, ...]:
        """The body of a label, or a jump to it."""
        # A frame notes the number of the place after a pause. A label within itself is a loop, which needs a jump.
        free = not to.resumes and to not in inside and to not in self.numbers
        if free and self.may_repeat(to):
            return self.place(to.body, (*inside, to))
        return (ir.Goto(self.number(to), place=self.entry.place),)


def _count(entry: Label) -> None:

    def left(label: Label) -> list[Label]:
        return [s.to for s in statements(label.body) if isinstance(s, Jump | Pause)]

    for label in reach([entry], left):
        for to in left(label):
            to.arrivals += 1


# Branches with a common end share it behind them.


def merge_tails(body: ir.Body) -> ir.Body:
    """Move the common end of both sides of an If behind it."""
    out: list[Node] = []
    for statement in body:
        statement = with_bodies(statement, merge_tails)
        tail: ir.Body = ()
        if isinstance(statement, ir.If):
            then, other = statement.then, statement.other
            # Smaller code matters here: what comes behind a pause is repeated in many blocks.
            while then and other and then[-1] == other[-1]:
                then, other, tail = then[:-1], other[:-1], (then[-1], *tail)
            if tail:
                statement = replace(statement, then=then, other=other)
                if not then and other:
                    statement = replace(statement, test=negation(statement.test), then=other, other=())
        out.append(statement)
        out.extend(tail)
    return same(body, out)
