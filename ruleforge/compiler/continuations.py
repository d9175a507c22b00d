"""Turn functions that may pause into numbered blocks over a frame of the state vector.

The body is cut at questions, at calls of pausing functions, and at joins and loop heads around such cuts.
Code without a pause stays structured inside its block. `compiler/frames.py` then decides which locals must
live in the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.basic_blocks import Jump, Label, Pause, merge_tails, numbered
from ruleforge.compiler.frames import allocate
from ruleforge.compiler.passes.folding import fold
from ruleforge.compiler.visit import LOOPS, Node, bodies, placed, same, statements, with_bodies

SMALL = 60  # blocks up to this size are repeated at each jump to them instead of being jumped to
Name = Callable[[str], str]  # a stem -> the name of a new local


def cut(lowered: ir.Lowered) -> tuple[dict[str, ir.Function], list[ir.PausedFunction]]:
    """The functions that never wait, and those that may as blocks, main first; where a row ends is not asked yet."""
    functions: dict[str, ir.Function] = {}
    used: set[str] = set()  # functions whose results are used
    for name, f in lowered.functions.items():
        body = fold(f.body, lowered.tables)
        performed = [s for s in statements(body) if type(s) is ir.Perform]
        used |= {s.function for s in performed if s.into}
        if any(ends(lowered.functions[s.function]) for s in performed):
            body = with_unwinds(body, lowered.functions, at_end=not f.pauses)
        functions[name] = f if body is f.body else replace(f, body=body)
    order = [lowered.main] + [n for n, f in functions.items() if f.pauses and n != lowered.main]
    frames: list[ir.PausedFunction] = []
    for number, name in enumerate(order, 1):
        function = functions[name]
        blocks = numbered(Cutter(functions, used).cut(function), repeat=SMALL)
        blocks = [merge_tails(fold(block, lowered.tables)) for block in blocks]
        frames.append(allocate(function, number, blocks, name in used))
    plain = {name: f for name, f in functions.items() if not f.pauses and name != lowered.main}
    return plain, frames


def waits(frames: Sequence[ir.PausedFunction]) -> dict[int, ir.SiteFrame]:
    """The places in the frames that hold the arguments of each site's enumerator."""
    sites: dict[int, ir.SiteFrame] = {}
    for function in frames:
        for block in function.blocks:
            for statement in statements(block):
                if isinstance(statement, ir.Wait):
                    frame = ir.SiteFrame(function.name, statement.arguments)
                    if sites.setdefault(statement.site, frame) != frame:
                        raise ValueError(
                            f"site {statement.site} is asked at two places with different arguments"
                        )
    return sites


# Cut a function that may wait into labelled pieces at its pauses.


class Cutter:
    """Writes a structured body in continuation-passing form."""

    def __init__(self, functions: dict[str, ir.Function], used: set[str]) -> None:
        self.functions = functions
        self.used = used
        self.fresh = 0

    def cut(self, function: ir.Function) -> Label:
        end = Label((ir.Return(place=function.place),))
        return Label(self.body(function.body, end, None), place=function.place)

    def name(self, stem: str) -> str:
        self.fresh += 1
        return f"{stem}#{self.fresh}"

    def cuts(self, statement: Node, in_loop: bool = False) -> bool:
        """Whether the statement pauses, or leaves a loop that does."""
        match statement:
            case ir.Ask():
                return True
            case ir.Perform(function=callee):
                return self.functions[callee].pauses
            # A `break` jumps out of a loop that is itself in pieces; inside a loop that stays whole it is harmless.
            case ir.Break():
                return not in_loop
        inner = in_loop or isinstance(statement, LOOPS)
        return any(self.cuts(s, inner) for body in bodies(statement) for s in body)

    def body(self, body: ir.Body, after: Label, leave: Label | None) -> ir.Body:
        out: list[Node] = []
        for position, statement in enumerate(body):
            # The code after a cut becomes a label of its own.
            if self.cuts(statement):
                rest = body[position + 1 :]
                return (*out, *self.cut_statement(statement, rest, after, leave))
            out.append(statement)
            if isinstance(statement, ir.Return | ir.Finish | ir.Trap):
                return tuple(out)
        return (*out, Jump(after))

    def cut_statement(self, statement: Node, rest: ir.Body, after: Label, leave: Label | None) -> ir.Body:
        match statement:
            case ir.Break():
                assert leave is not None
                return (Jump(leave),)  # type: ignore[return-value]
            case ir.Ask():
                take = self.taken(statement.into, ir.Answer(), statement)
                return self.ask(statement, self.resume(take, rest, after, leave))
            case ir.Perform(function=function, arguments=arguments, into=into):
                # Some caller uses the result, so the function always leaves one.
                if into is None and function in self.used:
                    into = self.name("unused")  # the word RET has to be taken even so
                to = self.resume(self.taken(into, ir.Result(), statement), rest, after, leave)
                push = ir.Push(function, arguments, -1, place=statement.place)
                return (Pause(push, to),)  # type: ignore[return-value]
        join = self.label(rest, after, leave)
        match statement:
            case ir.If(test=test, then=then, other=other):
                sides = self.body(then, join, leave), self.body(other, join, leave)
                return (ir.If(test, *sides, place=statement.place),)
            case ir.While(test=test, body=inner):
                # The head is a place of its own: after a pause the next iteration starts there and asks the test again.
                head = Label()
                head.body = self.body(inner, head, join)
                if not (isinstance(test, ir.Const) and test.value):
                    out: ir.Body = (Jump(join),)  # type: ignore[assignment]
                    head.body = (ir.If(test, head.body, out, place=statement.place),)
                return (Jump(head),)  # type: ignore[return-value]
        # No backend can enter a loop in the middle, so the position of the loop goes into locals that a frame can keep.
        return self.body(placed(as_while(statement, self.name), statement.place), join, None)

    def label(self, rest: ir.Body, after: Label, leave: Label | None) -> Label:
        return Label(self.body(rest, after, leave)) if rest else after

    def resume(self, take: ir.Body, rest: ir.Body, after: Label, leave: Label | None) -> Label:
        """The label after a pause: take the result of the pause, then run the rest."""
        return Label(take + self.body(rest, after, leave), resumes=True)

    def taken(self, into: str | None, value: ir.Answer | ir.Result, by: Node) -> ir.Body:
        """Store the result of a pause where the paused statement wants it."""
        return () if into is None else (ir.Set(into, value, place=by.place),)  # type: ignore[arg-type]

    def ask(self, ask: ir.Ask, to: Label) -> ir.Body:
        """Store the arguments of the enumerator in locals, so that they can be found in the frame."""
        before: list[Node] = []
        arguments: list[ir.Expr] = []
        for argument in ask.arguments:
            if not isinstance(argument, ir.Local | ir.Const):
                name = self.name("argument")
                before.append(ir.Set(name, argument, place=ask.place))
                argument = ir.Local(name)
            arguments.append(argument)
        wait = ir.Wait(ask.site, ask.who, tuple(arguments), -1, place=ask.place)
        return (*before, Pause(wait, to))


