"""`given_answers` reads from the frame of a waiting row the window's values, the earlier choices and the amount due."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.compiler.ir import SITE, SP, AnyExpr, Const, FrameLoad, Program
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class Taken:
    """A value that the enumerator of a site takes, and the locals of the function that asks in which it may lie."""

    value: int
    function: str = ""
    locals: tuple[str, ...] = ()


def taken(program: Program, row: Sequence[int]) -> tuple[Taken, ...]:
    """The values that the enumerator of the waiting site takes, in its order."""
    wait = program.waits.get(row[SITE])
    if wait is None:
        return ()
    saved = next(f.saved for f in program.paused if f is not None and f.name == wait.function)
    found: list[Taken] = []
    for argument in wait.arguments:
        at = argument.offset if isinstance(argument, FrameLoad) else None
        names = tuple(name for name, offset in saved.items() if offset == at)
        found.append(Taken(_value(argument, row), wait.function, names))
    return tuple(found)


def given(program: Program, row: Sequence[int]) -> tuple[Taken, ...]:
    """The values of the window that waits; 1 for those that nothing in it asks about."""
    site = program.sites[row[SITE]]
    if not site.given:
        return ()
    known = dict(zip(program.functions[site.enumerator].parameters, taken(program, row), strict=True))
    return tuple(known.get(name, Taken(1)) for name in site.given)


def given_values(program: Program, row: Sequence[int]) -> dict[str, int]:
    """The window's values and the earlier choices, by name, as far as the waiting question mentions them."""
    site = program.sites[row[SITE]]
    if not site.bound:
        return {}
    names = program.functions[site.enumerator].parameters
    given_names = dict(zip(names, program.waits[site.number].arguments, strict=True))
    return {name: _value(given_names[local], row) for name, local in site.bound if local in given_names}


def due_value(program: Program, row: Sequence[int]) -> int | None:
    """The amount still to be paid, if the question is how much comes from a purse; the frame needs it afterwards."""
    site = program.sites[row[SITE]]
    given_names = dict(site.bound).get("due") if site.kind == "pay" else None
    function = program.waits[site.number].function if given_names is not None else None
    frames = (f.saved for f in program.paused if f is not None and f.name == function)
    return next((row[row[SP] + saved[given_names]] for saved in frames if given_names in saved), None)


def _value(value: AnyExpr | None, row: Sequence[int]) -> int:
    match value:
        case Const(value=number):
            return number
        case FrameLoad(offset=offset):
            return row[row[SP] + offset]
    return 1
