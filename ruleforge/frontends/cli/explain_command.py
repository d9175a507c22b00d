"""`ruleforge explain`: the page of a code, or a clause with its rules."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markdown import Markdown
from rich.text import Text

from ruleforge.beside.rulebook import RULEBOOK
from ruleforge.diagnostics import Report
from ruleforge.diagnostics.codes import CODES
from ruleforge.engine.errors import RulesetError
from ruleforge.finding import find_rules, packs_of
from ruleforge.frontends.cli.arguments import GameType, PackType, with_option
from ruleforge.frontends.cli.output import colour_option, complain, leave, output, say
from ruleforge.frontends.coverage.clauses import Carried, coverage_of, folders_of
from ruleforge.judging import footprint as footprint_of
from ruleforge.names import did_you_mean
from ruleforge.reading import is_file
from ruleforge.resources import diagnostic_page, shipped_games


def _codes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [code for code in CODES if code.startswith(incomplete.upper())]


@click.command("explain")
@click.argument("code_or_clause", metavar="CODE-or-CLAUSE", required=False, shell_complete=_codes)
@click.option("--footprint", type=PackType(), default=None, help="Show what each rule of this pack changes.")
@click.option("--game", type=GameType(), default=None, help="Look for the clause in this game only.")
@with_option
@colour_option
def command(
    code_or_clause: str | None, footprint: str | None, game: str | None, packs: tuple[str, ...]
) -> None:
    """Explain a diagnostic code, or show a clause of a rulebook with the rules that carry it.

    \b
    Example:
      ruleforge explain RF501
      ruleforge explain MG-2 --game my-game
      ruleforge explain MP-1 --with my-pack
      ruleforge explain --footprint my-pack
    """
    if footprint is not None:
        _explain_footprint(footprint)
        return
    if code_or_clause is None:
        raise click.UsageError("say a code, a clause, or `--footprint PACK`")
    code = code_or_clause.upper()
    if code in CODES:
        _explain_code(code)
        return
    known: list[str] = []
    for folder in _folders(game, packs):
        coverage = coverage_of((folder,), Report())
        for id_, carried in coverage.clauses.items() if coverage else ():
            if id_.lower() == code_or_clause.lower():
                _explain_clause(carried)
                return
            known.append(id_)
    hint = did_you_mean(code_or_clause, [*CODES, *known])
    say(f"`{code_or_clause}` is neither a code nor a clause" + (f"; {hint}" if hint else ""), err=True)
    leave(1)


def _explain_footprint(pack: str) -> None:
    """What a contract is held against: the changes of each rule of a pack."""
    try:
        say(footprint_of(pack).removesuffix("\n"))
    except RulesetError as error:
        complain(error.diagnostics)
        leave(1)


def _explain_code(code: str) -> None:
    page = diagnostic_page(code)
    console = output().console()
    if page is None:
        console.print(
            Text(code, "bold").append(f" ({CODES[code].severity}): {CODES[code].title}", "not bold")
        )
    elif console.is_terminal:
        console.print(Markdown(page.read_text("utf-8")))
    else:
        say(page.read_text("utf-8").rstrip())


def _folders(game: str | None, packs: tuple[str, ...]) -> list[Path]:
    """Where to look for a clause: in the game and packs that are named, else in all that ships."""
    report = Report()
    if game is not None:
        found = list(folders_of(game, packs, report)[0])
    elif packs:
        found = [path for pack in packs if (path := find_rules(pack, report))]
    else:
        here = [Path()] if is_file(Path(RULEBOOK)) else []
        cores = shipped_games().values()
        return [*here, *cores, *(pack for core in cores for pack in packs_of(core).values())]
    if report.has_errors:
        raise click.BadParameter(next(iter(report)).message)
    return found


def _explain_clause(carried: Carried) -> None:
    console, clause = output().console(), carried.clause
    console.print(Text(clause.id, "bold").append(f"  {clause.section}", "not bold"))
    console.print(clause.rule)
    for heading, cited in (("rules", carried.rules), ("scenarios", carried.scenarios)):
        console.print(Text(heading, "bold").append("" if cited else ": none", "not bold"))
        for name, span in cited:
            console.print(f"  {name}  ({span.file}:{span.line})")
