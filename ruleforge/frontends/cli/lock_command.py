"""`ruleforge lock`: writes the fingerprint of a core beside it, or compares it with the present rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ruleforge.contracts.contract_reader import contract_of
from ruleforge.contracts.locks.fingerprint import Change, Fingerprint, fingerprint
from ruleforge.contracts.locks.lockfile import lock_path, lock_text, read_lock
from ruleforge.frontends.cli.arguments import game_argument
from ruleforge.frontends.cli.output import colour_option, leave, print_diagnostics, print_json, say
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics import Report
from ruleforge.support.input_files import is_folder
from ruleforge.support.output_files import write_text
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import counted


@click.command("lock")
@game_argument
@click.option(
    "--check", is_flag=True, help="Write nothing; exit with code 1 if the core differs from its lock file."
)
@click.option(
    "--replace",
    is_flag=True,
    help="Lock changed rules under the same version. Use it only before you publish the version.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs; `changes` lists the changes.")
@colour_option
def command(game: str, check: bool, replace: bool, as_json: bool) -> None:
    """Write the lock file of a core: fingerprints of its rules and its contract, for this version.

    Packs depend on a version of their core. A core that changes rules or contract needs a new version.
    Comments, layout and texts for people may change at any time. --replace locks an unpublished version
    again.

    \b
    Example:
      ruleforge lock my-game
      ruleforge lock my-game --check
      ruleforge lock my-game --check --json
      ruleforge lock my-game --replace
    """
    if check and replace:
        raise click.UsageError("`--check` writes nothing; leave out `--replace`")
    analysis = analyse(game)
    if not analysis.complete or analysis.assembly is None or analysis.parsed is None:
        print_diagnostics(analysis.diagnostics)
        leave(1)
    if not is_folder(analysis.path):
        raise click.BadParameter("only a game in a folder can be locked")
    report = Report()
    path = lock_path(analysis.path)
    locked = read_lock(path, report)
    print_diagnostics(report)
    contract = contract_of(analysis.path)
    if contract is not None and contract.mistakes:
        print_diagnostics(contract.mistakes)
        leave(1)
    now = fingerprint(analysis.assembly.core, analysis.parsed, contract)
    found = LockComparison(path, locked, now)
    written = not check and (replace or found.state != "changed")
    if written:
        write_text(path, lock_text(found.now))
    if as_json:
        print_json(found.to_json(written))
    elif written:
        definitions = counted(len(found.now.definitions), "definition")
        say(f"locked version {found.now.version}: {definitions}, {path}")
    else:
        _tell(found)
    if not written and found.state != "as locked":
        leave(1)


@dataclass(frozen=True, slots=True)
class LockComparison:
    """The locked fingerprint of a core, if there is one, and the present one."""

    path: Path
    locked: Fingerprint | None
    now: Fingerprint

    @property
    def changes(self) -> tuple[Change, ...]:
        return self.locked.changes(self.now) if self.locked is not None else ()

    @property
    def state(self) -> str:
        if self.locked is None:
            return "unlocked"
        if self.locked.version != self.now.version:
            return "other version"
        return "as locked" if self.locked.rules == self.now.rules else "changed"

    def to_json(self, written: bool) -> dict[str, Any]:
        return {
            "file": str(self.path),
            "written": written,
            "state": self.state,
            "locked": self.locked.version if self.locked is not None else None,
            "version": self.now.version,
            "definitions": len(self.now.definitions),
            "changes": [{"path": change.path, "how": change.how} for change in self.changes],
        }


def _tell(found: LockComparison) -> None:
    """Print the changes since a core was locked, and the next step."""
    for change in found.changes:
        say(str(change))
    version = found.now.version
    if found.locked is None:
        say(f"there is no lock file; `ruleforge lock` writes {found.path}")
    elif found.state == "other version":
        say(f"locked as version {found.locked.version}, now {version}: run `ruleforge lock` again")
    elif found.state == "changed":
        say(f"the rules have changed since version {version} was locked; give the game a new version")
    else:
        say(f"version {version} matches its lock file")
