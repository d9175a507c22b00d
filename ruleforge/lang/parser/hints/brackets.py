"""Hints for empty texts, open brackets and misused signs."""

from __future__ import annotations

import re

from ruleforge.lang.parser.hints.hint_table import table
from ruleforge.lang.parser.hints.signs import explain_glued, in_quotes
from ruleforge.lang.parser.parse_failure import Trouble
from ruleforge.lang.parser.syntax_problem import Problem

HINTS, hint = table()

_OPENS = {"(": ")", "[": "]", "{": "}"}


@hint(("block", "# later"), ("expr", ""))
def empty(t: Trouble) -> Problem | None:
    if t.before or t.word.type != "$END":
        return None
    help = "write what happens, or `skip` for nothing" if t.start == "block" else "write a value here"
    return Problem("RF411", "there is nothing in this text", t.source.span, help)


@hint(("expr", "count(x in cells"), ("block", "f(a\nlet b = 3"), ("expr", "(a + b"))
def unclosed_bracket(t: Trouble) -> Problem | None:
    if not t.open or _closed_later(t):
        return None
    opened = t.before[t.open[-1]]
    return Problem("RF404", f"`{opened.text}` is never closed", opened.span, f"add `{_OPENS[opened.text]}`")


@hint(("expr", "count(c in cells: c.free)"))
def colon_for_each(t: Trouble) -> Problem | None:
    """As mathematics writes it: a condition behind a colon."""
    if t.word.text != ":" or not t.open or t.open[-1] == 0:
        return None
    word, *inside = t.before[t.open[-1] - 1 : t.open[-1]] + t.before[t.open[-1] + 1 :]
    if len(inside) < 3 or inside[1].text != "in":
        return None
    over = t.source.text[inside[0].offset : t.word.offset].strip()
    right = f"{word.text}({over} where CONDITION)"
    return Problem("RF401", f"did not expect `:` after `{inside[-1].text}`", t.word.span, f"write `{right}`")


@hint(("expr", "{a}"), ("expr", "c in {ann, ben}"))
def named_in_braces(t: Trouble) -> Problem | None:
    """As mathematics writes it: the members of a set in braces."""
    if t.word.text not in (",", "}") or not t.open or t.before[t.open[-1]].text != "{":
        return None
    opened, *inside = t.before[t.open[-1] :]
    if not inside or any(word.text in ("in", "for") for word in inside):
        return None
    named = t.source.text[opened.offset + 1 : t.word.offset].strip()
    more = ", ..." if t.word.text == "," else ""
    help = f"write a set of named things in square brackets: `[{named}{more}]`"
    whole = opened.span.to(t.word.span)
    return Problem(
        "RF401",
        f"did not expect `{t.word.text}` after `{inside[-1].text}`",
        t.word.span,
        help,
        instead=None if more else f"[{named}]",
        over=None if more else whole,
    )


def _closed_later(t: Trouble) -> bool:
    """Is the innermost open bracket closed somewhere in the text that was not read any more?"""
    level = 0
    for character in re.sub(r"#[^\n]*", "", t.source.text[t.word.offset :]):
        level += (character in "([{") - (character in ")]}")
        if level < 0:
            return True
    return False


@hint(("expr", "a == b"), ("block", "x == 3"), ("expr", "a && b"), ("expr", "a || b"), ("block", "x.a ++"))
def foreign_sign(t: Trouble) -> Problem | None:
    return explain_glued(t)


@hint(("expr", 'c.name is "ace"'), ("block", 'me chooses c in me.hand: "keep"'))
def quoted(t: Trouble) -> Problem | None:
    if t.word.type != "TEXT":
        return None
    compared = t.after("IS") or t.after("IS", "NOT") or t.after("OPEN") or t.after("COMMA")
    return in_quotes(t.word.span, t.word.text if compared else "")


@hint(("block", "let x = y = 3"), ("block", "a.b = c.d += 1"))
def second_assignment(t: Trouble) -> Problem | None:
    changes = ("EQUAL", "ADD_TO", "TAKE_FROM")
    if t.word.type not in changes or t.open or not any(word.type in changes for word in t.line):
        return None
    return Problem(
        "RF401", "a statement changes one value only", t.word.span, "write one statement for each change"
    )


@hint(
    ("expr", "x.a = 3"),
    ("block", "if x = 3: skip"),
    ("block", "for c in cells where c.a = 1: skip"),
    ("expr", "f(x=3)"),
)
def equal_in_condition(t: Trouble) -> Problem | None:
    if t.word.type != "EQUAL" or t.at_end or t.start in ("column", "type") or not t.before:
        return None
    around = (t.source.text[t.word.offset - 1], t.source.text[t.word.offset + 1 : t.word.offset + 2])
    spaces = ["" if sign.isspace() else " " for sign in around]
    name, sign = t.seen(1), t.seen(2)
    if t.open and all(spaces) and name and sign and name.type == "NAME" and sign.text in ("(", ","):
        whole = name.span._replace(end_line=t.word.span.end_line, end_column=t.word.span.end_column)
        message, help = "values are given in order, without names", f"delete `{name.text}=`"
        return Problem("RF406", message, name.span, help, instead="", over=whole)
    help, instead = "write `is` to compare", f"{spaces[0]}is{spaces[1]}"
    return Problem("RF406", "`=` changes a value, it does not compare", t.word.span, help, instead=instead)


@hint(("expr", "x.a * 1.5"))
def fraction(t: Trouble) -> Problem | None:
    if t.word.type != "INT" or not t.after("INT", "DOT"):
        return None
    whole = t.seen(2)
    assert whole is not None
    return Problem(
        "RF410",
        "numbers are whole",
        whole.span.to(t.word.span),
        "multiply first and divide last: `3 * x // 2`",
    )


@hint(("expr", "f(a, )"), ("expr", "[a, b,]"))
def spare_comma(t: Trouble) -> Problem | None:
    comma = t.seen()
    if comma is None or comma.type != "COMMA" or t.word.type not in ("CLOSE", "CLOSE_SQUARE", "COMMA"):
        return None
    return Problem("RF401", "nothing follows this comma", comma.span, "delete it", instead="")
