"""Functions in direct style -> every function that may wait as numbered blocks over a frame of the row.

The body is cut where it asks, where it performs a pausing function, and at joins and loop heads around such
cuts; code without a pause stays structured inside its block. `compiler/frames.py` then decides which locals
have to live in the frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace

from ruleforge.compiler import ir
from ruleforge.compiler.frames import allocate
from ruleforge.compiler.passes.folding import fold
from ruleforge.compiler.passes.tails import merge_tails
from ruleforge.compiler.passes.unrolling import size
from ruleforge.compiler.passes.unwinding import ends, with_unwinds
from ruleforge.compiler.visit import LOOPS, Node, bodies, placed, statements, with_bodies
from ruleforge.quick import dataclass

SMALL = 60  # blocks up to this size are repeated at each jump to them instead of being jumped to


def cut(lowered: ir.Lowered) -> tuple[dict[str, ir.Function], list[ir.PausedFunction]]:
    """The functions that never wait, and those that may as blocks, main first; where a row ends is not asked yet."""
    functions: dict[str, ir.Function] = {}
    used: set[str] = set()  # whose results somebody wants
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
        blocks = _number(_Cutter(functions, used).cut(function), repeat=SMALL)
        blocks = [merge_tails(fold(block, lowered.tables)) for block in blocks]
        frames.append(allocate(function, number, blocks, name in used))
    plain = {name: f for name, f in functions.items() if not f.pauses and name != lowered.main}
    return plain, frames


def waits(frames: Sequence[ir.PausedFunction]) -> dict[int, ir.SiteFrame]:
    """Where in the frames the arguments of each site's enumerator are found."""
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


# --- cutting into labelled pieces ---


@dataclass(eq=False)
class _Label:
    """A place to go on; `resumes` marks a place that is reached after a pause."""

    body: ir.Body = ()
    resumes: bool = False
    place: int = 0  # of an entry: that of the function
    arrivals: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class _Jump:
    to: _Label


@dataclass(frozen=True, slots=True)
class _Pause:
    """A Wait or Push whose block is still a label."""

    node: ir.Wait | ir.Push
    to: _Label


