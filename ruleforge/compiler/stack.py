"""How deep the stack of frames can get: addresses known beforehand, and pushes that always fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.visit import Node, all_expressions, statements, with_bodies

MANY = 64  # more possible addresses of one frame than this are not followed


def stack_needed(program: ir.Program) -> int | None:
    """Words of stack that the deepest chain of pausing functions needs; None if they can recurse."""
    from ruleforge.compiler.pause import pause

    paused = [f for f in pause(replace(program, row_size=program.stack + 2**20)).paused if f is not None]
    deepest = _deepest(paused, 0)
    return (
        max(top + f.frame_size for f, top in zip(paused, deepest, strict=True))
        if deepest is not None
        else None
    )


def fit_stack(program: ir.Program) -> ir.Program:
    """The program with a stack area no longer than it can need: rows are copied often."""
    needed = stack_needed(program)
    if needed is None or program.stack + needed >= program.row_size:
        return program
    end = program.stack + needed
    return replace(program, row_size=end, start=program.start[:end])


def fixed_addresses(paused: list[ir.PausedFunction], program: ir.Program) -> list[ir.PausedFunction]:
    """Note the address of each frame that can only be at one place."""
    places: dict[str, set[int]] = {f.name: set() for f in paused}
    places[program.main] = {program.stack}
    by_name = {f.name: f for f in paused}
    todo = [program.main]
    while todo:
        function = by_name[todo.pop()]
        for push in _pushes(function):
            target = places[push.function]
            fresh = {a + function.frame_size for a in places[function.name]} - target
            if fresh and len(target) < MANY:
                target |= fresh
                todo.append(push.function)
    return [replace(f, fixed=min(places[f.name]) if len(places[f.name]) == 1 else None) for f in paused]


def checked_pushes(paused: list[ir.PausedFunction], program: ir.Program) -> list[ir.PausedFunction]:
    """Drop the check of the stack's end where it cannot be reached."""
    deepest = _deepest(paused, program.stack)
    if deepest is None:
        return paused
    top = {f.name: at for f, at in zip(paused, deepest, strict=True)}
    safe = {f.name for f in paused if top[f.name] + f.frame_size <= program.row_size}
    return [replace(f, blocks=tuple(_unchecked(b, safe) for b in f.blocks)) for f in paused]


def traps(body: ir.Body) -> bool:
    """Whether running the body can end in a trap."""
    for statement in statements(body):
        if isinstance(statement, ir.Trap | ir.Burn) or (isinstance(statement, ir.Push) and statement.checked):
            return True
    return any(isinstance(e, ir.Binary) and e.checked for e in all_expressions(body))


def _pushes(function: ir.PausedFunction) -> list[ir.Push]:
    return [s for block in function.blocks for s in statements(block) if isinstance(s, ir.Push)]


def _deepest(paused: list[ir.PausedFunction], start: int) -> list[int] | None:
    """The highest address each frame can have; None if functions push one another in a circle."""
    by_name: Mapping[str, ir.PausedFunction] = {f.name: f for f in paused}
    pushed = {f.name: sorted({push.function for push in _pushes(f)}) for f in paused}
    top = {f.name: start for f in paused}
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
