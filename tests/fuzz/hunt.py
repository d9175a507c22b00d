"""Made-up and changed rulesets, one after the other -> the findings, each once and as small as it gets."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.fuzz.apart import secret_leak
from tests.fuzz.mutants import mutants
from tests.fuzz.rulesets import rulesets
from tests.fuzz.secrets import secrets_of
from tests.fuzz.smaller import smaller
from tests.fuzz.trial import Files, Finding, tried
from tests.fuzz.untrusted_input import attempt

BATCH = 40
SHRINKING = 60.0  # seconds for one finding


@dataclass
class Tally:
    """How far the search has come."""

    tried: int = 0
    fine: int = 0
    decisions: int = 0
    sent: int = 0  # by untrusted users: see untrusted_input.py
    looked: int = 0  # positions at which seats were asked what they can tell
    veiled: int = 0  # rulesets made of secrets
    findings: dict[str, tuple[Finding, Files]] = field(default_factory=dict)


def strategies(large: bool = True) -> st.SearchStrategy[dict[str, str]]:
    made_up = rulesets().map(lambda text: {"game.yaml": text})
    return made_up | mutants(large)


def search(
    tally: Tally,
    first_seed: int,
    more: Callable[[], bool],
    strategy: st.SearchStrategy[dict[str, str]] | None = None,
) -> Iterator[str]:
    """The keys of new findings, while there is more time; `tally` keeps the count."""
    number = first_seed
    while more():
        found: list[tuple[Finding, Files]] = []
        _batch(tally, number, more, found, strategies() if strategy is None else strategy)
        number += 1
        for finding, files in found:
            if finding.key not in tally.findings:
                tally.findings[finding.key] = (finding, files)
                yield finding.key


def at_the_interfaces(tally: Tally, first_seed: int, more: Callable[[], bool]) -> Iterator[str]:
    """The same for untrusted input; the words of a finding say with which seed it comes again."""

    def look(number: int) -> Finding | None:
        tally.sent += 1
        finding = attempt(random.Random(number))
        return finding and Finding(finding.key, f"{finding.words} (interface {number})")

    return _one_by_one(tally, first_seed, more, look)


def for_secrets(tally: Tally, first_seed: int, more: Callable[[], bool]) -> Iterator[str]:
    """The same for what seats are told in games that ship, with any of their packs."""

    def look(number: int) -> Finding | None:
        looked, finding = secrets_of(number)
        tally.looked += looked
        return finding

    return _one_by_one(tally, first_seed, more, look)


def for_secret_rulesets(tally: Tally, first_seed: int, more: Callable[[], bool]) -> Iterator[str]:
    """The same for what seats are told in rulesets made of secrets."""

    def look(number: int) -> Finding | None:
        tally.veiled += 1
        return secret_leak(number, interfaces=number % 4 == 0)

    return _one_by_one(tally, first_seed, more, look)


def _one_by_one(
    tally: Tally, first_seed: int, more: Callable[[], bool], look: Callable[[int], Finding | None]
) -> Iterator[str]:
    for number in count(first_seed):
        if not more():
            return
        finding = look(number)
        if finding is not None and finding.key not in tally.findings:
            tally.findings[finding.key] = (finding, {})
            yield finding.key


def _batch(
    tally: Tally, number: int, more: Callable[[], bool], found: list[tuple[Finding, Files]],
    strategy: st.SearchStrategy[dict[str, str]],
) -> None:  # fmt: skip
    @seed(number)
    @settings(
        max_examples=BATCH, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(files=strategy)
    def one(files: dict[str, str]) -> None:
        if not more():
            return
        trial = tried(files, seed=number)
        tally.tried += 1
        tally.fine += trial.fine
        tally.decisions += trial.decisions
        if trial.finding is not None:
            found.append((trial.finding, files))

    one()


def minimised(tally: Tally, key: str, number: int, seconds: float = SHRINKING) -> Files:
    """The smallest ruleset found with this finding; kept in the tally."""
    finding, files = tally.findings[key]
    if finding.key.startswith("TooLong"):
        return files  # each attempt would take as long

    def still(other: Files) -> bool:
        trial = tried(other, seed=number)
        return trial.finding is not None and trial.finding.key == key

    files = smaller(files, still, seconds)
    tally.findings[key] = (finding, files)
    return files


def until(seconds: float) -> Callable[[], bool]:
    """Whether there is time left, counted from now."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() < end
