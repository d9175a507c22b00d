"""`ruleforge mutate`: finds small changes of the rules that no scenario notices."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from ruleforge.analysis.effects.truth import invariants_that_cannot_fail
from ruleforge.engine.errors import RulesetError
from ruleforge.frontends.cli.arguments import game_argument, with_option
from ruleforge.frontends.cli.main import INTERRUPTED
from ruleforge.frontends.cli.output import colour_option, leave, output, print_diagnostics, print_json, say
from ruleforge.frontends.cli.progress import progress_bar
from ruleforge.lang.checker.typed import Invariant
from ruleforge.support.diagnostics import Report
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import counted, did_you_mean
from ruleforge.tools.mutation.bench import NOTICED, REFUSED, SAME, Bench
from ruleforge.tools.mutation.excuses import Survivors, read_excuses, sifted
from ruleforge.tools.mutation.mutant import Mutant
from ruleforge.tools.mutation.run import MutationResult, Plan, is_called, judged
from ruleforge.tools.scenarios.suites import play_case, read_suites

FEW = 6  # scenarios that are named


@click.command("mutate")
@game_argument
@with_option
@click.option(
    "--limit", type=click.IntRange(1), default=None, help="Try a random sample of this many changes."
)
@click.option(
    "--seed", type=int, default=1, show_default=True, help="Seed of the sample: same seed, same changes."
)
@click.option("--only", multiple=True, metavar="FILE", help="Change only this rule file (repeatable).")
@click.option(
    "--jobs",
    type=click.IntRange(0, 256),
    default=1,
    show_default=True,
    help="Number of processes; 0: one for each core.",
)
@click.option(
    "--least",
    type=click.FloatRange(0, 100),
    default=0,
    help="Exit with code 1 if scenarios notice a smaller share (in %).",
)
@click.option("--fresh", is_flag=True, help="Ignore cached results.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@colour_option
def command(game: str, packs: tuple[str, ...], as_json: bool, least: float, **how: Any) -> None:
    """Change the rules in one place at a time and report the changes that no scenario notices.

    A change replaces a number, a comparison, a name, a keyword or a clause. Changes that `validate` rejects
    or that make no difference in play do not count. List changes that no scenario can notice in
    `mutants.yaml`, with the reason. With packs, scenarios that pass only without them are left out.

    Results are cached: after an edit of scenarios, only unnoticed changes run again. Ctrl-C shows the
    result so far.

    \b
    Example:
      ruleforge mutate my-game --limit 200 --jobs 2
      ruleforge mutate my-game --only cards.yaml
      ruleforge mutate my-game --with my-pack
    """
    how["jobs"] = how["jobs"] or os.cpu_count() or 1
    plan = Plan(**how)
    with progress_bar("playing scenarios", 1, as_json):
        bench = _bench(game, packs)
    _check_only(plan, bench)
    with progress_bar("trying changes", len(plan.chosen(bench.mutants)), as_json) as progress:
        result = judged(bench, plan, lambda n: progress.advance(progress.task_ids[0], n))
    report = Report()
    excuses = read_excuses(bench, report)
    if report.has_errors:
        print_diagnostics(report)
        leave(1)
    summary = Summary(result, sifted(bench, result.verdicts, excuses))
    if as_json:
        print_json(_data(bench, summary))
    else:
        _show(bench, summary)
    if not result.whole:
        leave(INTERRUPTED)
    if summary.share < least or summary.sifted.stale:
        leave(1)


def _check_only(plan: Plan, bench: Bench) -> None:
    """A file that is not changed would make every figure a perfect one: misuse, exit 2."""
    names = [file.path for file in bench.files]
    for name in plan.only:
        if not any(is_called(file, name) for file in names):
            hint = did_you_mean(name, [Path(file).name for file in names])
            message = f"`{name}` is not a rule file of this game or pack" + (f"; {hint}" if hint else "")
            raise click.BadParameter(message, param_hint="--only")


def _bench(game: str, packs: tuple[str, ...]) -> Bench:
    """The rules with scenarios that all hold, or diagnostics and exit 1."""
    report = Report()
    suites = read_suites(game, packs, report)
    if suites is None:
        print_diagnostics(report)
        leave(1)
    try:
        bench = Bench(game, suites)
    except RulesetError as error:
        print_diagnostics(error.diagnostics)
        leave(1)
    if bench.failing:
        print_diagnostics(play_case(suites.tables(), bench.failing[0]))
        verb = "fails" if len(bench.failing) == 1 else "fail"
        say(f"{counted(len(bench.failing), 'scenario')} {verb} as it is; see: ruleforge test", err=True)
        leave(1)
    if bench.apart:
        say(_left_out(bench), err=True)
    return bench


def _left_out(bench: Bench) -> str:
    """The first few by name: a pack that changes how a game begins leaves most of them out."""
    names = sorted({case.file.name for case in bench.apart})
    more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
    packs = ", ".join(bench.suites.packs)
    return f"left out, because they pass only without {packs}: {', '.join(names[:FEW])}{more}"


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of a run."""

    result: MutationResult
    sifted: Survivors

    @property
    def noticed(self) -> int:
        return len(self.result.of(NOTICED))

    @property
    def share(self) -> float:
        """The percentage of noticeable changes that some scenario notices."""
        total = self.noticed + len(self.sifted.survivors)
        return 100 * self.noticed / total if total else 100.0


