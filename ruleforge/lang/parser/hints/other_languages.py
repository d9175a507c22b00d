"""Hints for words of other programming languages.

These hints come early: a general message about names does not help with `var x = 3`.
"""

from __future__ import annotations

import re

from ruleforge.lang.parser.hints.hint_table import BLOCK_WORDS, table
from ruleforge.lang.parser.parse_failure import Trouble, with_space
from ruleforge.lang.parser.syntax_problem import Problem

HINTS, hint = table()
_OPERATION = re.compile(r"write `(\w+)\(")
# Words that begin a statement elsewhere: the advice, and the replacement if it is sure.
_STATEMENTS: dict[str, tuple[str, str | None]] = {
    **dict.fromkeys(("var", "const", "local", "def", "int", "auto"), ("write `let`", "let")),
    **dict.fromkeys(("foreach", "forall", "loop"), ("write `for`", "for")),
    **dict.fromkeys(
        ("unless", "when"), ("write `if`, and `not` before a condition that must not hold", None)
    ),
    **dict.fromkeys(("win", "lose", "draw_game", "gameover"), ("write `finish ENDING for ...`", None)),
    **dict.fromkeys(("print", "say", "log", "message"), ("put sentences under `tells`, next to `do`", None)),
    **dict.fromkeys(("put", "place", "send", "transfer"), ("write `move ... to ...`", "move")),
    **dict.fromkeys(("destroy", "delete"), ("write `remove`", "remove")),
    **dict.fromkeys(
        ("goto", "jump", "next"), ("phases follow one another in their order; `leave PHASE` ends one", None)
    ),
    **dict.fromkeys(("randomize", "mix"), ("write `shuffle`", "shuffle")),
    **dict.fromkeys(("break", "exit", "stop"), ("write `leave PHASE`, or give the loop a condition", None)),
}
_TO = ("into", "onto", "in", "->")
_LISTS = ("list", "array", "collection", "sequence", "map")
# Formulas of other languages: the advice, by name and arguments.
FORMULAS = {
    **dict.fromkeys(("len", "length", "size"), "write `count(x in SET)`"),
    **dict.fromkeys(("exists", "some", "contains"), "write `any(x in SET where ...)`"),
    **dict.fromkeys(("forall", "every"), "write `all(... for x in SET)`"),
    **dict.fromkeys(("filter", "select", "where"), "write `{x in SET where ...}`"),
    **dict.fromkeys(("randint", "rand", "dice", "die"), "write `let x = roll 1d6`"),
    "maximum": "write `max(a, b)`, or `max(... for x in SET)`",
    "minimum": "write `min(a, b)`, or `min(... for x in SET)`",
    **dict.fromkeys(("union",), "write `S | T`"),
    **dict.fromkeys(("range",), "write `repeat N:` to do something N times, or `for x in 1..N:`"),
    **dict.fromkeys(("is_empty", "empty"), "write `not any(x in SET)`"),
    **dict.fromkeys(("top", "peek", "head"), "write `SET[1]`, or `for one x in SET:`"),
    **dict.fromkeys(("bottom", "last", "tail"), "write `SET[count(x in SET)]`"),
    **dict.fromkeys(("sqrt", "pow", "floor", "ceil", "round"), "numbers are whole: there are + - * // %"),
}
# Methods of sets behind a dot: the advice.
MEMBERS = {
    **dict.fromkeys(("contains", "includes", "has"), "write `THING in SET`"),
    **dict.fromkeys(("count", "size", "length", "len"), "write `count(x in SET)`"),
    **dict.fromkeys(("is_empty", "empty"), "write `not any(x in SET)`"),
    **dict.fromkeys(("top", "first", "peek", "head"), "write `SET[1]`, or `for one x in SET:`"),
    **dict.fromkeys(("bottom", "last", "tail"), "write `SET[count(x in SET)]`"),
    **dict.fromkeys(("add", "push", "append", "insert"), "write `move THING to PLACE`"),
}


