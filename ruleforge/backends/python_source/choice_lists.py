"""Generate the code that lists the choices of a site, inline or as a function."""

from __future__ import annotations

from typing import Any

from ruleforge.backends.python_source.patterns import Unsuited, keys_of, slot_sizes, suitable, width
from ruleforge.backends.python_source.statements import Context, Statements
from ruleforge.backends.python_source.writer import Names, Writer
from ruleforge.compiler import ir
from ruleforge.compiler.passes.loop_unrolling import size, unroll
from ruleforge.compiler.passes.substitution import renamed, substitute
from ruleforge.compiler.visit import Expression, all_expressions, assigned, statements
from ruleforge.support.records import dataclass

INLINE = 260  # enumerators up to this size are written out where they are asked


class Lister:
    """The enumerator of one site, prepared for printing."""

    def __init__(self, context: Context, site: ir.Site) -> None:
        program = context.program
        function = context.program.plain[site.enumerator]
        self.context, self.site = context, site
        self.name = f"list_{site.number}"
        self.parameters = function.parameters
        self.body = unroll(
            context.inliner.whole(function.body), program.tables, program.relations, context.indexes.bases
        )
        self.indirect = any(
            isinstance(s, ir.Perform) and s.function in context.offering for s in statements(self.body)
        )
        returns = any(isinstance(s, ir.Return) for s in statements(self.body))
        written = {name for s in statements(self.body) for name in assigned(s)}
        self.inline = not returns and not self.indirect and size(self.body) <= INLINE
        self.inline = self.inline and not written & set(self.parameters)
        self.never_empty = any(isinstance(s, ir.Offer) for s in self.body) and not returns
        self.pattern = self.find_pattern()

    def write_function(self, out: Writer) -> None:
        """`list_n(r, arguments)`."""
        printer = _InLister(self.context, out)
        printer.names.taken.update(("r", "L"))
        printer.speaker = self.site.enumerator
        parameters = "".join(f", {printer.names.local(p)}" for p in self.parameters)
        with out.block(f"def {self.name}(r{parameters}):"):
            if self.indirect:
                self.write_indirect(out, printer)
                return
            printer.site = self.site.number
            single = self.single(self.body)
            if single is not None:
                out(f"return {self.single_list(printer, *single)}")
                return
            out("L = []")
            own: dict[str, Expression] = {name: ir.Local(name) for name in self.parameters}
            if not self.looked_up(printer, self.body, own):
                printer.body(self.body)
            out("return L")

    def write_indirect(self, out: Writer, printer: Statements) -> None:
        """Write the list with helpers that offer codes, and translate it afterwards."""
        out("L = []")
        arguments = "".join(f", {printer.names.local(p)}" for p in self.parameters)
        out(f"{self.context.function(self.site.enumerator)}(r, L{arguments})")
        out(f"return [D{self.site.number}[c] for c in L]" if self.context.interned else "return L")

    def write(self, printer: Statements, arguments: tuple[Expression, ...], cold: bool = False) -> None:
        """Write lines that leave the list in the local L. `cold` code need not be fast."""
        if not self.inline or cold:
            printer.out(f"L = {printer.call(self.name, arguments)}")
            return
        body = self.with_arguments(arguments, printer.names)
        outer, printer.site = printer.site, self.site.number
        single = self.single(body)
        if single is not None:
            printer.out(f"L = {self.single_list(printer, *single)}")
        else:
            printer.out("L = []")
            if not self.looked_up(printer, body, dict(zip(self.parameters, arguments, strict=True))):
                printer.body(body)
        printer.site = outer

    def with_arguments(self, arguments: tuple[Expression, ...], names: Names) -> ir.Body:
        """The body with its arguments in place and locals of its own."""
        values: dict[str, Expression] = dict(zip(self.parameters, arguments, strict=True))
        program = self.context.program
        body = substitute(renamed(self.body, self.name + "#"), values)
        return unroll(body, program.tables, program.relations, self.context.indexes.bases)

    def single(self, body: ir.Body) -> tuple[ir.Scan, Expression] | None:
        """Write a body that only offers one choice for each member of an index."""
        match body:
            case (ir.Scan(body=(ir.Offer(code=code),)) as scan,):
                index = self.context.indexes.by_base.get(scan.base)
                return (scan, code) if index is not None and index.size == scan.size else None
        return None

    def single_list(self, printer: Statements, scan: ir.Scan, code: Expression) -> str:
        if self.context.interned:
            for mirror in self.context.indexes.mirrors:
                if mirror.site == self.site.number:
                    return f"r[{mirror.at}][:]"
        members = printer.members(scan)
        choice = printer.choice(code)
        name = printer.names.local(scan.name)
        return f"{members}[:]" if choice == name else f"[{choice} for {name} in {members}]"

    # --- tables of what each member offers ---

    def find_pattern(self) -> _Pattern | None:
        match self.body:
            case (ir.Scan() as scan,) if suitable(scan):
                index = self.context.indexes.by_base.get(scan.base)
                if index is None or index.size != scan.size:
                    return None
            case _:
                return None
        program, ranges = self.context.program, self.context.indexes.ranges
        read = {e.name for e in all_expressions(scan.body) if isinstance(e, ir.Local)}
        names = tuple(p for p in self.parameters if p in read)
        keys = keys_of(ranges, self.site.enumerator, names)
        if keys is None:
            return None
        text = self.one_source(scan, names)
        scope: dict[str, Any] = {f"T{k}": table for k, table in enumerate(program.tables)}
        scope |= {f"R{k}": relation for k, relation in enumerate(program.relations)}
        scope |= {f"M{k}": tuple(map(frozenset, relation)) for k, relation in enumerate(program.relations)}
        exec(text, scope)
        try:
            return _Pattern(
                names, text, width(scope[f"one_{self.site.number}"], keys, scan, slot_sizes(program))
            )
        except Unsuited:
            return None

    def one_source(self, scan: ir.Scan, names: tuple[str, ...]) -> str:
        """`one_n(r, L, parameters, number)`: append the codes one member offers."""
        out = Writer()
        printer = Statements(self.context, out)
        printer.names.taken.update(("r", "L"))
        printer.speaker = self.site.enumerator
        parameters = ", ".join(printer.names.local(name) for name in (*names, scan.name))
        with out.block(f"def one_{self.site.number}(r, L, {parameters}):"):
            printer.body(scan.body)
        return out.text()

    def write_pattern(self, out: Writer) -> None:
        """Write the tables of the pattern."""
        if self.pattern is None:
            return
        (scan,) = self.body
        assert isinstance(scan, ir.Scan)
        number = self.site.number
        choices = f"D{number}" if self.context.interned else "None"
        for line in self.pattern.source.splitlines():
            out(line)
        out(f"X{number} = patterns(one_{number}, {scan.base}, {scan.size}, {self.pattern.width}, {choices})")

    def looked_up(self, printer: Statements, body: ir.Body, values: dict[str, Expression]) -> bool:
        """Write the loop over members as lookups, if there is a table."""
        match self.pattern, body:
            case _Pattern() as pattern, (ir.Scan() as scan,):
                pass
            case _:
                return False
        members = printer.members(scan)
        if members is None:
            return False
        keys = [printer.number(values[name]) for name in pattern.names]
        key = keys[0] if len(keys) == 1 else f"({', '.join(keys)})"
        slots = [printer.names.fresh("s") for _ in range(pattern.width)]
        table = printer.names.fresh("p")
        entries = f"map(X{self.site.number}[{key}], {members})"
        with printer.out.block(f"for {', '.join(slots)}, {table} in {entries}:"):
            printer.out(f"L += {table}{''.join(f'[r[{slot}]]' for slot in slots)}")
        return True


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A lookup pattern: its parameters, the source of the function for one member, the number of slots that
    decide.
    """

    names: tuple[str, ...]
    source: str
    width: int


class _InLister(Statements):
    def do_return(self, s: ir.Return) -> None:
        self.out("return L")
