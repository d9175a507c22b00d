"""`ruleforge fmt`: the effect texts of rule files in canonical form."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

import click

from ruleforge.frontends.cli.arguments import what_argument, with_option
from ruleforge.frontends.cli.output import colour_option, leave, print_diagnostics, print_json, say
from ruleforge.project.locator import find_rules
from ruleforge.support.diagnostics import Report
from ruleforge.support.diagnostics.render import lines_of_file
from ruleforge.support.output_files import write_text
from ruleforge.tools.formatter import canonical_files


@click.command("fmt")
@what_argument
@with_option
@click.option("--check", is_flag=True, help="Change nothing; exit with code 1 if a file would change.")
@click.option(
    "--diff", is_flag=True, help="Change nothing; show the changes, and exit with code 1 if there are any."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs: each file with its changes.")
@colour_option
def command(what: tuple[str, ...], packs: tuple[str, ...], check: bool, diff: bool, as_json: bool) -> None:
    """Format the effect texts of rule files: one spelling for one meaning.

    Comments, layout and everything outside effects stay. A text with a comment stays as it is. With a game,
    --with formats its packs too. A pack alone is formatted without its game.

    \b
    Example:
      ruleforge fmt my-game
      ruleforge fmt --check my-game
      ruleforge fmt --diff my-game
    """
    report = Report()
    changed: dict[Path, str] = {}
    for name in what:
        path = find_rules(name, report)
        changed |= canonical_files(path, packs, report) if path is not None else {}
    found = [(file, _difference(file, content)) for file, content in changed.items()]
    reports_only = check or diff
    if not reports_only:
        for file, content in changed.items():
            write_text(file, content)
    if as_json:
        files = [{"file": str(file), "diff": text} for file, text in found]
        print_json({"written": bool(files) and not reports_only, "files": files})
    else:
        how = "would change" if check else "changed"
        for file, text in found:
            say(text if diff else f"{file}: {how}")
    if report.has_errors:
        print_diagnostics(report)
        leave(1)
    if changed and reports_only:
        leave(1)
    if not changed and not diff and not as_json:
        say("nothing to change")


def _difference(file: Path, content: str) -> str:
    """The changes as a patch."""
    old = lines_of_file(str(file))
    return "\n".join(unified_diff(old, content.splitlines(), f"a/{file}", f"b/{file}", lineterm=""))