# A loop whose body pauses becomes a `while` with its position in locals.


def as_while(loop: Node, name: Name) -> ir.Body:
    match loop:
        case ir.ForRange():
            return _range(loop, name)
        case ir.Each():
            return _each(loop, name)
        case ir.Scan():
            return _scan(loop, name)
    raise TypeError(f"not a loop: {loop!r}")


def _range(loop: ir.ForRange, name: Name) -> ir.Body:
    limit, at, high = ir.Local(name("limit")), ir.Local(loop.name), loop.high
    start, step = ir.Set(loop.name, loop.low), ir.Set(loop.name, ir.Binary("+", at, ir.Const(1)))
    if not isinstance(high, ir.Const):
        test = ir.Binary("<=", at, limit)
        return (ir.Set(limit.name, high), start, ir.While(test, (*loop.body, step)))
    if isinstance(loop.low, ir.Const) and loop.low.value <= high.value:
        # at least one round: the test can stand at the end
        last = ir.If(ir.Binary(">=", at, high), (ir.Break(),))
        return (start, ir.While(ir.Const(1), (*loop.body, last, step)))
    return (start, ir.While(ir.Binary("<=", at, high), (*loop.body, step)))


def _each(loop: ir.Each, name: Name) -> ir.Body:
    here, now = ir.Local(name("key")), ir.Local(name("position"))
    single = len(loop.names) == 1
    take = tuple(
        ir.Set(n, ir.RelationItem(loop.relation, here, now, None if single else i))  # type: ignore[arg-type]
        for i, n in enumerate(loop.names)
    )
    test = ir.Binary("<", now, ir.RelationSize(loop.relation, here))  # type: ignore[arg-type]
    step = ir.Set(now.name, ir.Binary("+", now, ir.Const(1)))
    start = (ir.Set(here.name, loop.key), ir.Set(now.name, ir.Const(0)))
    return (*start, ir.While(test, (*take, step, *loop.body)))


def _scan(loop: ir.Scan, name: Name) -> ir.Body:
    """The members are gathered first: what happens in a round may change them."""
    found, many, at = name("members"), ir.Local(name("count")), ir.Local(name("position"))
    member = ir.Local(name("member"))
    put = (ir.SetElement(found, many, member), ir.Set(many.name, ir.Binary("+", many, ir.Const(1))))
    gather = replace(loop, name=member.name, body=put, frozen=False)
    take = ir.Set(loop.name, ir.Element(found, at))
    step = ir.Set(at.name, ir.Binary("+", at, ir.Const(1)))
    return (
        ir.NewArray(found, loop.size),
        ir.Set(many.name, ir.Const(0)),
        gather,
        ir.Set(at.name, ir.Const(0)),
        ir.While(ir.Binary("<", at, many), (take, step, *loop.body)),
    )


# After a call that may end the game, the caller tests for the end.


def with_unwinds(body: ir.Body, functions: Mapping[str, ir.Function], at_end: bool = False) -> ir.Body:
    """Add a check after each call of a plain function that may finish the game.

    `at_end`: no code follows the body, so a call at its end needs no check.
    """
    out: list[Node] = []
    for position, statement in enumerate(body):
        last = at_end and position == len(body) - 1
        inside = last and isinstance(statement, ir.If)
        statement = with_bodies(statement, lambda b, inside=inside: with_unwinds(b, functions, inside))  # type: ignore[misc]
        out.append(statement)
        if isinstance(statement, ir.Perform) and not last and ends(functions[statement.function]):
            out.append(ir.Unwind(place=statement.place))
    return same(body, out)


def ends(callee: ir.Function) -> bool:
    """Whether the game may be over after a plain call of this function."""
    return callee.finishes and not callee.pauses
