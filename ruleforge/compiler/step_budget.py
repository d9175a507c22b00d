"""Insert step counting into functions: they account for their work before they do it, if it may be much.

Work is an upper bound in steps of the intermediate form. Every backend counts it at the same statements, so
all of them stop at the same word. A short loop or function does not count; the loop or function around it
accounts for its cost. Games without long loops therefore have no step counter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from typing import Any

from ruleforge.analysis.dataflow import reach
from ruleforge.analysis.ranges import ValueRanges
from ruleforge.compiler import ir
from ruleforge.compiler.visit import (
    LEAVES,
    Expression,
    Node,
    calls,
    expressions,
    same,
    statements,
    with_bodies,
)
from ruleforge.support.records import dataclass

WHOLE = 16384  # a loop or a function up to this work counts nothing
BRANCH = 4096  # nor does a branch of so much
FINE = 24  # nor one of so little, also if the iterations around it are many
NESTED = 3  # depth of nested loops whose branches are processed again
COUNTING = 8  # the cost of the count itself
MOST = 1 << 30  # counted at once; twice as much still fits into a word
CALL = 3
TRIAL = 10  # beside the row, which is copied
OFFER = 8  # a choice is a thing to be made and kept
CODE = "RF829"
_SIMPLE = frozenset((ir.Set, ir.Store, ir.Note, ir.Return))  # the most common statements

_SPECIAL = frozenset((ir.CallExpr, ir.Trial, ir.Connected))
_STATEMENTS: dict[type, int] = {ir.Store: 2, ir.Random: 6, ir.Offer: OFFER, ir.Ask: 8, ir.Perform: CALL}


def with_step_budget(lowered: ir.Lowered) -> ir.Lowered:
    """The program with `Spend` where it is needed."""
    return _StepBudget(lowered).run()


def tells(program: ir.Lowered, names: Iterable[str]) -> bool:
    """Whether any of these functions, or of those they call, counts its work."""
    run = reach(names, lambda name: _calls(program, name))
    return any(isinstance(s, ir.Spend) for name in run for s in statements(program.functions[name].body))


def _calls(program: ir.Lowered, name: str) -> Iterator[str]:
    """The functions that a function calls, those that list what it asks for among them."""
    function = program.functions[name]
    yield from calls(function.body)
    if function.pauses:
        for s in statements(function.body):
            if isinstance(s, ir.Ask):
                yield program.sites[s.site].enumerator


@dataclass
class _StepBudget:
    program: ir.Lowered
    ranges: ValueRanges = field(init=False)
    faults: list[ir.Fault] = field(init=False)
    numbers: dict[ir.Fault, int] = field(init=False)
    done: dict[str, ir.Function] = field(default_factory=dict)
    uncounted: dict[str, int] = field(default_factory=dict)  # by function: work that it does not tell itself
    circular: set[str] = field(default_factory=set)  # functions that are called while they run
    limit: int = BRANCH  # of a branch that counts nothing
    nested: int = 0
    idle: int = 0  # the longest uncounted iteration that asks a player

    def __post_init__(self) -> None:
        self.ranges = ValueRanges(self.program)
        self.faults = list(self.program.faults)
        self.numbers = {fault: number for number, fault in reversed([*enumerate(self.faults)])}

    def run(self) -> ir.Lowered:
        for name in self._callees_first():
            self.done[name] = self._function(self.program.functions[name])
        functions = {name: self._with_idle(self.done[name]) for name in self.program.functions}
        return replace(self.program, functions=functions, faults=tuple(self.faults))

    def _function(self, function: ir.Function) -> ir.Function:
        body, work = self.body(function.body)
        if work > WHOLE or function.name in self.circular:
            body, work = (self.spend(work, function.place), *body), 0
        self.uncounted[function.name] = work
        return replace(function, body=body)

    def spend(self, work: int, place: int) -> ir.Spend:
        where = self.program.written[place]
        whose = f"`{where.definition}`" if where.definition else "this"
        fault = ir.Fault(CODE, f"{whose} exceeds the step budget of one decision", where.span)
        number = self.numbers.setdefault(fault, len(self.faults))
        if number == len(self.faults):
            self.faults.append(fault)
        return ir.Spend(min(work, MOST), number, place=place)

    # --- bodies: the rewritten body and its uncounted work ---

    def body(self, body: ir.Body) -> tuple[ir.Body, int]:
        new: list[Node] = []
        total = 0
        for s in body:
            s, work = self.statement(s)
            new.append(s)
            total += work
        return same(body, new), total

    def statement(self, s: Node) -> tuple[Node, int]:
        own = _STATEMENTS.get(type(s), 1) + self.expressions(s)
        if type(s) in _SIMPLE:
            return s, own
        match s:
            case ir.If():
                then, one = self.branch(s.then)
                other, two = self.branch(s.other)
                if then is not s.then or other is not s.other:
                    s = replace(s, then=then, other=other)
                return s, own + max(one, two)
            case ir.While() | ir.ForRange() | ir.Each() | ir.Scan():
                return self.loop(s, own)
            case ir.Perform(function=function):
                return s, own + self.uncounted.get(function, 0)
            case ir.Ask(site=site):
                return s, own + self.uncounted.get(self.program.sites[site].enumerator, 0)
            case ir.NewArray(size=size):
                return s, own + size // 8
        return s, own

    def branch(self, body: ir.Body) -> tuple[ir.Body, int]:
        """The branch with its work. A branch with much work counts it itself, because it may not run."""
        new, work = self.body(body)
        return ((self.spend(work, new[0].place), *new), 0) if work > self.limit else (new, work)

    def loop(self, s: Any, own: int) -> tuple[Node, int]:
        """Count a loop. A cheap loop counts nothing; for others the branches count, if that is enough."""
        test = self.expressions(s) if isinstance(s, ir.While) else 0
        own += s.size // 4 if isinstance(s, ir.Scan) else 0
        body, work = self.body(s.body)
        work += 1 + test
        # It waits for an answer in each iteration, so the budget of the next decision pays for the next one.
        if isinstance(s, ir.While) and s.asks and work <= WHOLE:
            self.idle = max(self.idle, work)
            return _with_body(s, body), own + work
        # A loop whose iterations are bounded may be paid for beforehand, which is cheaper than a count in each.
        iterations = self.ranges.iterations(s)
        if iterations is not None and iterations * work > WHOLE and self.nested < NESTED:
            finer = self._finer(s.body, iterations)
            body, work = finer if iterations * finer[1] <= WHOLE else (body, work)
            work += 1 + test
        if iterations is not None and iterations * work <= WHOLE:
            return _with_body(s, body), own + iterations * work
        return _with_body(s, (self.spend(COUNTING + work, s.place), *body)), own

    def _finer(self, body: ir.Body, iterations: int) -> tuple[ir.Body, int]:
        """The body with counting inside its branches, because most iterations reach none of them."""
        outer_limit, self.limit = self.limit, max(FINE, WHOLE // (4 * iterations))
        self.nested += 1
        finer = self.body(body)
        self.nested -= 1
        self.limit = outer_limit
        return finer

    def expressions(self, node: Node) -> int:
        """The work of all that a node evaluates."""
        work = 0
        found = [*expressions(node)]
        for e in found:  # which grows meanwhile; constants and locals cost nothing
            kind = type(e)
            if kind not in LEAVES:
                work += self.special(e) if kind in _SPECIAL else 1
                found += expressions(e)
        return work

    def special(self, e: Expression) -> int:
        """The work of one that does more than a step, without that of its parts."""
        match e:
            case ir.CallExpr(function=function):
                return CALL + self.uncounted.get(function, 0)
            case ir.Trial(function=function):
                return TRIAL + len(self.program.own) // 16 + self.uncounted.get(function, 0)
        return 4 * int(e.size)

    def _with_idle(self, function: ir.Function) -> ir.Function:
        """Count each skipped player as the longest uncounted iteration."""
        if not self.idle or not any(isinstance(s, ir.Link) and s.idle for s in statements(function.body)):
            return function
        return replace(function, body=self._idle_body(function.body))

    def _idle_body(self, body: ir.Body) -> ir.Body:
        out: list[Node] = []
        for s in body:
            if isinstance(s, ir.Link) and s.idle:
                out.append(self.spend(self.idle, s.place))
            out.append(with_bodies(s, self._idle_body))
        return tuple(out)

    # --- order ---

    def _callees_first(self) -> list[str]:
        """Each function behind those it calls; where there is a circle, its first function is marked."""
        order: list[str] = []
        met: set[str] = set()
        # With a path of its own instead of recursion: chains of calls may be deeper than Python's stack.
        for start in self.program.functions:
            path: dict[str, Iterator[str]] = {} if start in met else {start: _calls(self.program, start)}
            met.add(start)
            while path:
                here = next(reversed(path))
                callee = next(path[here], None)
                if callee is None:
                    order.append(here)
                    path.popitem()
                elif callee in path:
                    self.circular.add(callee)
                elif callee not in met:
                    met.add(callee)
                    path[callee] = _calls(self.program, callee)
        return order


def _with_body(loop: Node, body: ir.Body) -> Node:
    return loop if body is loop.body else replace(loop, body=body)
