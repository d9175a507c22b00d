"""Hints for words of the language at wrong places, and for incomplete values."""

from __future__ import annotations

import re

from ruleforge.lang.parser.hints.hint_table import STATEMENT_WORDS, table
from ruleforge.lang.parser.hints.other_languages import MEMBERS
from ruleforge.lang.parser.parse_failure import Trouble, fitting
from ruleforge.lang.parser.syntax_problem import Problem
from ruleforge.support.spelling import nearest

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


# Incomplete values, or values side by side without an operator.


@hint(("expr", "a if b"), ("block", "x.a = 1 if b"))
def conditional_without_else(t: Trouble) -> Problem | None:
    if "ELSE" not in t.expected or t.wants_value:
        return None
    found = next((word for word in reversed(t.before) if word.type == "IF"), None)
    if found is None or not (t.at_end or t.word.type in ("CLOSE", "COMMA", "SEMICOLON", "COLON")):
        return None
    return Problem(
        "RF407", "`if` inside a value needs an `else`", found.span, "write `a if condition else b`"
    )


@hint(("block", "me.draw(3)"), ("expr", "card.owner.score(1)"))
def method_call(t: Trouble) -> Problem | None:
    name = t.seen()
    if t.word.type != "OPEN" or name is None or not t.after("DOT", name.type):
        return None
    each = f"`{name.text}[...]` is the one for a thing"
    help = MEMBERS.get(name.text) or f"a call has no dot: `{name.text}(thing, ...)`; {each}"
    message = f"`{name.text}` is an attribute here and cannot be called"
    return Problem("RF401", message, name.span, help)


@hint(("expr", "{b for a in cells for b in neighbours(a)}"))
def second_for(t: Trouble) -> Problem | None:
    if t.word.type != "FOR" or not t.open or t.before[t.open[-1]].type != "OPEN_CURLY":
        return None
    if not any(word.type == "FOR" for word in t.before[t.open[-1] :]):
        return None
    return Problem(
        "RF401",
        "there is one `for` in braces",
        t.word.span,
        "give the inner one braces of its own: `{{b in neighbours(a)} for a in cells}`",
    )


@hint(("type", "20"), ("column", "20"), ("column", "card + none"))
def range_without_dots(t: Trouble) -> Problem | None:
    if t.start not in ("type", "column") or "DOTS" not in t.expected or not t.before:
        return None
    return Problem(
        "RF407",
        "this is not a type",
        t.before[0].span.to(t.before[-1].span),
        "a type is `low..high`, `flag`, a kind, `kind or none` or `set of kind`",
    )


@hint(("block", "draw 3"), ("block", "mvoe card to deck"), ("block", "let x = a b"))
def two_values(t: Trouble) -> Problem | None:
    last = t.seen()
    values = ("NAME", "INT", "CLOSE", "TRUE", "FALSE", "NONE", "CLOSE_SQUARE", "CLOSE_CURLY")
    if last is None or last.type not in values or t.word.type not in ("NAME", "INT", "OPEN", "NONE", "TRUE"):
        return None
    message = f"something is missing between `{last.text}` and `{t.word.text}`"
    named = last.type == "NAME" and t.word.type == "NAME"
    alone = len(t.before) == 1 and t.start == "expr" and named  # `next p` for `next(p)`
    if not alone and (len(t.line) > 1 or last.type != "NAME" or t.start != "block"):
        help = fitting(t) or "a sign or a word must join the two"
        return Problem("RF407", message, t.word.span, help)
    meant = nearest(last.text, STATEMENT_WORDS)
    if meant is not None:
        return Problem(
            "RF401",
            f"`{last.text}` does not begin a statement",
            last.span,
            f"did you mean `{meant}`?",
            instead=meant,
        )
    call = f"{last.text}({t.word.text})"
    sure = t.is_last and last.span.line == t.word.span.line
    return Problem(
        "RF407",
        message,
        t.word.span,
        f"a call has brackets: `{call}`",
        instead=call if sure else None,
        over=last.span.to(t.word.span),
    )


@hint(("expr", "a and"), ("block", "x.a = "), ("expr", "a + * b"), ("block", "move a to"))
def missing_value(t: Trouble) -> Problem | None:
    last = t.seen()
    if not t.wants_value or last is None:
        return None
    if t.at_end or t.word.type in ("CLOSE", "CLOSE_SQUARE", "CLOSE_CURLY", "COLON", "SEMICOLON"):
        return Problem(
            "RF407", f"a value is missing after `{last.text}`", last.span, "write a value after it"
        )
    return Problem(
        "RF407",
        f"a value is missing between `{last.text}` and `{t.word.text}`",
        t.word.span,
        f"write a value before `{t.word.text}`",
    )
