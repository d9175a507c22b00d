"""Print expressions of the intermediate form as Python, with no more parentheses than needed.

There are three ways to print. `value` is an int, `number` can be a bool (an operand, an index), and of `test`
only the truth counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from ruleforge.backends.python_source.writer import Names
from ruleforge.compiler import ir
from ruleforge.compiler.passes.expressions import COMPARISONS, is_truth, simple
from ruleforge.compiler.passes.folding import fold_slot
from ruleforge.compiler.visit import LEAVES, Expression, expressions

SELECT, OR, AND, NOT, COMPARE, BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, PRODUCT, UNARY, ATOM = range(13)
PRECEDENCE = {
    "|": BIT_OR,
    "^": BIT_XOR,
    "&": BIT_AND,
    "<<": SHIFT,
    ">>": SHIFT,
    "+": SUM,
    "-": SUM,
    "*": PRODUCT,
    "//": PRODUCT,
    "%": PRODUCT,
}
BOOL_STAYS = ("|", "^", "&")  # of two bools they give a bool


class Expressions:
    """Prints expressions of one generated function. Subclasses define where frames are."""

    def __init__(self, named: Callable[[str], str], names: Names | None = None) -> None:
        self.named = named  # what the functions of the program are called in Python
        self.names = names or Names()
        self.shared: dict[Expression, str] = {}
        self.met: set[str] = set()

    # --- the three ways ---

    def value(self, e: Expression, least: int = SELECT) -> str:
        match e:
            case ir.LogicNot(value=inner):
                return _wrap(f"0 if {self.test(inner, OR)} else 1", SELECT, least)
            case ir.Logic(op=op, parts=parts) if not all(map(self.is_int_truth, parts)):
                return _wrap(f"1 if {self.test(e, OR)} else 0", SELECT, least)
            case ir.Member():
                return _wrap(f"1 if {self.test(e, OR)} else 0", SELECT, least)
            case ir.Binary(op=op) if op in COMPARISONS:
                return _wrap(f"1 if {self.test(e, OR)} else 0", SELECT, least)
            case ir.Binary(op=op, left=left, right=right) if op in BOOL_STAYS and not e.checked:
                own = PRECEDENCE[op]
                if is_truth(left) and is_truth(right):  # one int is enough
                    return _wrap(f"{self.value(left, own)} {op} {self.number(right, own + 1)}", own, least)
            case ir.Select(test=test, then=then, other=other):
                first = self.test(test, OR)  # printed in the order of evaluation, see shared_test
                text = f"{self.value(then, OR)} if {first} else {self.value(other)}"
                return _wrap(text, SELECT, least)
        return self.number(e, least)

    def test(self, e: Expression, least: int = SELECT) -> str:
        match e:
            case ir.LogicNot(value=value):
                return _wrap(f"not {self.test(value, NOT)}", NOT, least)
            case ir.Logic(op=op, parts=parts):
                own = AND if op == "and" else OR
                texts = [
                    self.shared_test(p, own + 1) if isinstance(p, ir.Logic) else self.test(p, own + 1)
                    for p in parts
                ]
                return _wrap(f" {op} ".join(texts), own, least)
            case ir.Binary(op="!=", left=left, right=ir.Const(value=0)):
                return self.test(left, least)
            case ir.Binary(op="==", left=left, right=ir.Const(value=0)):
                return _wrap(f"not {self.test(left, NOT)}", NOT, least)
            case ir.Select(test=test, then=then, other=other):
                first = self.test(test, OR)
                text = f"{self.test(then, OR)} if {first} else {self.test(other)}"
                return _wrap(text, SELECT, least)
        return self.number(e, least)

    def number(self, e: Expression, least: int = SELECT) -> str:
        name = self.shared.get(e) if self.shared else None
        if name is not None:
            if name in self.met:
                return name
            self.met.add(name)
            return f"({name} := {self.plain_number(e)})"
        return self.plain_number(e, least)

    def plain_number(self, e: Expression, least: int = SELECT) -> str:
        match e:
            case ir.Const(value=value):
                return str(value) if value >= 0 else _wrap(str(value), UNARY, least)
            case ir.Local(name=name):
                return self.names.local(name)
            case ir.Load(base=base, index=index):
                return f"r[{self.slot(base, index)}]"
            case ir.FrameLoad(offset=offset, index=index):
                return self.frame_word(offset, index)
            case ir.Table(table=table, index=index):
                return f"T{table}[{self.number(index)}]"
            case ir.Element(array=array, index=index):
                return f"{self.names.local(array)}[{self.number(index)}]"
            case ir.Binary():
                return self.binary(e, least)
            case ir.Negate(value=value):
                return _wrap(f"-{self.number(value, UNARY)}", UNARY, least)
            case ir.Logic(parts=parts) if all(map(self.is_int_truth, parts)):
                return self.test(e, least)
            case ir.LogicNot() | ir.Logic():
                return self.test(e, least) if _says_truth(e) else self.value(e, least)
            case ir.Member(relation=relation, key=key, value=value):
                text = f"{self.number(value, BIT_OR)} in M{relation}[{self.number(key)}]"
                return _wrap(text, COMPARE, least)
            case ir.Connected():
                return self.connected(e, least)
            case ir.Select():
                return self.value(e, least)
            case ir.CallExpr(function=function, arguments=arguments):
                return self.call(self.named(function), arguments)
            case ir.Trial(function=function, arguments=arguments):
                return self.call("trial", arguments, f"{self.named(function)}, r")
            case ir.RelationSize(relation=relation, key=key):
                return f"len(R{relation}[{self.number(key)}])"
            case ir.RelationItem(relation=relation, key=key, position=position, field=field):
                item = f"R{relation}[{self.number(key)}][{self.number(position)}]"
                return item if field is None else f"{item}[{field}]"
            case ir.Answer():
                return "v"
            case ir.Result():
                return "take_result(r)"
        raise TypeError(f"cannot print {e!r}")

    # --- parts ---

    def call(self, function: str, arguments: tuple[Expression, ...], first: str = "r") -> str:
        return f"{function}({', '.join([first, *map(self.value, arguments)])})"

    def connected(self, e: ir.Connected, least: int) -> str:
        cells = f"{e.base}, R{e.near}, {self.value(e.start)}, {self.value(e.value)}"
        return f"connected(r, {cells}, M{e.goal}[{self.number(e.key)}])"

    def binary(self, e: ir.Binary, least: int) -> str:
        op = e.op
        if e.checked:
            return f"checked({self.unchecked(e)})"
        if op in ("min", "max"):
            return self.extreme(e, least)
        if op in COMPARISONS:
            text = f"{self.number(e.left, BIT_OR)} {op} {self.number(e.right, BIT_OR)}"
            return _wrap(text, COMPARE, least)
        own = PRECEDENCE[op]
        return _wrap(f"{self.number(e.left, own)} {op} {self.number(e.right, own + 1)}", own, least)

    def unchecked(self, e: ir.Binary) -> str:
        return self.number(ir.Binary(e.op, e.left, e.right))

    def extreme(self, e: ir.Binary, least: int) -> str:
        """Print min and max as a conditional, which is several times faster than the built-in functions."""
        sign = "<" if e.op == "min" else ">"
        left, first = self.twice(e.left)
        right, second = self.twice(e.right)
        return _wrap(f"{left} if {first} {sign} {second} else {right}", SELECT, least)

    def twice(self, e: Expression) -> tuple[str, str]:
        """The text for the first use, which evaluates the expression, and the text for later uses."""
        if simple(e):
            text = self.value(e, COMPARE + 1)
            return text, text
        name = self.names.fresh("m")
        return name, f"({name} := {self.value(e)})"

    def shared_test(self, e: Expression, least: int = SELECT) -> str:
        """A test that reads each slot or table entry once, even if it is mentioned several times."""
        if not _repeats(e):
            return self.test(e, least)
        counts: Counter[Expression] = Counter()
        first_is_sure: dict[Expression, bool] = {}
        for part, sure in _in_order(e):
            if isinstance(part, ir.Load | ir.Table) and part.index is not None and part not in self.shared:
                counts[part] += 1
                first_is_sure.setdefault(part, sure)
        outer = self.shared
        often = [part for part, count in counts.items() if count > 1 and first_is_sure[part]]
        if often:
            self.shared = outer | {part: self.names.fresh("c") for part in often}
        text = self.test(e, least)
        self.shared = outer
        return text

    def is_int_truth(self, e: Expression) -> bool:
        """Whether the plain text of a 0/1 value is an int."""
        return isinstance(e, ir.Local | ir.Load | ir.FrameLoad | ir.Table | ir.Element | ir.CallExpr)

    def slot(self, base: int, index: Expression | None) -> str:
        if index is not None:
            base, index = fold_slot(base, index)
        if index is None:
            return str(base)
        text = self.number(index, SUM)
        return text if base == 0 else f"{base} + {text}" if base > 0 else f"{text} - {-base}"

    def frame_word(self, offset: int, index: Expression | None) -> str:
        raise TypeError("no frame here")


def _says_truth(e: Expression) -> bool:
    """Whether the text of a test is True or False itself: `x != 0` is tested by its word, which may be any."""
    match e:
        case ir.Logic(parts=parts):
            return all(map(_says_truth, parts))
        case ir.Binary(op="!=", right=ir.Const(value=0)):
            return False
        case ir.Select():
            return False
    return is_truth(e) or isinstance(e, ir.LogicNot)


def _repeats(e: Expression) -> bool:
    """Whether a column or table may be read twice in an expression: most tests are short."""
    met: set[tuple[type, int]] = set()
    todo = [e]
    for part in todo:
        kind = type(part)
        if kind in LEAVES:
            continue
        if kind is ir.Load or kind is ir.Table:
            read = kind, part.base if kind is ir.Load else part.table
            if read in met:
                return True
            met.add(read)
        todo += expressions(part)
    return False


def _in_order(e: Expression, sure: bool = True) -> Iterator[tuple[Expression, bool]]:
    """The parts of an expression as they are evaluated, each with whether it is evaluated in any case."""
    match e:
        case ir.Logic(parts=parts):
            for position, part in enumerate(parts):
                yield from _in_order(part, sure and position == 0)
        case ir.Select(test=test, then=then, other=other):
            yield from _in_order(test, sure)
            yield from _in_order(then, False)
            yield from _in_order(other, False)
        case _:
            for part in expressions(e):
                yield from _in_order(part, sure)
    yield e, sure


def _wrap(text: str, own: int, least: int) -> str:
    return f"({text})" if own < least else text