@hint(("block", "var x = 3"), ("block", "foreach c in cells: skip"), ("block", "print x"))
def statement_of_elsewhere(t: Trouble) -> Problem | None:
    line = (
        t.line
        if t.open
        else t.line[max((i + 1 for i, w in enumerate(t.line) if w.type == "COLON"), default=0) :]
    )
    first = line[0] if len(line) == 1 else None  # of a line, or of what follows its colon
    if t.start != "block" or first is None or first.type != "NAME" or first.text not in _STATEMENTS:
        return None
    if t.word.type not in ("NAME", "INT", "NONE", "TRUE", "FALSE", "COLON") and not t.is_reserved:
        return None
    help, instead = _STATEMENTS[first.text]
    message = f"`{first.text}` does not begin a statement"
    return Problem("RF401", message, first.span, help, instead=instead)


@hint(("expr", "len(c in cells where c.a)"), ("expr", "exists(c in cells where c.a)"))
def formula_of_elsewhere(t: Trouble) -> Problem | None:
    name = t.before[t.open[-1] - 1] if t.open and t.open[-1] else None
    if name is None or name.type != "NAME" or t.word.type not in ("WHERE", "FOR", "BY"):
        return None
    help = FORMULAS.get(name.text)
    found = _OPERATION.match(help) if help else None
    if help is None or (found and found[1] == "all"):  # what is asked stands first there: see `prose.py`
        return None
    message = f"`{name.text}` is not a word of the language"
    return Problem("RF401", message, name.span, help, instead=found[1] if found else None)


@hint(("expr", "return x.a"))
def return_for_value(t: Trouble) -> Problem | None:
    if t.word.type != "RETURN" or t.start == "block" or not t.wants_value:
        return None
    message, help = "this place takes a value, not a statement", "delete `return`"
    return Problem("RF401", message, t.word.span, help, instead="", over=with_space(t.word.span))


@hint(("block", "let x = roll 1-6"), ("type", "0-20"), ("column", "0-20"))
def range_with_a_dash(t: Trouble) -> Problem | None:
    low, dash, high = t.seen(3), t.seen(2), t.seen()
    if low is None or dash is None or high is None or "DOTS" not in t.expected or not t.at_end:
        return None
    if (low.type, dash.type, high.type) != ("INT", "MINUS", "INT"):
        return None
    right = f"{low.text}..{high.text}"
    span = low.span.to(high.span)
    return Problem("RF407", "this is a difference, not a range", span, f"write `{right}`", instead=right)


@hint(("type", "list of card"), ("column", "array of card"))
def list_as_type(t: Trouble) -> Problem | None:
    first = t.seen()
    if t.word.type != "OF" or len(t.before) != 1 or first is None or first.text not in _LISTS:
        return None
    message = f"`{first.text}` is not a type"
    return Problem("RF407", message, first.span, "write `set of ...`", instead="set")


@hint(("block", "move c into deck"), ("block", "move c p.deck"), ("block", "show c p"))
def missing_to(t: Trouble) -> Problem | None:
    if t.opener not in ("MOVE", "SHOW", "OFFER") or "TO" not in t.expected:
        return None
    if any(word.type == "TO" for word in t.line) or t.open:
        return None
    if t.word.text in _TO:
        message = f"`{t.word.text}` does not say where to"
        return Problem("RF401", message, t.word.span, "write `to`", instead="to")
    if t.word.type != "NAME":
        return None
    message = f"`to` is missing before `{t.word.text}`"
    return Problem("RF407", message, t.word.span, f"write `to {t.word.text}`", instead=f"to {t.word.text}")


