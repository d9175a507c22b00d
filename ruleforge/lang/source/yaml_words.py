"""The meaning of plain YAML words, and words that YAML readers treat differently."""

from __future__ import annotations

import re
from typing import NamedTuple

from ruleforge.lang.source.tree import ScalarKind


class Surprise(NamedTuple):
    """A message about a plain word: its other readings, the correct spelling, the likely meaning."""

    code: str
    message: str
    help: str
    meant: str
    instead: str | None = None  # what to write, where that is sure


_INT = re.compile(r"(0|-?[1-9][0-9]{0,14})\Z")
_LONG = re.compile(r"-?[1-9][0-9]{15,}\Z")
_SWITCH = re.compile(r"(y|yes|n|no|on|off|true|false)\Z", re.IGNORECASE)
_NULL = re.compile(r"(~|null)\Z", re.IGNORECASE)
_NUMBERS_BEGIN = (
    "0123456789+-."  # what is neither a switch nor null is only doubtful if it begins with one of these
)
_ODD_NUMBERS = (
    (re.compile(r"[-+]?0[0-9_]+\Z"), "with a leading zero", "an octal number"),
    (
        re.compile(r"[-+]?0(o[0-7_]+|x[0-9a-fA-F_]+|b[01_]+)\Z"),
        "in another base",
        "octal, hexadecimal or binary",
    ),
    (re.compile(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?\Z"), "with colons", "a number to base 60"),
    (re.compile(r"[-+]?[0-9]+_[0-9_]*\Z"), "with underscores", "a number or as text"),
    (re.compile(r"\+[0-9]+\Z|-0\Z"), "with a needless sign", "a number or as text"),
)
_FLOAT = re.compile(
    r"[-+]?(\.[0-9][0-9_]*|[0-9][0-9_]*\.[0-9_]*)([eE][-+]?[0-9]+)?\Z|[-+]?[0-9]+[eE][-+]?[0-9]+\Z"
    r"|[-+]?\.(inf|Inf|INF)\Z|\.(nan|NaN|NAN)\Z"
)
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ].*)?\Z")


def kind_of(word: str) -> ScalarKind:
    """The strict reading of a plain word; everything doubtful is text."""
    if _INT.match(word):
        return "int"
    if word in ("true", "false"):
        return "bool"
    if word == "" or _NULL.match(word):
        return "null"
    return "str"


def surprise_in(word: str, as_key: bool) -> Surprise | None:
    """Why a plain word is doubtful, or None if every YAML reader understands it as we do."""
    if _SWITCH.match(word) and (as_key or word not in ("true", "false")):
        return _switch(word, as_key)
    if word[:1] not in _NUMBERS_BEGIN:
        return None  # as nearly all
    for pattern, how, read_as in _ODD_NUMBERS:
        if pattern.match(word):
            message = f"the number `{word}` is written {how}; YAML may read it as {read_as}"
            return Surprise("RF114", message, _number_help(word), _digits(word) or "0", _digits(word))
    if _LONG.match(word):
        message = f"the number `{word[:12]}...` has {len(word)} digits; YAML may read it rounded"
        return Surprise("RF114", message, "write a smaller number, or put it in quotes if it is text", "0")
    if _FLOAT.match(word):
        message = f"`{word}` is a number with a fraction; RuleForge counts in whole numbers"
        help = f'write a whole number, or `"{word}"` in quotes if it is text'
        return Surprise("RF115", message, help, "0")
    if _DATE.match(word):
        quoted = f'"{word}"'
        return Surprise(
            "RF116", f"YAML may read `{word}` as a date", f"put it in quotes: `{quoted}`", "0", quoted
        )
    return None


def _switch(word: str, as_key: bool) -> Surprise:
    meaning = "true" if word.lower() in ("y", "yes", "on", "true") else "false"
    message = f"YAML may read `{word}` as {meaning}"
    if as_key:
        help = f'choose another name, or write `"{word}"`'
        return Surprise("RF113", f"{message}, so it cannot be a key", help, word)
    help = f'write `{meaning}`, or `"{word}"` in quotes if the word is meant'
    return Surprise("RF113", message, help, meaning, f'"{word}"')


def _number_help(word: str) -> str:
    if digits := _digits(word):
        return f'write `{digits}`, or `"{word}"` in quotes if it is text'
    return f'write it with plain digits, or `"{word}"` in quotes if it is text'


def _digits(word: str) -> str | None:
    digits = word.lstrip("+").replace("_", "").lstrip("0") or "0"
    return digits if digits.isdigit() else None
