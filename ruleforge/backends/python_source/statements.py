"""Print statements of the intermediate form as lines of Python."""

from __future__ import annotations

from dataclasses import dataclass, field

from ruleforge.analysis.intervals import Interval, single
from ruleforge.backends.connectivity_index import GroupIndex, groups_name, groups_of
from ruleforge.backends.python_source.expressions import BIT_AND, SELECT, SUM, UNARY, Expressions
from ruleforge.backends.python_source.indexes import Index, Indexes, Mirror
from ruleforge.backends.python_source.worklist import Append, Drain, NewList, with_worklists
from ruleforge.backends.python_source.writer import Names, Writer
from ruleforge.compiler import ir
from ruleforge.compiler.passes.expressions import simple
from ruleforge.compiler.passes.folding import fold_expression
from ruleforge.compiler.passes.inline import Inliner
from ruleforge.compiler.visit import Expression

RANGE = "-2147483648 <= {} <= 2147483647"
AT_REST = (
    f"r[{ir.CHAIN_LENGTH}] = r[{ir.WORK_DONE}] = 0"  # a choice was made: chains and work are counted anew
)


_METHODS: dict[type, str] = {}  # how the printers of types of statements are called


def _method(kind: type) -> str:
    _METHODS[kind] = "do_" + kind.__name__.lower()
    return _METHODS[kind]


@dataclass
class Context:
    """The state that all generated functions of a program share."""

    program: ir.Program
    indexes: Indexes
    plain: dict[str, str]  # function -> its Python name
    offering: frozenset[str]  # functions that offer choices, which get the list as second argument
    inliner: Inliner
    recording: bool = False
    mirrored: bool = False  # lists of choices beside the indexes are kept up to date
    foreign: bool = False  # functions are called from outside, with any arguments
    interned: bool = False  # choices are objects, not codes
    constants: dict[tuple[int, int], str] = field(default_factory=dict)  # (site, code) -> global name
    mentioned: set[str] = field(default_factory=set)  # functions that were called in what was printed

    def function(self, name: str) -> str:
        """The Python name of a function that is called now."""
        self.mentioned.add(name)
        return self.plain[name]


