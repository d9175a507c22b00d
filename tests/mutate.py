"""How well the scenarios of the five rulesets test them: lines of rules that run, small changes that are noticed.

`make mutate` tries every change; the tests try a sample of each ruleset (`tests/test_mutated_rulesets.py`).
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from ruleforge.support.diagnostics import Report
from ruleforge.tools.coverage.report import Share, line_share
from ruleforge.tools.experiments.intervals import wilson
from ruleforge.tools.mutation.bench import NOTICED, Bench
from ruleforge.tools.mutation.excuses import Survivors, read_excuses, sifted
from ruleforge.tools.mutation.run import MutationResult, Plan, judged
from ruleforge.tools.scenarios.suites import read_suites

RULESETS = ("orbit-simulator", "primordial-orbs", "primordial-soup", "soul-gems", "splicers")
LINES, CHANGES = 95, 85  # percent, at least


@dataclass(frozen=True)
class Figures:
    """Of one ruleset; listed changes are those that nobody can notice."""

    name: str
    bench: Bench
    lines: Share
    result: MutationResult
    sifted: Survivors
    whole: bool  # every change was tried

    @property
    def changes(self) -> Share:
        noticed = len(self.result.of(NOTICED))
        return Share(noticed, noticed + len(self.sifted.survivors))

    def __str__(self) -> str:
        listed = len(self.sifted.excused)
        noticed = f"{self.changes}{'' if self.whole else self._between}"
        return f"{self.name}: lines of rules {self.lines}, changes noticed {noticed}, {listed} listed"

    @property
    def _between(self) -> str:
        """Of a sample: where the share of all changes lies, nineteen times out of twenty."""
        share = wilson(self.changes.done, self.changes.all)
        return f", of all {100 * share.low:.1f} to {100 * share.high:.1f} %"


def figures(name: str, plan: Plan) -> Figures:
    """Play the scenarios of a ruleset under observation, and try the changes of a plan on them."""
    suites = read_suites(name, (), Report())
    assert suites is not None
    bench, report = Bench(name, suites), Report()
    assert bench.cover is not None and not bench.failing, bench.failing
    result = judged(bench, plan, lambda _: None)
    excuses = read_excuses(bench, report)
    assert not report.has_errors, list(report)
    whole = plan.limit is None and len(result.verdicts) == result.planned
    found = sifted(bench, result.verdicts, excuses)
    return Figures(name, bench, line_share(bench.cover), result, found, whole)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", default=RULESETS)
    parser.add_argument("--limit", type=int, default=None, help="a sample of so many changes of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    failed = False
    for name in given.rulesets:
        found = figures(name, Plan(given.limit, given.seed, jobs=given.jobs))
        print(found, flush=True)
        for mutant in found.sifted.survivors:
            text = found.bench.text(mutant)
            print(f"  {mutant.span}: {mutant.before(text)}  =>  {mutant.after(text)}")
        for excuse, problem in found.sifted.stale:
            print(f"  {excuse.span}: {problem}")
        poor = found.lines.percent < LINES or found.changes.percent < CHANGES
        failed = failed or poor or bool(found.sifted.stale)
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
