"""Hints for rulebook phrases: comparisons, changes, choices, aggregates and surplus English words.

These hints come first: a message about `at` does not help with `is at least`.
"""

from __future__ import annotations

import re

from ruleforge.lang.parser.hints.hint_table import table
from ruleforge.lang.parser.parse_failure import Trouble, span_of, with_space
from ruleforge.lang.parser.syntax_problem import Problem

HINTS, hint = table()
_COMPARED = re.compile(
    r"(?:\bis\s+)?\b(?:"
    r"(?P<less>less|fewer|smaller|lower)\s+than\b|(?P<more>more|greater|larger|higher|bigger)\s+than\b"
    r"|(?P<least>at\s+least)\b|(?P<most>at\s+most)\b|(?P<above>exceeds)\b"
    r"|(?P<same>equals|equal\s+to|the\s+same\s+as)\b"
    r")(?P<too>\s+or\s+equal\s+to\b)?"
    r"|\bis\s+(?P<among>(?:one|any)\s+of)\b|(?P<other>\b(?:isn|aren)['’]t\b)"
)
_SIGNS = {
    "less": "<",
    "more": ">",
    "least": ">=",
    "most": "<=",
    "above": ">",
    "same": "is",
    "among": "in",
    "other": "is not",
}
_CALCULATED = re.compile(
    r"\b(?:(?P<rest>mod|modulo)|(?P<product>x|times|multiplied\s+by)|(?P<sum>plus)|(?P<difference>minus)"
    r"|(?P<share>divided\s+by|div))\b"
)
_CALCULATING = {"rest": "%", "product": "*", "sum": "+", "difference": "-", "share": "//"}
_BETWEEN = re.compile(r"(?P<what>[\w.]+)\s+between\s+(?P<low>[\w.]+)\s+and\s+(?P<high>[\w.]+)")
_PATH = r"(?P<what>[a-z_][\w.]*(?:\[[^\[\]]*\])?)"
_VALUE = r"(?P<value>[^:#]+?)"
_SENTENCES = tuple(
    (re.compile(pattern + r"\s*(?:#.*)?\Z"), form)
    for pattern, form in (
        (rf"set\s+{_PATH}\s+(?:to|=)\s+{_VALUE}", "{what} = {value}"),
        (rf"(?:increase|raise|increment)\s+{_PATH}(?:\s+by\s+{_VALUE})?", "{what} += {value}"),
        (rf"(?:decrease|reduce|lower|decrement)\s+{_PATH}(?:\s+by\s+{_VALUE})?", "{what} -= {value}"),
        (rf"add\s+{_VALUE}\s+to\s+{_PATH}", "{what} += {value}"),
        (rf"(?:subtract|take)\s+{_VALUE}\s+from\s+{_PATH}", "{what} -= {value}"),
        (r"end\s+(?:the\s+)?(?P<what>(?!game\b|the\b)\w+)", "leave {what}"),
    )
)
_OUT_OF = re.compile(r"(?:one\s+of|out\s+of|from|of|among|within)\b")
_ALL = ("all", "every", "forall")
_GATHERING = (*_ALL, "sum", "min", "max")
_PARTS = re.compile(
    r"\s*(?P<binder>\w+\s+in\s+(?P<source>[\w.]+(?:\([^()]*\))?)(?P<where>\s+where\s+[^,:]+?)?)"
    r"\s*(?P<sign>\bwhere\b|\bfor\b|,|:)\s*(?P<value>[^,:]+?)\s*\Z"
)
_FROM = re.compile(r"\s*from\s+(?:the\s+)?[\w.]+(?=\s+to\b)")


@hint(
    ("expr", "x.a is less than 3"),
    ("expr", "x.a is at least 3"),
    ("expr", "x.a at most 3"),
    ("expr", "x.a equals y.a"),
    ("expr", "x.a greater than or equal to 3"),
)
def compared_in_words(t: Trouble) -> Problem | None:
    for found in _COMPARED.finditer(t.source.text):
        if found.start() <= t.word.offset < found.end():
            sign = next(sign for name, sign in _SIGNS.items() if found[name])
            sign = f"{sign}=" if found["too"] and sign in "<>" else sign
            message = f"`{' '.join(found[0].split())}` is written as `{sign}`"
            span = span_of(t.source, *found.span())
            return Problem("RF401", message, span, f"write `{sign}`", instead=sign)
    return None


