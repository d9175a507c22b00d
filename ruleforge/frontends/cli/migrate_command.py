"""`ruleforge migrate`: updates rule files of an older language version."""

from __future__ import annotations

from difflib import unified_diff

import click

from ruleforge.frontends.cli.arguments import what_argument
from ruleforge.frontends.cli.output import colour_option, leave, print_diagnostics, print_json, say
from ruleforge.project.locator import find_rules
from ruleforge.support.diagnostics import Report
from ruleforge.support.output_files import write_text
from ruleforge.tools.migration import Migration, Rewrite, migration_of


@click.command("migrate")
@what_argument
@click.option(
    "--check", is_flag=True, help="Change nothing; show the changes, and exit with code 1 if there are any."
)
@click.option(
    "--as-before",
    is_flag=True,
    help="Keep the behaviour before version 1: ask about hidden components only if there is a choice.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs: each file with its changes.")
@colour_option
def command(what: tuple[str, ...], check: bool, as_before: bool, as_json: bool) -> None:
    """Rewrite the files of a game or pack for the present version of the rule language.

    Comments and layout stay. Files of the present version stay as they are. A scenario with outdated
    answers is rewritten if it passes afterwards.

    \b
    Example:
      ruleforge migrate my-game --check
      ruleforge migrate my-game
    """
    report = Report()
    paths = [path for name in what if (path := find_rules(name, report)) is not None]
    found = [migration_of(path, as_before, report) for path in paths]
    rewrites = [rewrite for migration in found for rewrite in migration.rewrites]
    if report.has_errors:
        print_diagnostics(report)
        leave(1)
    for rewrite in rewrites if not check else ():
        write_text(rewrite.file, rewrite.new)
    if as_json:
        print_json(_data(found, written=bool(rewrites) and not check))
    else:
        _tell(found, check)
    if rewrites and check:
        leave(1)


def _tell(found: list[Migration], check: bool) -> None:
    rewrites = [rewrite for migration in found for rewrite in migration.rewrites]
    for rewrite in rewrites:
        say(_difference(rewrite) if check else f"{rewrite.file}: changed")
    for span in (span for migration in found for span in migration.questions):
        say(
            f"{span.file}:{span.line}:{span.column}: since version 1 this question is always asked (see --as-before)"
        )
    if not rewrites:
        say("nothing to change")


def _data(found: list[Migration], written: bool) -> dict[str, object]:
    files = [{"file": str(r.file), "diff": _difference(r)} for m in found for r in m.rewrites]
    questions = [{"file": s.file, "line": s.line, "column": s.column} for m in found for s in m.questions]
    return {"written": written, "files": files, "asked_in_any_case": questions}


def _difference(rewrite: Rewrite) -> str:
    """The changes as a patch."""
    old, new = rewrite.old.splitlines(), rewrite.new.splitlines()
    return "\n".join(unified_diff(old, new, f"a/{rewrite.file}", f"b/{rewrite.file}", lineterm=""))
