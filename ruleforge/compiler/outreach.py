"""A body -> all it may write, through what it calls, whichever way it takes; a block -> where its ways meet again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from ruleforge.compiler import ir
from ruleforge.compiler.visit import (
    Node,
    arrays_written,
    assigned,
    calls,
    found_in,
    statements,
)
from ruleforge.quick import dataclass

_CALLS = frozenset((ir.CallExpr,))
_LEAVES = (ir.Return, ir.Goto, ir.Wait, ir.Push, ir.Finish, ir.Trap)
EXIT = -1  # the end of a function, as a block


@dataclass(frozen=True, slots=True)
class Writes:
    """Locals and arrays of the body's own function, words of its frame, words of the row; choices that are offered."""

    names: frozenset[str]
    framed: frozenset[int]
    slots: frozenset[int]
    offers: bool


class Outreach:
    """For the bodies of one program; every body is looked through once."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._known: dict[int, tuple[ir.Body, Writes]] = {}
        self._leaving: dict[int, tuple[Node, bool]] = {}
        self._meeting: dict[int, dict[int, frozenset[int]]] = {}

    def writes(self, body: ir.Body, frame_size: int = 0) -> Writes:
        """All that a body may write."""
        found = self._known.get(id(body))
        if found is None or found[0] is not body:
            found = self._known[id(body)] = body, self._writes(body, frame_size)
        return found[1]

    def leaves(self, statement: Node) -> bool:
        """Whether something inside a statement leaves more than a loop."""
        found = self._leaving.get(id(statement))
        if found is None or found[0] is not statement:
            leaves = any(isinstance(s, _LEAVES) for s in statements((statement,)))
            found = self._leaving[id(statement)] = statement, leaves
        return found[1]

    def extent(self, base: int) -> range:
        """The words that a store with this base may reach by its index: all of the row if that cannot be said."""
        queue = self._program.queue
        if queue is not None and 0 <= base - queue.slot < queue.entry * queue.length:
            return range(queue.slot, queue.slot + queue.entry * queue.length)
        return self._ranges.get(base, range(self._program.stack))

    # --- blocks ---

    def meeting(self, function: ir.PausedFunction, block: int) -> int:
        """The first block that all ways from this one come to; EXIT if that is the end of the function."""
        behind = self._behind(function)
        common = behind[block] - {block, EXIT}
        nearest = [b for b in common if common - {b} <= behind[b]]
        return nearest[0] if nearest else EXIT

    def between(self, function: ir.PausedFunction, block: int) -> Iterator[ir.Body]:
        """The bodies of the blocks from this one up to where all ways meet."""
        goal, todo, seen = self.meeting(function, block), [block], {block}
        while todo:
            body = function.blocks[todo.pop()]
            yield body
            fresh = [b for b in _following(body) if b not in seen and b not in (goal, EXIT)]
            seen.update(fresh)
            todo += fresh

    def _behind(self, function: ir.PausedFunction) -> dict[int, frozenset[int]]:
        """For each block the blocks that every way from it comes to, itself among them."""
        if function.number not in self._meeting:
            following = {n: _following(body) for n, body in enumerate(function.blocks)}
            everywhere = frozenset((*following, EXIT))
            behind = dict.fromkeys(following, everywhere) | {EXIT: frozenset((EXIT,))}
            changed = True
            while changed:
                changed = False
                for block in reversed(following):
                    ways = [behind[b] for b in following[block]]
                    common = frozenset.intersection(*ways) | {block} if ways else frozenset((block, EXIT))
                    if common != behind[block]:
                        behind[block], changed = common, True
            self._meeting[function.number] = behind
        return self._meeting[function.number]

    # --- bodies ---

    def _writes(self, body: ir.Body, frame_size: int) -> Writes:
        names, framed, slots, offers = set[str](), set[int](), set[int](), False
        for s in statements(body):
            names.update(assigned(s))
            if (array := arrays_written(s)) is not None:
                names.add(array)
            match s:
                case ir.Store() | ir.Random():
                    slots.update(self._stored(s))
                case ir.FrameStore(offset=offset, index=None):
                    framed.add(offset)
                case ir.FrameStore(offset=offset):
                    framed.update(range(offset, frame_size))
                case ir.FrameClear(offset=offset, size=size):
                    framed.update(range(offset, offset + size))
                case ir.Offer():
                    offers = True
                case ir.Perform(function=name) | ir.Push(function=name):
                    slots |= self._by_function[name]
                    offers = offers or self._program.functions[name].offers
            for call in found_in(s, _CALLS):
                slots |= self._by_function[call.function]
        return Writes(frozenset(names), frozenset(framed), frozenset(slots), offers)

    def _stored(self, statement: ir.Store | ir.Random) -> Iterable[int]:
        if isinstance(statement, ir.Random):
            return (ir.RNG_A,)
        return (statement.base,) if statement.index is None else self.extent(statement.base)

    @cached_property
    def _by_function(self) -> dict[str, frozenset[int]]:
        """The words of the row that each function writes, through all it calls."""
        functions = self._program.functions
        own = {
            name: {
                slot
                for s in statements(f.body)
                if isinstance(s, ir.Store | ir.Random)
                for slot in self._stored(s)
            }
            for name, f in functions.items()
        }
        callees = {name: set(calls(f.body)) for name, f in functions.items()}
        changed = True
        while changed:
            changed = False
            for name, called in callees.items():
                for callee in called:
                    if not own[callee] <= own[name]:
                        own[name] |= own[callee]
                        changed = True
        return {name: frozenset(slots) for name, slots in own.items()}

    @cached_property
    def _ranges(self) -> dict[int, range]:
        """The words behind the bases of attributes, of what says where things lie, and of what exists."""
        program = self._program
        found = {
            column.base: range(column.base + 1, column.base + column.size + 1) for column in program.columns
        }
        containers = max((place.first + place.count for place in program.places), default=0)
        for place in program.places:
            things = len(program.kinds[place.holds].things) - 1
            for base in (place.where, place.next, place.previous):
                found[base] = range(base + 1, base + things + 1)
            for base in (place.occupant, place.head, place.tail, place.size):
                found[base] = range(base + 1, base + containers + 1)
        for kind in program.kinds:
            if kind.exists is not None:
                found[kind.exists] = range(kind.exists + 1, kind.exists + len(kind.things))
        return found


def _following(body: ir.Body) -> tuple[int, ...]:
    """The blocks that come next; EXIT where the function ends."""
    found = dict[int, None]()
    for s in statements(body):
        match s:
            case ir.Goto(block=block) | ir.Wait(block=block) | ir.Push(block=block):
                found[block] = None
            case ir.Return() | ir.Finish() | ir.Trap():
                found[EXIT] = None
    return tuple(found)
