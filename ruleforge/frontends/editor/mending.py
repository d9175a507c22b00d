"""Complaints -> the edits that would mend them, for those that know one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from ruleforge.diagnostics import Diagnostic, Span
from ruleforge.frontends.editor.workspace import Workspace
from ruleforge.quick import dataclass


@dataclass(frozen=True, slots=True)
class Mending:
    """What an author is offered: a title, the complaints it is about, and new texts for stretches of files."""

    title: str
    about: tuple[Diagnostic, ...]
    edits: Mapping[Path, tuple[tuple[Span, str], ...]]


def mendings(workspace: Workspace, found: Iterable[Diagnostic]) -> list[Mending]:
    """One for each complaint that knows its edit; and one for all of them, if there are several."""
    known = [complaint for complaint in found if complaint.fix]
    each = [Mending(_title(complaint), (complaint,), _edits(workspace, (complaint,))) for complaint in known]
    if len(known) > 1:
        each.append(Mending("mend all that can be mended here", tuple(known), _edits(workspace, known)))
    return [mending for mending in each if mending.edits]


def _title(complaint: Diagnostic) -> str:
    """The help itself, shortened to what is done."""
    places = len(complaint.fix)
    more = f" at {places} places" if places > 1 else ""
    return f"write `{complaint.fix[0].text}`{more}"


def _edits(
    workspace: Workspace, complaints: Iterable[Diagnostic]
) -> dict[Path, tuple[tuple[Span, str], ...]]:
    found: dict[Path, dict[Span, str]] = {}
    for edit in (edit for complaint in complaints for edit in complaint.fix):
        path = Path(edit.span.file).absolute()
        span = edit.exact(workspace.text_of(path).split("\n"))
        if span is not None:
            found.setdefault(path, {}).setdefault(span, edit.text)
    return {path: tuple(sorted(edits.items())) for path, edits in found.items()}
