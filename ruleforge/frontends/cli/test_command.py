"""`ruleforge test`: runs scenario files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
from rich.text import Text

from ruleforge.diagnostics import Diagnostic, Report
from ruleforge.diagnostics.render import as_data
from ruleforge.engine.errors import RulesetError
from ruleforge.frontends.cli.arguments import GameType, what_argument, with_option
from ruleforge.frontends.cli.output import colour_option, complain, leave, output, print_json, say
from ruleforge.scenarios.find import Suite, find_suite
from ruleforge.scenarios.run import run_scenario
from ruleforge.scenarios.scenario import read_scenario
from ruleforge.scenarios.tables import Tables


@click.command("test")
@what_argument
@with_option
@click.option(
    "--game",
    type=GameType(),
    default=None,
    help="The rules, where they are not beside `scenarios` and no pack of --with says what it was made for.",
)
@click.option("--json", "as_json", is_flag=True, help="Print for programs.")
@click.option("-q", "--quiet", is_flag=True, help="Print failures and the sum only.")
@colour_option
def command(
    what: tuple[str, ...], packs: tuple[str, ...], game: str | None, as_json: bool, quiet: bool
) -> None:
    """Run the scenarios of games or packs, or single scenario files.

    A scenario is strict: every decision on its way must be answered by a step, dice must be used up.

    \b
    Example:
      ruleforge test my-game
      ruleforge test my-game/scenarios/first_move.yaml
      ruleforge test line.yaml --with my-pack
    """
    results: list[dict[str, object]] = []

    def show(failed: bool) -> bool:
        return not as_json and (failed or not quiet)

    trouble: list[Diagnostic] = []
    for name in dict.fromkeys(what):
        report = Report()
        suite = find_suite(name, report, game, packs)
        trouble += report
        if suite is not None:
            trouble += _run(suite, packs, results, show)
    failed = sum(not result["ok"] for result in results)
    if as_json:
        print_json(
            {
                "scenarios": results,
                "passed": len(results) - failed,
                "failed": failed,
                "problems": _data(trouble),
            }
        )
    else:
        complain(trouble, err=False)
        say(f"{len(results) - failed} passed" + (f", {failed} failed" if failed else ""))
    if failed or trouble:
        leave(1)


def _run(
    suite: Suite, packs: tuple[str, ...], results: list[dict[str, object]], show: Callable[[bool], bool]
) -> list[Diagnostic]:
    """Runs all files of a suite; gives complaints that are not about one scenario."""
    tables = Tables(suite, packs)
    try:
        tables.game()
    except RulesetError as error:
        return list(error.diagnostics)
    for file in suite.files:
        title, found = _one(tables, file, suite.home)
        results.append({"scenario": title, "file": str(file), "ok": not found, "problems": _data(found)})
        if show(bool(found)):
            _tell(title, file, found)
    return []


def _one(tables: Tables, file: Path, home: Path | None) -> tuple[str, list[Diagnostic]]:
    report = Report()
    scenario = read_scenario(file, report, home)
    if scenario is None:
        return file.stem, list(report)
    try:
        game = tables.game(scenario, file)
        run_scenario(game, scenario, report, tables.strangers(scenario, file))
    except RulesetError as error:
        report.include(*error.diagnostics)
    return scenario.title, list(report)


def _tell(title: str, file: Path, found: list[Diagnostic]) -> None:
    word = Text("FAIL", style="bold red") if found else Text("ok", style="green")
    output().console().print(word.append(f"  {title}  ({file})", style="default not bold"), soft_wrap=True)
    complain(found, err=False)


def _data(found: list[Diagnostic]) -> list[dict[str, object]]:
    return [as_data(d) for d in found]
