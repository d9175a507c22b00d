"""`ruleforge coverage`: lists the clauses with and without a rule and a scenario."""

from __future__ import annotations

import click
from rich.table import Table
from rich.text import Text

from ruleforge.frontends.cli.arguments import game_argument, with_option
from ruleforge.frontends.cli.output import colour_option, leave, output, print_diagnostics, print_json
from ruleforge.support.diagnostics import Report, Span
from ruleforge.tools.coverage.clauses import CitedClause, Coverage, carried_json, coverage_of, folders_of


@click.command("coverage")
@game_argument
@with_option
@click.option(
    "--json", "as_json", is_flag=True, help="Print JSON for programs; `missing` lists the uncovered clauses."
)
@colour_option
def command(game: str, packs: tuple[str, ...], as_json: bool) -> None:
    """List each clause of the rulebook with the rules that cite it and the scenarios that show it.

    Clauses of kind `info` need neither. Exit code 1: a clause lacks a rule or a scenario. With packs, their
    clauses count too. A pack alone is checked for its own clauses.

    \b
    Example:
      ruleforge coverage my-game
      ruleforge coverage my-game --with my-pack
    """
    report = Report()
    folders, also = folders_of(game, packs, report)
    coverage = coverage_of(folders, report, also) if folders else None
    if coverage is None or report.has_errors:
        print_diagnostics(report)
        leave(1)
    if as_json:
        print_json(_data(coverage))
    else:
        _show(coverage)
    if coverage.missing or coverage.unknown:
        leave(1)


def _data(coverage: Coverage) -> dict[str, object]:
    return {
        "clauses": [carried_json(carried) for carried in coverage.clauses.values()],
        "missing": coverage.missing,
        "unknown": [{"clause": id_, "place": str(span)} for id_, span in coverage.unknown],
    }


def _show(coverage: Coverage) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("clause", "rules", "scenarios"):
        table.add_column(heading, overflow="fold")
    for id_, carried in coverage.clauses.items():
        table.add_row(id_, _names(carried, carried.rules), _names(carried, carried.scenarios))
    console = output().console()
    console.print(table)
    for id_, span in coverage.unknown:
        where = f" is cited at {span}, but the rulebook has no such clause"
        console.print(Text(id_, "red").append(where, "default"))
    covered = sum(carried.is_covered for carried in coverage.clauses.values())
    console.print(f"{covered} of {len(coverage.clauses)} clauses are covered")


def _names(carried: CitedClause, cited: list[tuple[str, Span]]) -> Text:
    if cited:
        return Text("; ".join(dict.fromkeys(name for name, _ in cited)))  # titles of scenarios have commas
    return Text("-") if carried.is_covered else Text("none", "red")
