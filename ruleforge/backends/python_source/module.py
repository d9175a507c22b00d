"""Generate the Python source of a program, in one of its variants."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.analysis.dataflow import reach
from ruleforge.analysis.ranges import Ranges
from ruleforge.backends.python_source.choice_lists import Lister
from ruleforge.backends.python_source.indexes import Indexes
from ruleforge.backends.python_source.playout import Direct, DirectMain, write_draw
from ruleforge.backends.python_source.statements import AT_REST, Context, Statements
from ruleforge.backends.python_source.step import Step
from ruleforge.backends.python_source.writer import Writer, function_names
from ruleforge.compiler import ir
from ruleforge.compiler.passes.inline import Inliner
from ruleforge.compiler.visit import Expression

VARIANTS = ("codes", "interned", "recording", "playout", "calls")


def source(program: ir.Program, variant: str, indexes: Indexes | None = None, shared: bool = False) -> str:
    """The text of one variant. It needs the globals of `runtime.namespace`.

    `shared`: `machine` steps the rows that are not lists.
    """
    indexes = indexes or Indexes(program)
    context = Context(
        program=program,
        indexes=indexes,
        plain=function_names("f_", list(program.plain)),
        offering=frozenset(name for name, f in program.plain.items() if f.offers),
        inliner=Inliner(indexes.callers),
        recording=variant == "recording",
        mirrored=variant != "playout",  # no caller reads a list before the end
        foreign=variant == "calls",
        interned=variant == "interned",
    )
    out = Writer()
    if variant == "calls":
        wanted = callable_functions(program, indexes.ranges) - context.offering
    else:
        listers = {s.number: Lister(context, s) for s in program.sites[1:]}
        for lister in listers.values():
            lister.write_pattern(out)
            lister.write_function(out)
        _over(program, out)
        if variant == "playout":
            _playout(context, out, listers)
        else:
            _step(context, out, listers, shared)
        wanted = context.mentioned
    plain = _plain_functions(context, wanted)
    constants = [f"{name} = D{site}[{code}]" for (site, code), name in context.constants.items()]
    return "\n".join([*constants, plain, out.text()])


def _plain_functions(context: Context, wanted: set[str]) -> str:
    """The wanted functions, and those they call."""
    written: dict[str, str] = {}

    def write(name: str) -> list[str]:
        out = Writer()
        context.mentioned = set()
        _plain(context, out, context.inliner.function(context.program.plain[name]))
        written[name] = out.text()
        return sorted(context.mentioned)

    reach(sorted(wanted), write)
    return "".join(written.values())


def _plain(context: Context, out: Writer, function: ir.Function) -> None:
    printer = Statements(context, out)
    printer.speaker = function.name
    printer.names.taken.update(("r", "L"))
    first = "r, L" if function.name in context.offering else "r"
    parameters = "".join(f", {printer.names.local(p)}" for p in function.parameters)
    with out.block(f"def {context.plain[function.name]}({first}{parameters}):"):
        printer.whole(function.body)
        if not function.body or not isinstance(function.body[-1], ir.Return | ir.Finish | ir.Trap):
            out("return 0")


def _over(program: ir.Program, out: Writer) -> None:
    main = program.paused[1]
    assert main is not None
    with out.block("def over(r):"):
        words = [ir.SITE, ir.WHO, ir.SP, ir.RET]
        out(" = ".join(f"r[{word}]" for word in words) + " = 0")
        if program.counts_work:
            out(AT_REST)
        if len(program.paused) == 2 and main.frame_size <= 6:
            out(" = ".join(f"r[{program.stack + k}]" for k in range(main.frame_size)) + " = 0")
        else:
            out(f"r[{program.stack}:{program.row_size}] = [0] * {program.row_size - program.stack}")
        out("return []")


def _step(context: Context, out: Writer, listers: dict[int, Lister], shared: bool) -> None:
    functions = [f for f in context.program.paused if f is not None]
    for function in functions:
        Step(context, out, function, listers).write()
    foreign = "if r.__class__ is not list: return machine(r, v)"
    if len(functions) == 1 and not shared:
        out("resume = step_1")
    elif len(functions) == 1:
        with out.block("def resume(r, v):"):
            out(foreign)
            out("return step_1(r, v)")
    else:
        main = context.program.stack
        out("STEPS = (None, None, " + "".join(f"step_{f.number}, " for f in functions[1:]) + ")")
        with out.block("def resume(r, v):"):
            if shared:
                out(foreign)
            out(f"fp = r[{ir.SP}]")
            out(f"L = step_1(r, v) if fp == {main} else STEPS[r[fp]](r, fp, v)")
            with out.block("while L is None:"):
                out(f"fp = r[{ir.SP}]")
                out(f"L = step_1(r, 0) if fp == {main} else STEPS[r[fp]](r, fp, 0)")
            out("return L")
    for lister in (listers[number] for number in sorted(context.program.waits)):
        with out.block(f"def at_{lister.site.number}(r):"):
            text = Statements(context, out).call(lister.name, ())[:-1]
            out(f"fp = r[{ir.SP}]")
            out(f"L = {text}{_frame_arguments(context.program, lister)})")
            if context.program.counts_work:
                out(AT_REST)
            out("return L")
    _site_table(context.program, out, "at")
    with out.block("def choices(r):"):
        out(f"return AT[r[{ir.SITE}]](r) if r[{ir.SITE}] else []")


def _frame_arguments(program: ir.Program, lister: Lister) -> str:
    return "".join(f", {_frame_text(a)}" for a in program.waits[lister.site.number].arguments)


def _frame_text(argument: Expression) -> str:
    return f"r[fp + {argument.offset}]" if isinstance(argument, ir.FrameLoad) else str(argument.value)


def _site_table(program: ir.Program, out: Writer, stem: str) -> None:
    names = (f"{stem}_{s}" if s in program.waits else "None" for s in range(len(program.sites)))
    out(f"{stem.upper()} = ({', '.join(names)},)")


def _playout(context: Context, out: Writer, listers: dict[int, Lister]) -> None:
    program = context.program
    main = program.paused[1]
    assert main is not None
    names = [f.name for f in program.paused if f is not None and f.number > 1]
    pausing = function_names("play_", names)
    pausing = {name: text + "_" for name, text in pausing.items()}  # never `play_main`
    for name in names:
        Direct(context, out, listers, pausing).write(program.functions[name])
    DirectMain(context, out, main, listers, pausing).write()
    for site in sorted(program.waits):
        lister = listers[site]
        printer = Statements(context, out)
        printer.names.taken.update(("r", "rnd", "L", "v", "fp", "_"))
        arguments = tuple(
            ir.Local(f"argument {k}") if isinstance(a, ir.FrameLoad) else a
            for k, a in enumerate(program.waits[site].arguments)
        )
        with out.block(f"def draw_{site}(r, rnd):"):
            out(f"fp = r[{ir.SP}]")
            for a, given in zip(arguments, program.waits[site].arguments, strict=True):
                if isinstance(a, ir.Local):
                    out(f"{printer.number(a)} = {_frame_text(given)}")
            write_draw(printer, lister, arguments, "v")
            out("return v")
    _site_table(program, out, "draw")
    with out.block("def playout(r, rng):"):
        out("rnd = rng.random")
        with out.block(f"while r[{ir.SITE}]:"):
            out(f"v = DRAW[r[{ir.SITE}]](r, rnd)")
            with out.block(f"if r[{ir.SP}] == {program.stack}:"):
                out("play_main(r, rnd, v)")
                out("return r")
            out("resume(r, v)")
        out("return r")


# The plain functions that code outside the program can call: visibilities, formulas, invariants, scores.


def callable_functions(program: ir.Program, ranges: Ranges) -> set[str]:
    """The functions that the program names for callers outside, and those without callers."""
    called, named = ranges.called, {*_named(program)}
    return {name for name in program.plain if name in named or name not in called}


def _named(program: ir.Program) -> Iterator[str | None]:
    for seen in (program.columns, program.places, program.notes, program.sites, program.actions):
        yield from (each.sees for each in seen)
    for formula in program.formulas:
        yield from (formula.function, formula.sees, formula.base)
    for modifier in program.modifiers:
        yield from (modifier.function, modifier.applies)
    yield from (invariant.function for invariant in program.invariants)
    yield from (program.score, program.heuristic)
