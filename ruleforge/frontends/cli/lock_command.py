"""`ruleforge lock`: the fingerprint of a core, written beside it or compared with what it says now."""

from __future__ import annotations

from pathlib import Path

import click

from ruleforge.analysing import analyse
from ruleforge.diagnostics import Report
from ruleforge.frontends.cli.arguments import game_argument
from ruleforge.frontends.cli.output import colour_option, complain, leave, say
from ruleforge.locks.fingerprint import Fingerprint, fingerprint
from ruleforge.locks.lockfile import lock_path, lock_text, read_lock
from ruleforge.names import counted
from ruleforge.reading import is_folder
from ruleforge.writing import write_text


@click.command("lock")
@game_argument
@click.option("--check", is_flag=True, help="Write nothing; exit 1 unless the core is as it was locked.")
@click.option(
    "--replace",
    is_flag=True,
    help="Lock other rules as the same version, as long as nobody has that version.",
)
@colour_option
def command(game: str, check: bool, replace: bool) -> None:
    """Write the lock file of a core: what its rules are, definition by definition, in this version.

    Packs are written for a version; a core whose rules change needs a new one. Comments, layout and words for people may
    change at any time. A version that was never published can be locked anew with --replace.

    \b
    Example:
      ruleforge lock my-game
      ruleforge lock my-game --check
      ruleforge lock my-game --replace
    """
    if check and replace:
        raise click.UsageError("--check writes nothing, so there is nothing to replace")
    analysis = analyse(game)
    if not analysis.complete or analysis.assembly is None or analysis.parsed is None:
        complain(analysis.diagnostics)
        leave(1)
    if not is_folder(analysis.path):
        raise click.BadParameter("only a game that is a folder can be locked")
    report = Report()
    path = lock_path(analysis.path)
    locked = read_lock(path, report)
    now = fingerprint(analysis.assembly.core, analysis.parsed)
    complain(report)
    if check:
        _compare(locked, now, path)
    else:
        _write(None if replace else locked, now, path)


def _compare(locked: Fingerprint | None, now: Fingerprint, path: Path) -> None:
    if locked is None:
        say(f"there is no lock file; `ruleforge lock` writes {path}")
        leave(1)
    changes = locked.changes(now)
    for change in changes:
        say(str(change))
    if locked.version != now.version:
        say(f"locked as version {locked.version}, now {now.version}: lock it anew")
    elif changes:
        say(f"the rules are not those of version {now.version} any more: give the game a new version")
    else:
        say(f"version {now.version} is as it was locked")
        return
    leave(1)


def _write(locked: Fingerprint | None, now: Fingerprint, path: Path) -> None:
    if locked is not None and locked.version == now.version and locked.rules != now.rules:
        _compare(locked, now, path)
    write_text(path, lock_text(now))
    say(f"locked version {now.version}: {counted(len(now.definitions), 'definition')}, {path}")