@hint(("block", "if a b()"), ("block", "for c in cells move c to deck"))
def missing_colon_in_line(t: Trouble) -> Problem | None:
    last = t.seen()
    begins = (t.word.type == "NAME" and t.word.text != "do") or t.word.type in (
        "MOVE",
        "FINISH",
        "LET",
        "SKIP",
        "SHUFFLE",
        "LEAVE",
        "PAY",
    )
    if last is None or not begins or t.open or t.opener not in BLOCK_WORDS or "COLON" not in t.expected:
        return None
    if ":" in t.source.text[t.word.offset :].partition("\n")[0]:
        return None  # it is there, and something else is wrong before it
    message = f"a colon is missing between `{last.text}` and `{t.word.text}`"
    return Problem("RF407", message, last.span, f"write `{last.text}:`", instead=f"{last.text}:")


@hint(("block", "x.a = b // the b of x"))
def comment_of_elsewhere(t: Trouble) -> Problem | None:
    if t.word.type != "NAME" or not t.after("DIVIDE", "NAME"):
        return None
    sign = t.seen(2)
    assert sign is not None
    return Problem("RF406", "`//` divides", sign.span, "a comment begins with `#`", instead="#")


@hint(("expr", "f(a b)"), ("expr", "[a b]"))
def missing_comma(t: Trouble) -> Problem | None:
    last = t.seen()
    if not t.open or last is None or "COMMA" not in t.expected or t.word.type not in ("NAME", "INT", "NONE"):
        return None
    if last.type not in ("NAME", "INT", "CLOSE", "TRUE", "FALSE", "NONE"):
        return None
    message = f"a comma is missing between `{last.text}` and `{t.word.text}`"
    return Problem("RF407", message, last.span, f"write `{last.text},`", instead=f"{last.text},")


@hint(("block", "x.a = 3;"))
def spare_semicolon(t: Trouble) -> Problem | None:
    last = t.seen()
    if last is None or last.type != "SEMICOLON" or not t.at_end:
        return None
    message, help = "nothing follows this `;`", "delete it: a statement ends with its line"
    return Problem("RF406", message, last.span, help, instead="")


@hint(("block", "let x"), ("block", "let x\nlet y = 3"))
def let_without_value(t: Trouble) -> Problem | None:
    last = t.seen()
    if last is None or not t.after("LET", "NAME") or not t.at_end:
        return None
    message = f"`{last.text}` gets no value"
    return Problem("RF407", message, last.span, f"write `let {last.text} = ...`")


@hint(("block", "finish for me"), ("block", "finish"))
def finish_without_ending(t: Trouble) -> Problem | None:
    last = t.seen()
    if last is None or not t.after("FINISH") or not (t.at_end or t.word.type == "FOR"):
        return None
    help = "write `finish ENDING for ...`, with a name from `endings`"
    return Problem("RF407", "this does not say how the game ends", last.span, help)


@hint(("expr", "x.a -= 1"), ("picked", "in cells where c.a += 1"))
def change_in_value(t: Trouble) -> Problem | None:
    if t.word.type not in ("ADD_TO", "TAKE_FROM") or t.start == "block":
        return None
    message = f"`{t.word.text}` changes a value, but this place only reads one"
    return Problem("RF406", message, t.word.span, "changes belong under `do`")


@hint(("expr", "50% * x.a"), ("expr", "x.a * 50%"))
def share_in_percent(t: Trouble) -> Problem | None:
    last = t.seen()
    if last is None or last.type != "PERCENT" or not t.wants_value:
        return None
    help = "`%` is the remainder of a division; for a percentage write `50 * x // 100`"
    return Problem("RF406", "`%` is not a percentage", last.span, help)


@hint(("block", "x.a = 1..3"), ("expr", "count(x in 1..3) is 1..2"), ("expr", "x.a in 1..3"))
def range_as_value(t: Trouble) -> Problem | None:
    last = t.seen()
    if t.word.type != "DOTS" or last is None or last.type not in ("INT", "NAME"):
        return None
    if t.glued("...") is not None:
        return None
    before = t.seen(2)
    if before is not None and before.type == "IN":
        help = "to test whether a number is in a range write `1 <= x <= 3`"
        return Problem("RF401", "a range is not a set", t.word.span, help)
    return Problem("RF401", "a range is not one value", t.word.span, "write one number")
