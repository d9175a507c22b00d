"""Hints for colons, indentation and `else` at wrong places."""

from __future__ import annotations

from ruleforge.lang.parser.hints.hint_table import BLOCK_WORDS, table
from ruleforge.lang.parser.parse_failure import Trouble
from ruleforge.lang.parser.syntax_problem import Problem

HINTS, hint = table()


@hint(("block", "if x:\ny()"), ("block", "for c in cells:"), ("block", "if x:\n  for c in cells:\ny()"))
def missing_suite(t: Trouble) -> Problem | None:
    if "INDENT" not in t.expected:
        return None
    colon = t.seen()
    assert colon is not None
    return Problem(
        "RF403",
        "nothing is indented under this colon",
        colon.span,
        "indent what belongs to it, or write `skip`",
    )


@hint(("block", "a()\n  b()"))
def stray_indent(t: Trouble) -> Problem | None:
    if t.word.type != "INDENT":
        return None
    return Problem(
        "RF403",
        "this line is indented, but the line above opens no block",
        t.word.span,
        "align it with the line above; a line that goes on begins with `and`, `or`, `where` or `by`",
    )


@hint(("block", "if a: skip\nelse if b: skip"), ("block", "if a: skip\nelseif b: skip"))
def else_if(t: Trouble) -> Problem | None:
    last = t.seen()
    if last is not None and last.type == "ELSE" and t.word.type == "IF":
        return Problem(
            "RF401", "`else if` is one word here", last.span.to(t.word.span), "write `elif`", instead="elif"
        )
    if last is not None and last.text in ("elseif", "elsif") and len(t.line) == 1:
        return Problem(
            "RF401", f"`{last.text}` is not a word of the language", last.span, "write `elif`", instead="elif"
        )
    return None


@hint(("block", "else: skip"), ("block", "if a: skip\nb()\nelif c: skip"))
def stray_else(t: Trouble) -> Problem | None:
    if t.word.type not in ("ELSE", "ELIF") or t.line:
        return None
    return Problem(
        "RF403",
        f"no `if` or choice just above goes with this `{t.word.text}`",
        t.word.span,
        f"align `{t.word.text}` with the line it belongs to, with nothing in between",
    )


@hint(("block", "if a then b()"), ("block", "repeat 3 do b()"))
def then_for_colon(t: Trouble) -> Problem | None:
    if t.word.text not in ("then", "do") or t.opener not in BLOCK_WORDS or "COLON" not in t.expected:
        return None
    return Problem(
        "RF401", f"did not expect `{t.word.text}` here", t.word.span, "write `:` instead", instead=":"
    )


@hint(("block", "if a\n  b()"), ("block", "for c in cells\n  b()"), ("block", "me picks\n  a: skip"))
def missing_colon(t: Trouble) -> Problem | None:
    last = t.seen()
    opens = t.opener in BLOCK_WORDS or any(word.type in BLOCK_WORDS for word in t.line)
    if "COLON" not in t.expected or not t.at_end or not opens or last is None:
        return None
    return Problem(
        "RF407",
        "a colon is missing at the end of this line",
        last.span,
        f"write `{last.text}:`",
        instead=f"{last.text}:",
    )


@hint(("block", "for c in cells: if c.a: skip"), ("block", "if a: me chooses c in cells: skip"))
def block_in_line(t: Trouble) -> Problem | None:
    opened = any(word.type == "COLON" for word in t.line) and t.opener in BLOCK_WORDS
    if not opened or t.word.type not in ("IF", "FOR", "REPEAT", "CHOOSES", "MAY", "PICKS"):
        return None
    if t.word.type in ("IF", "FOR", "REPEAT") and not t.after("COLON"):
        return None
    return Problem(
        "RF403",
        f"`{t.word.text}` opens a block inside a line",
        t.word.span,
        "begin it on a line of its own, indented under the colon",
    )


@hint(("block", "while a: b()"))
def bare_while(t: Trouble) -> Problem | None:
    if t.word.type != "WHILE" or t.line:
        return None
    return Problem(
        "RF407",
        "a loop needs a limit",
        t.word.span,
        "write `repeat N while condition:`, with N the most turns",
    )
