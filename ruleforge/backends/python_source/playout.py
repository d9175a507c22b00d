"""Generate playouts: Python functions that draw every choice at random and never pause.

`rnd` is the method `random` of a generator. The draws are the same as those of the reference interpreter.
"""

from __future__ import annotations

from typing import Any

from ruleforge.analysis.intervals import Interval
from ruleforge.backends.python_source.choice_lists import Lister
from ruleforge.backends.python_source.statements import AT_REST, Context, Statements
from ruleforge.backends.python_source.step import Step, hot_first
from ruleforge.backends.python_source.writer import Writer
from ruleforge.compiler import ir
from ruleforge.compiler.passes.expressions import is_harmless
from ruleforge.compiler.passes.folding import fold, fold_expression
from ruleforge.compiler.passes.substitution import substitute
from ruleforge.compiler.visit import Expression

TARGET = "target of the draw"


def write_draw(printer: Statements, lister: Lister, arguments: tuple[Expression, ...], target: str) -> None:
    """Write lines that set `target` to one of the codes, or -1."""
    # Every backend must draw the same choice from the same random numbers, or playouts could not be compared.
    sampler = lister.site.sampler
    if sampler is None or _accepts_everything(sampler, lister):
        _from_list(printer, lister, arguments, target)
    else:
        _by_trying(printer, lister, sampler, arguments, target)
    _refill(printer, target)


def _accepts_everything(sampler: ir.Sampler, lister: Lister) -> bool:
    """Drawing one member of an index, untested, is the same as drawing from the list."""
    single = lister.single(lister.body)
    if (
        len(sampler.draws) != 1
        or single is None
        or not isinstance(sampler.test, ir.Const)
        or not sampler.test.value
    ):
        return False
    scan, code = single
    (own,) = substitute((ir.Return(sampler.code),), {sampler.names[0]: ir.Local(scan.name)})
    same = fold((own,), ()) == fold((ir.Return(code),), ())
    return same and sampler.draws[0] == ir.DrawScan(scan.base, scan.size, scan.value)


def _by_trying(
    printer: Statements, lister: Lister, sampler: ir.Sampler, arguments: tuple[Expression, ...], target: str
) -> None:
    out = printer.out
    with out.block(f"for _ in N{sampler.tries}:"):
        test, code = _sample(printer, lister, sampler, arguments)
        taken: ir.Body = (ir.If(test, (ir.Set(TARGET, code), ir.Break())),)
        printer.names.known[TARGET] = target
        printer.body(fold(lister.context.inliner.whole(taken), lister.context.program.tables))
    with out.block("else:"):
        _from_list(printer, lister, arguments, target)


def _refill(printer: Statements, target: str) -> None:
    """A choice was made: all is counted anew; without choices it is not, so nothing runs for ever."""
    if printer.context.program.counts_work:
        printer.out(f"if {target} >= 0: {AT_REST}")


def _from_list(printer: Statements, lister: Lister, arguments: tuple[Expression, ...], target: str) -> None:
    out = printer.out
    single = lister.single(lister.with_arguments(arguments, printer.names)) if lister.inline else None
    if single is not None:
        scan, code = single
        name = printer.names.local(scan.name)
        out(f"L = {printer.members(scan)}")
        out(f"if L: {name} = L[int(rnd() * len(L))]; {target} = {printer.value(code)}")
        out(f"else: {target} = -1")
        return
    lister.write(printer, arguments)
    if lister.never_empty:
        out(f"{target} = L[int(rnd() * len(L))]")
    else:
        out(f"{target} = L[int(rnd() * len(L))] if L else -1")


def _sample(
    printer: Statements, lister: Lister, sampler: ir.Sampler, arguments: tuple[Expression, ...]
) -> tuple[Expression, Expression]:
    """Lines that draw a candidate of each part; gives the test and the code in terms of them."""
    tables = lister.context.program.tables
    values: dict[str, Expression] = dict(zip(lister.parameters, arguments, strict=True))

    def placed(e: Any) -> Expression:
        (done,) = substitute((ir.Return(e),), values)
        return fold_expression(done.value, tables)  # type: ignore[union-attr]

    for name, how in zip(sampler.names, sampler.draws, strict=True):
        local = f"{lister.name}#{name}"
        _one_draw(printer, printer.names.local(local), how, placed)
        values[name] = ir.Local(local)
    return placed(sampler.test), placed(sampler.code)


