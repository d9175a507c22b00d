"""Applies the fixes of diagnostics if they help and cause no new mistakes.

It changes no file: a fix is tried on copies of the texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ruleforge.project.pipeline import Analysis
from ruleforge.support.ceilings import CEILINGS
from ruleforge.support.diagnostics import Diagnostic
from ruleforge.support.diagnostics.diagnostic import apply_edits
from ruleforge.support.input_files import Unreadable, read_bytes
from ruleforge.support.records import dataclass
from ruleforge.tools.validation import Validated, validated

ROUNDS = 20  # one edit may bring another mistake to light that knows its edit, too
BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class FixResult:
    """The repaired diagnostics, the new texts of files, and the remaining diagnostics."""

    gone: tuple[Diagnostic, ...]
    texts: Mapping[Path, str]
    left: Validated


def apply_all_edits(found: Validated) -> FixResult:
    """All edits that repair something: all together if that does, or else those that do by themselves."""
    gone: list[Diagnostic] = []
    texts: dict[Path, str] = {}
    refused: set[tuple[str, str]] = set()
    for _ in range(ROUNDS):
        known = [d for d in found.diagnostics if d.fix and (d.code, d.message) not in refused]
        if not known:
            break
        for some in (known, *([d] for d in known)):
            after = _tried(found, some, texts)
            if after is not None:
                found, texts = after
                gone += some
                break
            if len(some) == 1:
                refused.add((some[0].code, some[0].message))
    return FixResult(tuple(gone), texts, found)


def _tried(
    before: Validated, some: list[Diagnostic], texts: Mapping[Path, str]
) -> tuple[Validated, dict[Path, str]] | None:
    """The result and texts after the edits of some diagnostics; None if the edits do not repair them."""
    edits = [edit for d in some for edit in d.fix]
    new = dict(texts)
    for file in dict.fromkeys(edit.span.file for edit in edits):
        path = Path(file)
        old = new[path] if path in new else _text(path)
        if old is None:
            return None
        new[path] = _with_mark(apply_edits(old.removeprefix(BOM), file, edits), old)
    overlay = {_name(before.analysis, path): text.removeprefix(BOM) for path, text in new.items()}
    after = validated(before.analysis.edited(overlay), before)
    return (after, new) if _is_better(before, after, some) else None


def _is_better(before: Validated, after: Validated, some: list[Diagnostic]) -> bool:
    """The diagnostics are gone, and there are not more than before; new ones may take their place."""
    left = {(d.code, d.message) for d in after.diagnostics}
    return _errors(after) <= _errors(before) and not any((d.code, d.message) in left for d in some)


def _errors(found: Validated) -> int:
    return sum(d.severity == "error" for d in found.diagnostics)


def _text(path: Path) -> str | None:
    try:
        return read_bytes(path, CEILINGS.file_bytes).decode("utf-8")
    except (Unreadable, UnicodeDecodeError):
        return None


def _with_mark(new: str, old: str) -> str:
    """The mark at the beginning of a file that says nothing, and that no place counts, stays where it was."""
    return BOM + new if old.startswith(BOM) else new


def _name(analysis: Analysis, path: Path) -> str:
    """How an analysis calls a file: as seen from the folder of the game, or, of a pack, whole."""
    game, whole = analysis.path.absolute(), path.absolute()
    if game == whole:
        return path.name
    inside = any(pack.path.absolute() in whole.parents for pack in analysis.packs)
    return str(whole) if inside or game not in whole.parents else whole.relative_to(game).as_posix()
