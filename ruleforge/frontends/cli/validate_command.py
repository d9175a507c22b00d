"""`ruleforge validate`: shows every mistake in one run, applies fixes, and can watch the files."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ruleforge.frontends.cli.arguments import what_argument, with_option
from ruleforge.frontends.cli.output import clear_screen, colour_option, leave, print_diagnostics, say
from ruleforge.support.diagnostics import Diagnostic
from ruleforge.support.diagnostics.for_programs import FORMS
from ruleforge.support.diagnostics.render import summary
from ruleforge.support.spelling import counted
from ruleforge.tools.validate_cache import validate

if TYPE_CHECKING:  # what unchanged rules can do without
    from ruleforge.project.pipeline import Analysis
    from ruleforge.tools.fixer import FixResult


@click.command("validate")
@what_argument
@with_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", *FORMS]),
    default="text",
    show_default=True,
    help="Output for people, for programs, for code hosts, or as annotations in a GitHub workflow.",
)
@click.option("--fix", is_flag=True, help="Apply the fixes, then show the remaining mistakes.")
@click.option("--watch", is_flag=True, help="Check again whenever a file is saved, until Ctrl-C.")
@colour_option
def command(what: tuple[str, ...], packs: tuple[str, ...], form: str, fix: bool, watch: bool) -> None:
    """Check rule files, scenarios, rulebook and contract. Every mistake is shown with its place and a fix.

    Exit code 0: no mistake; 1: mistakes; 2: wrong use of the command.

    \b
    Example:
      ruleforge validate my-game other-game/game.yaml --format json
      ruleforge validate my-game --fix
      ruleforge validate my-game --watch
    """
    if watch and (fix or form != "text"):
        raise click.UsageError("`--watch` shows text and changes nothing: leave out `--fix` and `--format`")
    names = tuple(dict.fromkeys(what))
    if watch:
        _watch(names, packs)
        return
    found: list[Diagnostic] = []
    fine: list[str] = []
    for name in names:
        diagnostics = validate(name, packs)
        if fix and any(d.fix for d in diagnostics):
            diagnostics = _fix(name, packs)
        found += diagnostics
        if all(d.severity != "error" for d in diagnostics):
            fine.append(name)
    if form in FORMS:
        if text := FORMS[form](found):
            say(text)
    else:
        _tell(found, fine)
    if any(d.severity == "error" for d in found):
        leave(1)


def _tell(found: list[Diagnostic], fine: list[str]) -> None:
    print_diagnostics(found, err=False)
    for name in fine:
        say(f"{name}: fine")


# --- repairs ---


def _fix(name: str, packs: tuple[str, ...]) -> tuple[Diagnostic, ...]:
    """Write what can be repaired, say what was done, and give back what is left."""
    from ruleforge.project.resolver import analyse
    from ruleforge.tools.fixer import apply_all_edits
    from ruleforge.tools.validation import validated

    done = apply_all_edits(validated(analyse(name, packs)))
    for path, text in done.texts.items():
        _write(path, text)
    for d in done.gone:
        say(f"fixed {d.span}: {d.code} {d.message}: {_summary(d)}", err=True)
    if done.gone:
        _sum_up(done)
    return done.left.diagnostics


def _summary(d: Diagnostic) -> str:
    more = f", at {len(d.fix)} places" if len(d.fix) > 1 else ""
    text = d.fix[0].text.strip("\n")
    return (f"`{text}`" if text.strip() else "indentation" if text else "removed") + more


def _sum_up(done: FixResult) -> None:
    files = counted(len(done.texts), "file")
    left = summary(done.left.diagnostics)
    say(f"{counted(len(done.gone), 'mistake')} fixed in {files}{f'; {left} left' if left else ''}", err=True)


def _write(path: Path, text: str) -> None:
    from ruleforge.lang.source.read_text import shown
    from ruleforge.support.output_files import write_text

    try:
        write_text(path, text)
    except OSError as error:
        say(f"{shown(path)} cannot be written: {error.strerror or error}", err=True)
        leave(1)


# --- watching ---


def _watch(names: tuple[str, ...], packs: tuple[str, ...]) -> None:
    """Validate after each save, until the user stops it."""
    from ruleforge.frontends.cli.file_watcher import watch
    from ruleforge.project.resolver import analyse

    places = [path for name in names for path in _places(analyse(name, packs))]
    watch((*places, *map(Path, names)), lambda: _look(names, packs))


def _places(analysis: Analysis) -> tuple[Path, ...]:
    return (analysis.path, *(pack.path for pack in analysis.packs))


def _look(names: tuple[str, ...], packs: tuple[str, ...]) -> None:
    """Tell what is wrong now."""
    began = time.perf_counter()
    looked = {name: validate(name, packs) for name in names}
    clear_screen()
    _tell(
        [d for found in looked.values() for d in found],
        [name for name, found in looked.items() if all(d.severity != "error" for d in found)],
    )
    say(f"checked in {time.perf_counter() - began:.1f} s")
