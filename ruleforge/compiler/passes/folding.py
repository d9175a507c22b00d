"""Fold constants and remove dead branches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.passes.expressions import HIGHEST, LOWEST, OPERATIONS, is_harmless, is_truth, negation
from ruleforge.compiler.visit import LEAVES, Expression, Node, same, with_bodies, with_expressions

Tables = Sequence[Sequence[int]]

_FOLDED = frozenset((ir.If, ir.While, ir.Store))
_LEAVING = frozenset((ir.Break, ir.Return, ir.Finish, ir.Trap))
_FOLDING = frozenset((ir.Binary, ir.Load, ir.Table, ir.Negate, ir.LogicNot, ir.Select, ir.Logic))


def fold(body: ir.Body, tables: Tables) -> ir.Body:
    """Evaluate constants, drop dead branches, and move constant parts of an index into the slot."""

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


def _fold_statement(statement: Node) -> ir.Body:
    """The replacement of a statement with folded parts."""
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
    """The bottom-up folding of expressions."""

    def inside(e: Expression) -> Expression:
        kind = type(e)
        if kind in LEAVES:
            return e
        e = with_expressions(e, inside)
        return _fold_node(e, tables) if kind in _FOLDING else e

    return inside


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
        return _computed(node, left.value, right.value)
    if isinstance(left, ir.Const) and node.op in ("+", "*"):
        left, right = right, left
        node = replace(node, left=left, right=right)
    if not isinstance(right, ir.Const):
        return node
    if node.op == "==" and right.value in (0, 1) and is_truth(left):
        return left if right.value else negation(left)
    if _changes_nothing(node.op, right.value):
        return left
    return node if node.checked or node.op not in ("+", "-") else _fold_sum(node, left, right.value)


def _computed(node: ir.Binary, left: int, right: int) -> Expression:
    """Fold an operation, unless it would fail: play reports the fault."""
    if (node.op in ("//", "%") and right == 0) or (node.op in ("<<", ">>") and not 0 <= right < 32):
        return node
    value = OPERATIONS[node.op](left, right)
    return ir.Const(value) if LOWEST <= value <= HIGHEST else node


def _changes_nothing(op: str, right: int) -> bool:
    return op in (("+", "-", "|", "^", "<<", ">>") if right == 0 else ("*", "//") if right == 1 else ())


def _fold_sum(node: ir.Binary, left: Expression, constant: int) -> Expression:
    """Fold a sum or difference with a constant at its right: combine constants and make them positive."""
    if constant < 0:
        return _fold_binary(_plus(left, _signed(node.op, constant)))
    if not isinstance(left, ir.Binary) or left.op not in ("+", "-") or left.checked:
        return node
    if not isinstance(left.right, ir.Const):
        return node
    total = _signed(left.op, left.right.value) + _signed(node.op, constant)
    return _plus(left.left, total) if abs(total) <= HIGHEST else node


def _signed(op: str, value: int) -> int:
    return value if op == "+" else -value


def _plus(left: Expression, constant: int) -> Expression:
    if constant == 0:
        return left
    return ir.Binary("+" if constant > 0 else "-", left, ir.Const(abs(constant)))


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
    if len(parts) == 1:
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
