"""Hints for texts that repeat the key above them, or use the form of another key.

`needs: if c`, `repeat: until c`, `each: for x in S`, `winners: x in S where c`, `type: 0 to 9`, `at: turn end`.
"""

from __future__ import annotations

import re

from ruleforge.lang.parser.hints.hint_table import table
from ruleforge.lang.parser.parse_failure import Trouble, span_of, with_space
from ruleforge.lang.parser.syntax_problem import Problem

HINTS, hint = table()

_CHOSEN = re.compile(
    r"(?:from|between)\s+(?P<low>[\w.()\[\], -]+?)\s+(?:to|and)\s+(?P<high>[\w.()\[\], -]+?)\s*\Z"
)
_BOUNDS = re.compile(r"(?:from\s+)?(?P<low>-?\w+)\s+to\s+(?P<high>-?\w+)\b")
_PHASE = re.compile(r"(?:the\s+)?(?P<phase>\w+)\s+(?P<end>end|start|begin|beginning)\s*\Z")
_SET = re.compile(r"(?P<binder>\w+\s+in\s+[^{}\n]+?)\s*\Z")
_ORDERS = ("desc", "asc", "descending", "ascending")


@hint(("expr", "if x.a > 3"), ("expr", "while x.a > 3"))
def condition_by_itself(t: Trouble) -> Problem | None:
    if t.start != "expr" or t.before or t.word.text not in ("if", "when", "while"):
        return None
    if re.search(r":|\bthen\b|\belse\b", t.source.text):
        return None
    message, over = "this place takes a condition alone", with_space(t.word.span)
    return Problem("RF401", message, t.word.span, f"delete `{t.word.text}`", instead="", over=over)


@hint(("expr", "until x.a > 3"))
def until_for_while(t: Trouble) -> Problem | None:
    if t.start != "expr" or t.before or t.word.type != "UNTIL" or "\n" in t.source.text.strip():
        return None
    right = f"not ({t.source.text.strip().removeprefix('until').strip()})"
    message = "this key says as long as which condition it goes on, not when it ends"
    return Problem("RF401", message, t.word.span, f"write `{right}`", instead=right, over=t.source.span)


@hint(("binder", "for me in players"))
def for_before_a_binder(t: Trouble) -> Problem | None:
    if t.start != "binder" or t.before or t.word.type != "FOR":
        return None
    message, over = "`for` is not needed here", with_space(t.word.span)
    return Problem("RF401", message, t.word.span, "delete it", instead="", over=over)


@hint(("binder", "players where p.a"), ("binder", "players"))
def binder_without_a_name(t: Trouble) -> Problem | None:
    first = t.seen()
    if t.start != "binder" or len(t.before) != 1 or first is None or t.expected != {"IN"}:
        return None
    if not (t.at_end or t.word.type in ("WHERE", "BY")):
        return None
    message = f"the members of `{first.text}` have no name here"
    return Problem("RF407", message, first.span, f"write `me in {first.text}` if they act, else another name")


@hint(("expr", "p in players where p.a"), ("expr", "p in players by p.a"))
def set_without_braces(t: Trouble) -> Problem | None:
    found = _SET.match(t.source.text)
    if t.start != "expr" or t.open or t.word.type not in ("WHERE", "BY") or found is None:
        return None
    right = f"{{{found['binder']}}}"
    return Problem("RF401", "write a set in braces", t.source.span, f"write `{right}`, in quotes for YAML")


@hint(("picked", "from 1 to 5"), ("picked", "between 1 and x.a"))
def range_in_words(t: Trouble) -> Problem | None:
    found = _CHOSEN.match(t.source.text) if t.start == "picked" else None
    if found is None:
        return None
    right, span = f"in {found['low']}..{found['high']}", span_of(t.source, *found.span())
    return Problem("RF401", "a range is written differently", span, f"write `{right}`", instead=right)


@hint(("column", "0 to 99"), ("type", "from 1 to 6"))
def type_in_words(t: Trouble) -> Problem | None:
    found = _BOUNDS.match(t.source.text) if t.start in ("column", "type") else None
    if found is None:
        return None
    right, span = f"{found['low']}..{found['high']}", span_of(t.source, *found.span())
    return Problem("RF407", "a range is written differently", span, f"write `{right}`", instead=right)


@hint(("column", ">= 0"), ("type", "< 10"))
def one_bound(t: Trouble) -> Problem | None:
    signs = ("LESS", "AT_MOST", "MORE", "AT_LEAST")
    if t.start not in ("column", "type") or t.before or t.word.type not in signs:
        return None
    return Problem("RF407", "a number needs a smallest and a largest value", t.word.span, "write `low..high`")


@hint(("column", "ring or null"), ("type", "card or nothing"))
def or_nothing(t: Trouble) -> Problem | None:
    if (
        t.start not in ("column", "type")
        or t.expected != {"NONE"}
        or t.word.text not in ("null", "nil", "nothing")
    ):
        return None
    message = f"`{t.word.text}` is not a word of the language"
    return Problem("RF401", message, t.word.span, "write `none`", instead="none")


@hint(("pattern", "turn end"), ("pattern", "the round beginning"))
def moment_of_a_phase(t: Trouble) -> Problem | None:
    found = _PHASE.match(t.source.text) if t.start == "pattern" else None
    if found is None:
        return None
    right = f"{'end' if found['end'] == 'end' else 'start'} of {found['phase']}"
    span = span_of(t.source, *found.span())
    return Problem("RF401", "a moment is written differently", span, f"write `{right}`", instead=right)


@hint(("expr", "best(p in players by p.a, -p.b)"), ("expr", "first(c in cells by c.a desc)"))
def several_orders(t: Trouble) -> Problem | None:
    operation = t.before[t.open[-1] - 1] if t.open and t.open[-1] else None
    ordered = t.open and any(word.type == "BY" for word in t.before[t.open[-1] :])
    if operation is None or not ordered:
        return None
    if t.word.type == "COMMA":
        message = "the next value to sort by follows `then`"
        return Problem("RF401", message, t.word.span, "write `then` for the comma", instead=" then")
    if t.word.text not in _ORDERS:
        return None
    first = "greatest" if operation.type == "BEST" else "smallest"
    help = f"the {first} comes first; `-` before the value turns it round"
    return Problem("RF401", f"`{t.word.text}` is not a word of the language", t.word.span, help)


@hint(("expr", "max(p in players by p.a)"))
def greatest_by(t: Trouble) -> Problem | None:
    operation = t.before[t.open[-1] - 1] if t.open and t.open[-1] else None
    if t.word.type != "BY" or operation is None or operation.text not in ("max", "min"):
        return None
    value = "VALUE" if operation.text == "max" else "-VALUE"
    help = f"the number is `{operation.text}(VALUE for x in SET)`; who has it is `best(x in SET by {value})`"
    return Problem("RF401", f"`{operation.text}` gives a number", operation.span, help)