def _one_draw(printer: Statements, target: str, how: ir.Draw, placed: Any) -> None:
    out = printer.out
    match how:
        case ir.DrawRange(low, high):
            text = f"int(rnd() * {high - low + 1})"
            out(f"{target} = {text}" if low == 0 else f"{target} = {low} + {text}")
            return
        case ir.DrawEach(relation, key):
            place = placed(key)
            relations = printer.context.program.relations[relation]
            keys = printer.range_of(place).meet(Interval(0, len(relations) - 1))
            rows = [relations[key] for key in keys.numbers()]
            out(f"L = R{relation}[{printer.number(place)}]")
            lengths = {len(row) for row in rows}
            if len(lengths) == 1 and 0 not in lengths:
                out(f"{target} = L[int(rnd() * {lengths.pop()})]")
                return
        case ir.DrawScan(base, size, value):
            scan = ir.Scan("", base, size, placed(value), ())
            members = printer.members(scan)
            if members is None:
                wanted = printer.simple_value(scan.value, "w")
                members = f"[i for i in range(1, {size + 1}) if r[{base} + i] == {wanted}]"
            out(f"L = {members}")
    out("if not L: continue")
    out(f"{target} = L[int(rnd() * len(L))]")


def _work_out(printer: Statements, who: Expression) -> None:
    """Evaluate the deciding player for its effects only: the evaluation can exceed the step budget or fail."""
    if not is_harmless(who):
        printer.out(printer.value(who))


class Direct(Statements):
    """Prints a pausing function in direct style: `play_name(r, rnd, parameters)`."""

    def __init__(
        self, context: Context, out: Writer, listers: dict[int, Lister], pausing: dict[str, str]
    ) -> None:
        super().__init__(context, out)
        self.listers = listers
        self.pausing = pausing
        self.names.taken.update(("r", "rnd", "L", "_"))

    def write(self, function: ir.Function) -> None:
        self.speaker = function.name
        parameters = "".join(f", {self.names.local(p)}" for p in function.parameters)
        with self.out.block(f"def {self.pausing[function.name]}(r, rnd{parameters}):"):
            self.whole(fold(self.context.inliner.whole(function.body), self.context.program.tables))
            self.out("return 0")

    def do_ask(self, s: ir.Ask) -> None:
        _work_out(self, s.who)
        write_draw(self, self.listers[s.site], s.arguments, self.names.local(s.into))

    def do_perform(self, s: ir.Perform) -> None:
        if s.function in self.pausing:
            call = self.call(self.pausing[s.function], s.arguments, "r, rnd")
            self.out(call if s.into is None else f"{self.names.local(s.into)} = {call}")
        else:
            super().do_perform(s)
        if self.context.program.functions[s.function].finishes:
            self.out(f"if r[{ir.OUTCOME}]: return 0")


class DirectMain(Step):
    """Prints the blocks of main with inline draws and its frame in locals.

    It plays any row that waits in main.
    """

    def __init__(
        self,
        context: Context,
        out: Writer,
        function: ir.PausedFunction,
        listers: dict[int, Lister],
        pausing: dict[str, str],
    ) -> None:
        super().__init__(context, out, function, listers)
        self.pausing = pausing
        self.names.taken.update(("rnd", "_"))

    def write(self) -> None:
        function = self.function
        with self.out.block("def play_main(r, rnd, v):"):
            # The frame of main is read once, and then lives in locals: no code reads the row between two choices.
            for name, offset in function.saved.items():
                if name in function.arrays:
                    size = function.arrays[name]
                    self.out(f"f{offset} = r[{self.place(offset)}:{self.place(offset + size)}]")
                else:
                    self.out(f"f{offset} = r[{self.place(offset)}]")
                self.names.taken.add(f"f{offset}")
            self.out(f"pc = r[{self.place(ir.FRAME_PC)}]")
            with self.out.block("while True:"):
                self.dispatch(hot_first(function.blocks)[:-1], "pc")  # a row that waits is past the entry

    def cache_words(self, block: ir.Body) -> None:
        self.cached = {offset: f"f{offset}" for offset in self.function.saved.values()}

    def frame_word(self, offset: int, index: Expression | None) -> str:
        return f"f{offset}" if index is None else f"f{offset}[{self.number(index)}]"

    def do_framestore(self, s: ir.FrameStore) -> None:
        self.assign(self.frame_word(s.offset, s.index), s.value)

    def do_frameclear(self, s: ir.FrameClear) -> None:
        self.out(f"f{s.offset} = [0] * {s.size}")

    def do_wait(self, s: ir.Wait) -> None:
        _work_out(self, s.who)
        write_draw(self, self.listers[s.site], s.arguments, "v")
        if s.block != self.block:
            self.out(f"pc = {s.block}")

    def do_push(self, s: ir.Push) -> None:
        self.out(f"v = {self.call(self.pausing[s.function], s.arguments, 'r, rnd')}")
        if self.by_name[s.function].finishes:
            self.out(f"if r[{ir.OUTCOME}]: return over(r)")
        self.out(f"pc = {s.block}")

    def number(self, e: Expression, least: int = 0) -> str:
        return "v" if isinstance(e, ir.Result) else super().number(e, least)
