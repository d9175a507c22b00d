"""`Playouts` sums up the records of many random games as one readable result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from operator import mul
from types import MappingProxyType

from ruleforge.backends.playouts import (
    BROKEN,
    DECISIONS,
    ENDING,
    SCORES,
    TIMES,
    WINNERS,
    Plan,
    Records,
    measured_at,
    record_size,
)
from ruleforge.compiler.ir import Measure, Program
from ruleforge.engine.paths import plain_value
from ruleforge.engine.presentation.observation import Value
from ruleforge.support.records import dataclass

__all__ = ["Plan", "Playouts", "Result", "counted", "results"]


@dataclass(frozen=True, slots=True)
class Playouts:
    """The result of many random games.

    `endings` counts games by reason of ending. `cut` counts the games cut short. `faults` counts by code the
    games that a limit of the rules stopped. `winners` counts how often each player won, alone or with others;
    `alone` counts wins without others. `sides` counts how often these players won together. `lost` and
    `draws` count games without a winner. `scores` adds up the scores of finished games. `lengths` counts
    games by their number of decisions. `violations` counts games in which an invariant failed, if invariants
    were watched. `measured` counts by text how many games gave each value, without games that had a fault.
    """

    games: int
    endings: Mapping[str, int]
    cut: int
    winners: Mapping[str, int]
    alone: Mapping[str, int]
    sides: Mapping[tuple[str, ...], int]
    draws: int
    lost: int
    scores: Mapping[str, int]
    lengths: Mapping[int, int]
    faults: Mapping[str, int]
    violations: Mapping[str, int]
    measured: Mapping[str, Mapping[Value, int]]

    @property
    def decisions(self) -> int:
        return sum(length * games for length, games in self.lengths.items())

    @property
    def finished(self) -> int:
        return sum(self.endings.values())


@dataclass(frozen=True, slots=True)
class Result:
    """How one game ended: `reason`, or the code of a `fault`; both are None if it was cut short."""

    reason: str | None
    fault: str | None
    winners: tuple[str, ...]
    decisions: int
    violations: tuple[str, ...]
    scores: tuple[int, ...]
    lost: bool = False
    measured: tuple[Value, ...] = ()  # of the measures of the program


def results(program: Program, records: Records) -> Iterator[Result]:
    """Records one by one, in the order of their games."""
    players, size, behind = program.kinds[0].things[1:], record_size(program), measured_at(program)
    for first in range(0, len(records), size):
        ending, won, broken = (records[first + k] for k in (ENDING, WINNERS, BROKEN))
        yield Result(
            reason=program.endings[ending - 1].name if ending > 0 else None,
            fault=program.faults[-1 - ending].code if ending < 0 else None,
            winners=tuple(name for seat, name in enumerate(players) if ending > 0 and won >> seat & 1),
            decisions=records[first + DECISIONS],
            violations=tuple(i.name for bit, i in enumerate(program.invariants) if broken >> bit & 1),
            scores=tuple(records[first + SCORES : first + behind]),
            lost=ending > 0 and not won and program.endings[ending - 1].lost,
            measured=tuple(
                plain_value(program, m.type, records[first + behind + k])
                for k, m in enumerate(program.measures)
            ),
        )


def counted(program: Program, parts: Iterable[Records]) -> Playouts:
    """The result of all records together."""
    count = _Count(program)
    for records in parts:
        count.add(records)
    return count.result()


@dataclass(slots=True)
class _Count:
    """Adds up records, column by column."""

    program: Program
    ends: Counter[int] = field(default_factory=Counter)  # ending, and winners 32 bits above
    lengths: Counter[int] = field(default_factory=Counter)
    broken: Counter[int] = field(default_factory=Counter)
    scores: Counter[int] = field(default_factory=Counter)
    measured: list[Counter[int]] = field(default_factory=list)  # by measure

    def add(self, records: Records) -> None:
        size = record_size(self.program)
        columns = [records[k::size] for k in range(size)]
        times = columns[TIMES]
        pairs = memoryview(records).cast("B").cast("q")[ENDING :: size // 2]
        _add(self.ends, pairs.tolist(), times)
        _add(self.lengths, columns[DECISIONS], times)
        if any(columns[BROKEN]):
            _add(self.broken, columns[BROKEN], times)
        end = measured_at(self.program)
        for seat, column in enumerate(columns[SCORES:end]):
            self.scores[seat] += sum(map(mul, column, times))
        for place in range(end, end + len(self.program.measures)):
            self.add_measured(place - end, columns[place], columns)

    def add_measured(self, number: int, values: Iterable[int], columns: Sequence[Iterable[int]]) -> None:
        while len(self.measured) <= number:
            self.measured.append(Counter())
        sound = [
            games if ending >= 0 else 0 for games, ending in zip(columns[TIMES], columns[ENDING], strict=True)
        ]
        _add(self.measured[number], values, sound)

    def result(self) -> Playouts:
        program, players = self.program, self.program.kinds[0].things[1:]
        endings: Counter[int] = Counter()
        winners: Counter[int] = Counter()
        lost = 0
        for both, games in self.ends.items():
            ending, bits = _parted(both)
            endings[ending] += games
            if ending > 0:
                winners[bits] += games
                lost += games if not bits and program.endings[ending - 1].lost else 0
        reasons = {program.endings[n - 1].name: games for n, games in sorted(endings.items()) if n > 0}
        scores = {name: self.scores[seat] for seat, name in enumerate(players)}
        invariants = [invariant.name for invariant in program.invariants]
        violations = {name: games for name, games in _by_bit(self.broken, invariants).items() if games}
        return Playouts(
            games=endings.total(),
            endings=MappingProxyType(reasons),
            cut=endings[0],
            winners=MappingProxyType(_by_bit(winners, players)),
            alone=MappingProxyType({name: winners[1 << seat] for seat, name in enumerate(players)}),
            sides=MappingProxyType(_sides(winners, players)),
            draws=winners[0] - lost,
            lost=lost,
            scores=MappingProxyType(scores),
            lengths=MappingProxyType(dict(sorted(self.lengths.items()))),
            faults=MappingProxyType(_faults(program, endings)),
            violations=MappingProxyType(violations),
            measured=MappingProxyType({m.text: self.values(k, m) for k, m in enumerate(program.measures)}),
        )

    def values(self, number: int, measure: Measure) -> Mapping[Value, int]:
        counted = self.measured[number].items() if self.measured else ()
        return MappingProxyType(
            {plain_value(self.program, measure.type, word): games for word, games in sorted(counted)}
        )


def _add(counter: Counter[int], values: Iterable[int], times: Iterable[int]) -> None:
    for value, games in zip(values, times, strict=True):
        if games:
            counter[value] += games


def _parted(both: int) -> tuple[int, int]:
    """Two signed words that were read as one."""
    low = both & 0xFFFFFFFF
    return (low if low < 0x80000000 else low - 0x100000000), both >> 32


def _faults(program: Program, endings: Counter[int]) -> dict[str, int]:
    """Several places of the rules may have a fault of one code."""
    faults: Counter[str] = Counter()
    for number, games in endings.items():
        if number < 0:
            faults[program.faults[-1 - number].code] += games
    return dict(sorted(faults.items()))


def _by_bit(masks: Counter[int], names: Sequence[str]) -> dict[str, int]:
    """For each name, how often its bit was set."""
    return {name: sum(n for bits, n in masks.items() if bits >> bit & 1) for bit, name in enumerate(names)}


def _sides(masks: Counter[int], names: Sequence[str]) -> dict[tuple[str, ...], int]:
    """The number of joint wins of each group of players."""
    return {
        tuple(name for seat, name in enumerate(names) if bits >> seat & 1): games
        for bits, games in sorted(masks.items())
        if bits.bit_count() > 1
    }
