"""Inline calls of small plain functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.passes.expressions import simple
from ruleforge.compiler.passes.loop_unrolling import size
from ruleforge.compiler.passes.substitution import renamed, substitute
from ruleforge.compiler.visit import (
    LOOPS,
    Expression,
    Node,
    all_expressions,
    assigned,
    bodies,
    found_in,
    nesting,
    placed,
    same,
    statements,
    subexpressions,
    with_bodies,
    with_expressions,
)
from ruleforge.support.records import dataclass

SMALL = 150  # functions up to this size are put in place wherever they are called
ONCE = 500  # and up to this size if they are called at one place only
ROOM = 10_000  # and so much in all into one body: of thousands of ways that it may go, each is rarely gone
DEPTH, LOOPED = 40, 12  # nothing is put so deep that languages with limits of their own could not say it
RESULT = "result"
_CALLED = frozenset((ir.CallExpr,))


@dataclass(frozen=True, slots=True)
class _Template:
    """A function without Return: the local RESULT holds its value."""

    parameters: tuple[str, ...]
    body: ir.Body
    pure: bool
    size: int
    depth: int  # of bodies in bodies
    loops: int  # in loops


class Callers:
    """The calls in the plain functions of a program and in some other bodies, found once for all variants."""

    def __init__(self, functions: Mapping[str, ir.Function], others: tuple[ir.Body, ...] = ()) -> None:
        self.functions = functions
        self.calls: Counter[str] = Counter()  # how often each function is called
        self.quiet: set[int] = (
            set()
        )  # statements of all these bodies, by identity, in which nothing is called
        self._bodies = (*(f.body for f in functions.values()), *others)  # kept, for their identities
        for body in self._bodies:
            self._look(body)

    def _look(self, body: ir.Body) -> bool:
        """Whether nothing is called in a body."""
        quiet = True
        for s in body:
            called = _called_in(s)
            for name in called:
                self.calls[name] += 1
            inside = [self._look(inner) for inner in bodies(s)]
            if not called and all(inside):
                self.quiet.add(id(s))
            else:
                quiet = False
        return quiet


class Inliner:
    """Inlines plain functions, with Unwind if it is needed."""

    def __init__(self, callers: Callers) -> None:
        self.callers = callers
        self.functions = callers.functions
        self.templates: dict[str, _Template | None] = {}
        self.fresh = 0
        self.room = ROOM
        self.depth = self.loops = 0  # of the current statement
        self._inlined: dict[str, ir.Body] = {}

    def function(self, function: ir.Function) -> ir.Function:
        body = self.inlined(function)
        return function if body is function.body else replace(function, body=body)

    def inlined(self, function: ir.Function) -> ir.Body:
        """The body of a plain function with inlined calls, computed once."""
        if function.name not in self._inlined:
            self._inlined[function.name] = self.whole(function.body)
        return self._inlined[function.name]

    def whole(self, body: ir.Body) -> ir.Body:
        """A body that nothing is around; so much is put in place in it, and what comes then stays a call."""
        outer = self.room, self.depth, self.loops
        self.room, self.depth, self.loops = ROOM, 0, 0
        done = self.body(body)
        self.room, self.depth, self.loops = outer
        return done

    def body(self, body: ir.Body) -> ir.Body:
        out: list[Node] = []
        sure = False  # the game goes on after what was just put in place
        for statement in body:
            if isinstance(statement, ir.Unwind) and (sure or (out and isinstance(out[-1], ir.Unwind))):
                continue
            sure = False
            # Most statements call nothing. To know them beforehand spares a walk through each in every variant.
            if id(statement) in self.callers.quiet:
                out.append(statement)
                continue
            statement = self.inside(statement)
            if isinstance(statement, ir.Perform):
                done = self.perform(statement)
                if done is not None:
                    out.extend(done)
                    sure = not self.may_end(done)
                    continue
            out.extend(self.hoist(statement))
        return same(body, out)

    def inside(self, statement: Node) -> Node:
        """The statement with calls replaced in its bodies."""
        looped = isinstance(statement, LOOPS)
        self.depth, self.loops = self.depth + 1, self.loops + looped
        statement = with_bodies(statement, self.body)
        self.depth, self.loops = self.depth - 1, self.loops - looped
        return statement

    def may_end(self, body: ir.Body) -> bool:
        """Whether a call left in the body may end the game (a Finish in it leaves at once)."""
        return any(
            isinstance(s, ir.Perform)
            and (s.function not in self.functions or self.functions[s.function].finishes)
            for s in statements(body)
        )

    # --- statements that call ---

    def perform(self, call: ir.Perform) -> ir.Body | None:
        template = self.template(call.function)
        if template is None:
            return None
        body, result = self.placed(template, call.arguments)
        if call.into is not None:
            return placed((*body, ir.Set(call.into, result)), call.place)
        unwanted = f"{self.fresh}.{RESULT}"  # a local of the body that is returned may be read in it, too
        body = _without_set(body, unwanted) if result == ir.Local(unwanted) else body
        return placed(body, call.place)

    def hoist(self, statement: Node) -> ir.Body:
        """Move calls that a statement evaluates in any case before it."""
        # Its test is evaluated again in each iteration, so nothing of it may move in front.
        if isinstance(statement, ir.While):
            return (statement,)
        if isinstance(statement, ir.If) and not statement.other:
            split = self.split(statement)
            if split is not None:
                return split
        before: list[Node] = []
        after = with_expressions(statement, lambda e: self.extract(e, before))
        return (*placed(tuple(before), statement.place), after) if before else (after,)

    def split(self, statement: ir.If) -> ir.Body | None:
        """Rewrite `if a and call(): ..` to `if a: if call(): ..`, so that the call can be inlined."""
        test = statement.test
        if not isinstance(test, ir.Logic) or test.op != "and":
            return None
        for position, part in enumerate(test.parts):
            if position and any(
                isinstance(e, ir.CallExpr) and self.template(e.function) for e in subexpressions(part)
            ):
                left, right = test.parts[:position], test.parts[position:]
                inner = self.hoist(replace(statement, test=_all(right)))
                return self.hoist(replace(statement, test=_all(left), then=inner))
        return None

    def extract(self, e: Expression, before: list[Node]) -> Expression:
        match e:
            case ir.CallExpr(function=function):
                e = with_expressions(e, lambda part: self.extract(part, before))
                template = self.template(function)
                if template is None or not template.pure:
                    return e
                body, result = self.placed(template, e.arguments)
                before.extend(body)
                return result
            case ir.Binary() | ir.Negate() | ir.LogicNot() | ir.Load() | ir.Table():
                return with_expressions(e, lambda part: self.extract(part, before))
            case ir.Logic(op=op, parts=parts):
                first = self.extract(parts[0], before)
                return e if first is parts[0] else ir.Logic(op, (first, *parts[1:]))
            case ir.Select(test=test):
                new = self.extract(test, before)
                return e if new is test else replace(e, test=new)
        return e

    def may_move(self, argument: Expression, template: _Template, name: str) -> bool:
        """Whether an argument may be evaluated at its use instead of at the call."""
        return _uses(template.body, name) < 2 and not _calls_or_traps(argument)

    # --- templates ---

    def template(self, name: str) -> _Template | None:
        if not self.room:
            return None
        if name not in self.templates:
            self.make_templates(name)
        template = self.templates[name]
        if template is None or (
            template.size > SMALL and (template.size > ONCE or self.callers.calls[name] != 1)
        ):
            return None
        if template.size > self.room:
            self.room = 0  # nothing more, however small: the body is large enough
            return None
        too_deep = self.depth + template.depth > DEPTH or self.loops + template.loops > LOOPED
        return None if too_deep else template

    def make_templates(self, name: str) -> None:
        """The template of a function, after those of all that it calls: calls may be as deep as rules let them."""
        self.templates[name] = None  # while it is being made: never into itself
        waiting = {name: self.callees(name)}
        while waiting:
            here = next(reversed(waiting))
            callee = next((c for c in waiting[here] if c not in self.templates), None)
            if callee is not None:
                self.templates[callee] = None
                waiting[callee] = self.callees(callee)
                continue
            waiting.popitem()
            if self.may_have_template(here):
                self.templates[here] = self.made(self.functions[here])

    def may_have_template(self, name: str) -> bool:
        return name in self.functions and size(self.functions[name].body) <= ONCE

    def callees(self, name: str) -> Iterator[str]:
        if self.may_have_template(name):
            for statement in statements(self.functions[name].body):
                yield from _called_in(statement)

    def made(self, function: ir.Function) -> _Template | None:
        body = without_return(self.inlined(function))
        if body is None:
            return None
        body = placed(body, function.place)
        writes = (
            ir.Store | ir.Random | ir.Finish | ir.Trap | ir.Link | ir.Spend | ir.Note | ir.Offer | ir.Perform
        )
        pure = not any(isinstance(s, writes) for s in statements(body))
        pure = pure and not any(isinstance(e, ir.Binary) and e.checked for e in all_expressions(body))
        return _Template(function.parameters, body, pure, size(body), *nesting(body))

    def placed(self, template: _Template, arguments: tuple[Expression, ...]) -> tuple[ir.Body, Expression]:
        """The body with arguments in place, and an expression for its value."""
        self.fresh += 1
        self.room -= template.size
        prefix = f"{self.fresh}."
        written = {name for s in statements(template.body) for name in assigned(s)}
        values: dict[str, Expression] = {}
        before: list[Node] = []
        bound: list[str] = []
        for name, argument in zip(template.parameters, arguments, strict=True):
            if name not in written and (
                simple(argument) or _is_word(argument) or self.may_move(argument, template, name)
            ):
                values[name] = argument
            else:
                before.append(ir.Set(prefix + name, argument))
                bound.append(name)
        body = substitute(renamed(template.body, prefix, bound), values)
        result = prefix + RESULT
        *most, last = body
        if isinstance(last, ir.Set) and last.name == result and not _uses(tuple(most), result):
            return (*before, *most), last.value
        return (*before, *body), ir.Local(result)


def _called_in(statement: Node) -> list[str]:
    """The functions that a statement calls itself, those in its bodies left out."""
    called = [call.function for call in found_in(statement, _CALLED)]
    return [*called, statement.function] if type(statement) is ir.Perform else called


def _without_set(body: ir.Body, name: str) -> ir.Body:
    """Remove the assignments of an unused value."""
    remaining = (
        s for s in body if not (isinstance(s, ir.Set) and s.name == name and not _calls_or_traps(s.value))
    )
    return tuple(with_bodies(s, lambda b: _without_set(b, name)) for s in remaining)


def _calls_or_traps(e: Expression) -> bool:
    return any(
        isinstance(p, ir.CallExpr | ir.Trial) or (isinstance(p, ir.Binary) and p.checked)
        for p in subexpressions(e)
    )


def _all(parts: tuple[Expression, ...]) -> Expression:
    return parts[0] if len(parts) == 1 else ir.Logic("and", parts)


def _is_word(e: Expression) -> bool:
    return isinstance(e, ir.FrameLoad) and e.index is None


def _uses(body: ir.Body, name: str) -> int:
    """The number of reads of a local. Reads inside a loop count many times."""
    total = 0
    for statement in body:
        inside = sum(1 for e in all_expressions((statement,)) if isinstance(e, ir.Local) and e.name == name)
        nested = isinstance(statement, LOOPS) or any(
            isinstance(s, LOOPS) for b in bodies(statement) for s in b
        )
        total += inside * (9 if nested else 1)
    # a value must not be read after something was written, so such a body counts as many reads, too
    if total and any(isinstance(s, ir.Store | ir.Perform | ir.Random) for s in statements(body)):
        total += 9
    return total


# --- functions without Return ---


def without_return(body: ir.Body, place: int = 0) -> ir.Body | None:
    """The body, of something at a place, with its value left in RESULT and running to its end; None: too much code."""
    out: list[Node] = []
    for position, statement in enumerate(body):
        rest = body[position + 1 :]
        if isinstance(statement, ir.Return):
            return (*out, ir.Set(RESULT, statement.value, place=statement.place))
        if isinstance(statement, ir.Finish | ir.Trap):
            return (*out, statement)
        if not _returns(statement):
            out.append(statement)
        elif isinstance(statement, ir.If):
            sides = _sides(statement, rest)
            return None if sides is None else (*out, sides)
        else:
            loop = _loop(statement, rest)
            return None if loop is None else (*out, *loop)
    return (*out, ir.Set(RESULT, ir.Const(0), place=place))


def _sides(statement: ir.If, rest: ir.Body) -> ir.If | None:
    goes_on = [side for side in (statement.then, statement.other) if not _leaves(side)]
    if len(goes_on) == 2 and size(rest) > 12:
        return None
    sides = (side if _leaves(side) else side + rest for side in (statement.then, statement.other))
    then, other = (without_return(side, statement.place) for side in sides)
    return None if then is None or other is None else replace(statement, then=then, other=other)


def _loop(loop: Node, rest: ir.Body) -> ir.Body | None:
    """A loop that may return, with nothing of weight behind it: it sets the result and breaks."""
    value: Expression = ir.Const(0)
    match rest:
        case ():
            pass
        case (ir.Return(value=ir.Const() as constant),):
            value = constant
        case _:
            return None
    if any(isinstance(s, LOOPS) and _returns(s) for s in statements(loop.body)):
        return None
    return (ir.Set(RESULT, value, place=loop.place), with_bodies(loop, _breaking))


def _breaking(body: ir.Body) -> ir.Body:
    out: list[Node] = []
    for statement in body:
        if isinstance(statement, ir.Return):
            return (
                *out,
                ir.Set(RESULT, statement.value, place=statement.place),
                ir.Break(place=statement.place),
            )
        out.append(statement if isinstance(statement, LOOPS) else with_bodies(statement, _breaking))
    return tuple(out)


def _returns(statement: Node) -> bool:
    return any(isinstance(s, ir.Return) for s in statements((statement,)))


def _leaves(body: ir.Body) -> bool:
    """Whether the body always ends with Return, Finish or Trap."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, ir.If):
        return _leaves(last.then) and _leaves(last.other)
    return isinstance(last, ir.Return | ir.Finish | ir.Trap)
