"""Print a readable listing of a program, before or after the cut at its pauses, with the places in the
rules.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.compiler import ir
from ruleforge.compiler.visit import Expression, Node
from ruleforge.support.diagnostics import NOWHERE, Span

WIDTH = 88


def dump(program: ir.Program) -> str:
    """The whole program as backends get it."""
    return "\n".join(_Listing(program).blocks(program)) + "\n"


def dump_direct(program: ir.Lowered) -> str:
    """The program in direct style, as the rules say it: nothing is cut at the pauses."""
    return "\n".join(_Listing(program).functions()) + "\n"


class _Listing:
    """Lines of text; the place in the rules is next to the first line from it."""

    def __init__(self, program: ir.Lowered) -> None:
        self.program = program
        self.last = NOWHERE

    def functions(self) -> Iterator[str]:
        yield from self.head()
        for function in self.program.functions.values():
            yield ""
            yield from self.function(function)

    def blocks(self, program: ir.Program) -> Iterator[str]:
        yield from self.head()
        yield f"row: {program.row_size} words, stack from {program.stack}"
        for number, frame in sorted(program.waits.items()):
            yield f"site {number} waits in {frame.function} ({_list(frame.arguments)})"
        for blocks in program.paused:
            if blocks is not None:
                yield ""
                yield from self.frame(blocks)
        for function in program.plain.values():
            yield ""
            yield from self.function(function)

    def head(self) -> Iterator[str]:
        program = self.program
        yield f"program {program.name}: {program.stack} words of its own, main {program.main}"
        for number, column in enumerate(program.columns):
            mark = " indexed" if number in program.indexed else ""
            yield f"column {column.name}: slots {column.base + 1}..{column.base + column.size}{mark}"
        for site in program.sites[1:]:
            options = ", ".join(f"{o.word or '-'} {o.first}..{o.first + o.count - 1}" for o in site.options)
            yield self.beside(f"site {site.number} {site.enumerator}: {options}", site.span)

    def function(self, function: ir.Function) -> Iterator[str]:
        marks = [word for word, on in (("pauses", function.pauses), ("finishes", function.finishes)) if on]
        head = f"function {function.name}({', '.join(function.parameters)})"
        yield self.beside(" ".join([head, *marks]) + ":", self.program.place_of(function).span)
        yield from self.body(function.body, 1)

    def frame(self, function: ir.PausedFunction) -> Iterator[str]:
        address = "" if function.fixed is None else f" at {function.fixed}"
        head = f"frame {function.number} {function.name}({', '.join(function.parameters)})"
        size = f"{function.frame_size} words{address}"
        yield self.beside(f"{head}: {size}", self.program.place_of(function).span)
        saved = ", ".join(f"{name} +{offset}" for name, offset in function.saved.items())
        if saved:
            yield f"  saved: {saved}"
        for number, block in enumerate(function.blocks):
            yield f"  block {number}:"
            yield from self.body(block, 2)

    def beside(self, text: str, span: Span) -> str:
        fresh = span != NOWHERE and (span.file, span.line) != (self.last.file, self.last.line)
        self.last = span
        return f"{text:<{WIDTH}} # {span.file}:{span.line}" if fresh else text

    def body(self, body: ir.Body, depth: int) -> Iterator[str]:
        for statement in body:
            yield from self.statement(statement, depth)
        if not body:
            yield "  " * depth + "nothing"

    def statement(self, s: Node, depth: int) -> Iterator[str]:
        pad, span = "  " * depth, self.program.place_of(s).span
        match s:
            case ir.If(test=test, then=then, other=other):
                yield self.beside(f"{pad}if {_text(test)}:", span)
                yield from self.body(then, depth + 1)
                if other:
                    yield f"{pad}else:"
                    yield from self.body(other, depth + 1)
            case ir.While() | ir.ForRange() | ir.Each() | ir.Scan():
                yield self.beside(f"{pad}{_loop(s)}:", span)
                yield from self.body(s.body, depth + 1)
            case _:
                yield self.beside(pad + _line(s), span)


def _loop(s: Node) -> str:
    match s:
        case ir.While(test=test):
            return f"while {_text(test)}"
        case ir.ForRange(name=name, low=low, high=high):
            return f"for {name} in {_text(low)}..{_text(high)}"
        case ir.Each(names=names, relation=relation, key=key):
            return f"for {', '.join(names)} in relation{relation}[{_text(key)}]"
    frozen = " frozen" if s.frozen else ""
    return f"scan {s.name} in 1..{s.size} where row[{s.base} + {s.name}] == {_text(s.value)}{frozen}"


def _line(s: Node) -> str:
    match s:
        case ir.Set(name=name, value=value):
            return f"{name} = {_text(value)}"
        case ir.Store(base=base, index=index, value=value):
            return f"{_slot('row', base, index)} = {_text(value)}"
        case ir.FrameStore(offset=offset, index=index, value=value):
            return f"{_slot('frame', offset, index)} = {_text(value)}"
        case ir.FrameClear(offset=offset, size=size):
            return f"frame[{offset}..{offset + size - 1}] = 0"
        case ir.NewArray(name=name, size=size):
            return f"{name} = array of {size}"
        case ir.SetElement(array=array, index=index, value=value):
            return f"{array}[{_text(index)}] = {_text(value)}"
        case ir.Return(value=value):
            return f"return {_text(value)}"
        case ir.Perform(function=function, arguments=arguments, into=into):
            return f"{_into(into)}{function}({_list(arguments)})"
        case ir.Offer(code=code):
            return f"offer {_text(code)}"
        case ir.Ask(site=site, who=who, arguments=arguments, into=into):
            return f"{into} = ask {_text(who)} at site {site} ({_list(arguments)})"
        case ir.Wait(site=site, who=who, arguments=arguments, block=block):
            return f"wait for {_text(who)} at site {site} ({_list(arguments)}) then block {block}"
        case ir.Push(function=function, arguments=arguments, block=block, checked=checked):
            return f"push {function}({_list(arguments)}) then block {block}{'' if checked else ' (fits)'}"
        case ir.Random(into=into, bound=bound):
            return f"{into} = random below {_text(bound)}"
        case ir.Finish(ending=ending, winners=winners):
            return f"finish {ending} for {_text(winners)}"
        case ir.Goto(block=block):
            return f"go to block {block}"
        case ir.Trap(fault=fault):
            return f"trap {fault}"
        case ir.Spend(work=work):
            return f"spend {work}"
        case ir.Note(note=note, arguments=arguments):
            return f"note {note} ({_list(arguments)})"
    return type(s).__name__.lower()


def _text(e: Expression, inside: bool = False) -> str:
    match e:
        case ir.Const(value=value):
            return str(value)
        case ir.Local(name=name):
            return name
        case ir.Load(base=base, index=index):
            return _slot("row", base, index)
        case ir.FrameLoad(offset=offset, index=index):
            return _slot("frame", offset, index)
        case ir.Table(table=table, index=index):
            return f"table{table}[{_text(index)}]"
        case ir.Element(array=array, index=index):
            return f"{array}[{_text(index)}]"
        case ir.Binary(op=op, left=left, right=right, checked=checked):
            text = f"{_text(left, True)} {op}{'!' if checked else ''} {_text(right, True)}"
            return f"({text})" if inside else text
        case ir.Logic(op=op, parts=parts):
            text = f" {op} ".join(_text(part, True) for part in parts)
            return f"({text})" if inside else text
        case ir.Negate(value=value):
            return f"-{_text(value, True)}"
        case ir.LogicNot(value=value):
            return f"not {_text(value, True)}"
        case ir.Select(test=test, then=then, other=other):
            return f"({_text(then)} if {_text(test)} else {_text(other)})"
        case ir.CallExpr(function=function, arguments=arguments):
            return f"{function}({_list(arguments)})"
        case ir.Trial(function=function, arguments=arguments):
            return f"trial of {function}({_list(arguments)})"
        case ir.Member(relation=relation, key=key, value=value):
            return f"({_text(value)} in relation{relation}[{_text(key)}])"
        case ir.Connected(base=base, near=near, start=start, value=value, goal=goal, key=key):
            chain = f"over row[{base} + ..] == {_text(value)} along relation{near}"
            return f"({_text(start)} connected to relation{goal}[{_text(key)}] {chain})"
        case ir.RelationSize(relation=relation, key=key):
            return f"size of relation{relation}[{_text(key)}]"
        case ir.RelationItem(relation=relation, key=key, position=position, field=field):
            part = "" if field is None else f"[{field}]"
            return f"relation{relation}[{_text(key)}][{_text(position)}]{part}"
    return type(e).__name__.lower()


def _slot(what: str, base: int, index: Expression | None) -> str:
    return f"{what}[{base}]" if index is None else f"{what}[{base} + {_text(index, True)}]"


def _into(name: str | None) -> str:
    return "" if name is None else f"{name} = "


def _list(arguments: tuple[Expression, ...]) -> str:
    return ", ".join(map(_text, arguments))
