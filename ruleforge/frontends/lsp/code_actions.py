"""Code actions: the fixes of diagnostics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from ruleforge.frontends.lsp.workspace import Workspace
from ruleforge.support.diagnostics import Diagnostic, Span
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import counted

LONGEST = 60  # signs of a text that a title repeats
NAMED = 2  # of several texts, so many are named


@dataclass(frozen=True, slots=True)
class CodeActions:
    """An offered fix: a title, its diagnostics, and new text for ranges of files."""

    title: str
    about: tuple[Diagnostic, ...]
    edits: Mapping[Path, tuple[tuple[Span, str], ...]]


def fixes_of(workspace: Workspace, found: Iterable[Diagnostic]) -> list[CodeActions]:
    """One for each diagnostic that knows its edit; and one for all of them, if there are several."""
    known = [found_one for found_one in found if found_one.fix]
    each = [
        CodeActions(_title(workspace, found_one), (found_one,), _edits(workspace, (found_one,)))
        for found_one in known
    ]
    if len(known) > 1:
        each.append(
            CodeActions("fix all mistakes with a fix in this file", tuple(known), _edits(workspace, known))
        )
    return [action for action in each if action.edits]


def _title(workspace: Workspace, found_one: Diagnostic) -> str:
    """The title of the action, short enough for a menu."""
    path = Path(found_one.fix[0].span.file).absolute()
    lines = workspace.text_of(path).split("\n")
    span = found_one.fix[0].exact(lines)
    texts = list(dict.fromkeys(edit.text for edit in found_one.fix))
    places = len(found_one.fix)
    more = f" at {places} places" if places > len(texts) else ""
    return f"{_done(_within(span, lines) if span else '', texts, span)}{more}"


def _done(old: str, texts: list[str], span: Span | None) -> str:
    if any(text.strip() for text in texts):
        return "write " + ", ".join(f"`{_brief(text)}`" for text in texts[:NAMED])
    if old.strip():
        return f"delete `{_brief(old)}`"
    if span is not None and span.column == 1:
        return f"indent it by {counted(len(texts[0]), 'space')}"
    return "insert a space" if texts[0] else "delete the space"


def _brief(text: str) -> str:
    """On one line, and of a long text its beginning."""
    joined = " ".join(text.split())
    return joined if len(joined) <= LONGEST else f"{joined[: LONGEST - 3].rstrip()}..."


def _within(span: Span, lines: list[str]) -> str:
    """The text of a span."""
    part = lines[span.line - 1 : span.end_line]
    if not part:
        return ""
    part[-1] = part[-1][: span.end_column - 1]
    return "\n".join([part[0][span.column - 1 :], *part[1:]])


def _edits(
    workspace: Workspace, diagnostics: Iterable[Diagnostic]
) -> dict[Path, tuple[tuple[Span, str], ...]]:
    """The edits of all diagnostics. If edits overlap, the first wins: editors apply all of them at once."""
    found: dict[Path, dict[Span, str]] = {}
    for found_one in diagnostics:
        own = [(Path(edit.span.file).absolute(), edit) for edit in found_one.fix]
        exact = [(path, edit.exact(workspace.text_of(path).split("\n")), edit.text) for path, edit in own]
        placed = [(path, span, text) for path, span, text in exact if span is not None]
        if not any(_in_the_way(found.get(path, {}), span, text) for path, span, text in placed):
            for path, span, text in placed:
                found.setdefault(path, {})[span] = text
    return {path: tuple(sorted(edits.items())) for path, edits in found.items()}


def _in_the_way(known: Mapping[Span, str], span: Span, text: str) -> bool:
    """Is part of a stretch written anew already, and not in the same way?"""
    return any(
        _begin(other) == _begin(span) or (_begin(other) < _end(span) and _begin(span) < _end(other))
        for other, new in known.items()
        if (other, new) != (span, text)
    )


def _begin(span: Span) -> tuple[int, int]:
    return span.line, span.column


def _end(span: Span) -> tuple[int, int]:
    return span.end_line, span.end_column
