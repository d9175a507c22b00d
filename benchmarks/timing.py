"""Rates of work measured side by side: contenders take turns, so that a slow moment hits all of them."""

from __future__ import annotations

import gc
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import process_time

Work = Callable[[int], None]  # does its unit of work this many times


@dataclass
class Contender:
    """Something that does one unit of work over and over; `rates` are units per second, one a turn."""

    name: str
    rate: Callable[[float], float]  # seconds to spend -> units per second
    rates: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        return statistics.median(self.rates)


def contender(name: str, work: Work, batch: int, worth: float = 1) -> Contender:
    """`batch` units are done between two looks at the clock; each counts as `worth`."""

    def rate(seconds: float) -> float:
        gc.collect()
        done, begin = 0, process_time()  # other work of the machine does not count
        while (spent := process_time() - begin) < seconds:
            work(batch)
            done += batch
        return done * worth / spent

    return Contender(name, rate)


def take_turns(contenders: Sequence[Contender], turns: int, seconds: float) -> None:
    """One short turn to warm up, then `turns` rounds in which everybody runs once."""
    for each in contenders:
        each.rate(seconds / 5)
    for _ in range(turns):
        for each in contenders:
            each.rates.append(each.rate(seconds))


def ratio(ours: Contender, peer: Contender) -> float:
    """The median over the rounds of ours to theirs, measured right after one another."""
    return statistics.median(a / b for a, b in zip(ours.rates, peer.rates, strict=True))
