"""Lower typed expressions of single values to expressions over slots, tables and locals."""

from __future__ import annotations

from ruleforge.analysis.intervals import WORD, apply
from ruleforge.compiler import ir
from ruleforge.compiler.lower.branches import choose, lookup
from ruleforge.compiler.lower.context import Env, Lazy, Lowering, add, both, clamped, digits, load, times
from ruleforge.compiler.lower.expressions import boards
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import INT_MIN, NumberT, SetT, ThingT, Type
from ruleforge.lang.checker.walk import all_nodes, free_variables

ZERO = ir.Const(0)
ONE = ir.Const(1)


def value(low: Lowering, node: t.Expr, env: Env) -> ir.Expr:
    """Lower any expression to one integer. A set becomes its bit mask."""
    found = _value(low, node, env)
    return low.seen(node, found) if low.marks else found


def _value(low: Lowering, node: t.Expr, env: Env) -> ir.Expr:
    if isinstance(node.type, SetT):
        return low.above.words(low, node, env)[0]
    match node:
        case t.Constant(value=number):
            return ir.Const(number)
        case t.OptionValue(option=option):
            return ir.Const(low.options[option.name])
        case t.Use(variable=variable):
            return env.expr(variable)
        case t.Opponent(of=of):
            return ir.Binary("-", ir.Const(3), value(low, of, env))
        case t.Read():
            return read(low, node, env)
        case t.Whereabouts():
            return _whereabouts(low, node, env)
        case t.Content(place=place, index=index):
            return load(low.layout.places[place].occupant, instance(low, place, index, env))
        case t.Builtin():
            return _builtin(low, node, env)
        case t.CallFormula():
            return call(low, node, env)
        case t.Arithmetic():
            return _arithmetic(low, node, env)
        case t.Negative(value=inner):
            return _negative(value(low, inner, env), inner.type)
        case t.Compare():
            return _compared(low, node, env)
        case t.In(element=element, source=source):
            return low.above.contains(low, source, value(low, element, env), _may_be_none(element), env)
        case t.Not(value=inner):
            return negated(value(low, inner, env))
        case t.Logic(op="and", parts=parts):
            return both(*(value(low, p, env) for p in parts))
        case t.Logic(parts=parts):
            return either([value(low, p, env) for p in parts])
        case t.Conditional(test=test, then=then, other=other):
            return choose(value(low, test, env), value(low, then, env), value(low, other, env))
        case t.Aggregate():
            return low.above.aggregate(low, node, env)
        case t.Linked():
            return low.above.linked(low, node, env)
        case t.Sure(value=inner):
            return ir.CallExpr(_sure(low, node), (value(low, inner, env),))
        case t.Active():
            return ir.Load(ir.ACTIVE)
        case t.AtPlace(number=number, place=place):
            return _at_place(low, value(low, number, env), place, env)
        case t.Can(event=event, arguments=arguments):
            return low.above.can(low, event, flat(low, arguments, env))
        case t.Would():
            return low.above.would(low, node, env)
        case t.CanAct():
            return low.above.can_act(low, node, env)
        case t.Repeats():
            return low.above.repeats(low, node)
    raise AssertionError(node)


def flat(low: Lowering, arguments: tuple[t.Expr, ...], env: Env) -> tuple[ir.Expr, ...]:
    """Arguments as integers, a set as its words."""
    found: list[ir.Expr] = []
    for argument in arguments:
        if isinstance(argument.type, SetT):
            found += low.above.words(low, argument, env)
        else:
            found.append(value(low, argument, env))
    return tuple(found)


def _compared(low: Lowering, node: t.Compare, env: Env) -> ir.Expr:
    """Sets are the same if all their words are."""
    if not isinstance(node.left.type, SetT):
        return _compare(node.op, value(low, node.left, env), value(low, node.right, env))
    pairs = zip(low.above.words(low, node.left, env), low.above.words(low, node.right, env), strict=True)
    same = both(*(_compare("==", a, b) for a, b in pairs))
    return same if node.op == "==" else negated(same)


def _at_place(low: Lowering, number: ir.Expr, place: t.Expr, env: Env) -> ir.Expr:
    if isinstance(place, t.Content):
        return ir.Binary("==", number, instance(low, place.place, place.index, env))
    assert isinstance(place, t.Family)
    info = low.layout.places[place.place]
    above = ir.Binary(">", number, ir.Const(info.first))
    return both(above, ir.Binary("<=", number, ir.Const(info.first + info.count)))


def _may_be_none(node: t.Expr) -> bool:
    return isinstance(node.type, ThingT) and node.type.optional


# --- columns and places ---


