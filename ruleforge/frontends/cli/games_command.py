"""`ruleforge games`: what comes with RuleForge."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from ruleforge.diagnostics import Report
from ruleforge.frontends.cli.output import colour_option, output, print_json
from ruleforge.resources import shipped_games
from ruleforge.source.tree import MappingNode
from ruleforge.source.yaml_reader import read_yaml_file


@click.command("games")
@click.option("--json", "as_json", is_flag=True, help="Print for programs.")
@colour_option
def command(as_json: bool) -> None:
    """List the games that come with RuleForge, and their expansions.

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
        for expansion in game["expansions"]:
            table.add_row(f"  + {expansion}", "", "", "")
    output().console().print(table)


def _described(name: str, folder: Path) -> dict[str, str]:
    """What the `game` section says; the rules themselves need not be read for a list."""
    section = _game_section(folder)
    expansions = folder / "expansions"
    return {
        "name": name,
        "title": str(section.get("title", name)),
        "players": str(section.get("players", "")),
        "text": str(section.get("text", "")),
        "path": str(folder),
        "expansions": sorted(e.name for e in expansions.iterdir()) if expansions.is_dir() else [],  # type: ignore[dict-item]
    }


def _game_section(folder: Path) -> dict[str, object]:
    for file in sorted(folder.rglob("*.yaml")):
        source = read_yaml_file(file, Report()) if file.name != "rulebook.yaml" else None
        section = source.root.get("game") if source is not None else None
        if isinstance(section, MappingNode):
            return section.data
    return {}
