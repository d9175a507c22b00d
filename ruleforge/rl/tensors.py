"""Observations as float32 vectors for reinforcement learning, in named fields.

Things become one-hot, ranges are scaled to 0..1, flags and sets are bits. A value that may be hidden has an
extra plane that is 1 if it is hidden; its other numbers are then 0. A field of a board is a stack of planes,
row by row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleforge.compiler.ir import Flag, Left, Number, SetOf, Thing
from ruleforge.compiler.observation_program import HIDDEN, dealt_kinds, observed_columns
from ruleforge.engine.paths import SET_BITS

if TYPE_CHECKING:
    from ruleforge.backends.artifacts.info import BoardInfo
    from ruleforge.compiler.ir import ColumnInfo, PlaceInfo, ValueType
    from ruleforge.engine.variant import Variant

NOWHERE = -(1 << 40)  # in place of where a number stands
LINEAR = 1 << 16  # ranges that are wider are scaled by their logarithm
Floats = np.ndarray[Any, np.dtype[np.float32]]
Words = np.ndarray[Any, np.dtype[np.int32]]


@dataclass(frozen=True, slots=True)
class Field:
    """A part of a tensor: `tensor[start:stop].reshape(shape)`. Axes of things are named by their kinds."""

    name: str
    start: int
    shape: tuple[int, ...]
    axes: tuple[str, ...]

    @property
    def stop(self) -> int:
        return self.start + prod(self.shape)


@dataclass(frozen=True, slots=True)
class Plane:
    """One number of a field for each of its cells: `word == equal`, a bit, or a scaled value."""

    how: str  # equal, bit, linear, log
    low: int = 0
    high: int = 1


Element = tuple[int, Plane] | None  # a word and what is made of it; None: always 0


@dataclass(frozen=True, slots=True)
class Block:
    """A field before its place in the tensor is known."""

    name: str
    shape: tuple[int, ...]
    axes: tuple[str, ...]
    elements: tuple[Element, ...]


class Tensors:
    """The tensor layout of the observations of one set-up."""

    def __init__(self, variant: Variant) -> None:
        self._variant, self._program = variant, variant.program
        self._boards = {
            board.kind: board for board in variant.info.boards if board.shape in ("square", "hex")
        }
        parts: dict[str, list[tuple[int, int, Plane]]] = {}
        fields, self.size = list[Field](), 0
        for block in self._blocks():
            fields.append(Field(block.name, self.size, block.shape, block.axes))
            for at, element in enumerate(block.elements, self.size):
                if element is not None:
                    parts.setdefault(element[1].how, []).append((at, *element))
            self.size += len(block.elements)
        self.fields = tuple(fields)
        self._one_hot = _OneHot(parts.pop("equal", []))
        self._gathers = {how: _Gather(found) for how, found in parts.items()}

    def encode(self, words: Words, found: Floats, first: int) -> None:
        """Write a row of float32 for each row of words, into zeros from `first` on. The first number is used up."""
        self._one_hot.write(words, found, first)
        for how, gather in self._gathers.items():
            found[:, first + gather.at] = _WAYS[how](words[:, gather.words], gather)

    # --- layout ---

    def _blocks(self) -> Iterator[Block]:
        at = 0
        for column in observed_columns(self._program):
            yield from self._attribute(column, at)
            at += column.size
        for kind, ordered in dealt_kinds(self._program):
            yield from self._lying(kind, ordered, at)
            at += (1 + ordered) * self._count(kind)
        for place in self._program.places:
            words = np.arange(at, at + place.count).reshape(self._counts(place.of))
            planes = [*self._hidden(place.of), Plane("linear", 0, self._count(place.holds))]
            yield self._block(f"size of {self._family(place)}", place.of, words, planes)
            at += place.count

    def _attribute(self, column: ColumnInfo, at: int) -> Iterator[Block]:
        kinds = (column.kind, *column.per)
        words = np.arange(at, at + column.size).reshape((*self._counts(kinds), column.words))
        hidden = [Plane("equal", HIDDEN)] if column.sees is not None else self._hidden(kinds)
        name = f"{self._program.kinds[column.kind].name}.{column.name}"
        for word in range(column.words):
            planes = self._planes(column.type, word)
            yield self._block(f"{name} {word}" if word else name, kinds, words[..., word], [*hidden, *planes])

    def _lying(self, kind: int, ordered: bool, at: int) -> Iterator[Block]:
        things = np.arange(at, at + self._count(kind))
        hidden = self._hidden((kind,))
        name = self._program.kinds[kind].name
        if hidden:
            yield self._block(f"{name} is hidden", (kind,), things, hidden)
        for place in (p for p in self._program.places if p.holds == kind):
            yield self._where(kind, place, things)
        if ordered:
            planes = [Plane("linear", 0, self._count(kind))]
            yield self._block(f"{name} stands at", (kind,), things + self._count(kind), planes)

    def _where(self, kind: int, place: PlaceInfo, things: Any) -> Block:
        """For each thing its containers: the cells of a board, or all containers for all things."""
        name = f"{self._program.kinds[kind].name} lies in {self._family(place)}"
        inside = [Plane("equal", place.first + 1 + n) for n in range(place.count)]
        board = self._boards.get(self._program.kinds[place.of[0]].name) if len(place.of) == 1 else None
        if board is None:
            return self._block(name, (kind,), things, inside)
        grid, axes = self._grid(board, place.of[0], np.arange(place.count))
        found = (None if n < 0 else (word, inside[n]) for word in things.tolist() for n in grid.flat)
        owner = self._program.kinds[kind].name
        return Block(name, (len(things), *grid.shape), (owner, *axes), tuple(found))

    def _block(self, name: str, kinds: Sequence[int], words: Any, planes: Sequence[Plane]) -> Block:
        """One plane for each word. The first kind becomes rows and columns if it is a board."""
        axes = tuple(self._program.kinds[kind].name for kind in kinds)
        board = self._boards.get(axes[0]) if kinds else None
        if board is not None:
            words, grid = self._grid(board, kinds[0], words)
            axes = (*grid, *axes[1:])
        found = (None if word < 0 else (word, plane) for plane in planes for word in words.flat)
        return Block(name, (len(planes), *words.shape), ("plane", *axes), tuple(found))

    def _grid(self, board: BoardInfo, kind: int, words: Any) -> tuple[Any, tuple[str, ...]]:
        """The values of the cells of a board by (level,) row and column. It is -1 outside of the board."""
        numbers = {name: n - 1 for n, name in enumerate(self._program.kinds[kind].things) if n}
        grid = np.full((board.levels, board.rows, board.columns, *words.shape[1:]), -1)
        for (column, row, *level), name in board.cells.items():
            grid[(level or [1])[0] - 1, row - 1, column - 1] = words[numbers[name]]
        return (grid[0], ("row", "column")) if board.levels == 1 else (grid, ("level", "row", "column"))

    def _planes(self, type: ValueType, word: int) -> list[Plane]:
        match type:
            case Flag():
                return [Plane("linear", 0, 1)]
            case Thing(kind):
                return [Plane("equal", thing) for thing in range(1, self._count(kind) + 1)]
            case SetOf(kind):
                left = self._count(kind) - word * SET_BITS
                return [Plane("bit", bit) for bit in range(min(left, SET_BITS))]
            case Number(low, high):
                return [Plane("linear" if high - low <= LINEAR else "log", low, high)]
            case Left():
                raise AssertionError("what is left of a fact is not observed")

    # --- what may be hidden ---

    def _hidden(self, kinds: Sequence[int]) -> list[Plane]:
        """The plane for what lies hidden, or is not in the game, where that can be."""
        return [Plane("equal", HIDDEN)] if any(map(self._may_hide, kinds)) else []

    def _may_hide(self, kind: int) -> bool:
        places = (place for place in self._program.places if place.holds == kind)
        return self._program.kinds[kind].exists is not None or any(p.sees is not None for p in places)

    def _count(self, kind: int) -> int:
        return len(self._program.kinds[kind].things) - 1

    def _counts(self, kinds: Sequence[int]) -> tuple[int, ...]:
        return tuple(self._count(kind) for kind in kinds)

    def _family(self, place: PlaceInfo) -> str:
        return ".".join((*(self._program.kinds[kind].name for kind in place.of), place.name))


class _OneHot:
    """The position of the 1 for each value of a cell, as one table. Only ones are written."""

    def __init__(self, parts: Sequence[tuple[int, int, Plane]]) -> None:
        words = sorted({word for _, word, _ in parts})
        tops = dict.fromkeys(words, 0)
        for _, word, plane in parts:
            tops[word] = max(tops[word], plane.low)
        self._words = np.array(words, np.intp)
        self._tops = np.array([tops[word] + 1 for word in words], np.int32)  # stands for all greater values
        sizes = self._tops + 2
        self._starts = np.cumsum(sizes, dtype=np.int64) - sizes + 1
        self._table = np.full(sizes.sum(), NOWHERE, np.int64)
        starts = dict(zip(words, self._starts.tolist(), strict=True))
        for at, word, plane in parts:
            self._table[starts[word] + max(plane.low, -1)] = at

    def write(self, words: Words, found: Floats, first: int) -> None:
        """HIDDEN, the least number, counts as -1. Values without a place go to the first number of a row."""
        values = np.clip(words[:, self._words], -1, self._tops)
        places = np.maximum(self._table[values + self._starts] + first, 0)
        rows = np.arange(0, found.size, found.shape[1])
        found.reshape(-1)[places + rows[:, None]] = 1


class _Gather:
    """The source cells of the planes, with their scales."""

    def __init__(self, parts: Sequence[tuple[int, int, Plane]]) -> None:
        self.at = np.array([at for at, _, _ in parts], np.intp)
        self.words = np.array([word for _, word, _ in parts], np.intp)
        self.low = np.array([plane.low for _, _, plane in parts], np.int32)
        self.high = np.array([plane.high for _, _, plane in parts], np.int64)
        self.span = np.maximum(self.high - self.low, 1).astype(np.float32)


def _bit(words: Words, gather: _Gather) -> Any:
    return np.where(words == HIDDEN, 0, words >> gather.low & 1)


def _linear(words: Words, gather: _Gather) -> Any:
    return (np.where(words == HIDDEN, gather.low, words) - gather.low) / gather.span


def _log(words: Words, gather: _Gather) -> Any:
    wide = words.astype(np.float64)
    return np.where(words == HIDDEN, 0, np.sign(wide) * np.log1p(np.abs(wide)) / np.log(2.0**31))


_WAYS = {"bit": _bit, "linear": _linear, "log": _log}