def slot(low: Lowering, column: t.Column, of: ir.Expr, index: tuple[ir.Expr, ...]) -> tuple[int, ir.Expr]:
    """Base and index of an attribute's (first) slot."""
    sizes = (low.size(column.kind), *(low.size(k) for k in column.per))
    info = low.layout.columns[column]
    at = digits((of, *index), sizes)
    return info.base, at if info.words == 1 else add(times(add(at, -1), info.words), 1)


def read(low: Lowering, node: t.Read, env: Env) -> ir.Expr:
    column = node.column
    if column.constant:
        return lookup(low, _fact_values(column), fact_key(low, node, env))
    return load(*slot(low, column, value(low, node.of, env), tuple(value(low, i, env) for i in node.index)))


def fact_key(low: Lowering, node: t.Read, env: Env) -> ir.Expr:
    """The number of a fact's value, from 1. Printed values do not depend on the number of players."""
    sizes = (node.column.kind.size, *(kind.size for kind in node.column.per))
    return digits(tuple(value(low, part, env) for part in (node.of, *node.index)), sizes)


def _fact_values(column: t.Column) -> tuple[int, ...]:
    return (0, *(v for v in column.values if isinstance(v, int)))


def instance(low: Lowering, place: t.Place, index: tuple[t.Expr, ...], env: Env) -> ir.Expr:
    """The number of one container of a family."""
    info = low.layout.places[place]
    values = tuple(value(low, i, env) for i in index)
    return add(digits(values, tuple(low.size(k) for _, k in place.of)), info.first)


def _whereabouts(low: Lowering, node: t.Whereabouts, env: Env) -> ir.Expr:
    """A table from container numbers to the index asked for."""
    where = low.layout.places[node.places[0]].where
    table = [0]
    for place, index in low.layout.instances:
        names = [name for name, _ in place.of]
        table.append(index[names.index(node.index)] if place in node.places else 0)
    return lookup(low, tuple(table), load(where, value(low, node.of, env)))


# --- operators ---


def negated(test: ir.Expr) -> ir.Expr:
    match test:
        case ir.Const(value=number):
            return ir.Const(0 if number else 1)
        case ir.LogicNot(value=inner):
            return inner
        case ir.Binary(op=op, left=left, right=right) if op in _OPPOSITE:
            return ir.Binary(_OPPOSITE[op], left, right)
    return ir.LogicNot(test)


