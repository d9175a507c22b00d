"""Words of the language that stand where another is wanted -> what can stand there."""

from __future__ import annotations

import re

from ruleforge.lang.parser.hints.hint_table import STATEMENT_WORDS, table
from ruleforge.lang.parser.parse_failure import Trouble
from ruleforge.lang.parser.syntax_problem import Problem

HINTS, hint = table()


@hint(("expr", "3d6 + 1"), ("expr", "a + roll 3d6"), ("block", "f(random(c in cells))"))
def chance_in_expression(t: Trouble) -> Problem | None:
    if t.word.type not in ("DICE", "ROLL", "RANDOM") or not t.wants_value:
        return None
    shown = "roll " + t.word.text if t.word.type == "DICE" else f"{t.word.text} ..."
    return Problem(
        "RF401",
        f"`{t.word.text}` cannot stand inside an expression",
        t.word.span,
        f"give it a name first: `let result = {shown}`",
    )


@hint(("block", "let x = roll d6"), ("block", "let x = roll 6"))
def dice_by_halves(t: Trouble) -> Problem | None:
    last = t.seen()
    if last is None or not t.after("ROLL", last.type) or "DOTS" not in t.expected:
        return None
    dice = last.text if last.type == "NAME" and re.fullmatch(r"d[0-9]+", last.text) else f"d{last.text}"
    help = f"write `roll 1{dice}`" if re.fullmatch(r"d[0-9]+", dice) else "write `roll 3d6` or `roll 0..9`"
    found = re.fullmatch(r"write `roll (1d[0-9]+)`", help)
    return Problem("RF407", "the dice are not complete", last.span, help, instead=found[1] if found else None)


@hint(
    ("block", "let by = 3"),
    ("block", "for then in sets: skip"),
    ("type", "set of none"),
)
def reserved_as_name(t: Trouble) -> Problem | None:
    if not t.is_reserved or not t.wants_name_only or _is_structure(t):
        return None
    return Problem(
        "RF405",
        f"`{t.word.text}` is a word of the language and cannot be a name",
        t.word.span,
        f"choose another name, such as `{t.word.text}_1` or `the_{t.word.text}`",
    )


def _is_structure(t: Trouble) -> bool:
    """Does the word carry on a sentence, so that a name before it is missing rather than misnamed?"""
    return t.word.type in ("IN", "WHERE", "FOR", "IS")


@hint(("expr", "by | [a]"), ("expr", "x + then"))
def reserved_as_value(t: Trouble) -> Problem | None:
    if t.word.type not in ("BY", "THEN") or not t.wants_value:
        return None
    return Problem(
        "RF405",
        f"`{t.word.text}` is a word of the language and cannot be a name",
        t.word.span,
        f"choose another name, such as `the_{t.word.text}`",
    )


@hint(("expr", "let x = 3"), ("expr", "if a: b"))
def statement_for_expression(t: Trouble) -> Problem | None:
    if t.start == "block" or t.word.text not in STATEMENT_WORDS or not t.wants_value:
        return None
    return Problem(
        "RF401",
        f"`{t.word.text}` begins a statement, but this place takes a value",
        t.word.span,
        "write a value; statements belong under `do`",
    )