def _data(bench: Bench, summary: Summary) -> dict[str, object]:
    def as_json(mutant: Mutant) -> dict[str, object]:
        text, span = bench.text(mutant), mutant.span
        where = {"file": span.file, "line": span.line, "column": span.column, "in": mutant.inside}
        return {**where, "kind": mutant.kind, "before": mutant.before(text), "after": mutant.after(text)}

    result = summary.result
    return {
        "planned": result.planned,
        "judged": len(result.verdicts),
        "refused": len(result.of(REFUSED)),
        "same": len(result.of(SAME)),
        "noticed": summary.noticed,
        "share": round(summary.share, 1),
        "survivors": [as_json(mutant) for mutant in summary.sifted.survivors],
        "equivalent": [as_json(mutant) | {"why": e.why} for mutant, e in summary.sifted.excused],
        "apart": [str(case.file) for case in bench.apart],
        "stale": [{"place": str(e.span), "problem": problem} for e, problem in summary.sifted.stale],
        "cannot_fail": [{"invariant": i.name, "place": str(i.span)} for i in _vacuous(bench)],
    }


def _vacuous(bench: Bench) -> tuple[Invariant, ...]:
    assert bench.analysis.checked is not None
    return invariants_that_cannot_fail(bench.analysis.checked)


def _show(bench: Bench, summary: Summary) -> None:
    console = output().console()
    for mutant in summary.sifted.survivors:
        text = bench.text(mutant)
        place = Text(f"{mutant.span.file}:{mutant.span.line}", "bold").append(
            f"  {mutant.inside}", "not bold"
        )
        console.print(place, soft_wrap=True)
        console.print(Text(f"  - {mutant.before(text)}", "red"), soft_wrap=True)
        console.print(Text(f"  + {mutant.after(text) or '(left out)'}", "green"), soft_wrap=True)
    for excuse, problem in summary.sifted.stale:
        say(f"{excuse.span}: {problem}: {excuse.before}")
    for invariant in _vacuous(bench):
        say(
            f"{invariant.span}: no change can break the invariant {invariant.name}: the declared ranges keep it"
        )
    result, excused = summary.result, len(summary.sifted.excused)
    say(
        f"{counted(len(result.verdicts), 'change')}: {len(result.of(REFUSED))} rejected by validate, "
        f"{len(result.of(SAME))} without effect on play, {excused} are listed as equivalent"
        + ("" if result.whole else f"; {result.planned - len(result.verdicts)} not tried")
    )
    of = summary.noticed + len(summary.sifted.survivors)
    say(f"{summary.noticed} of {of} noticed by a scenario: {summary.share:.1f} %")