_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_COMPARE = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def _compare(op: str, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    if isinstance(left, ir.Const) and isinstance(right, ir.Const):
        return ir.Const(int(_COMPARE[op](left.value, right.value)))
    return ir.Binary(op, left, right)


def same(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return ir.Const(1) if left == right else _compare("==", left, right)


def either(parts: list[ir.Expr]) -> ir.Expr:
    """`or` of several tests, constants folded away."""
    parts = [p for p in parts if p != ZERO]
    if ONE in parts:
        return ONE
    if not parts:
        return ZERO
    return parts[0] if len(parts) == 1 else ir.Logic("or", tuple(parts))


def _negative(inner: ir.Expr, type: Type) -> ir.Expr:
    """The least number has no counterpart: where it may come, the sign is turned under a check."""
    if isinstance(type, NumberT) and type.low == INT_MIN:
        return ir.Binary("-", ZERO, inner, True)
    return ir.Const(-inner.value) if isinstance(inner, ir.Const) else ir.Negate(inner)


def _arithmetic(low: Lowering, node: t.Arithmetic, env: Env) -> ir.Expr:
    left, right = value(low, node.left, env), value(low, node.right, env)
    assert isinstance(node.left.type, NumberT) and isinstance(node.right.type, NumberT)
    checked = not apply(node.op, node.left.type.range, node.right.type.range).within(WORD)
    if isinstance(left, ir.Const) and isinstance(right, ir.Const) and not checked:
        folded = _fold(node.op, left.value, right.value)
        if folded is not None:
            return ir.Const(folded)
    if node.op in ("//", "%") and node.right.type.low <= 0 <= node.right.type.high:
        return ir.CallExpr(_divider(low, node), (left, right))
    if node.op in ("+", "-") and isinstance(right, ir.Const) and not checked:
        return add(left, right.value if node.op == "+" else -right.value)
    return ir.Binary(node.op, left, right, checked)


def _sure(low: Lowering, node: t.Sure) -> str:
    name = low.fresh("sure")
    fault = low.fault("RF827", "a value that the loop found at its start is none now", node.span)
    stop = ir.If(ir.Binary("==", ir.Local("thing"), ZERO), (ir.Trap(fault),))
    return low.define(name, ("thing",), (stop, ir.Return(ir.Local("thing"))), node.span)


def _divider(low: Lowering, node: t.Arithmetic) -> str:
    """A division whose divisor may be zero, as a function that stops there."""
    name = low.fresh("divided")
    fault = low.fault("RF826", "a number is divided by zero", node.span)
    a, b = ir.Local("a"), ir.Local("b")
    stop = ir.If(ir.Binary("==", b, ZERO), (ir.Trap(fault),))
    return low.define(name, ("a", "b"), (stop, ir.Return(ir.Binary(node.op, a, b))), node.span)


def _fold(op: str, a: int, b: int) -> int | None:
    if op in ("//", "%"):
        return None if b == 0 else a // b if op == "//" else a % b
    return {"+": a + b, "-": a - b, "*": a * b}[op]


def _builtin(low: Lowering, node: t.Builtin, env: Env) -> ir.Expr:
    arguments = [value(low, a, env) for a in node.arguments]
    match node.name:
        case "min" | "max":
            result = arguments[0]
            for other in arguments[1:]:
                result = ir.Binary(node.name, result, other)
            return result
        case "clamp":
            x, bottom, top = arguments
            return ir.Binary("max", ir.Binary("min", x, top), bottom)
        case "abs":
            return ir.Binary("max", arguments[0], _negative(arguments[0], node.arguments[0].type))
        case "twins":
            assert node.kind is not None
            printed = node.kind.printed
            one, other = (lookup(low, (0, *printed), x) if printed else x for x in arguments)
            return ir.Binary("==", one, other)
        case "number":
            return arguments[0]
        case "numbered":
            return boards.numbered(low, node, arguments[0])
        case "next":
            players = low.layout.players
            if players == 2:
                return ir.Binary("-", ir.Const(3), arguments[0])
            return lookup(low, (0, *range(2, players + 1), 1), arguments[0])
        case "previous":
            players = low.layout.players
            return lookup(low, (0, players, *range(1, players)), arguments[0])
        case "seats_on":
            return boards.seats_on(low, arguments[0], arguments[1])
    return boards.on_board(low, node, arguments)


def call(low: Lowering, node: t.CallFormula, env: Env) -> ir.Expr:
    """A formula in place where that is cheap, else a call."""
    arguments = [value(low, a, env) if not isinstance(a.type, SetT) else Lazy(a, env) for a in node.arguments]
    formula = node.formula
    assert formula.body is not None
    if low.stands_alone(formula):
        return low.above.open_formula(low, formula, flat(low, node.arguments, env))
    if _has_lazy(arguments) or _goes_inline(low, formula, arguments):
        found = value(low, formula.body, Env(dict(zip(formula.parameters, arguments, strict=True))))
        return clamped(found, formula.clamp)
    return ir.CallExpr(formula_function(low, formula), tuple(a for a in arguments if not isinstance(a, Lazy)))


def _has_lazy(arguments: list[ir.Expr | Lazy]) -> bool:
    return any(isinstance(a, Lazy) for a in arguments)


def _goes_inline(low: Lowering, formula: t.Formula, arguments: list[ir.Expr | Lazy]) -> bool:
    """No loops inside, not long, and nothing dear evaluated twice."""
    if not is_short(low, formula):
        return False
    nodes = all_nodes(formula.body)
    uses = [x.variable for x in nodes if isinstance(x, t.Use)]
    return all(is_simple(a) or uses.count(p) <= 1 for p, a in zip(formula.parameters, arguments, strict=True))


def is_short(low: Lowering, formula: t.Formula) -> bool:
    """Whether a function has no loops and few nodes, after its formulas are inlined."""
    nodes = list(all_nodes(formula.body))
    loops = any(isinstance(x, t.Aggregate | t.Reached | t.Selection) for x in nodes)
    return len(nodes) <= 30 and not loops and low.spreads.of(formula) <= 120


def is_simple(expr: ir.Expr | Lazy) -> bool:
    return isinstance(expr, ir.Const | ir.Local)


def formula_function(low: Lowering, formula: t.Formula) -> str:
    name = f"formula {formula.name}"
    if name not in low.functions:
        assert formula.body is not None
        parameters = tuple(p.name for p in formula.parameters)
        env = Env({p: ir.Local(p.name) for p in formula.parameters})
        low.reserve(name, parameters)
        result = clamped(value(low, formula.body, env), formula.clamp)
        low.define(name, parameters, (ir.Return(result),), formula.span)
    return name


def captured(env: Env, *nodes: object) -> tuple[t.Variable, ...]:
    """The locals of an environment that some nodes use."""
    return tuple(v for v in free_variables(*nodes) if v in env.values)
