"""`ruleforge explain`: the page of a code, or a clause with its rules."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markdown import Markdown

from ruleforge.beside.rulebook import RULEBOOK
from ruleforge.diagnostics import Report
from ruleforge.diagnostics.codes import CODES
from ruleforge.finding import find_rules
from ruleforge.frontends.cli.arguments import GameType
from ruleforge.frontends.cli.output import colour_option, leave, output
from ruleforge.frontends.coverage.clauses import Carried, coverage_of
from ruleforge.names import did_you_mean
from ruleforge.reading import is_file, is_folder
from ruleforge.resources import diagnostic_page, shipped_games


@click.command("explain")
@click.argument("code_or_clause", metavar="CODE-or-CLAUSE")
@click.option("--game", type=GameType(), default=None, help="Look for the clause in this game only.")
@colour_option
def command(code_or_clause: str, game: str | None) -> None:
    """Explain a diagnostic code, or show a clause of a rulebook with the rules that carry it.

    \b
    Example:
      ruleforge explain RF501
      ruleforge explain MG-2 --game my-game
    """
    code = code_or_clause.upper()
    if code in CODES:
        _explain_code(code)
        return
    folders = _folders(game)
    known: list[str] = []
    for folder in folders:
        coverage = coverage_of(folder, Report())
        for id_, carried in coverage.clauses.items() if coverage else ():
            if id_.lower() == code_or_clause.lower():
                _explain_clause(carried)
                return
            known.append(id_)
    hint = did_you_mean(code_or_clause, [*CODES, *known])
    click.echo(f"`{code_or_clause}` is neither a code nor a clause" + (f"; {hint}" if hint else ""), err=True)
    leave(1)


def _explain_code(code: str) -> None:
    page = diagnostic_page(code)
    console = output().console()
    if page is None:
        console.print(f"[bold]{code}[/bold] ({CODES[code].severity}): {CODES[code].title}")
    elif console.is_terminal:
        console.print(Markdown(page.read_text("utf-8")))
    else:
        click.echo(page.read_text("utf-8").rstrip())


def _folders(game: str | None) -> list[Path]:
    if game is not None:
        report = Report()
        path = find_rules(game, report)
        if path is None:
            raise click.BadParameter(next(iter(report)).message)
        return [path if is_folder(path) else path.parent]
    here = [Path()] if is_file(Path(RULEBOOK)) else []
    return [*here, *shipped_games().values()]


def _explain_clause(carried: Carried) -> None:
    console, clause = output().console(), carried.clause
    console.print(f"[bold]{clause.id}[/bold]  {clause.section}", highlight=False)
    console.print(clause.rule, markup=False)
    for heading, cited in (("rules", carried.rules), ("scenarios", carried.scenarios)):
        console.print(f"[bold]{heading}[/bold]" + ("" if cited else ": none"))
        for name, span in cited:
            console.print(f"  {name}  ({span.file}:{span.line})", markup=False)