@hint(
    ("block", "set x.a to 3"),
    ("block", "set x.a = 3"),
    ("block", "increase x.a by 2"),
    ("block", "add 2 to x.a"),
    ("block", "end turn"),
)
def sentence(t: Trouble) -> Problem | None:
    """A statement as people would say it."""
    if t.start != "block" or len(t.line) > 2 or t.at_end:
        return None
    begin = t.line[0].offset if t.line else t.word.offset
    text = t.source.text[begin:].partition("\n")[0].rstrip()
    for pattern, form in _SENTENCES:
        if found := pattern.match(text):
            right = form.format(what=found["what"], value=found.groupdict().get("value") or "1")
            span = span_of(t.source, begin, begin + len(text))
            return Problem("RF401", "this is written differently", span, f"write `{right}`", instead=right)
    return None


@hint(("block", "end game"), ("block", "end the game"))
def end_of_the_game(t: Trouble) -> Problem | None:
    begin = t.line[0].offset if t.line else t.word.offset
    found = re.compile(r"(?:end|stop)\s+(?:the\s+)?game\b").match(t.source.text, begin)
    if t.start != "block" or found is None or found.end() <= t.word.offset:
        return None
    help = "write `finish ENDING for ...`, with a name from `endings`"
    return Problem(
        "RF401", "the end of a game is written differently", span_of(t.source, *found.span()), help
    )


@hint(("expr", "x.a mod 4"), ("expr", "4 x (a + b)"), ("expr", "a plus 3"), ("expr", "4 (a + b)"))
def calculated_in_words(t: Trouble) -> Problem | None:
    last = t.seen()
    if last is None or last.type not in ("INT", "NAME", "CLOSE") or t.wants_value:
        return None
    if last.type == "INT" and t.word.type == "OPEN":
        message, right = f"`*` is missing between `{last.text}` and `(`", f"{last.text} * ("
        span = last.span.to(t.word.span)
        return Problem("RF407", message, t.word.span, f"write `{right}`", instead=right, over=span)
    found = _CALCULATED.match(t.source.text, t.word.offset)
    if found is None or not re.match(r"\s*[\w(]", t.source.text[found.end() :]):
        return None
    sign = next(sign for name, sign in _CALCULATING.items() if found[name])
    span = span_of(t.source, *found.span())
    return Problem("RF401", f"`{found[0]}` is written as `{sign}`", span, f"write `{sign}`", instead=sign)


@hint(("expr", "x.a between 1 and 3"))
def between(t: Trouble) -> Problem | None:
    for found in _BETWEEN.finditer(t.source.text):
        if found.start() < t.word.offset < found.end():
            right = f"{found['low']} <= {found['what']} <= {found['high']}"
            span = span_of(t.source, *found.span())
            return Problem("RF401", "this is written differently", span, f"write `{right}`", instead=right)
    return None


@hint(("block", "x.a--"))
def one_less(t: Trouble) -> Problem | None:
    first, second = t.seen(2), t.seen()
    if not t.at_end or first is None or second is None or not t.after("MINUS", "MINUS"):
        return None
    span = first.span.to(second.span)
    return Problem("RF406", "`--` is not a sign of the language", span, "write `-= 1`", instead=" -= 1")


@hint(("picked", "from cells"), ("picked", "one of cells"), ("picked", "2 in cells"))
def chosen_out_of(t: Trouble) -> Problem | None:
    if t.start != "picked" or len(t.before) > 1:
        return None
    text = t.source.text
    if found := _OUT_OF.match(text):
        message = f"`{' '.join(found[0].split())}` does not say from which things"
        return Problem("RF401", message, span_of(t.source, 0, found.end()), "write `in`", instead="in")
    if found := re.match(r"[0-9]+(?=\s+in\b)", text):
        right, span = f"exactly {found[0]}", span_of(t.source, 0, found.end())
        help = f"write `{right} in ...`, or `up to {found[0]} in ...`"
        return Problem("RF407", "this does not say whether fewer will do", span, help, instead=right)
    return None


@hint(("block", "for c in cells where c.a sorted by c.b: skip"))
def ordered_by(t: Trouble) -> Problem | None:
    found = re.compile(r"(?:sorted|ordered|sort|order)\s+by\b").match(t.source.text, t.word.offset)
    if found is None or "BY" not in t.expected:
        return None
    span = span_of(t.source, *found.span())
    return Problem("RF401", f"`{found[0]}` is written as `by`", span, "write `by`", instead="by")


