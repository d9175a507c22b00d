"""Diagnostics for programs: JSON, SARIF, and GitHub workflow commands."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ruleforge.support.diagnostics.codes import CODES
from ruleforge.support.diagnostics.diagnostic import NOWHERE, Diagnostic, Edit, Span
from ruleforge.support.diagnostics.render import lines_of_file, note_text
from ruleforge.support.terminal_escape import harmless, json_text


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """A JSON list with one object for each diagnostic."""
    return json_text([as_data(d) for d in diagnostics])


def as_data(d: Diagnostic) -> dict[str, Any]:
    """One diagnostic as plain data, as it appears in the JSON form."""
    return {
        "code": d.code,
        "severity": d.severity,
        "message": d.message,
        **place_json(d.span),
        "help": d.help,
        "fix": [{"text": edit.text, **place_json(span)} for edit, span in exact_edits(d)],
        "notes": [{"message": text, **place_json(span)} for text, span in d.notes],
    }


def render_sarif(diagnostics: Iterable[Diagnostic]) -> str:
    """A SARIF 2.1.0 log with one run."""
    found = list(diagnostics)
    rules = [
        {
            "id": code,
            "shortDescription": {"text": CODES[code].title},
            "defaultConfiguration": {"level": CODES[code].severity},
        }
        for code in sorted({d.code for d in found})
    ]
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "ruleforge", "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "results": [_sarif_result(d) for d in found],
            }
        ],
    }
    return json_text(log)


def _sarif_result(d: Diagnostic) -> dict[str, Any]:
    message = d.message if d.help is None else f"{d.message}\nhelp: {d.help}"
    result: dict[str, Any] = {
        "ruleId": d.code,
        "level": d.severity,
        "message": {"text": message},
    }
    if d.span != NOWHERE:
        result["locations"] = [_sarif_location(d.span)]
    if d.notes:
        result["relatedLocations"] = [
            {**_sarif_location(span), "id": number, "message": {"text": text}}
            for number, (text, span) in enumerate(d.notes, 1)
        ]
    if fix := exact_edits(d):
        result["fixes"] = [
            {"description": {"text": d.help or d.message}, "artifactChanges": _sarif_changes(fix)}
        ]
    return result


def _sarif_changes(fix: list[tuple[Edit, Span]]) -> list[dict[str, Any]]:
    files = dict.fromkeys(span.file for _, span in fix)
    return [
        {
            "artifactLocation": {"uri": _uri(file)},
            "replacements": [
                {"deletedRegion": _region(span), "insertedContent": {"text": edit.text}}
                for edit, span in fix
                if span.file == file
            ],
        }
        for file in files
    ]


def _sarif_location(span: Span) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(span.file)}, "region": _region(span)}}


def _uri(file: str) -> str:
    """A path as a reference: whole ones with a scheme, others as they are seen from here."""
    return Path(file).as_uri() if os.path.isabs(file) else quote(file.replace("\\", "/"))


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def exact_edits(d: Diagnostic) -> list[tuple[Edit, Span]]:
    """The edits of a diagnostic with the stretches that they replace."""
    found = ((edit, edit.exact(list(lines_of_file(edit.span.file)))) for edit in d.fix)
    return [(edit, span) for edit, span in found if span is not None]


def render_github(diagnostics: Iterable[Diagnostic]) -> str:
    """Workflow commands that make GitHub show diagnostics beside their lines."""
    return "\n".join(_github(d) for d in diagnostics)


def _github(d: Diagnostic) -> str:
    places = {**_github_place(d.span), "title": d.code}
    parameters = ",".join(f"{name}={_github_value(str(value), True)}" for name, value in places.items())
    text = "\n".join(
        [
            d.message,
            *(f"note: {note_text(*note)}" for note in d.notes),
            *([f"help: {d.help}"] if d.help else []),
        ]
    )
    return f"::{d.severity} {parameters}::{_github_value(harmless(text))}"


def _github_place(span: Span) -> dict[str, str | int]:
    if span == NOWHERE:
        return {}
    place: dict[str, str | int] = {"file": span.file, "line": span.line, "col": span.column}
    place["endLine"] = span.end_line
    if span.line == span.end_line:
        place["endColumn"] = max(span.end_column - 1, span.column)
    return place


def _github_value(text: str, name: bool = False) -> str:
    signs = {"%": "%25", "\r": "%0D", "\n": "%0A"} | ({":": "%3A", ",": "%2C"} if name else {})
    for sign, code in signs.items():
        text = text.replace(sign, code)
    return text


FORMS: dict[str, Callable[[Iterable[Diagnostic]], str]] = {
    "json": render_json,
    "sarif": render_sarif,
    "github": render_github,
}


def place_json(span: Span) -> dict[str, Any]:
    """A place for programs; what is wrong nowhere in particular has none."""
    if span == NOWHERE:
        return dict.fromkeys(("file", "line", "column", "end_line", "end_column"))
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }
