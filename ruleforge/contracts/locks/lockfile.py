"""The lock file beside a core: its published fingerprint, to compare with the present one."""

from __future__ import annotations

import json
from pathlib import Path

from ruleforge.contracts.locks.fingerprint import Fingerprint, digest_of_rules, fingerprint
from ruleforge.contracts.model import Contract
from ruleforge.lang.model.ruleset import Ruleset
from ruleforge.lang.parser.parsed import Parsed
from ruleforge.support.diagnostics import Report, Span
from ruleforge.support.input_files import Unreadable, read_bytes, sort_of

FILE = "core.lock"
MOST_BYTES = 8_000_000
_SHOWN = 6


def lock_path(core: Path) -> Path:
    return core / FILE


def lock_text(found: Fingerprint) -> str:
    data = {
        "version": found.version,
        "rules": found.rules,
        "words": found.words,
        "definitions": dict(found.definitions),
    }
    return json.dumps(data, indent=1) + "\n"


def read_lock(path: Path, report: Report) -> Fingerprint | None:
    """The fingerprint in a lock file; None if there is none, or if it cannot be read, which is reported."""
    if sort_of(path) is None:
        return None
    try:
        data = json.loads(read_bytes(path, MOST_BYTES, path.parent))
        return Fingerprint(data["version"], data["rules"], data["words"], data["definitions"])
    except (Unreadable, ValueError, KeyError, TypeError, RecursionError):
        report.add(
            "RF342",
            f"`{path}` is not a lock file",
            Span(str(path), 1, 1, 1, 1),
            "write it again with `ruleforge lock`",
        )
        return None


def check_locked(
    folder: Path, core: Ruleset, parsed: Parsed, contract: Contract | None, report: Report
) -> None:
    """Report if a core says something else than its lock file in the same version, or should have one and has not."""
    path = lock_path(folder)
    if contract is not None and contract.locked and sort_of(path) is None:
        message = f"the contract declares {core.title} as locked, but there is no lock file"
        report.add("RF349", message, contract.span, "write it with `ruleforge lock`")
    locked = read_lock(path, report)
    if locked is not None and locked.rules != digest_of_rules(core, parsed, contract):
        check_lock(locked, fingerprint(core, parsed, contract), core, report)


def check_lock(locked: Fingerprint, now: Fingerprint, ruleset: Ruleset, report: Report) -> None:
    """A core whose rules changed has to have a new version."""
    if locked.rules == now.rules or locked.version != now.version:
        return
    changes = [str(change) for change in locked.changes(now)]
    shown = ", ".join(changes[:_SHOWN])
    more = f" and {len(changes) - _SHOWN} more" if len(changes) > _SHOWN else ""
    report.add(
        "RF341",
        f"the rules of {ruleset.title} {ruleset.version} differ from the lock file: {shown}{more}",
        ruleset.span,
        "give the game a new `version` and run `ruleforge lock`, or undo the change",
    )