@hint(("picked", "any number of cells"), ("binder", "me of players"), ("block", "for c of cells: skip"))
def of_for_in(t: Trouble) -> Problem | None:
    if t.expected != {"IN"} or t.word.text not in ("of", "from", "among"):
        return None
    message = f"`{t.word.text}` does not say which things to look at"
    return Problem("RF401", message, t.word.span, "write `in`", instead="in")


_CONDITIONAL = re.compile(r"if\s+(?P<when>[^:]+?)\s+then\s+(?P<then>[^:]+?)\s+else\s+(?P<other>[^:]+?)\s*\Z")


@hint(("expr", "if x.a then 3 else 4"))
def condition_first(t: Trouble) -> Problem | None:
    """A choice between values, said in another order."""
    found = _CONDITIONAL.fullmatch(t.source.text.strip()) if t.start != "block" else None
    if found is None or t.before:
        return None
    right = f"{found['then']} if {found['when']} else {found['other']}"
    message = "a choice between values begins with the first value"
    return Problem("RF401", message, t.source.span, f"write `{right}`", instead=right)


@hint(("expr", "3 <= size of p"))
def of_for_a_dot(t: Trouble) -> Problem | None:
    last = t.seen()
    owner = re.compile(r"of\s+(?:the\s+)?(\w+)\b(?!\s*[.(])").match(t.source.text, t.word.offset)
    if t.word.type != "OF" or last is None or last.type != "NAME" or owner is None:
        return None
    right = f"{owner[1]}.{last.text}"
    span = span_of(t.source, last.offset, owner.end())
    message = "write a dot between a thing and its attribute"
    return Problem("RF401", message, span, f"write `{right}`", instead=right)


# Aggregates in the order of another language. `all(x in S where C)`, `all(x in S for C)`, `all(x in S: C)`
# and `sum(x in S, V)` all mean `all(C for x in S)`.


@hint(
    ("expr", "all(c in cells where c.a > 3)"),
    ("expr", "all(c in cells for c.a > 3)"),
    ("expr", "all(c in cells: c.a > 3)"),
    ("expr", "sum(c in cells, c.a)"),
    ("expr", "every(c in cells where c.a)"),
)
def value_behind(t: Trouble) -> Problem | None:
    """Report a value behind the binder: it belongs first."""
    if not t.open or t.open[-1] == 0:
        return None
    name, opened = t.before[t.open[-1] - 1], t.before[t.open[-1]]
    end = _closing(t.source.text, opened.offset)
    if name.text not in _GATHERING or end is None:
        return None
    found = _PARTS.match(t.source.text[opened.offset + 1 : end])
    if found is None or (found["sign"] == "where" and name.text not in _ALL):
        return None
    word = "all" if name.text in _ALL else name.text
    right = f"{word}({found['value']} for {found['binder']})"
    span = span_of(t.source, name.offset, end + 1)
    message = f"the value of `{word}` comes first"
    return Problem("RF401", message, span, f"write `{right}`", instead=right)


def _closing(text: str, begin: int) -> int | None:
    """The offset at which the bracket at `begin` closes."""
    depth = 0
    for place in range(begin, len(text)):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if depth == 0:
            return place
    return None


# Words that English wants and the language does not: they are taken away.


@hint(("block", "shuffle the deck"), ("block", "move c to the deck"), ("expr", "x is the player"))
def article(t: Trouble) -> Problem | None:
    last = t.seen()
    if last is None or last.text != "the" or t.word.type != "NAME":
        return None
    help, over = f"write `{t.word.text}`", with_space(last.span)
    return Problem("RF401", "`the` is not needed here", last.span, help, instead="", over=over)


@hint(("block", "repeat 3 times: skip"))
def times(t: Trouble) -> Problem | None:
    if t.word.text != "times" or t.opener != "REPEAT" or "COLON" not in t.expected:
        return None
    span = span_of(t.source, t.word.offset - 1, t.word.offset + len(t.word.text))
    return Problem("RF401", "`times` is not needed here", t.word.span, "delete it", instead="", over=span)


@hint(("block", "move c from deck to p.hand"))
def from_where(t: Trouble) -> Problem | None:
    found = _FROM.match(t.source.text, t.word.offset - 1)
    if t.word.text != "from" or t.opener != "MOVE" or found is None:
        return None
    message, help = (
        "`move` does not say where a thing comes from: it lies in one place",
        "write `move ... to ...`",
    )
    return Problem("RF401", message, t.word.span, help, instead="", over=span_of(t.source, *found.span()))
