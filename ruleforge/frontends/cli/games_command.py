"""`ruleforge games`: what comes with RuleForge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.table import Table

from ruleforge.diagnostics import Report
from ruleforge.finding import packs_of
from ruleforge.frontends.cli.output import colour_option, output, print_json
from ruleforge.reading import names_in
from ruleforge.resources import shipped_games
from ruleforge.source.folder import OTHER_FILES, SUFFIXES
from ruleforge.source.tree import MappingNode
from ruleforge.source.yaml_reader import read_yaml_file


@click.command("games")
@click.option("--json", "as_json", is_flag=True, help="Print for programs.")
@colour_option
def command(as_json: bool) -> None:
    """List the games that come with RuleForge, and the packs of each.

    \b
    Example:
      ruleforge games
    """
    games = [_described(name, path) for name, path in shipped_games().items()]
    if as_json:
        print_json(games)
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("name", "title", "players", "what it is"):
        table.add_column(heading, no_wrap=heading != "what it is")
    for game in games:
        table.add_row(*(game[key] for key in ("name", "title", "players", "text")))
        for pack in game["packs"]:
            table.add_row(f"  + {pack['name']}", *(pack[key] for key in ("title", "players", "text")))
    output().console().print(table)


def _described(name: str, folder: Path) -> dict[str, Any]:
    """What the `game` section says; the rules themselves need not be read for a list."""
    packs = [_words(pack, path, "pack") for pack, path in packs_of(folder).items()]
    return {**_words(name, folder, "game"), "packs": packs}


def _words(name: str, folder: Path, head: str) -> dict[str, str]:
    section = _section(folder, head)
    found = {key: str(section.get(key, "")) for key in ("title", "players", "text", "version")}
    return {"name": name, **found, "path": str(folder)}


def _section(folder: Path, head: str) -> dict[str, object]:
    for name in sorted(names_in(folder)):
        rules = name.endswith(SUFFIXES) and name not in OTHER_FILES
        source = read_yaml_file(folder / name, Report(), folder) if rules else None
        section = source.root.get(head) if source is not None else None
        if isinstance(section, MappingNode):
            return section.data
    return {}
