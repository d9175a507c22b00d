"""The stages in order: a folder of YAML -> checked rules -> a program."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ruleforge.check.lints import lint
from ruleforge.check.ruleset import check
from ruleforge.check.typed import Checked
from ruleforge.check.types import FlagT, NumberT
from ruleforge.compiler.ir import Program
from ruleforge.compiler.program import program_from_checked, questioning_program
from ruleforge.compiler.questions import ActionQuestions
from ruleforge.diagnostics import Report
from ruleforge.dsl.parsed import parse
from ruleforge.model.from_source import ruleset_from_source
from ruleforge.printed_checks import run_checks
from ruleforge.schema.validate import validate
from ruleforge.source.pack import read_pack


def load(path: Path, report: Report) -> Checked | None:
    """Everything up to the checker; None if the report has an error."""
    tree = read_pack(path, report)  # folder -> SourceTree: text with positions
    if tree is None:
        return None
    validate(tree, report)  # shape only
    if report.has_errors:
        return None
    ruleset = ruleset_from_source(tree, report)  # names are still strings
    if ruleset is None:
        return None
    parsed = parse(ruleset, report)  # every effect text as a tree
    checked = check(ruleset, parsed, report, _digest(ruleset.files))  # names are ids, expressions have types
    if not report.has_errors:
        lint(checked, report)
        run_checks(checked, report)
    return None if report.has_errors else checked


def program(
    checked: Checked,
    players: int | None = None,
    options: dict[str, object] | None = None,
    chance: bool = False,
) -> Program:
    """Compile for a number of players and a choice of options. Raises ValueError with a sentence for people."""
    low, high = checked.players
    count = low if players is None else players
    if not low <= count <= high:
        wanted = f"{low}" if low == high else f"{low} to {high}"
        raise ValueError(f"{checked.title} is for {wanted} players, not {count}")
    return program_from_checked(checked, count, option_values(checked, options or {}), chance)


def questions(
    checked: Checked, players: int, options: dict[str, object]
) -> tuple[Program, dict[str, ActionQuestions]]:
    """The program that can say why an action is not possible."""
    return questioning_program(checked, players, option_values(checked, options))


def option_values(checked: Checked, given: dict[str, object]) -> dict[str, int]:
    """Every option as a number, the defaults filled in."""
    for name in given:
        if name not in checked.options:
            known = ", ".join(checked.options) or "none"
            raise ValueError(f"unknown option `{name}` (there are: {known})")
    found = {}
    for name, option in checked.options.items():
        value = given.get(name, option.default)
        if option.kind is not None and isinstance(value, str):
            if value not in option.kind.things:
                raise ValueError(f"option `{name}` is one of {', '.join(option.kind.things)}, not `{value}`")
            value = option.kind.things.index(value) + 1
        if not isinstance(value, int):
            raise ValueError(f"option `{name}` cannot be `{value}`")
        if isinstance(option.type, NumberT) and not option.type.low <= value <= option.type.high:
            raise ValueError(f"option `{name}` is {option.type.low}..{option.type.high}, not {value}")
        if isinstance(option.type, FlagT) and value not in (0, 1):
            raise ValueError(f"option `{name}` is true or false, not {value}")
        found[name] = int(value)
    return found


def _digest(files: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(Path(file).read_bytes())
        digest.update(b"\0")
    return digest.hexdigest()
