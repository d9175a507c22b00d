"""`ruleforge test`: runs scenario files and prints the results."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from ruleforge.engine.errors import RulesetError
from ruleforge.frontends.cli.arguments import GameType, OutFile, what_argument, with_option
from ruleforge.frontends.cli.file_watcher import watch
from ruleforge.frontends.cli.output import colour_option, leave, output, print_diagnostics, print_json, say
from ruleforge.frontends.cli.rule_coverage import CoverageCollector
from ruleforge.lang.source.read_text import shown
from ruleforge.project.locator import find_rules
from ruleforge.support.diagnostics import NOWHERE, Diagnostic, Report
from ruleforge.support.diagnostics.for_programs import as_data
from ruleforge.support.output_files import write_text
from ruleforge.support.records import dataclass
from ruleforge.tools.scenarios.expectation_update import Update, update_of
from ruleforge.tools.scenarios.locator import Suite, Tables, find_suite
from ruleforge.tools.scenarios.outcome import Result, junit
from ruleforge.tools.scenarios.suites import Chosen, played, played_by


@click.command("test")
@what_argument
@with_option
@click.option(
    "--game",
    type=GameType(),
    default=None,
    help="The game of the scenarios, if neither their folder nor a pack names it.",
)
@click.option(
    "-k",
    "words",
    multiple=True,
    metavar="TEXT",
    help="Run only scenarios with this text in title or file (repeatable: any of them).",
)
@click.option(
    "--jobs",
    type=click.IntRange(0, 256),
    default=1,
    show_default=True,
    help="Number of processes; 0: one for each core.",
)
@click.option("--watch", "watching", is_flag=True, help="Run again whenever a file is saved, until Ctrl-C.")
@click.option(
    "--update",
    "updating",
    is_flag=True,
    help="Show corrected expectations, and write them into the scenarios.",
)
@click.option("--yes", is_flag=True, help="With --update: write without confirmation.")
@click.option(
    "--cover", is_flag=True, help="Report the statements, conditions, modifiers and choices that ran."
)
@click.option("--cover-html", type=OutFile(), help="Write this report as an HTML page.")
@click.option(
    "--cover-games", type=click.IntRange(0), default=0, help="Include this many random games in the report."
)
@click.option("--seed", type=int, default=0, help="Seed of the random games.")
@click.option("--strict", is_flag=True, help="Count `changed` scenarios as failures.")
@click.option("--junit", "junit_file", type=OutFile(), help="Write results as JUnit XML for build servers.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@click.option("-q", "--quiet", is_flag=True, help="Print only failures and totals.")
@colour_option
def command(**given: Any) -> None:
    """Run the scenarios of games or packs, or single scenario files.

    A scenario is strict: its steps answer every decision and use up every scripted die. A failure shows the
    expected and the found value, the log so far, and the rule that acted last. With --with, a scenario of
    the core that passes without the packs and fails with them counts as `changed`, not as failed. Scenarios
    that name incompatible packs are left out.

    \b
    Example:
      ruleforge test my-game
      ruleforge test my-game/scenarios/first_move.yaml
      ruleforge test my-game -k draw --watch
      ruleforge test my-game --cover --cover-games 20
    """
    wanted = TestOptions(**given)
    if wanted.watching and wanted.as_json:
        raise click.UsageError("`--watch` shows text: leave out `--json`")
    folders = wanted.folders() if wanted.watching else ()
    if folders:
        watch(folders, lambda: run(wanted))
    elif not run(wanted):
        leave(1)


@dataclass(frozen=True, slots=True)
class TestOptions:
    """The options of the command line."""

    what: tuple[str, ...]
    packs: tuple[str, ...]
    game: str | None
    words: tuple[str, ...]
    jobs: int
    watching: bool
    updating: bool
    yes: bool
    cover: bool
    cover_html: Path | None
    cover_games: int
    seed: int
    strict: bool
    junit_file: Path | None
    as_json: bool
    quiet: bool

    def is_fine(self, result: Result) -> bool:
        return result.ok or result.left_out if self.strict else not result.failed

    @property
    def covers(self) -> bool:
        return bool(self.cover or self.cover_html or self.cover_games)

    def suites(self, trouble: list[Diagnostic]) -> Iterator[Suite]:
        for name in dict.fromkeys(self.what):
            report = Report()
            suite = find_suite(name, report, self.game, self.packs)
            trouble += report
            if suite is not None:
                yield suite

    def chosen(self, suite: Suite) -> Chosen:
        """The files of a suite that are meant: those whose title or name has one of the words."""
        files = suite.files if not self.words else tuple(f for f in suite.files if self._meant(f))
        return Chosen(suite, self.packs, files)

    def _meant(self, file: Path) -> bool:
        from ruleforge.tools.scenarios.scenario import read_scenario

        scenario = read_scenario(file, Report())
        text = f"{file} {scenario.title if scenario else ''}".lower()
        return any(word.lower() in text for word in self.words)

    def folders(self) -> tuple[Path, ...]:
        """The folders to watch for saved files; without scenarios, the rules that the first one would test."""
        found = list(self.suites([]))
        if not found:
            return tuple(path for name in self.what if (path := find_rules(name, Report())) is not None)
        packs = (pack for suite in found for pack in suite.packs)
        files = (suite.files[0].parent for suite in found if suite.home is None)
        return tuple(dict.fromkeys((*(suite.rules for suite in found), *packs, *files)))


def run(wanted: TestOptions) -> bool:
    """Run everything once and tell of it; whether all is well."""
    trouble: list[Diagnostic] = []
    results: list[Result] = []
    watching = CoverageCollector(wanted.cover_games, wanted.seed) if wanted.covers else None
    for suite in wanted.suites(trouble):
        chosen = wanted.chosen(suite)
        try:
            results += _run(wanted, chosen, watching)
        except RulesetError as error:
            trouble += error.diagnostics
    if wanted.words and not results and not trouble:
        message = f"no scenario has {' or '.join(f'`{word}`' for word in wanted.words)} in its title or file"
        trouble.append(Diagnostic("RF850", message, NOWHERE))
    if wanted.junit_file is not None:
        write_text(wanted.junit_file, junit(results, trouble))
    if wanted.as_json:
        print_json(_data(results, trouble, watching))
    else:
        print_diagnostics(trouble, err=False)
        if watching is not None:
            watching.tell(wanted.quiet)
        if results or not trouble:
            say(summary_line(results))
    if watching is not None and wanted.cover_html is not None:
        watching.write_page(wanted.cover_html)
    return not trouble and all(wanted.is_fine(result) for result in results)


def _run(wanted: TestOptions, chosen: Chosen, watching: CoverageCollector | None) -> list[Result]:
    """The results of a suite, told as they come. Raises RulesetError if the rules have a mistake."""
    tables = Tables(chosen.suite, chosen.packs)
    if watching is not None:
        watching.begin(chosen.suite)
        tables = Tables(chosen.suite, chosen.packs, watching.load)
    tables.game()
    if wanted.updating:
        update(chosen, tables, wanted.yes, aside=wanted.as_json)
    alone = watching is not None or wanted.jobs == 1
    jobs = wanted.jobs or os.cpu_count() or 1
    results = []
    for result in played(chosen, tables) if alone else played_by(jobs, chosen):
        results.append(result)
        if not wanted.as_json and (not wanted.is_fine(result) or not wanted.quiet):
            tell(result)
    if watching is not None:
        watching.play(silent=wanted.as_json)
    return results


def _data(
    results: list[Result], trouble: list[Diagnostic], watching: CoverageCollector | None
) -> dict[str, object]:
    failed, changed = sum(r.failed for r in results), sum(r.changed for r in results)
    left_out = sum(r.left_out for r in results)
    data: dict[str, object] = {
        "scenarios": [result.as_data() for result in results],
        "passed": len(results) - failed - changed - left_out,
        "changed": changed,
        "left_out": left_out,
        "failed": failed,
        "problems": [as_data(d) for d in trouble],
    }
    return data if watching is None else {**data, "coverage": watching.as_data()}


# --- --update ---

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def update(chosen: Chosen, tables: Tables, yes: bool, aside: bool = False) -> None:
    """Show the possible updates; write them if the user agrees. Without a terminal, only `yes` agrees.

    With `aside`, standard output is for programs, so the text goes to standard error.
    """
    found = [update_of(tables, file, chosen.suite.home) for file in chosen.files]
    updates = [one for one in found if one is not None]
    for one in updates:
        _show(one, aside)
    changed = [one for one in updates if one.new != one.old]
    if not changed:
        return
    files = f"{len(changed)} file" + ("s" if len(changed) > 1 else "")
    if not yes and not sys.stdin.isatty():
        say(f"{files} would change; --yes writes {'it' if len(changed) == 1 else 'them'}", err=aside)
    elif yes or click.confirm(f"write {files}?", err=True):
        for one in changed:
            write_text(one.file, one.new)
        say(f"{files} written", err=aside)


def _show(one: Update, aside: bool) -> None:
    console = output().console(stderr=aside)
    for line in one.diff():
        console.print(Text(line, _COLOURS.get(line[:1], "")), soft_wrap=True)
    for span in one.left:
        say(f"{span}: this value has comments inside; rewrite it by hand", err=aside)


# Prints the results of scenarios in the terminal.


def tell(result: Result) -> None:
    """One line for a scenario that holds or is left out; for one that fails everything that helps to see why."""
    console, word = output().console(), _word(result)
    named = f"  {result.title}  ({shown(result.file)})"
    if result.left_out:
        named += f": {result.problems[0].message}"
    console.print(word.append(named, style="default not bold"), soft_wrap=True)
    if result.left_out:
        return
    print_diagnostics(result.problems, err=False)
    if result.ok:
        return
    if result.changed:
        console.print()
        return
    if result.wanted or result.found:
        console.print(Text("  expected: ").append(result.wanted, "green"), soft_wrap=True)
        console.print(Text("  found:    ").append(result.found, "red"), soft_wrap=True)
    if result.story:
        console.print("  what happened:")
        for line in result.story:
            console.print(f"    {line}", soft_wrap=True)
    if result.rule is not None:
        console.print(f"  the rule: {result.rule}", soft_wrap=True)
    console.print()


def _word(result: Result) -> Text:
    if result.changed:
        return Text(f"changed by {', '.join(result.changed_by)}", style="yellow")
    if result.left_out:
        return Text("left out", style="yellow")
    return Text("ok", style="green") if result.ok else Text("FAIL", style="bold red")


def summary_line(results: Sequence[Result]) -> str:
    """How many passed, and how many did not: because of packs that they do not speak of, or else."""
    failed, changed = [r for r in results if r.failed], [r for r in results if r.changed]
    left_out = [r for r in results if r.left_out]
    parts = [f"{len(results) - len(failed) - len(changed) - len(left_out)} passed"]
    if changed:
        packs = _listed(r.changed_by for r in changed)
        parts.append(f"{len(changed)} changed by {packs} (they pass without)")
    if left_out:
        packs = _listed(r.left_out_by for r in left_out)
        parts.append(f"{len(left_out)} left out (their packs do not fit {packs})")
    if failed:
        parts.append(f"{len(failed)} failed")
    return ", ".join(parts)


def _listed(packs: Iterable[tuple[str, ...]]) -> str:
    return ", ".join(dict.fromkeys(pack for some in packs for pack in some))
