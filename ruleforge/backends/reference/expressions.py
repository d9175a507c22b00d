"""Evaluate expressions in the plain interpreter, and read and write their words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ruleforge.backends.api import Row
from ruleforge.backends.faults import CompilerBug, Trapped
from ruleforge.compiler import ir
from ruleforge.compiler.passes.expressions import COMPARISONS, HIGHEST, LOWEST, OPERATIONS

Methods = dict[type, Callable[[Any, Any], Any]]  # by the type of a node: of a run, for the node
DIVISIONS, SHIFTS = frozenset(("//", "%")), frozenset(("<<", ">>"))


class Expressions:
    """The half of a run that evaluates expressions. It changes only the words that it takes (an answer, a
    result).

    `OF` holds the method for each type of expression and is consulted at every step. The most frequent
    methods read it directly, because a call of `value` doubles their time.
    """

    OF: Methods
    program: ir.Program
    row: Row
    locals: dict[str, Any]  # of the running function
    frame: int  # of the running function; 0: none
    plain: tuple[int, int]  # the slots that a function may reach
    framed: tuple[int, int]  # the slots that its frame may reach

    def call(self, name: str, arguments: Sequence[int]) -> int:
        raise NotImplementedError

    def trial(self, row: Row) -> Expressions:
        """A run that only tries something out, on a copy."""
        raise NotImplementedError

    def value(self, node: Any) -> int:
        return self.OF[type(node)](self, node)  # type: ignore[no-any-return]

    def word(self, result: int, node: Any) -> int:
        """Check that a computed or loaded result is a word.

        A result that is only passed on was checked before.
        """
        if type(result) is not int or not LOWEST <= result <= HIGHEST:
            raise CompilerBug(f"not a 32-bit number: {result!r} from {node!r}")
        return result

    def of_const(self, node: ir.Const) -> int:
        value = node.value
        return value if type(value) is int and LOWEST <= value <= HIGHEST else self.word(value, node)

    def of_local(self, node: ir.Local) -> int:
        value = self.locals.get(node.name)
        if type(value) is not int:
            raise CompilerBug(f"local `{node.name}` was never set")
        return value

    def of_load(self, node: ir.Load) -> int:
        index = node.index
        slot = node.base if index is None else node.base + self.OF[type(index)](self, index)
        low, high = self.plain
        return self.row[slot if low <= slot < high else self.outside(slot, low, high)]  # type: ignore[no-any-return]

    def of_frameload(self, node: ir.FrameLoad) -> int:
        return self.row[self.slot(self.frame + node.offset, node.index, stack=True)]  # type: ignore[no-any-return]

    def of_table(self, node: ir.Table) -> int:
        table = self.program.tables[node.table]
        return self.word(table[within(self.value(node.index), len(table))], node)

    def of_element(self, node: ir.Element) -> int:
        array = self.array(node.array)
        return array[within(self.value(node.index), len(array))]

    def of_binary(self, node: ir.Binary) -> int:
        op, of, left, right = node.op, self.OF, node.left, node.right
        left, right = of[type(left)](self, left), of[type(right)](self, right)
        if op == "==":
            return 1 if left == right else 0
        if op in COMPARISONS:
            return OPERATIONS[op](left, right)
        if (right == 0 and op in DIVISIONS) or (op in SHIFTS and not 0 <= right < 32):
            raise CompilerBug(f"{left} {op} {right}")
        result = OPERATIONS[op](left, right)
        if not LOWEST <= result <= HIGHEST:
            if node.checked:
                raise Trapped(ir.OVERFLOW)
            self.word(result, node)
        return result

    def of_negate(self, node: ir.Negate) -> int:
        return self.word(-self.value(node.value), node)

    def of_logicnot(self, node: ir.LogicNot) -> int:
        return 0 if self.value(node.value) else 1

    def of_logic(self, node: ir.Logic) -> int:
        enough, of = node.op == "or", self.OF
        for part in node.parts:
            if (of[type(part)](self, part) != 0) is enough:
                return int(enough)
        return int(not enough)

    def of_select(self, node: ir.Select) -> int:
        return self.value(node.then if self.OF[type(node.test)](self, node.test) else node.other)

    def of_callexpr(self, node: ir.CallExpr) -> int:
        return self.call(node.function, [self.OF[type(a)](self, a) for a in node.arguments])

    def of_trial(self, node: ir.Trial) -> int:
        arguments = [self.value(a) for a in node.arguments]
        trial = self.trial(list(self.row))
        try:
            return trial.call(node.function, arguments)
        except Trapped:
            if trial.row[ir.WORK_DONE] > self.program.work:
                raise
            return -1
        finally:
            self.row[ir.WORK_DONE] = trial.row[ir.WORK_DONE]  # what was tried was work all the same

    def of_member(self, node: ir.Member) -> int:
        key = self.value(node.key)
        return int(self.value(node.value) in self.relation(node.relation, key))

    def of_connected(self, node: ir.Connected) -> int:
        start, value = self.value(node.start), self.value(node.value)
        goal = self.relation(node.goal, self.value(node.key))
        reached = [start] if self.row[node.base + start] == value else []
        met = {start}
        for cell in reached:
            if cell in goal:
                return 1
            near = [n for n in self.relation(node.near, cell) if n not in met]
            met.update(near)
            reached += [n for n in near if self.row[node.base + n] == value]
        return 0

    def of_answer(self, node: ir.Answer) -> int:
        return self.take(ir.ANSWER)

    def of_result(self, node: ir.Result) -> int:
        return self.take(ir.RET)

    def of_relationsize(self, node: ir.RelationSize) -> int:
        return len(self.relation(node.relation, self.value(node.key)))

    def of_relationitem(self, node: ir.RelationItem) -> int:
        item = self.relation(node.relation, self.value(node.key))[self.value(node.position)]
        return self.word(item if node.field is None else item[node.field], node)

    # --- access ---

    def take(self, slot: int) -> int:
        value, self.row[slot] = self.row[slot], 0
        return value  # type: ignore[no-any-return]

    def members(self, base: int, size: int, wanted: int) -> list[int]:
        """The slots behind a base that hold a value."""
        return [i for i, word in enumerate(self.row[base + 1 : base + size + 1], 1) if word == wanted]

    def slot(self, base: int, index: Any, stack: bool = False) -> int:
        slot = base if index is None else base + self.OF[type(index)](self, index)
        low, high = self.framed if stack else self.plain
        return slot if low <= slot < high else self.outside(slot, low, high)

    def outside(self, slot: int, low: int, high: int) -> NoReturn:
        raise CompilerBug(f"slot {slot} is not within {low}..{high - 1}")

    def array(self, name: str) -> list[int]:
        if name not in self.locals:
            raise CompilerBug(f"array `{name}` was never declared")
        return self.locals[name]  # type: ignore[no-any-return]

    def relation(self, relation: int, key: int) -> Sequence[Any]:
        rows = self.program.relations[relation]
        return rows[within(key, len(rows))]


def within(index: int, length: int) -> int:
    if not 0 <= index < length:
        raise CompilerBug(f"index {index} is not within 0..{length - 1}")
    return index


def methods(run: type[Expressions], prefix: str) -> Methods:
    """The methods of a class by the type of nodes that their names tell."""
    nodes = {name.lower(): kind for name, kind in vars(ir).items() if isinstance(kind, type)}
    names = [name for name in dir(run) if name.startswith(prefix)]
    return {nodes[name.removeprefix(prefix)]: getattr(run, name) for name in names}


Expressions.OF = methods(Expressions, "of_")
