"""`ruleforge fmt`: the effect texts of rule files in canonical form."""

from __future__ import annotations

from pathlib import Path

import click

from ruleforge.diagnostics import Report
from ruleforge.finding import find_rules
from ruleforge.frontends.cli.arguments import what_argument, with_option
from ruleforge.frontends.cli.output import colour_option, complain, leave, say
from ruleforge.frontends.format.rewrite import canonical_files
from ruleforge.writing import write_text


@click.command("fmt")
@what_argument
@with_option
@click.option("--check", is_flag=True, help="Change nothing; exit 1 if a file would change.")
@colour_option
def command(what: tuple[str, ...], packs: tuple[str, ...], check: bool) -> None:
    """Write the effect texts of rule files the way the printer does: one spelling for one meaning.

    Comments, layout and everything that is not an effect stay as they are; a text with a comment in it is left alone.
    Packs that are named with a game are written too; a pack by itself is written, and not its game.

    \b
    Example:
      ruleforge fmt my-game
      ruleforge fmt --check my-game
    """
    report = Report()
    changed: list[Path] = []
    for name in what:
        path = find_rules(name, report)
        for file, content in (canonical_files(path, packs, report) if path is not None else {}).items():
            changed.append(file)
            if not check:
                write_text(file, content)
            say(f"{file}: {'would change' if check else 'changed'}")
    if report.has_errors:
        complain(report)
        leave(1)
    if not changed:
        say("nothing to change")
    elif check:
        leave(1)
