"""A function that may wait -> labelled pieces, cut where it does."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.continuations.labels import Jump, Label, Pause
from ruleforge.compiler.continuations.loops import as_while
from ruleforge.compiler.visit import LOOPS, Node, bodies, placed


class Cutter:
    """Writes a structured body in the form: do this, then go on there."""

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
            case ir.Break():
                return not in_loop
        inner = in_loop or isinstance(statement, LOOPS)
        return any(self.cuts(s, inner) for body in bodies(statement) for s in body)

    def body(self, body: ir.Body, after: Label, leave: Label | None) -> ir.Body:
        out: list[Node] = []
        for position, statement in enumerate(body):
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
                head = Label()
                head.body = self.body(inner, head, join)
                if not (isinstance(test, ir.Const) and test.value):
                    out: ir.Body = (Jump(join),)  # type: ignore[assignment]
                    head.body = (ir.If(test, head.body, out, place=statement.place),)
                return (Jump(head),)  # type: ignore[return-value]
        return self.body(placed(as_while(statement, self.name), statement.place), join, None)

    def label(self, rest: ir.Body, after: Label, leave: Label | None) -> Label:
        return Label(self.body(rest, after, leave)) if rest else after

    def resume(self, take: ir.Body, rest: ir.Body, after: Label, leave: Label | None) -> Label:
        """Where to go on after a pause: take the word it left, then do the rest."""
        return Label(take + self.body(rest, after, leave), resumes=True)

    def taken(self, into: str | None, value: ir.Answer | ir.Result, by: Node) -> ir.Body:
        """The word a pause left goes where the statement that paused wants it."""
        return () if into is None else (ir.Set(into, value, place=by.place),)  # type: ignore[arg-type]

    def ask(self, ask: ir.Ask, to: Label) -> ir.Body:
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
        return (*before, Pause(wait, to))
