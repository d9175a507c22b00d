"""Emit queries of relations and connectivity indexes: membership, connection, count, members."""

from __future__ import annotations

from dataclasses import replace

from ruleforge.backends.connectivity_index import GroupIndex, groups_of
from ruleforge.backends.native.connectivity import Tail
from ruleforge.backends.native.encode import I32
from ruleforge.backends.native.layers.addresses import ROW, Addresses
from ruleforge.compiler import ir
from ruleforge.compiler.visit import Expression


class Relations(Addresses):
    """Emits lookups in constant data and walks through it."""

    def member(self, e: ir.Member) -> None:
        table = self.context.memory.membership(e.relation)
        if table is None:
            self.search(e)
            return
        code, value = self.code, self.code.temporary()
        self.value(e.value)
        if table.low:
            code.const(table.low)
            code.op("i32.sub")
        code.tee(value)
        code.const(table.span)
        code.op("i32.lt_u")
        with code.when(I32):
            self.value(e.key)
            code.const(table.span)
            code.op("i32.mul")
            code.get(value)
            code.op("i32.add")
            code.access("i32.load8_u", table.address)
            code.otherwise()
            code.const(0)

    def search(self, e: ir.Member) -> None:
        relation = self.context.memory.wide_relation(e.relation)
        self.value(e.value)
        for position in (0, 1):
            self.scaled(e.key, 2)
            self.code.load(relation.offsets + 4 * position)
        self.code.call(self.context.library("found"))

    def relation_size(self, number: int, key: Expression) -> None:
        relation, place = self.context.memory.relation(number), self.code.temporary()
        self.scaled(key, 2)
        self.code.tee(place)
        self.code.load(relation.offsets + 4)
        self.code.get(place)
        self.code.load(relation.offsets)
        self.code.op("i32.sub")
        self.code.const(relation.stride)
        self.code.op("i32.div_s")

    def relation_item(self, e: ir.RelationItem) -> None:
        relation = self.context.memory.relation(e.relation)
        self.scaled(e.key, 2)
        self.code.load(relation.offsets)
        self.value(e.position)
        self.code.const(relation.stride)
        self.code.op("i32.mul", "i32.add")
        self.code.access(relation.items.load, (e.field or 0) << relation.items.shift)

    # --- groups of cells ---

    def connected(self, e: ir.Connected) -> None:
        """Test the mark of the start if the index is valid and the start holds the value.

        Otherwise search for a way.
        """
        code, tail = self.code, self.tail_of(e)
        if tail is None:
            self.look_for_way(e)
            return
        start, value = self.in_local(e.start), self.in_local(e.value)
        code.get(ROW)
        code.load(tail.at)
        offset = self.slot(tail.groups.base, start)
        code.load(offset)
        self.value(value)
        code.op("i32.eq", "i32.and")
        self.value(value)
        code.const(tail.groups.low)
        code.op("i32.sub")
        code.const(tail.groups.high - tail.groups.low)
        code.op("i32.le_u", "i32.and")
        with code.when(I32):
            offset = self.slot(tail.mark() // 4, start)
            code.load(offset)
            self.bit_of(e, tail.groups)
            code.op("i32.shr_u")
            code.const(1)
            code.op("i32.and")
            code.otherwise()
            self.look_for_way(replace(e, start=start, value=value))

    def tail_of(self, e: ir.Connected) -> Tail | None:
        return next((t for t in self.context.memory.group_indexes if groups_of((t.groups,), e)), None)

    def bit_of(self, e: ir.Connected, groups: GroupIndex) -> None:
        bit, same = groups.bit(e)
        if not same:
            self.value(e.key)
        self.code.const(bit)
        if not same:
            self.code.op("i32.add")

    def look_for_way(self, e: ir.Connected) -> None:
        code, memory, key = self.code, self.context.memory, self.code.temporary()
        ways, goal = memory.ways_to(e.near, e.goal), memory.wide_relation(e.goal)
        self.value(e.key)
        code.set(key)
        code.get(ROW)
        code.const(4 * e.base)
        code.op("i32.add")
        code.const(e.size)
        code.get(key)
        code.const(ways.stride)
        code.op("i32.mul")
        code.const(ways.address)
        code.op("i32.add")
        self.value(e.start)
        self.value(e.value)
        self.scaled(ir.Local(key), 2)
        code.const(goal.offsets)
        code.op("i32.add")
        code.call(self.context.library("connected"))
