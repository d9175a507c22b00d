"""Caches verdicts between runs, until the rules or the deciding scenarios change."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from functools import cache
from pathlib import Path

from ruleforge.support.disk_cache import DiskCache
from ruleforge.support.input_files import files_below, read_bytes
from ruleforge.support.resources import grammar_file
from ruleforge.tools.mutation.bench import NOTICED, REFUSED, Verdict
from ruleforge.tools.mutation.mutant import Mutant

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
        """What is known; of what was not noticed, by which scenarios. None if it has to be judged anew."""
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
