"""Writes found values into failed expectations; the rest of the file stays."""

from __future__ import annotations

import difflib
import json
import re
from pathlib import Path
from typing import Any

from ruleforge.engine.errors import RulesetError
from ruleforge.lang.source.read_text import read_text
from ruleforge.support.diagnostics import Report, Span
from ruleforge.support.records import dataclass
from ruleforge.tools.scenarios.locator import Tables
from ruleforge.tools.scenarios.outcome import holds_without
from ruleforge.tools.scenarios.runner import Unmet, play_scenario
from ruleforge.tools.scenarios.scenario import read_scenario

_PLAIN = re.compile(r"[A-Za-z_][\w.-]*( [\w.-]+)*")
_WORDS = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n", "~"))


@dataclass(frozen=True, slots=True)
class Update:
    """A scenario file with its present and its new text; `left` are expectations that only a person can rewrite."""

    file: Path
    old: str
    new: str
    left: tuple[Span, ...] = ()

    def diff(self) -> list[str]:
        lines = difflib.unified_diff(
            self.old.splitlines(), self.new.splitlines(), str(self.file), str(self.file), lineterm="", n=2
        )
        return list(lines)


def update_of(tables: Tables, file: Path, home: Path | None) -> Update | None:
    """The update that makes a scenario hold; None if it holds, or if the failure is not in expectations.

    A scenario also holds if it fails only with packs that it was not written for.
    """
    report = Report()
    scenario = read_scenario(file, report, home)
    text = read_text(file, report, home)
    if scenario is None or text is None:
        return None
    try:
        game = tables.game(scenario, file)
        unknown_packs = tables.unknown_packs(scenario, file)
        played = play_scenario(game, scenario, unknown_packs, on=True)
    except RulesetError:
        return None
    if not played.unmet or holds_without(unknown_packs, tables, file, scenario):
        return None
    lines = text.split("\n")
    left = tuple(unmet.place for unmet in played.unmet if _has_comment(lines, unmet.place))
    new = text
    for unmet in sorted(played.unmet, key=lambda unmet: unmet.place, reverse=True):
        if unmet.place not in left:
            new = _replaced(new, unmet)
    return Update(file, text, new, left)


def _has_comment(lines: list[str], span: Span) -> bool:
    """A value over several lines may have comments among them, which would be lost."""
    return any("#" in line for line in lines[span.line - 1 : span.end_line - 1])


def _replaced(text: str, unmet: Unmet) -> str:
    lines, span = text.split("\n"), unmet.place
    head, tail = lines[span.line - 1][: span.column - 1], lines[span.end_line - 1][span.end_column - 1 :]
    if not head.strip():  # a list under its key
        above = lines[span.line - 2].rstrip()
        value = [f"{above} {_yaml(unmet.found)}{tail}"]
        return "\n".join([*lines[: span.line - 2], *value, *lines[span.end_line :]])
    return "\n".join([*lines[: span.line - 1], f"{head}{_yaml(unmet.found)}{tail}", *lines[span.end_line :]])


def _yaml(value: Any) -> str:
    """A value as one writes it in a scenario."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case list() | tuple():
            return f"[{', '.join(map(_yaml, value))}]"
        case dict():
            return f"{{{', '.join(f'{_yaml(key)}: {_yaml(one)}' for key, one in value.items())}}}"
        case str() if not _PLAIN.fullmatch(value) or value.lower() in _WORDS:
            return json.dumps(value, ensure_ascii=False)
    return str(value)