class _Cutter:
    """Writes a structured body in the form: do this, then go on there."""

    def __init__(self, functions: dict[str, ir.Function], used: set[str]) -> None:
        self.functions = functions
        self.used = used
        self.fresh = 0

    def cut(self, function: ir.Function) -> _Label:
        end = _Label((ir.Return(place=function.place),))
        return _Label(self.body(function.body, end, None), place=function.place)

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
            case ir.Break():
                return not in_loop
        inner = in_loop or isinstance(statement, LOOPS)
        return any(self.cuts(s, inner) for body in bodies(statement) for s in body)

    def body(self, body: ir.Body, after: _Label, leave: _Label | None) -> ir.Body:
        out: list[Node] = []
        for position, statement in enumerate(body):
            if self.cuts(statement):
                rest = body[position + 1 :]
                return (*out, *self.cut_statement(statement, rest, after, leave))
            out.append(statement)
            if isinstance(statement, ir.Return | ir.Finish | ir.Trap):
                return tuple(out)
        return (*out, _Jump(after))

    def cut_statement(self, statement: Node, rest: ir.Body, after: _Label, leave: _Label | None) -> ir.Body:
        match statement:
            case ir.Break():
                assert leave is not None
                return (_Jump(leave),)  # type: ignore[return-value]
            case ir.Ask():
                take = self.taken(statement.into, ir.Answer(), statement)
                return self.ask(statement, self.resume(take, rest, after, leave))
            case ir.Perform(function=function, arguments=arguments, into=into):
                if into is None and function in self.used:
                    into = self.name("unused")  # the word RET has to be taken even so
                to = self.resume(self.taken(into, ir.Result(), statement), rest, after, leave)
                push = ir.Push(function, arguments, -1, place=statement.place)
                return (_Pause(push, to),)  # type: ignore[return-value]
        join = self.label(rest, after, leave)
        match statement:
            case ir.If(test=test, then=then, other=other):
                sides = self.body(then, join, leave), self.body(other, join, leave)
                return (ir.If(test, *sides, place=statement.place),)
            case ir.While(test=test, body=inner):
                head = _Label()
                head.body = self.body(inner, head, join)
                if not (isinstance(test, ir.Const) and test.value):
                    out: ir.Body = (_Jump(join),)  # type: ignore[assignment]
                    head.body = (ir.If(test, head.body, out, place=statement.place),)
                return (_Jump(head),)  # type: ignore[return-value]
        return self.body(placed(self.plain_loop(statement), statement.place), join, None)

    def label(self, rest: ir.Body, after: _Label, leave: _Label | None) -> _Label:
        return _Label(self.body(rest, after, leave)) if rest else after

    def resume(self, take: ir.Body, rest: ir.Body, after: _Label, leave: _Label | None) -> _Label:
        """Where to go on after a pause: take the word it left, then do the rest."""
        return _Label(take + self.body(rest, after, leave), resumes=True)

    def taken(self, into: str | None, value: ir.Answer | ir.Result, by: Node) -> ir.Body:
        """The word a pause left goes where the statement that paused wants it."""
        return () if into is None else (ir.Set(into, value, place=by.place),)  # type: ignore[arg-type]

    def ask(self, ask: ir.Ask, to: _Label) -> ir.Body:
        """Arguments of the enumerator become locals, so that they can be found in the frame."""
        before: list[Node] = []
        arguments: list[ir.Expr] = []
        for argument in ask.arguments:
            if not isinstance(argument, ir.Local | ir.Const):
                name = self.name("argument")
                before.append(ir.Set(name, argument, place=ask.place))
                argument = ir.Local(name)
            arguments.append(argument)
        wait = ir.Wait(ask.site, ask.who, tuple(arguments), -1, place=ask.place)
        return (*before, _Pause(wait, to))

    def plain_loop(self, loop: Node) -> ir.Body:
        """A loop whose body pauses, as a `while` with its position in locals."""
        match loop:
            case ir.ForRange(name=name, low=low, high=high, body=body):
                limit = self.name("limit")
                step = ir.Set(name, ir.Binary("+", ir.Local(name), ir.Const(1)))
                start: ir.Body = (ir.Set(limit, high), ir.Set(name, low))
                if isinstance(high, ir.Const) and isinstance(low, ir.Const) and low.value <= high.value:
                    # at least one round: the test can stand at the end
                    last = ir.If(ir.Binary(">=", ir.Local(name), high), (ir.Break(),))
                    return (ir.Set(name, low), ir.While(ir.Const(1), (*body, last, step)))
                if isinstance(high, ir.Const):
                    return (ir.Set(name, low), ir.While(ir.Binary("<=", ir.Local(name), high), (*body, step)))
                return (*start, ir.While(ir.Binary("<=", ir.Local(name), ir.Local(limit)), (*body, step)))
            case ir.Each(names=names, relation=relation, key=key, body=body):
                place, at = self.name("key"), self.name("position")
                here, now = ir.Local(place), ir.Local(at)
                single = len(names) == 1
                take = tuple(
                    ir.Set(n, ir.RelationItem(relation, here, now, None if single else i))  # type: ignore[arg-type]
                    for i, n in enumerate(names)
                )
                test = ir.Binary("<", now, ir.RelationSize(relation, here))  # type: ignore[arg-type]
                step = ir.Set(at, ir.Binary("+", now, ir.Const(1)))
                return (ir.Set(place, key), ir.Set(at, ir.Const(0)), ir.While(test, (*take, step, *body)))
            case ir.Scan(name=name, size=most, body=body):
                found, many, at = self.name("members"), self.name("count"), self.name("position")
                member = self.name("member")
                gather = replace(
                    loop,
                    name=member,
                    body=(
                        ir.SetElement(found, ir.Local(many), ir.Local(member)),
                        ir.Set(many, ir.Binary("+", ir.Local(many), ir.Const(1))),
                    ),
                    frozen=False,
                )
                take = (ir.Set(name, ir.Element(found, ir.Local(at))),)
                step = ir.Set(at, ir.Binary("+", ir.Local(at), ir.Const(1)))
                return (
                    ir.NewArray(found, most),
                    ir.Set(many, ir.Const(0)),
                    gather,
                    ir.Set(at, ir.Const(0)),
                    ir.While(ir.Binary("<", ir.Local(at), ir.Local(many)), (*take, step, *body)),
                )
        raise TypeError(f"not a loop: {loop!r}")


# --- numbering ---


def _number(entry: _Label, repeat: int) -> list[ir.Body]:
    """Number the entry, the places after a pause and joins too big to be repeated; put the rest in place."""
    _count(entry)
    numbers: dict[_Label, int] = {entry: 0}
    order = [entry]
    blocks: list[ir.Body] = []
    budget = 0

    def number(label: _Label) -> int:
        if label not in numbers:
            numbers[label] = len(order)
            order.append(label)
        return numbers[label]

    def may_repeat(label: _Label) -> bool:
        nonlocal budget
        if label.arrivals == 1:
            return True
        cost = size(label.body)
        budget -= cost
        return cost <= repeat and budget > 0

    def place(body: ir.Body, inside: tuple[_Label, ...]) -> ir.Body:
        out: list[Node] = []
        statement: Node
        for statement in body:
            match statement:
                case _Jump(to=to):
                    free = not to.resumes and to not in inside and to not in numbers
                    if free and may_repeat(to):
                        out.extend(place(to.body, (*inside, to)))
                    else:
                        out.append(ir.Goto(number(to), place=entry.place))
                case _Pause(node=node, to=to):
                    out.append(replace(node, block=number(to)))
                case ir.If():
                    out.append(with_bodies(statement, lambda b: place(b, inside)))
                case _:
                    out.append(statement)
        return tuple(out)

    while len(blocks) < len(order):
        label, budget = order[len(blocks)], 6 * repeat
        blocks.append(place(label.body, (label,)))
    return blocks


def _count(entry: _Label) -> None:
    seen, todo = {entry}, [entry]
    while todo:
        for statement in statements(todo.pop().body):
            if isinstance(statement, _Jump | _Pause):
                statement.to.arrivals += 1
                if statement.to not in seen:
                    seen.add(statement.to)
                    todo.append(statement.to)