class Statements(Expressions):
    """Prints the body of one plain function."""

    def __init__(self, context: Context, out: Writer, names: Names | None = None) -> None:
        super().__init__(context.function, names)
        self.context = context
        self.out = out
        self.speaker = ""  # the function whose locals are meant

    def body(self, body: ir.Body) -> None:
        for statement in body:
            kind: type = type(statement)
            getattr(self, _METHODS.get(kind) or _method(kind))(statement)

    def whole(self, body: ir.Body) -> None:
        """A body that no pass will look at again."""
        self.body(with_worklists(body))

    def suite(self, head: str, body: ir.Body) -> None:
        out = self.out  # as `out.block`, of which there are too many
        out(head)
        out.depth += 1
        start = len(out.lines)
        self.body(body)
        if len(out.lines) == start:
            out("pass")
        out.depth -= 1

    def simple_value(self, e: Expression, stem: str) -> str:
        """Text that may be repeated: a simple expression, or a local that holds its value."""
        if self.is_plain(e):
            return self.value(e, UNARY)
        name = self.names.fresh(stem)
        self.out(f"{name} = {self.value(e)}")
        return name

    def is_plain(self, e: Expression) -> bool:
        return simple(e)

    # --- assignments ---

    def assign(self, target: str, value: Expression) -> None:
        if isinstance(value, ir.Binary) and value.checked:
            name = self.names.fresh("x")
            self.out(f"{name} = {self.unchecked(value)}")
            self.out(f"if not {RANGE.format(name)}: raise Trapped({ir.OVERFLOW})")
            self.out(f"{target} = {name}")
        else:
            self.out(f"{target} = {self.value(value)}")

    def do_set(self, s: ir.Set) -> None:
        self.assign(self.names.local(s.name), s.value)

    def do_store(self, s: ir.Store) -> None:
        touched = self.context.indexes.of_slot(s.base, s.index)
        group_indexes, number = self.context.indexes.group_indexes_of_slot(s.base, s.index)
        if touched is not None:
            self.indexed_store(s, touched[0], touched[1], group_indexes)
        elif group_indexes:
            self.indexed_store(s, None, number, group_indexes)
        else:
            self.assign(f"r[{self.slot(s.base, s.index)}]", s.value)

    def indexed_store(
        self, s: ir.Store, index: Index | None, number: Expression, group_indexes: list[GroupIndex]
    ) -> None:
        """Update the index behind the row for a changed word."""
        base = index.base if index is not None else group_indexes[0].base
        place = self.simple_value(number, "i")
        new = self.simple_value(s.value, "n")
        slot = str(base + number.value) if isinstance(number, ir.Const) else f"{base} + {place}"
        old = self.names.fresh("o")
        self.out(f"{old} = r[{slot}]")
        with self.out.block(f"if {old} != {new}:"):
            self.out(f"r[{slot}] = {new}")
            if index is not None and index.values is None:
                self.move_between_lists(index, place, old, new, s.value)
            elif index is not None:
                self.move_in_list(index, place, old, new, s.value)
            for groups in group_indexes:
                self.join_groups(groups, place, old, new, s.value)

    def join_groups(self, groups: GroupIndex, place: str, old: str, new: str, value: Expression) -> None:
        """A cell that held nothing joins the groups beside it; one that held something spoils the marks."""
        masks, mask, other = self.names.fresh("g"), self.names.fresh("m"), self.names.fresh("y")
        inside = (
            ""
            if self.range_of(value).within(groups.covered)
            else f" and {groups.low} <= {new} <= {groups.high}"
        )
        self.out(f"{masks} = r[{groups.at}]")
        # A value above the last that is asked is rare.
        holds = old if groups.low == 1 else f"{old} >= {groups.low}"
        self.out(f"if {holds}: r[{groups.at}] = None")
        with self.out.block(f"elif {masks}{inside}:"):
            self.out(f"{mask} = {groups_name(groups)}[{new}][{place}]")
            with self.out.block(f"for {other} in R{groups.near}[{place}]:"):
                self.out(f"if r[{groups.base} + {other}] == {new}: {mask} |= {masks}[{other}]")
            self.out(f"if {mask}: spread(r, {groups.base}, R{groups.near}, {masks}, {place}, {new}, {mask})")

    def connected(self, e: ir.Connected, least: int) -> str:
        """Test the mark of the start, if groups are indexed and the start holds the value."""
        groups = None if self.context.foreign else groups_of(self.context.indexes.group_indexes, e)
        if groups is None or not self.is_plain(e.start) or not self.is_plain(e.value):
            return super().connected(e, least)
        start, value = self.number(e.start, SUM + 1), self.number(e.value, BIT_AND)
        bit, same = groups.bit(e)
        shift = str(bit) if same else f"({self.number(e.key, SUM)} + {bit})"
        masks = f"(r[{groups.at}] or {groups_name(groups)}_anew(r))"
        text = f"{masks}[{start}]" + (f" >> {shift}" if shift != "0" else "") + " & 1"
        in_range = (
            ""
            if self.range_of(e.value).within(groups.covered)
            else f" and {groups.low} <= {value} <= {groups.high}"
        )
        holds = f"r[{groups.base} + {start}] == {value}{in_range}"
        text = f"{text} if {holds} else {super().connected(e, least)}"
        return f"({text})" if least > SELECT else text

    def move_between_lists(self, index: Index, place: str, old: str, new: str, value: Expression) -> None:
        name = self.names.fresh("x")
        removal = f"{name} = {index.members(old, None)}; del {name}[bisect_left({name}, {place})]"
        self.out(removal if index.whole else f"if {index.test(old)}: {removal}")
        in_range = index.keeps(self.range_of(value))
        if in_range is not False:
            test = "" if in_range else f"if {index.test(new)}: "
            constant = value.value if isinstance(value, ir.Const) else None
            self.out(f"{test}insort({index.members(new, constant)}, {place})")

    def move_in_list(self, index: Index, place: str, old: str, new: str, value: Expression) -> None:
        values = self.range_of(value)
        for listed in index.values or ():
            if values != single(listed):
                self.out(f"if {old} == {listed}: {self.removal(index, listed, place)}")
            if listed in values:
                test = "" if values.is_single else f"if {new} == {listed}: "
                self.out(test + self.insertion(index, listed, place))

    def removal(self, index: Index, listed: int, place: str) -> str:
        name, members = self.names.fresh("x"), index.members("", listed)
        mirrors = self.mirrors_of(index, listed)
        if not mirrors:
            return f"{name} = {members}; del {name}[bisect_left({name}, {place})]"
        at = self.names.fresh("k")
        also = "".join(f"; del r[{mirror.at}][{at}]" for mirror in mirrors)
        return f"{name} = {members}; {at} = bisect_left({name}, {place}); del {name}[{at}]{also}"

    def insertion(self, index: Index, listed: int, place: str) -> str:
        members, mirrors = index.members("", listed), self.mirrors_of(index, listed)
        if not mirrors:
            return f"insort({members}, {place})"
        name, at = self.names.fresh("x"), self.names.fresh("k")
        also = "".join(f"; r[{m.at}].insert({at}, {m.name}[{place}])" for m in mirrors)
        return f"{name} = {members}; {at} = bisect_left({name}, {place}); {name}.insert({at}, {place}){also}"

    def mirrors_of(self, index: Index, listed: int) -> list[Mirror]:
        return self.context.indexes.mirrors_of(index, listed) if self.context.mirrored else []

    def range_of(self, e: Expression) -> Interval:
        """A safe range of a value."""
        return self.context.indexes.ranges.within(self.speaker, e)

    def do_newarray(self, s: ir.NewArray) -> None:
        self.out(f"{self.names.local(s.name)} = [0] * {s.size}")

    def do_setelement(self, s: ir.SetElement) -> None:
        self.assign(f"{self.names.local(s.array)}[{self.number(s.index)}]", s.value)

    def do_newlist(self, s: NewList) -> None:
        self.out(f"{self.names.local(s.name)} = []")

    def do_append(self, s: Append) -> None:
        self.out(f"{self.names.local(s.name)}.append({self.value(s.value)})")

    def do_drain(self, s: Drain) -> None:
        self.suite(f"for {self.names.local(s.name)} in {self.names.local(s.queue)}:", s.body)

    def do_random(self, s: ir.Random) -> None:
        self.out(f"{self.names.local(s.into)} = rand(r, {self.value(s.bound)})")

    def do_perform(self, s: ir.Perform) -> None:
        first = "r, L" if s.function in self.context.offering else "r"
        call = self.call(self.named(s.function), s.arguments, first)
        self.out(call if s.into is None else f"{self.names.local(s.into)} = {call}")

    # --- control ---

    def do_if(self, s: ir.If) -> None:
        word = "if"
        while True:
            self.suite(f"{word} {self.shared_test(s.test)}:", s.then)
            if len(s.other) == 1 and isinstance(s.other[0], ir.If):
                s, word = s.other[0], "elif"
                continue
            if s.other:
                self.suite("else:", s.other)
            return

    def do_while(self, s: ir.While) -> None:
        self.suite(f"while {self.test(s.test)}:", s.body)

    def do_forrange(self, s: ir.ForRange) -> None:
        self.suite(f"for {self.names.local(s.name)} in {self.range(s.low, s.high)}:", s.body)

    def range(self, low: Expression, high: Expression) -> str:
        end = self.number(fold_expression(ir.Binary("+", high, ir.Const(1)), ()))
        start = self.value(low)
        return f"range({end})" if start == "0" else f"range({start}, {end})"

    def do_each(self, s: ir.Each) -> None:
        names = ", ".join(map(self.names.local, s.names))
        self.suite(f"for {names} in R{s.relation}[{self.number(s.key)}]:", s.body)

    def do_scan(self, s: ir.Scan) -> None:
        name = self.names.local(s.name)
        members = self.members(s)
        if members is not None:
            self.suite(f"for {name} in {members}{'[:]' if s.frozen else ''}:", s.body)
            return
        value = self.simple_value(s.value, "w")
        if s.frozen:
            head = f"[i for i in range(1, {s.size + 1}) if r[{s.base} + i] == {value}]"
            self.suite(f"for {name} in {head}:", s.body)
            return
        with self.out.block(f"for {name} in range(1, {s.size + 1}):"):
            self.suite(f"if r[{s.base} + {name}] == {value}:", s.body)

    def members(self, s: ir.Scan) -> str | None:
        """The text of the index list for a scan, if there is one."""
        index, value = self.context.indexes.by_base.get(s.base), s.value
        if index is None or index.size != s.size:
            return None
        if isinstance(value, ir.Const):
            known = index.values is not None or value.value in index.covered
            return index.members("", value.value) if known else "()"
        if self.context.foreign:
            return None
        if self.range_of(value).within(index.covered):
            return index.members(self.number(value, SUM), None)
        text, (first, last) = self.simple_value(value, "w"), index.covered.ends
        return f"({index.members(text, None)} if {first} <= {text} <= {last} else [])"

    def do_break(self, s: ir.Break) -> None:
        self.out("break")

    def do_return(self, s: ir.Return) -> None:
        self.out(f"return {self.value(s.value)}")

    def do_finish(self, s: ir.Finish) -> None:
        self.out(f"r[{ir.OUTCOME}] = {1 + s.ending}")
        self.out(f"r[{ir.WINNERS}] = {self.value(s.winners)}")
        self.leave()

    def do_unwind(self, s: ir.Unwind) -> None:
        with self.out.block(f"if r[{ir.OUTCOME}]:"):
            self.leave()

    def leave(self) -> None:
        """Return because the game is over."""
        self.out("return 0")

    def do_trap(self, s: ir.Trap) -> None:
        self.out(f"raise Trapped({s.fault})")

    def do_link(self, s: ir.Link) -> None:
        self.out(f"r[{ir.CHAIN_LENGTH}] += 1")
        self.out(f"if r[{ir.CHAIN_LENGTH}] > {self.context.program.chain}: raise Trapped({ir.RUNAWAY})")

    def do_spend(self, s: ir.Spend) -> None:
        self.out(f"r[{ir.WORK_DONE}] += {s.work}")
        fault = f"{ir.RUNAWAY} if r[{ir.CHAIN_LENGTH}] > {ir.LONG} else {s.fault}"
        self.out(f"if r[{ir.WORK_DONE}] > {self.context.program.work}: raise Trapped({fault})")

    def do_note(self, s: ir.Note) -> None:
        if self.context.recording:
            arguments = "".join(f", {self.value(a)}" for a in s.arguments)
            self.out(f"r[-1].append(({s.note}{arguments or ','}))")

    # --- choices ---

    site = 0  # whose choices are offered, for the table of interned ones

    def do_offer(self, s: ir.Offer) -> None:
        self.out(f"L.append({self.choice(s.code)})")

    def choice(self, code: Expression) -> str:
        if not self.context.interned or self.site == 0:
            return self.value(code)
        if isinstance(code, ir.Const):
            name = f"C{self.site}_{code.value}".replace("-", "m")
            self.context.constants[self.site, code.value] = name
            return name
        return f"D{self.site}[{self.number(code)}]"
