"""Runs all mutants or a sample, in one or several processes, and caches the verdicts."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

from ruleforge.support.diagnostics import Report
from ruleforge.support.disk_cache import DiskCache
from ruleforge.support.input_files import files_below, read_bytes, real_path
from ruleforge.support.records import dataclass
from ruleforge.support.resources import grammar_file
from ruleforge.tools.mutation.bench import NOTICED, REFUSED, SAME, SURVIVED, Bench, Verdict
from ruleforge.tools.mutation.mutant import Mutant
from ruleforge.tools.mutation.scenario_selection import Touched
from ruleforge.tools.scenarios.suites import read_suites

OFTEN = 50  # verdicts after which they are written down
_MOST = 4_000_000  # bytes of a source file of ours
_PLAYING = (
    "lang",
    "analysis",
    "compiler",
    "backends",
    "engine",
    "tools/scenarios",
    "tools/coverage",
    "tools/mutation",
)


def is_called(file: str, name: str) -> bool:
    """Whether a name means a file: by the last parts of its path, or by another path to it."""
    path, meant = Path(file), Path(name)
    ends_so = path.parts[-len(meant.parts) :] == meant.parts
    return ends_so or real_path(path) == real_path(meant)


@dataclass(frozen=True, slots=True)
class Plan:
    """The mutants to try: all, a random sample, or those of some files."""

    limit: int | None = None
    seed: int = 1
    only: tuple[str, ...] = ()
    jobs: int = 1
    fresh: bool = False

    def chosen(self, mutants: tuple[Mutant, ...]) -> tuple[Mutant, ...]:
        meant = [
            m for m in mutants if not self.only or any(is_called(m.span.file, name) for name in self.only)
        ]
        if self.limit is None or self.limit >= len(meant):
            return tuple(meant)
        return tuple(sorted(random.Random(self.seed).sample(meant, self.limit)))


@dataclass(frozen=True, slots=True)
class MutationResult:
    """The tried mutants with their verdicts; `planned` is larger after an interruption."""

    verdicts: tuple[tuple[Mutant, Verdict], ...]
    planned: int

    @property
    def whole(self) -> bool:
        return len(self.verdicts) == self.planned

    def of(self, what: str) -> list[Mutant]:
        return [mutant for mutant, verdict in self.verdicts if verdict.what == what]


def judged(bench: Bench, plan: Plan, progress: Callable[[int], None]) -> MutationResult:
    """Try the changes of a plan. Ctrl-C ends it early; what is known by then is the result, and is kept."""
    chosen = plan.chosen(bench.mutants)
    assert bench.analysis.checked is not None
    scenarios = frozenset(case.digest for case in bench.suites.cases)
    cache = VerdictCache(bench.analysis.checked.digest, scenarios, plan.fresh)
    found: dict[Mutant, Verdict] = {}
    todo: list[tuple[Mutant, frozenset[str]]] = []
    for mutant in chosen:
        known = cache.verdict(mutant)
        if known is None:
            todo.append((mutant, frozenset()))
        elif known.what in (SURVIVED, SAME) and bench.cases(mutant, known.passed):
            todo.append((mutant, known.passed))
        else:
            found[mutant] = known
    progress(len(found))
    with suppress(KeyboardInterrupt):
        for number, (mutant, verdict) in enumerate(_verdicts(bench, todo, plan.jobs), start=1):
            found[mutant] = verdict
            cache.add(mutant, verdict)
            progress(1)
            if number % OFTEN == 0:
                cache.write()
    cache.write()
    return MutationResult(tuple((m, found[m]) for m in chosen if m in found), len(chosen))


Work = tuple[Mutant, frozenset[str]]


def _verdicts(bench: Bench, todo: list[Work], jobs: int) -> Iterator[tuple[Mutant, Verdict]]:
    if jobs < 2 or len(todo) < 2:
        for mutant, passed in todo:
            yield mutant, bench.judge(mutant, passed)
        return
    given = (bench.name, bench.suites.packs, dict(bench.touched))
    pool = ProcessPoolExecutor(jobs, initializer=_begin, initargs=given)
    try:
        futures: dict[Future[Verdict], Mutant] = {pool.submit(_judge, m, p): m for m, p in todo}
        for done in as_completed(futures):
            yield futures[done], done.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_bench: Bench  # of a process that helps


def _begin(name: str, packs: tuple[str, ...], touched: dict[str, Touched]) -> None:
    global _bench
    suites = read_suites(name, packs, Report())
    assert suites is not None
    _bench = Bench(name, suites, touched)


def _judge(mutant: Mutant, passed: frozenset[str]) -> Verdict:
    return _bench.judge(mutant, passed)


# Caches verdicts between runs, until the rules or the deciding scenarios change.


class VerdictCache:
    """The cached verdicts for rules with one digest."""

    def __init__(self, digest: str, scenarios: frozenset[str], fresh: bool = False) -> None:
        """`scenarios` are the digests of those that can notice something now; `fresh` forgets what was known."""
        self._name = f"{hashlib.sha256(f'{digest} {_makers()}'.encode()).hexdigest()}.mutants"
        self._scenarios = scenarios
        self._disk = DiskCache()
        self._known: dict[str, Verdict] = {} if fresh else self._read()

    def _read(self) -> dict[str, Verdict]:
        data = self._disk.read(self._name)
        found = json.loads(data) if data else {}
        return {key: Verdict(what, by, frozenset(passed)) for key, (what, by, passed) in found.items()}

    def verdict(self, mutant: Mutant) -> Verdict | None:
        """The known verdict; for an unnoticed change, with its passed scenarios. None if it must be judged anew."""
        known = self._known.get(_key(mutant))
        if known is None or known.what == REFUSED:
            return known
        if known.what == NOTICED:
            return known if known.by in self._scenarios else None
        return replace(known, passed=known.passed & self._scenarios)

    def add(self, mutant: Mutant, verdict: Verdict) -> None:
        self._known[_key(mutant)] = verdict

    def write(self) -> None:
        data = {key: (v.what, v.by, sorted(v.passed)) for key, v in self._known.items()}
        self._disk.write(self._name, json.dumps(data).encode())


def _key(mutant: Mutant) -> str:
    span = mutant.span
    place = f"{span.line}:{span.column}-{span.end_line}:{span.end_column}"
    return f"{Path(span.file).name}:{place}:{mutant.new}"


@cache
def _makers() -> str:
    """A digest of all that plays: another engine may judge otherwise."""
    digest = hashlib.sha256(grammar_file().read_bytes())
    package = Path(__file__).parents[2]
    for part in _PLAYING:
        for file in files_below(package / part, (".py",)):
            digest.update(read_bytes(file, _MOST))
    return digest.hexdigest()
