"""Small passes IR -> IR: fold constants and slots, unroll short loops, leave when the game is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.visit import (
    LEAVES,
    LOOPS,
    Expression,
    Node,
    arrays_written,
    assigned,
    bodies,
    changed,
    count,
    rewrite,
    same,
    statements,
    subexpressions,
    with_bodies,
    with_expressions,
)

LOWEST, HIGHEST = -(2**31), 2**31 - 1
Tables = Sequence[Sequence[int]]

OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "min": min,
    "max": max,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
}
COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


# --- folding ---


def fold(body: ir.Body, tables: Tables) -> ir.Body:
    """Evaluate what is constant, drop branches never taken, put constant parts of an index into the slot."""

    expression = _folding(tables)

    def whole(body: ir.Body) -> ir.Body:
        out: list[Node] = []
        for statement in body:
            statement = with_bodies(with_expressions(statement, expression), whole)
            if type(statement) in _FOLDED:
                out.extend(_fold_statement(statement))
            else:
                out.append(statement)
            if out and type(out[-1]) in _LEAVING:
                break
        return same(body, out)

    return whole(body)


_FOLDED = frozenset((ir.If, ir.While, ir.Store))
_LEAVING = frozenset((ir.Break, ir.Return, ir.Finish, ir.Trap))


def _fold_statement(statement: Node) -> ir.Body:
    """What becomes of a statement whose parts are folded."""
    match statement:
        case ir.If(test=ir.Const(value=value)):
            return statement.then if value else statement.other
        case ir.If(then=(), other=()) if is_harmless(statement.test):
            return ()
        case ir.If(then=(), other=other) if other:
            return (replace(statement, test=negation(statement.test), then=other, other=()),)
        case ir.While(test=ir.Const(value=0)):
            return ()
        case ir.Store(base=base, index=ir.Const(value=value)):
            # else `base` must stay: it names the column
            return (replace(statement, base=base + value, index=None),)
    return (statement,)


def fold_expression(expression: Expression, tables: Tables) -> Expression:
    return _folding(tables)(expression)


def _folding(tables: Tables) -> Callable[[Expression], Expression]:
    """How an expression is folded: from its parts up."""

    def inside(e: Expression) -> Expression:
        kind = type(e)
        if kind in LEAVES:
            return e
        e = with_expressions(e, inside)
        return _fold_node(e, tables) if kind in _FOLDING else e

    return inside


def negation(test: Expression) -> Expression:
    """The opposite of a 0/1 value."""
    match test:
        case ir.Const(value=value):
            return ir.Const(int(not value))
        case ir.LogicNot(value=value) if is_truth(value):
            return value
        case ir.Binary(op=op, left=left, right=right) if op in OPPOSITE:
            return ir.Binary(OPPOSITE[op], left, right)
    return ir.LogicNot(test)


def is_truth(expression: Expression) -> bool:
    """Whether the value can only be 0 or 1."""
    match expression:
        case ir.Const(value=value):
            return value in (0, 1)
        case ir.Binary(op=op):
            return op in COMPARISONS
        case ir.LogicNot() | ir.Member() | ir.Connected():
            return True
        case ir.Logic(parts=parts):
            return all(map(is_truth, parts))
        case ir.Select(then=then, other=other):
            return is_truth(then) and is_truth(other)
    return False


_FOLDING = frozenset((ir.Binary, ir.Load, ir.Table, ir.Negate, ir.LogicNot, ir.Select, ir.Logic))


def _fold_node(node: Node, tables: Tables) -> Expression:
    match node:
        case ir.Binary():
            return _fold_binary(node)
        case ir.Load(base=base, index=index) if index is not None:
            slot = fold_slot(base, index)
            return node if slot[1] is index else ir.Load(*slot)
        case ir.Table(table=table, index=ir.Const(value=value)) if 0 <= value < len(tables[table]):
            return ir.Const(tables[table][value])
        case ir.Negate(value=ir.Const(value=value)) if value > LOWEST:
            return ir.Const(-value)
        case ir.LogicNot(value=value):
            return negation(value)
        case ir.Select(test=ir.Const(value=value)):
            return node.then if value else node.other
        case ir.Logic():
            return _fold_logic(node)
    return node


def _fold_binary(node: ir.Binary) -> Expression:
    left, right = node.left, node.right
    if isinstance(left, ir.Const) and isinstance(right, ir.Const):
        if (node.op in ("//", "%") and right.value == 0) or (
            node.op in ("<<", ">>") and not 0 <= right.value < 32
        ):
            return node
        value = OPERATIONS[node.op](left.value, right.value)
        return ir.Const(value) if LOWEST <= value <= HIGHEST else node
    if isinstance(left, ir.Const) and node.op in ("+", "*"):
        left, right = right, left
        node = replace(node, left=left, right=right)
    if not isinstance(right, ir.Const):
        return node
    if node.op == "==" and right.value in (0, 1) and is_truth(left):
        return left if right.value else negation(left)
    if (right.value == 0 and node.op in ("+", "-", "|", "^", "<<", ">>")) or (
        right.value == 1 and node.op in ("*", "//")
    ):
        return left
    if node.checked or node.op not in ("+", "-"):
        return node
    if right.value < 0:
        return _fold_binary(_plus(left, _signed(node.op, right.value)))
    if (
        isinstance(left, ir.Binary)
        and left.op in ("+", "-")
        and not left.checked
        and isinstance(left.right, ir.Const)
    ):
        total = _signed(left.op, left.right.value) + _signed(node.op, right.value)
        return _plus(left.left, total) if abs(total) <= HIGHEST else node
    return node


def _signed(op: str, value: int) -> int:
    return value if op == "+" else -value


def _plus(left: Expression, constant: int) -> Expression:
    if constant == 0:
        return left
    return (
        ir.Binary("+", left, ir.Const(constant))
        if constant > 0
        else ir.Binary("-", left, ir.Const(-constant))
    )


def _fold_logic(node: ir.Logic) -> Expression:
    stop = int(node.op == "or")
    parts: list[Expression] = []
    for part in node.parts:
        if isinstance(part, ir.Logic) and part.op == node.op:
            parts.extend(part.parts)
        elif isinstance(part, ir.Const):
            if bool(part.value) == bool(stop):
                parts.append(ir.Const(stop))
                break
        else:
            parts.append(part)
    if not parts:
        return ir.Const(1 - stop)
    if len(parts) == 1 or (isinstance(parts[0], ir.Const) and len(parts) == 1):
        return parts[0]
    return replace(node, parts=tuple(parts)) if tuple(parts) != node.parts else node


def fold_slot(base: int, index: Expression) -> tuple[int, Expression | None]:
    match index:
        case ir.Const(value=value):
            return base + value, None
        case ir.Binary(op="+", left=left, right=ir.Const(value=value), checked=False):
            return fold_slot(base + value, left)
        case ir.Binary(op="-", left=left, right=ir.Const(value=value), checked=False):
            return fold_slot(base - value, left)
    return base, index


def is_harmless(expression: Expression) -> bool:
    """Whether nothing can happen when it is worked out, so that it need not be."""
    return not any(
        isinstance(e, ir.CallExpr | ir.Trial) or (isinstance(e, ir.Binary) and e.checked)
        for e in subexpressions(expression)
    )


# --- substitution and unrolling ---


def substitute(body: ir.Body, values: Mapping[str, Expression]) -> ir.Body:
    """Put expressions in the place of locals that the body does not assign."""

    def change(expression: Expression) -> Expression:
        if isinstance(expression, ir.Local):
            return values.get(expression.name, expression)
        return expression

    def one(statement: Node) -> Node:
        statement = with_expressions(statement, lambda e: rewrite(e, change))
        return with_bodies(statement, lambda b: same(b, [*map(one, b)]))

    return same(body, [*map(one, body)])


def renamed(body: ir.Body, prefix: str, also: Iterable[str] = ()) -> ir.Body:
    """Locals that the body assigns, and some others, get a prefix."""
    own = set(also) | {name for s in statements(body) for name in assigned(s)}
    own |= {name for s in statements(body) if (name := arrays_written(s)) is not None}

    def new(name: str) -> str:
        return prefix + name if name in own else name

    def expression(e: Expression) -> Expression:
        match e:
            case ir.Local(name=name) if name in own:
                return ir.Local(new(name))
            case ir.Element(array=array, index=index) if array in own:
                return ir.Element(new(array), index)
        return e

    def statement(s: Node) -> Node:
        s = with_bodies(
            with_expressions(s, lambda e: rewrite(e, expression)), lambda b: same(b, [*map(statement, b)])
        )
        match s:
            case ir.Set() | ir.ForRange() | ir.Scan() | ir.NewArray():
                return changed(s, {"name": new(s.name)})
            case ir.SetElement():
                return changed(s, {"array": new(s.array)})
            case ir.Each():
                return changed(s, {"names": tuple(map(new, s.names))})
            case ir.Random() | ir.Perform() if s.into is not None:
                return changed(s, {"into": new(s.into)})
        return s

    return same(body, [*map(statement, body)])


def size(body: ir.Body) -> int:
    """A rough measure of how much code a body becomes."""
    return count(body)


def unroll(
    body: ir.Body,
    tables: Tables,
    relations: Sequence[Sequence[Sequence[object]]],
    indexed: frozenset[int] = frozenset(),
    most: int = 16,
    budget: int = 600,
) -> ir.Body:
    """Write out loops over a constant range, a constant relation row or a small column that holds no index.

    `indexed` are the bases of columns with an index.
    """
    return _unroll(fold(body, tables), tables, relations, indexed, most, budget)


def _unroll(
    body: ir.Body,
    tables: Tables,
    relations: Sequence[Sequence[Sequence[object]]],
    indexed: frozenset[int],
    most: int,
    budget: int,
) -> ir.Body:
    """Of a body that is folded."""
    out: list[Node] = []
    for statement in body:
        statement = with_bodies(
            statement, lambda b: _unroll(b, tables, relations, indexed, most, max(budget // 4, 60))
        )
        rounds = _rounds(statement, relations, indexed)
        if rounds is None or len(rounds) > most or _breaks(statement.body) or _assigns(statement):
            out.append(statement)
            continue
        written = [test_and_body(statement, values) for values in rounds]
        flat = fold(tuple(s for part in written for s in part), tables)
        if size(flat) > budget:
            out.append(statement)
        else:
            out.extend(flat)
    return same(body, out)


def test_and_body(loop: Node, values: dict[str, Expression]) -> ir.Body:
    body = substitute(loop.body, values)
    if isinstance(loop, ir.Scan):
        number = values[loop.name]
        return (ir.If(ir.Binary("==", ir.Load(loop.base, number), loop.value), body, place=loop.place),)
    return body


def _rounds(
    loop: Node, relations: Sequence[Sequence[Sequence[object]]], indexed: frozenset[int]
) -> list[dict[str, Expression]] | None:
    match loop:
        case ir.ForRange(name=name, low=ir.Const(value=low), high=ir.Const(value=high)):
            return [{name: ir.Const(i)} for i in range(low, min(high, low + 99) + 1)]
        case ir.Scan(name=name, base=base, size=n, frozen=False) if base not in indexed and simple(
            loop.value
        ):
            return [{name: ir.Const(i)} for i in range(1, min(n, 99) + 1)]
        case ir.Each(names=names, relation=relation, key=ir.Const(value=key)):
            rows = [row if isinstance(row, tuple) else (row,) for row in relations[relation][key]]
            return [{n: ir.Const(int(v)) for n, v in zip(names, row, strict=True)} for row in rows]
    return None


def simple(expression: Expression) -> bool:
    """Whether writing the expression several times costs nothing."""
    return isinstance(expression, ir.Const | ir.Local)


def _breaks(body: ir.Body) -> bool:
    """Whether a Break in the body leaves the loop around it."""
    for statement in body:
        if isinstance(statement, ir.Break):
            return True
        if not isinstance(statement, LOOPS) and any(_breaks(inner) for inner in bodies(statement)):
            return True
    return False


def _assigns(loop: Node) -> bool:
    names = set(assigned(loop))
    value = getattr(loop, "value", None)
    if isinstance(value, ir.Local):
        names.add(value.name)
    return any(names & set(assigned(statement)) for statement in statements(loop.body))


def merge_tails(body: ir.Body) -> ir.Body:
    """Where both sides of an If end alike, let what they share follow it."""
    out: list[Node] = []
    for statement in body:
        statement = with_bodies(statement, merge_tails)
        tail: ir.Body = ()
        if isinstance(statement, ir.If):
            then, other = statement.then, statement.other
            while then and other and then[-1] == other[-1]:
                then, other, tail = then[:-1], other[:-1], (then[-1], *tail)
            if tail:
                statement = changed(statement, {"then": then, "other": other})
                if not then and other:
                    statement = replace(statement, test=negation(statement.test), then=other, other=())
        out.append(statement)
        out.extend(tail)
    return same(body, out)


# --- leaving when the game is over ---


def with_unwinds(body: ir.Body, functions: Mapping[str, ir.Function], at_end: bool = False) -> ir.Body:
    """After each call of a plain function that may finish the game, leave if it did.

    `at_end`: nothing follows the body, so a call at its end needs no check.
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
