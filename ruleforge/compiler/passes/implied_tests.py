"""Remove tests that surrounding tests decide, and join consecutive tests of one condition.

    if kind(c) == 1:                    if kind(c) == 1:
        if kind(c) == 2: a                  b
        else: b                         if row[c] != 0:
    if row[c] != 0: d                       d
    if row[c] != 0: break                   break

Such tests come from formulas, which are independent of each other and repeat tests when they are combined.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.passes.dead_stores import without_unread
from ruleforge.compiler.passes.expressions import COMPARISONS, OPERATIONS, is_harmless, negation
from ruleforge.compiler.passes.folding import fold
from ruleforge.compiler.visit import (
    LOOPS,
    Expression,
    Node,
    arrays_written,
    assigned,
    rewrite,
    same,
    statements,
    subexpressions,
    with_bodies,
    with_expressions,
)

_LEAVING = (ir.Return, ir.Break, ir.Finish, ir.Trap)
_WRITING = (ir.Store, ir.Perform, ir.Random, ir.Ask, ir.Link)


def implied(lowered: ir.Lowered) -> ir.Lowered:
    """Simplify the functions of a program that never wait for a player, without a change of frames."""
    done = {name: f if f.pauses else _function(f, lowered) for name, f in lowered.functions.items()}
    return replace(lowered, functions=done)


def _function(function: ir.Function, lowered: ir.Lowered) -> ir.Function:
    body = _Known({}, {}, {}).body(function.body)
    if body is function.body:
        return function
    return replace(function, body=without_unread(fold(body, lowered.tables)))


class _Known:
    """Known facts: `truths` of tests, `values` of expressions, and aliases of locals."""

    def __init__(
        self, truths: dict[Expression, bool], values: dict[Expression, int], names: dict[str, str]
    ) -> None:
        self.truths, self.values, self.names = truths, values, names

    def copy(self) -> _Known:
        return _Known({**self.truths}, {**self.values}, {**self.names})

    # --- statements ---

    def body(self, body: ir.Body) -> ir.Body:
        return same(body, _joined([self.statement(statement) for statement in body]))

    def statement(self, s: Node) -> Node:
        if isinstance(s, LOOPS):
            return self.loop(s)
        s = with_expressions(s, self.simpler)
        if isinstance(s, ir.If):
            return self.branch(s)
        self.forget((s,))
        if isinstance(s, ir.Set) and isinstance(s.value, ir.Local) and s.value.name != s.name:
            self.names[s.name] = s.value.name
        return s

    def loop(self, s: Node) -> Node:
        """In a loop only facts that no iteration changes are known."""
        if not isinstance(s, ir.While):
            s = with_expressions(s, self.simpler)
        self.forget((s, *statements(s.body)))
        if isinstance(s, ir.While):
            s = with_expressions(s, self.simpler)
        return with_bodies(s, self.copy().body)

    def branch(self, s: ir.If) -> ir.If:
        then, other = self.copy(), self.copy()
        then.learn(s.test, True)
        other.learn(s.test, False)
        done = replace(s, then=then.body(s.then), other=other.body(s.other))
        done = s if done.then is s.then and done.other is s.other else done
        self.forget(statements((*s.then, *s.other)))
        if _leaves(done.then) and not s.other:
            self.learn(s.test, False)
        return done

    # --- what is known ---

    def learn(self, test: Expression, truth: bool) -> None:
        match test:
            case ir.Const():
                return
            case ir.LogicNot(value=value):
                self.learn(value, not truth)
                return
            case ir.Logic(op=op, parts=parts) if (op == "and") == truth:
                for part in parts:
                    self.learn(part, truth)
                return
        if is_harmless(test):
            self.truths[test] = truth
            self.truths[negation(test)] = not truth
            match test:
                case ir.Binary(op="==" | "!=", left=left, right=ir.Const(value=number)):
                    if (test.op == "==") == truth:
                        self.values[left] = number

    def forget(self, done: Iterable[Node]) -> None:
        """Some statements have been run, perhaps."""
        names: set[str] = set()
        writes = False
        for s in done:
            names.update(assigned(s))
            array = arrays_written(s)
            if array is not None:
                names.add(array)
            writes = writes or isinstance(s, _WRITING)
        if not names and not writes:
            return
        for facts in (self.truths, self.values):
            for e in [e for e in facts if _hangs_on(e, names, writes)]:
                del facts[e]
        for name in [n for n, other in self.names.items() if n in names or other in names]:
            del self.names[name]

    def simpler(self, e: Expression) -> Expression:
        """The expression, as far as it is not known."""
        return rewrite(e, self._simpler) if self.truths or self.names else e

    def _simpler(self, e: Expression) -> Expression:
        match e:
            case ir.Local(name=name) if name in self.names:
                return ir.Local(self.names[name])
            case ir.Binary(op=op) if op in COMPARISONS:
                truth = self.truths.get(e)
                if truth is not None:
                    return ir.Const(int(truth))
                if isinstance(e.right, ir.Const) and e.left in self.values:
                    return ir.Const(OPERATIONS[op](self.values[e.left], e.right.value))
        return e


def _hangs_on(e: Expression, names: set[str], writes: bool) -> bool:
    for part in subexpressions(e):
        match part:
            case ir.Local(name=name) | ir.Element(array=name):
                if name in names:
                    return True
            case ir.Load() | ir.Connected():
                if writes:
                    return True
    return False


def _leaves(body: ir.Body) -> bool:
    return bool(body) and isinstance(body[-1], _LEAVING)


def _joined(body: list[Node]) -> list[Node]:
    """Two tests of the same thing in a row, if the first cannot have changed it."""
    out: list[Node] = []
    for s in body:
        last = out[-1] if out else None
        if isinstance(s, ir.If) and isinstance(last, ir.If) and _same_way(last, s):
            out[-1] = replace(last, then=(*last.then, *s.then), other=(*last.other, *s.other))
        else:
            out.append(s)
    return out


def _same_way(first: ir.If, second: ir.If) -> bool:
    if first.test != second.test or not is_harmless(first.test):
        return False
    known = _Known({first.test: True}, {}, {})
    known.forget(statements((*first.then, *first.other)))
    return bool(known.truths)
