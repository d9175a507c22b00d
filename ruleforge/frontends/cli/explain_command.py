"""`ruleforge explain`: the page of a code, or a clause with its rules."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markdown import Markdown
from rich.text import Text

from ruleforge.engine.errors import RulesetError
from ruleforge.frontends.cli.arguments import GameType, PackType, with_option
from ruleforge.frontends.cli.output import colour_option, leave, output, print_diagnostics, print_json, say
from ruleforge.project.locator import find_rules, packs_of
from ruleforge.support.diagnostics import NOWHERE, Report
from ruleforge.support.diagnostics.codes import CODES
from ruleforge.support.diagnostics.for_programs import place_json
from ruleforge.support.input_files import is_file
from ruleforge.support.resources import diagnostic_page, shipped_games
from ruleforge.support.spelling import did_you_mean
from ruleforge.tools.coverage.clauses import CitedClause, carried_json, coverage_of, folders_of
from ruleforge.tools.pack_check import pack_effects
from ruleforge.tools.project_files.rulebook import RULEBOOK


def _codes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [code for code in CODES if code.startswith(incomplete.upper())]


@click.command("explain")
@click.argument("code_or_clause", metavar="CODE-or-CLAUSE", required=False, shell_complete=_codes)
@click.option(
    "--footprint",
    "effects_of",
    type=PackType(),
    default=None,
    help="Show the effects of each rule of this pack.",
)
@click.option("--game", type=GameType(), default=None, help="Search for the clause in this game only.")
@with_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@colour_option
def command(
    code_or_clause: str | None,
    effects_of: str | None,
    game: str | None,
    packs: tuple[str, ...],
    as_json: bool,
) -> None:
    """Explain a diagnostic code, or show a clause of a rulebook with the rules that cite it.

    \b
    Example:
      ruleforge explain RF501
      ruleforge explain MG-2 --game my-game
      ruleforge explain MP-1 --with my-pack
      ruleforge explain --footprint my-pack
    """
    if effects_of is not None:
        _explain_effects(effects_of, as_json)
        return
    if code_or_clause is None:
        raise click.UsageError("name a code, a clause, or `--footprint PACK`")
    code = code_or_clause.upper()
    if code in CODES:
        _explain_code(code, as_json)
        return
    known: list[str] = []
    report = Report()
    for folder in _folders(game, packs):
        own = Report()
        coverage = coverage_of((folder,), own)
        for id_, carried in coverage.clauses.items() if coverage else ():
            if id_.lower() == code_or_clause.lower():
                _explain_clause(carried, as_json)
                if own.has_errors:  # rules that cannot be read may carry it, too
                    print_diagnostics(own)
                    leave(1)
                return
            known.append(id_)
        report.include(*own)
    if report.has_errors and (game is not None or packs):  # it may stand in what could not be read
        print_diagnostics(report)
        leave(1)
    hint = did_you_mean(code_or_clause, [*CODES, *known])
    say(f"`{code_or_clause}` is neither a code nor a clause" + (f"; {hint}" if hint else ""), err=True)
    leave(1)


def _explain_effects(pack: str, as_json: bool) -> None:
    """Print the changes of each rule of a pack, which contracts judge."""
    try:
        found = pack_effects(pack)
    except RulesetError as error:
        print_diagnostics(error.diagnostics)
        leave(1)
    if as_json:
        print_json([{"name": s.name, "does": list(s.does), **place_json(s.span or NOWHERE)} for s in found])
    else:
        say("\n\n".join(map(str, found)))


def _explain_code(code: str, as_json: bool) -> None:
    text = diagnostic_page(code)
    console = output().console()
    if as_json:
        print_json({"code": code, "severity": CODES[code].severity, "title": CODES[code].title, "page": text})
    elif text is None:
        console.print(
            Text(code, "bold").append(f" ({CODES[code].severity}): {CODES[code].title}", "not bold")
        )
    elif console.is_terminal:
        console.print(Markdown(text))
    else:
        say(text)


def _folders(game: str | None, packs: tuple[str, ...]) -> list[Path]:
    """The folders to search for a clause: the named game and packs, else all that ship."""
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


def _explain_clause(carried: CitedClause, as_json: bool) -> None:
    console, clause = output().console(), carried.clause
    if as_json:
        print_json({"section": clause.section, "rule": clause.rule, **carried_json(carried)})
        return
    console.print(Text(clause.id, "bold").append(f"  {clause.section}", "not bold"))
    console.print(clause.rule)
    for heading, cited in (("rules", carried.rules), ("scenarios", carried.scenarios)):
        console.print(Text(heading, "bold").append("" if cited else ": none", "not bold"))
        for name, span in cited:
            console.print(f"  {name}  ({span.file}:{span.line})")
