"""`ruleforge test --update`: expectations that do not hold are rewritten, once somebody has seen the difference."""

from __future__ import annotations

import sys

import click
from rich.text import Text

from ruleforge.frontends.cli.output import output, say
from ruleforge.support.output_files import write_text
from ruleforge.tools.scenarios.playing import Chosen
from ruleforge.tools.scenarios.tables import Tables
from ruleforge.tools.scenarios.updating import Update, update_of

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def update(chosen: Chosen, tables: Tables, yes: bool, aside: bool = False) -> None:
    """Show what would change; write it if somebody agrees. Without a terminal, only `yes` does.

    It is told `aside` where what is printed is for programs.
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
