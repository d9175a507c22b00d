"""A chain of effects without end -> the rules and events that go round in it, found by running it once more."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from ruleforge.backends.api import Row, words
from ruleforge.backends.faults import Trapped
from ruleforge.backends.reference import Interpreter
from ruleforge.compiler.ir import FUSE, METER, EventHappened, NoteInfo, RuleApplied

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant

ENOUGH = 2000  # steps to run again: who goes round is known long before a fuse is burnt down
ENOUGH_WORK = 200_000
SHOWN = 12


def beginning(variant: Variant, seed: int) -> Row:
    """The row before the set-up."""
    return Interpreter(variant.program).first_row(seed)


def links(variant: Variant, row: Row, code: int) -> tuple[NoteInfo, ...]:
    """The rules and events at the end of the chain that a choice sets off, each once, in their order."""
    program, told = variant.program, []  # type: ignore[var-annotated]
    again = words(row, program)
    again[FUSE] = max(0, program.fuse - ENOUGH)
    again[METER] = max(0, program.work - ENOUGH_WORK)
    with suppress(Trapped, RecursionError):
        Interpreter(program).noted(again, code, told)
    infos = [program.notes[note[0]] for note in told]
    chain = [info for info in infos if isinstance(info.means, RuleApplied | EventHappened)]
    return tuple(_round(chain[-4 * SHOWN :]))


def _round(chain: list[NoteInfo]) -> list[NoteInfo]:
    """The shortest part at the end that is there twice; if there is none, the last few."""
    for length in range(1, len(chain) // 2 + 1):
        if chain[-length:] == chain[-2 * length : -length]:
            return chain[-length:]
    return chain[-SHOWN:]


def named(chain: tuple[NoteInfo, ...]) -> str:
    """The way round in the author's words: `a -> b -> a`."""
    names = [_name(info) for info in chain]
    return " -> ".join([*names, *names[:1]])


def _name(info: NoteInfo) -> str:
    match info.means:
        case RuleApplied(rule=name) | EventHappened(event=name):
            return name
    raise AssertionError(info)
