"""Hints for signs of other languages."""

from __future__ import annotations

import re

from ruleforge.lang.parser.parse_failure import Trouble, span_of
from ruleforge.lang.parser.syntax_problem import Problem
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.diagnostics import Span
from ruleforge.support.spelling import proper

COMPARED = "write `is` to compare, `=` to change a value"

# Made of signs we know, so they are met as one word too many. Longer ones come first.
GLUED: tuple[tuple[str, str], ...] = (
    ("===", COMPARED),
    ("==", COMPARED),
    ("&&", "write `and`"),
    ("||", "write `or`"),
    ("<>", "write `is not`"),
    ("=<", "write `<=`"),
    ("=>", "write `>=`"),
    (":=", "write `=`"),
    ("++", "write `+= 1`"),
    ("=+", "write `+=`"),
    ("*=", "write the whole sum: `x = x * 2`"),
    ("//=", "write the whole sum: `x = x // 2`"),
    ("|=", "write the whole sum: `s = s | [x]`"),
    ("&=", "write the whole sum: `s = s & [x]`"),
    ("**", "there is no power; multiply, or keep the values in facts"),
    ("->", "write `:` after a condition, `to` after `move`"),
    ("...", "write `..`: a range is `low..high`"),
)

# Begin with a sign we do not know.
FOREIGN: tuple[tuple[str, str], ...] = (
    (r"!=", "write `is not`"),
    (r"!", "write `not`"),
    (r"/", "write `//`: numbers are whole, and division rounds down"),
    (r"\?", "for a choice between values write `a if condition else b`"),
    (r"\^", "there is no such operation; for sets there are `|`, `&` and `-`"),
    (r"~", "write `not`"),
    (r"[≤⩽]", "write `<=`"),
    (r"[≥⩾]", "write `>=`"),
    (r"≠", "write `is not`"),
    (r"(?<=[0-9])[–—](?=[0-9])", "write `..`: a range is `low..high`"),
    (r"[−–—]", "write `-`"),
    (r"[×·]", "write `*`"),
    (r"÷", "write `//`"),
    (r"…", "a range is written `low..high`"),
    (r"∈", "write `in`"),
)

_QUOTED = re.compile(r"\"[^\"\n]*\"?|'[^'\n]*'?|[`“”‘’«»„]")
_POSSESSIVE = re.compile(r"['’]s\s+([a-z]\w*)")
_BEFORE_NAME = re.compile(r"(?:\bis|\bnot|[(,])\s*\Z")  # before the name of a thing
_CAPITALS = re.compile(r"[A-Z]\w*")
_UNDERSCORE = re.compile(r"_\w*")
_BEGUN = re.compile(r"\w*\Z")
_LETTERS = re.compile(r"[^\W\d_]\w*")


_ONE = re.compile(r"write `([^`]+)`(?::.*)?\Z")


def _instead(help: str) -> str | None:
    """The replacement that a row of the tables above suggests, if it is one thing."""
    found = _ONE.match(help)
    return found[1] if found else None


def explain_glued(trouble: Trouble) -> Problem | None:
    """`==`, `&&` and the like."""
    for sign, help in GLUED:
        start = trouble.glued(sign)
        if start is not None:
            message = f"`{sign}` is not a sign of the language"
            if help == COMPARED and _compares(trouble):
                help = "write `is`"
            span = span_of(trouble.source, start, start + len(sign))
            instead = _spaced(trouble.source.text, start, start + len(sign), _instead(help))
            return Problem("RF406", message, span, help, instead=instead)
    return None


def _compares(t: Trouble) -> bool:
    """Whether the text surely changes nothing here."""
    opened = t.opener in ("IF", "ELIF", "FOR", "REPEAT")
    return t.start != "block" or bool(t.open) or opened or any(word.type == "EQUAL" for word in t.line[:-1])


def _spaced(text: str, start: int, end: int, word: str | None) -> str | None:
    """A word for a sign, apart from what stands beside it."""
    if word is None or not re.match(r"[a-z+]", word):
        return word
    before = " " if start and not text[start - 1].isspace() and text[start - 1] not in "([{" else ""
    after = " " if text[end : end + 1].strip() and text[end] not in ")]},:" else ""
    return f"{before}{word}{after}"


def explain_character(source: SourceText, offset: int, reading: str = "expr") -> Problem:
    """A character that no word begins with."""
    text = source.text
    if reading in ("column", "type") and text[offset] == "?":
        message, here = "`?` is not a sign of the language", span_of(source, offset, offset + 1)
        return Problem("RF406", message, here, "write ` or none`", instead=" or none")
    for pattern, help in FOREIGN:
        if found := re.compile(pattern).match(text, offset):
            span = span_of(source, offset, found.end())
            message = f"`{found[0]}` is not a sign of the language"
            instead = _spaced(text, offset, found.end(), _instead(help))
            return Problem("RF406", message, span, help, instead=instead)
    if found := _POSSESSIVE.match(text, offset) if text[:offset][-1:].isalnum() else None:
        span = span_of(source, offset, found.end())
        return Problem(
            "RF402",
            "write a dot between a thing and its attribute",
            span,
            f"write `.{found[1]}`",
            instead=f".{found[1]}",
        )
    if found := _QUOTED.match(text, offset):
        return in_quotes(
            span_of(source, offset, found.end()), found[0] if _BEFORE_NAME.search(text[:offset]) else ""
        )
    if found := _CAPITALS.match(text, offset):
        return _capitals(source, offset, found[0])
    if found := _UNDERSCORE.match(text, offset):
        span = span_of(source, offset, found.end())
        return Problem("RF402", "a name begins with a letter", span, f"write `{found[0].strip('_') or 'x'}`")
    if found := _LETTERS.match(text, offset):
        start = offset - len(_BEGUN.search(text[:offset])[0])  # type: ignore[index]
        span, word = span_of(source, start, found.end()), text[start : found.end()]
        right = proper(word)
        help = "names are made of the letters a to z, digits and `_`" + (f": `{right}`" if right else "")
        message = f"`{word}` has letters that names cannot have"
        return Problem("RF402", message, span, help, instead=right or None)
    span = span_of(source, offset, offset + 1)
    message = f"{_shown(text[offset])} is not a sign of the language"
    return Problem("RF402", message, span, "delete it", instead="")


def in_quotes(span: Span, value: str = "") -> Problem:
    """Quotes where nothing is asked for; `value` is what stands there if a value may."""
    if found := re.fullmatch(r"[\"'`]([a-z][a-z0-9_]*)[\"'`]", value):
        return Problem("RF402", "names have no quotes", span, f"write `{found[1]}`", instead=found[1])
    help = 'write names without quotes; put a question in "..." after the choice'
    return Problem("RF402", "quotes have no meaning here", span, help)


def _capitals(source: SourceText, offset: int, word: str) -> Problem:
    lower = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word).lower()
    span = span_of(source, offset, offset + len(word))
    return Problem("RF402", f"`{word}` has capital letters", span, f"write `{lower}`", instead=lower)


def _shown(character: str) -> str:
    if character.isprintable():
        return f"`{character}`"
    return f"the invisible character U+{ord(character):04X}"
