"""Move loop-invariant tests out of loops. They are computed when first needed.

    for c in hand:                                      known = 0
        if fits(c, any_of(led)):                        for c in hand:
            offer c                                         if not known: asked, known = any_of(led), 1
                                                            if fits(c, asked): offer c

The pass handles loops that write no cell of the row, and tests that cannot fail, so the behaviour stays the
same. A list of choices counts as one loop. A test of every value in turn becomes one test of all values
(`value_sets.py`). A formula of one expression is inlined if a part of it is invariant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from ruleforge.compiler import ir
from ruleforge.compiler.function_traits import HARMLESS, Traits
from ruleforge.compiler.passes.expressions import simple
from ruleforge.compiler.passes.substitution import substitute
from ruleforge.compiler.value_sets import HIGHEST, ByValue, by_value
from ruleforge.compiler.visit import (
    LOOPS,
    Expression,
    Node,
    arrays_written,
    assigned,
    count,
    placed,
    same,
    statements,
    subexpressions,
    with_bodies,
    with_expressions,
)
from ruleforge.support.records import dataclass

SHORT = 120  # a formula up to this size is opened
FEW = 12  # what a test guards may be written several times if it is no larger
_QUIET = (*HARMLESS, ir.Offer)  # statements of a loop that leaves the row as it is


def hoisted(lowered: ir.Lowered) -> ir.Lowered:
    """The optimised program. Loops that may wait for a player stay unchanged."""
    hoist = _Hoist(lowered.functions)
    changed = {name: hoist.function(f) for name, f in lowered.functions.items()}
    return replace(lowered, functions=changed | hoist.gathering) if hoist.fresh else lowered


@dataclass(slots=True)
class _Loop:
    """A loop during the pass: the locals that change in it, and its invariant expressions."""

    changing: set[str]
    small: frozenset[str] = frozenset()  # locals that count through numbers which bits can stand for
    memos: dict[ir.CallExpr | ir.Trial, int] = field(default_factory=dict)
    wanted: dict[int, ir.CallExpr | ir.Trial] = field(default_factory=dict)  # by the current statement


class _Hoist:
    def __init__(self, functions: Mapping[str, ir.Function]) -> None:
        self.functions = functions
        self.traits = Traits(functions)
        self.memoised: set[ir.CallExpr | ir.Trial] = set()  # once already, in a loop around
        self.by_value: dict[str, ByValue | None] = {}
        self.gathering: dict[str, ir.Function] = {}  # functions that are new
        self.fresh = 0
        self.pauses = False  # whether the current function pauses

    def function(self, function: ir.Function) -> ir.Function:
        """Optimise a function.

        A list of choices is like one loop: all its tests are about the same position.
        """
        self.pauses = function.pauses
        if function.offers and all(isinstance(s, _QUIET) for s in statements(function.body)):
            body = self.listing(function)
        else:
            body = self.body(function.body)
        return function if body is function.body else replace(function, body=body)

    def listing(self, function: ir.Function) -> ir.Body:
        loop = _loop(tuple(statements(function.body)))
        body = self.within(loop, self.lifted(function.body, loop))
        return (*self.unknown(loop, function.place), *body)

    def unknown(self, loop: _Loop, place: int) -> ir.Body:
        """The statements before a loop: none of its invariants is known yet.

        In a function that waits for a player, the values are also reset, so that no frame saves them between
        two loops.
        """
        names = [_known(n) for n in loop.memos.values()]
        names += [_memo_name(n) for n in loop.memos.values()] if self.pauses else []
        return tuple(ir.Set(name, ir.Const(0), place=place) for name in names)

    def within(self, loop: _Loop, body: ir.Body) -> ir.Body:
        """The loops in a body of a loop: what that asks once they need not."""
        around = self.memoised
        self.memoised = around | set(loop.memos)
        body = self.body(body)
        self.memoised = around
        return body

    def body(self, body: ir.Body) -> ir.Body:
        out: list[Node] = []
        for statement in body:
            if isinstance(statement, LOOPS) and _is_quiet(statement):
                out += self.loop(statement)
            else:
                out.append(with_bodies(statement, self.body))
        return same(body, out)

    def loop(self, statement: Node) -> ir.Body:
        loop = _loop((statement, *statements(statement.body)))
        done = with_bodies(statement, lambda b: self.lifted(b, loop))
        return (*self.unknown(loop, statement.place), with_bodies(done, lambda b: self.within(loop, b)))

    def lifted(self, body: ir.Body, loop: _Loop) -> ir.Body:
        out: list[Node] = []
        for statement in body:
            opened = with_expressions(statement, lambda e: self.opening(e, loop))
            if isinstance(opened, ir.If) and self.is_worth_splitting(opened, loop):
                parts = placed(_split(opened.test, opened.then), statement.place)
                out += self.asking_once(parts, loop)
            else:
                out += self.asking_once((opened,), loop)
        return same(body, out)

    def asking_once(self, body: ir.Body, loop: _Loop) -> ir.Body:
        """The statements with what is the same in all iterations in front of those that ask for it."""
        out: list[Node] = []
        for statement in body:
            loop.wanted = {}
            asking = with_expressions(statement, lambda e: self.expression(e, loop))
            # Not before the loop, but when it is first wanted: no iteration may ever come to it.
            for number, call in loop.wanted.items():
                unknown = ir.Binary("==", ir.Local(_known(number)), ir.Const(0))
                learnt = (ir.Set(_memo_name(number), call), ir.Set(_known(number), ir.Const(1)))
                out += placed((ir.If(unknown, learnt),), statement.place)
            out.append(with_bodies(asking, lambda b: self.lifted(b, loop)))
        return tuple(out)

    def is_worth_splitting(self, statement: ir.If, loop: _Loop) -> bool:
        """Whether a test may be decided before its expensive part."""
        is_short = not statement.other and count(statement.then) <= FEW
        return (
            is_short and isinstance(statement.test, ir.Select | ir.Logic) and self.asks(statement.test, loop)
        )

    def asks(self, e: Expression, loop: _Loop) -> bool:
        return any(self.question(part, loop) is not None for part in subexpressions(e))

    def question(self, e: Expression, loop: _Loop) -> ir.CallExpr | ir.Trial | None:
        """The call that is invariant in an expression, itself or for all values at once."""
        if not isinstance(e, ir.CallExpr | ir.Trial) or e in self.memoised:
            return None
        # A cheap call costs less than the two locals that would remember its answer.
        trait = self.traits.of(e.function)
        if not (trait.dear and trait.pure if isinstance(e, ir.CallExpr) else trait.quiet):
            return None
        if not any(_names(part) & loop.changing for part in e.arguments):
            return e
        return self.of_all_values(e, loop) if isinstance(e, ir.CallExpr) else None

    def of_all_values(self, e: ir.CallExpr, loop: _Loop) -> ir.CallExpr | None:
        if e.function not in self.by_value:
            self.by_value[e.function] = by_value(self.functions[e.function])
        found = self.by_value[e.function]
        if found is None:
            return None
        others = (*e.arguments[: found.position], *e.arguments[found.position + 1 :])
        value = e.arguments[found.position]
        if not isinstance(value, ir.Local) or value.name not in loop.small:
            return None
        if any(_names(part) & loop.changing for part in others):
            return None
        self.gathering[found.function.name] = found.function
        return ir.CallExpr(found.function.name, others)

    def opening(self, e: Expression, loop: _Loop) -> Expression:
        """The expression with formulas opened that ask for something which is the same in every iteration."""
        e = with_expressions(e, lambda part: self.opening(part, loop))
        if not isinstance(e, ir.CallExpr) or e in self.memoised or self.question(e, loop) is not None:
            return e
        trait = self.traits.of(e.function)
        opened = self.opened(e) if trait.pure and trait.dear else None
        inside = None if opened is None else self.opening(opened, loop)
        return inside if inside is not None and self.asks(inside, loop) else e

    def expression(self, e: Expression, loop: _Loop) -> Expression:
        question = self.question(e, loop)
        if question is None:
            return with_expressions(e, lambda part: self.expression(part, loop))
        if question not in loop.memos:
            self.fresh += 1
            loop.memos[question] = self.fresh
        loop.wanted[loop.memos[question]] = question
        answer = ir.Local(_memo_name(loop.memos[question]))
        if question is e:
            return answer
        found = self.by_value[e.function]
        assert found is not None
        return ir.Binary("&", ir.Binary(">>", answer, e.arguments[found.position]), ir.Const(1))

    def opened(self, call: ir.CallExpr) -> Expression | None:
        """The body of a formula, if it is one expression and its arguments are cheap."""
        function = self.functions[call.function]
        match function.body:
            case (ir.Return(),) if count(function.body) <= SHORT and all(map(_is_cheap, call.arguments)):
                given = dict(zip(function.parameters, call.arguments, strict=True))
                (opened,) = substitute(function.body, given)
                return opened.value  # type: ignore[union-attr]
        return None


def _split(test: Expression, then: ir.Body) -> ir.Body:
    """`if test: then`, cut where the test is decided."""
    match test:
        case ir.Select(test=first, then=one, other=two):
            return (ir.If(first, _split(one, then), _split(two, then)),)
        case ir.Logic(op="and", parts=(first, *rest)) if rest:
            return (ir.If(first, _split(_joined("and", rest), then)),)
        case ir.Logic(op="or", parts=(first, *rest)) if rest:
            return (ir.If(first, then, _split(_joined("or", rest), then)),)
    return (ir.If(test, then),)


def _joined(op: str, parts: list[Expression]) -> Expression:
    return parts[0] if len(parts) == 1 else ir.Logic(op, tuple(parts))


def _is_quiet(loop: Node) -> bool:
    return all(isinstance(s, _QUIET) for s in statements(loop.body))


def _names(e: Expression) -> set[str]:
    """Locals and arrays that an expression reads."""
    found = {part.name for part in subexpressions(e) if isinstance(part, ir.Local)}
    return found | {part.array for part in subexpressions(e) if isinstance(part, ir.Element)}


def _is_cheap(e: Expression) -> bool:
    return simple(e) or (isinstance(e, ir.Load | ir.Table) and (e.index is None or simple(e.index)))


def _loop(some: tuple[Node, ...]) -> _Loop:
    """A loop of some statements: the locals and arrays that they write, and which of them stay small."""
    written = [name for s in some for name in (*assigned(s), arrays_written(s)) if name is not None]
    small = {s.name for s in some if isinstance(s, ir.ForRange) and _is_small(s)}
    return _Loop(set(written), frozenset(name for name in small if written.count(name) == 1))


def _is_small(s: ir.ForRange) -> bool:
    match s.low, s.high:
        case ir.Const(value=low), ir.Const(value=high):
            return low >= 0 and high <= HIGHEST
    return False


def _known(number: int) -> str:
    return f"known#{number}"


def _memo_name(number: int) -> str:
    return f"asked#{number}"
