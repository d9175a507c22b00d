"""Compute the length of the stack and the address of each frame in it.

Known addresses make faster code, and pushes that always fit need no check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ruleforge.analysis.dataflow import Solver
from ruleforge.compiler import ir
from ruleforge.compiler.visit import Node, all_expressions, statements, with_bodies

MANY = 64  # more possible addresses of one frame than this are not followed
DEEP = (
    256  # words of stack for functions that can push one another in a circle, unless the rules say how many
)

Frames = Sequence[ir.PausedFunction]


def fit(frames: Frames, limit: int | None) -> int:
    """The words of stack that the rules grant, or fewer if fewer suffice, because rows are copied often."""
    # A circle has no deepest chain. Rules that need more than DEEP say so in `limits`.
    if limit is not None:
        return limit
    needed = stack_needed(frames)
    return DEEP if needed is None else min(needed, DEEP)


def stack_needed(frames: Frames) -> int | None:
    """The words of stack that the deepest chain of pausing functions needs. None if they can recurse."""
    deepest = _deepest(frames, 0)
    if deepest is None:
        return None
    return max(top + f.frame_size for f, top in zip(frames, deepest, strict=True))


def address(frames: Frames, stack: int, row_size: int) -> list[ir.PausedFunction]:
    """The frames, main first, in the stack area of a row: fixed addresses noted, needless checks dropped."""
    return _checked_pushes(_fixed_addresses(frames, stack), stack, row_size)


def _fixed_addresses(frames: Frames, stack: int) -> list[ir.PausedFunction]:
    """Note the address of each frame that can only be at one place."""
    main = frames[0].name
    pushers: dict[str, list[ir.PausedFunction]] = {f.name: [] for f in frames}
    for function in frames:
        for push in _pushes(function):
            pushers[push.function].append(function)

    def pushed(name: str, places: Callable[[str], frozenset[int]]) -> frozenset[int]:
        start = {stack} if name == main else ()
        return frozenset(start).union(*({a + f.frame_size for a in places(f.name)} for f in pushers[name]))

    solver: Solver[str, frozenset[int]] = Solver(pushed, frozenset(), _some)
    places = solver.solve(pushers)
    return [replace(f, fixed=min(places[f.name]) if len(places[f.name]) == 1 else None) for f in frames]


def _some(old: frozenset[int], new: frozenset[int]) -> frozenset[int]:
    """Addresses of one frame, of which only so many are followed."""
    # Functions that push one another in a circle would give new addresses for ever; the solver has to come to an end.
    return old | new if len(old) < MANY else old


def _checked_pushes(frames: list[ir.PausedFunction], stack: int, row_size: int) -> list[ir.PausedFunction]:
    """Drop the check of the stack's end where it cannot be reached."""
    deepest = _deepest(frames, stack)
    if deepest is None:
        return frames
    top = {f.name: at for f, at in zip(frames, deepest, strict=True)}
    safe = {f.name for f in frames if top[f.name] + f.frame_size <= row_size}
    return [replace(f, blocks=tuple(_unchecked(b, safe) for b in f.blocks)) for f in frames]


def traps(body: ir.Body) -> bool:
    """Whether running the body can end in a trap."""
    for statement in statements(body):
        if isinstance(statement, ir.Trap | ir.Link | ir.Spend) or (
            isinstance(statement, ir.Push) and statement.checked
        ):
            return True
    return any(isinstance(e, ir.Binary) and e.checked for e in all_expressions(body))


def _pushes(function: ir.PausedFunction) -> list[ir.Push]:
    return [s for block in function.blocks for s in statements(block) if isinstance(s, ir.Push)]


def _deepest(frames: Frames, start: int) -> list[int] | None:
    """The highest address each frame can have; None if functions push one another in a circle."""
    by_name: Mapping[str, ir.PausedFunction] = {f.name: f for f in frames}
    pushed = {f.name: sorted({push.function for push in _pushes(f)}) for f in frames}
    top = {f.name: start for f in frames}
    order = _callers_first(pushed)
    if order is None:
        return None
    for name in order:
        for target in pushed[name]:
            top[target] = max(top[target], top[name] + by_name[name].frame_size)
    return [top[name] for name in by_name]


def _callers_first(pushed: Mapping[str, list[str]]) -> list[str] | None:
    """The functions so that each comes before those it pushes; None if there is a circle."""
    waiting = dict.fromkeys(pushed, 0)
    for targets in pushed.values():
        for target in targets:
            waiting[target] += 1
    order = [name for name, count in waiting.items() if count == 0]
    for name in order:
        for target in pushed[name]:
            waiting[target] -= 1
            if waiting[target] == 0:
                order.append(target)
    return order if len(order) == len(pushed) else None


def _unchecked(body: ir.Body, safe: set[str]) -> ir.Body:
    out: list[Node] = []
    statement: Node
    for statement in body:
        if isinstance(statement, ir.Push) and statement.function in safe:
            statement = replace(statement, checked=False)
        out.append(with_bodies(statement, lambda b: _unchecked(b, safe)))
    return tuple(out)
