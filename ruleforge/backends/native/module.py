"""Assemble the WebAssembly module of a program, in one of its variants."""

from __future__ import annotations

from collections.abc import Iterable

from ruleforge.backends import vector_env
from ruleforge.backends.native import mailbox
from ruleforge.backends.native.context import Context, Key
from ruleforge.backends.native.driver import PARTS, emit_export
from ruleforge.backends.native.encode import Binary, Body
from ruleforge.backends.native.functions import emit_lister, emit_plain, emit_step
from ruleforge.backends.native.mailbox import TOO_MANY
from ruleforge.backends.native.memory import (
    PATH_BYTES,
    POOL_BYTES,
    RECORD_BYTES,
    SLOTS,
    WAY_BYTES,
    WAYS,
    Memory,
)
from ruleforge.backends.native.subset import emit_library
from ruleforge.backends.native.trials import Tried, emit_trial
from ruleforge.backends.playouts import SCORES, TIMES, record_size
from ruleforge.compiler import ir
from ruleforge.compiler.observation_program import observation_size
from ruleforge.compiler.passes.inline import Callers, Inliner

LEVEL_HEAD = 16  # bytes between a level's row and its choices

EXPORTS: dict[
    str, tuple[Key, int]
] = {  # what the host calls: the function behind it and its number of arguments
    "resume": (("part", "resume"), 2),
    "choices": (("part", "choices"), 1),
    "playouts": (("library", "playouts"), 1),
    "count_lines": (("library", "count_lines"), 1),
    "begin_search": (("library", "begin_search"), 0),
    "search": (("library", "search"), 1),
}

VECTOR_ENV_EXPORTS: dict[str, tuple[Key, int]] = {
    "first_bad_pick": (("library", "first_bad_pick"), 0),
    "begin_envs": (("library", "begin_envs"), 1),
    "step_envs": (("library", "step_envs"), 1),
    "observe_envs": (("library", "observe_envs"), 1),
}


def play_module(program: ir.Program) -> bytes:
    """The module that plays: steps, lists, playouts, search."""
    return _module(program, EXPORTS)


def vector_env_module(program: ir.Program) -> bytes:
    """The module that steps many games together and computes observations."""
    return _module(program, VECTOR_ENV_EXPORTS)


def calls_module(program: ir.Program) -> bytes:
    """An export for each plain function, by its name."""
    exports: dict[str, tuple[Key, int]] = {
        name: (("plain", name), 1 + len(function.parameters)) for name, function in program.plain.items()
    }
    return _module(program, exports)


def _module(program: ir.Program, exports: dict[str, tuple[Key, int]]) -> bytes:
    blocks = tuple(block for f in program.paused if f is not None for block in f.blocks)
    memory = Memory(program)
    context = Context(program, memory, Inliner(Callers(program.plain, blocks)))
    for key, _ in exports.values():
        context.number(*key)
    bodies = list(_bodies(context))
    numbers = {}
    for name, (key, parameters) in exports.items():
        numbers[name] = len(bodies)
        bodies.append(emit_export(context, context.numbers[key], parameters))
    registers = (memory.offers, memory.offers, memory.stack, memory.log)
    binary = Binary(memory.pages, registers, bodies, numbers, memory.data)
    return binary.encoded()


def _bodies(context: Context) -> Iterable[Body]:
    """Every function that is called, in the order of their numbers; each may ask for more."""
    constants = _constants(context.memory)
    done = 0
    while done < len(context.numbers):
        for key in list(context.numbers)[done:]:
            yield _body(context, key, constants)
            done += 1


def _body(context: Context, key: Key, constants: dict[str, int]) -> Body:
    match key:
        case ("plain", str(name)):
            return emit_plain(context, name)
        case ("tried", str(name)):
            return emit_plain(context, name, Tried)
        case ("trial", str(name)):
            return emit_trial(context, name)
        case ("library", str(name)):
            return emit_library(context, name, constants)
        case ("part", str(name)):
            return PARTS[name](context)
        case ("list", int(number)):
            return emit_lister(context, number)
        case ("step", int(number)):
            return emit_step(context, number)
    raise TypeError(f"no such function: {key}")


def _constants(memory: Memory) -> dict[str, int]:
    """The attributes of `at` in the library."""
    players = len(memory.program.kinds[0].things) - 1
    return {
        **mailbox.ADDRESS,
        "row": memory.row,
        "play": memory.play,
        "start": memory.start,
        "offers": memory.offers,
        "records": memory.records,
        "counts": memory.counts,
        "measures": len(memory.program.measures),
        "records_end": memory.records + RECORD_BYTES,
        "slots": memory.slots,
        "slot_bytes": 4 * SLOTS,
        "times": 4 * TIMES,
        "scores": 4 * SCORES,
        "path": memory.path,
        "path_end": memory.path + PATH_BYTES,
        "rewards": memory.rewards,
        "ways": memory.ways,
        "way_bytes": WAY_BYTES,
        "last_way": WAYS - 1,
        "marks": memory.marks,
        "marks_bytes": memory.marks_bytes,
        "pool": memory.pool,
        "pool_end": memory.pool + POOL_BYTES,
        "row_bytes": memory.row_bytes,
        "record_bytes": 4 * record_size(memory.program),
        "level_bytes": memory.row_bytes + LEVEL_HEAD + 4 * memory.most_choices,
        "players": players,
        "backend_faults": TOO_MANY,
        "site": 4 * ir.SITE,
        "who": 4 * ir.WHO,
        "outcome": 4 * ir.OUTCOME,
        "winners": 4 * ir.WINNERS,
        "work_done": 4 * ir.WORK_DONE,
        "head_bytes": 4 * vector_env.head_size(memory.program),
        "pick": 4 * vector_env.PICK,
        "decides": 4 * vector_env.WHO,
        "waits_at": 4 * vector_env.SITE,
        "count": 4 * vector_env.COUNT,
        "first": 4 * vector_env.FIRST,
        "over": 4 * vector_env.OVER,
        "own_made": 4 * vector_env.MADE,
        "game": 4 * vector_env.GAME,
        "own_generator": 4 * vector_env.GENERATOR,
        "record": 4 * vector_env.RECORD,
        "seen_bytes": 4 * observation_size(memory.program),
    }
