"""Malformed texts: the code, the words of the message and the help, and the very characters underlined."""

from __future__ import annotations

import pytest

from ruleforge.lang.parser import text_parser
from ruleforge.lang.parser.hints import explain
from ruleforge.lang.parser.hints.hint_table import Hint
from ruleforge.support.diagnostics import Diagnostic, Report
from tests.unit.lang.parser.texts import source_text, underlined

PARSERS = {
    "block": text_parser.parse_block,
    "expr": text_parser.parse_expr,
    "binder": text_parser.parse_binder,
    "column": text_parser.parse_column,
    "type": text_parser.parse_type,
    "pattern": text_parser.parse_pattern,
    "picked": lambda text, report: text_parser.parse_picked(text, report, "x"),
}

# start symbol, text, code, part of the message, underlined text, part of the help
TABLE = [
    ("expr", "a == b", "RF406", "`==`", "==", "`is`"),
    ("block", "a.b == 3", "RF406", "`==`", "==", "`=` to change"),
    ("expr", "a != b", "RF406", "`!=`", "!=", "`is not`"),
    ("expr", "a <> b", "RF406", "`<>`", "<>", "`is not`"),
    ("expr", "a => b", "RF406", "`=>`", "=>", "`>=`"),
    ("expr", "!a", "RF406", "`!`", "!", "`not`"),
    ("expr", "a && b", "RF406", "`&&`", "&&", "`and`"),
    ("expr", "a || b", "RF406", "`||`", "||", "`or`"),
    ("expr", "a / 2", "RF406", "`/`", "/", "`//`"),
    ("expr", "a ≤ 2", "RF406", "`≤`", "≤", "`<=`"),
    ("column", "ring?", "RF406", "`?`", "?", "or none"),
    ("expr", "a ? b : c", "RF406", "`?`", "?", "a if condition else b"),
    ("expr", "2 ** 3", "RF406", "`**`", "**", "no power"),
    ("expr", "1...3", "RF406", "`...`", "...", "low..high"),
    ("block", "a.b++", "RF406", "`++`", "++", "`+= 1`"),
    ("block", "a.b *= 2", "RF406", "`*=`", "*=", "x = x * 2"),
    ("block", "let a := 2", "RF406", "`:=`", ":=", "`=`"),
    ("expr", "a.b = 3", "RF406", "does not compare", "=", "`is`"),
    ("block", "if a.b = 3: skip", "RF406", "does not compare", "=", "`is`"),
    ("picked", "in cells where x.a = 3", "RF406", "does not compare", "=", "`is`"),
    ("expr", "f(a = 3)", "RF406", "does not compare", "=", "`is`"),
    ("block", "let a = b = 3", "RF401", "one value only", "=", "one statement for each"),
    ("expr", "a is 'red'", "RF402", "quotes", "'red'", "`red`"),
    ("expr", "a is 'dark red'", "RF402", "quotes", "'dark red'", "without quotes"),
    ("expr", 'a is "red', "RF402", "quotes", '"red', "without quotes"),
    ("expr", "a.Power", "RF402", "capital", "Power", "`power`"),
    ("expr", "handSize", "RF402", "capital", "Size", "`size`"),
    ("expr", "None", "RF402", "capital", "None", "`none`"),
    ("expr", "_a", "RF402", "begins with a letter", "_a", "`a`"),
    ("expr", "größe", "RF402", "letters", "größe", "a to z"),
    ("expr", "a @ b", "RF402", "`@`", "@", "delete it"),
    ("expr", "a\u00a0b", "RF402", "U+00A0", "\u00a0", "delete it"),
    ("block", "if a\n  b()", "RF407", "colon is missing", "a", "`a:`"),
    ("block", "me chooses a in b\n  skip", "RF407", "colon is missing", "b", "`b:`"),
    ("block", "if a: skip\nelse\n  skip", "RF407", "colon is missing", "else", "`else:`"),
    ("block", "if a then b()", "RF401", "`then`", "then", "`:`"),
    ("block", "if a: skip\nelse if b: skip", "RF401", "one word", "else if", "`elif`"),
    ("block", "skip\nelse: skip", "RF403", "goes with this `else`", "else", "align"),
    ("block", "if a:\nb()", "RF403", "nothing is indented", ":", "`skip`"),
    ("block", "if a:\n  b()\n c()", "RF403", "not aligned", "c", "further right"),
    ("block", "if a:\n\tb()", "RF403", "tab", "b", "spaces"),
    ("block", "a()\n  b()", "RF403", "opens no block", "b", "align"),
    ("block", "for a in b: if c: skip", "RF403", "inside a line", "if", "line of its own"),
    ("block", "while a: skip", "RF407", "limit", "while", "repeat N while"),
    ("expr", "count(a in b", "RF404", "never closed", "(", "`)`"),
    ("block", "f(a\nlet b = 2\n", "RF404", "never closed", "(", "`)`"),
    ("expr", "a)", "RF404", "never opened", ")", "delete it"),
    ("expr", "f(a]", "RF404", "`(` is closed by `]`", "]", "`)`"),
    ("expr", "f(a,)", "RF401", "comma", ",", "delete it"),
    ("expr", "count(x in cells if x.a)", "RF401", "`if`", "if", "`where`"),
    ("picked", "in cells with x.a", "RF401", "`with`", "with", "`where`"),
    ("picked", "x in cells", "RF407", "begin with `in`", "x", "the name is the key"),
    ("block", "for a b: skip", "RF407", "`in` is missing", "a", "`a in ...`"),
    ("block", "for each a in b: skip", "RF401", "not needed", "each", "for x in"),
    ("expr", "count(cells)", "RF407", "a name for the things", "cells", "count(x in cells)"),
    ("expr", "sum(a.b)", "RF407", "which things it looks at", "sum", "sum(... for x in ...)"),
    ("block", "choose a in b: skip", "RF407", "who chooses", "choose", "me chooses"),
    ("block", "me choose a in b: skip", "RF401", "`choose`", "choose", "`chooses`"),
    ("block", "me picks a in b: skip", "RF401", "menu", "picks", "`chooses`"),
    ("expr", "a + roll 2d6", "RF401", "inside an expression", "roll", "let result"),
    ("block", "let a = roll d6", "RF407", "dice", "d6", "`roll 1d6`"),
    ("block", "let a = roll 0d6", "RF410", "cannot be rolled", "0d6", "between 1 and"),
    ("expr", "99999999999", "RF410", "too large", "99999999999", "2147483647"),
    ("expr", "2147483648", "RF410", "too large", "2147483648", "2147483647"),
    ("expr", "9" * 5000, "RF410", "too large", "9" * 5000, "2147483647"),
    ("expr", "a * 1.5", "RF410", "whole", "1.5", "divide last"),
    ("block", "let until = 3", "RF405", "`until`", "until", "another name"),
    ("block", "me chooses then in b: skip", "RF405", "`then`", "then", "another name"),
    ("expr", "1 + by", "RF405", "`by`", "by", "another name"),
    ("block", "a is 3", "RF408", "does nothing", "a is 3", "`=`"),
    ("block", "draw", "RF408", "does nothing", "draw", "`draw()`"),
    ("block", "f(a) = 3", "RF408", "cannot change", "f(a)", "attribute"),
    ("block", "1 += 3", "RF408", "cannot change", "1", "attribute"),
    ("block", "draw 3", "RF407", "between `draw` and `3`", "3", "`draw(3)`"),
    ("block", "mvoe a to b", "RF401", "`mvoe`", "mvoe", "`move`"),
    ("block", "me.draw(3)", "RF401", "cannot be called", "draw", "no dot"),
    ("expr", "cells[1, 2]", "RF401", "one number", "2", "the third"),
    ("expr", "a if b", "RF407", "`else`", "if", "else b"),
    ("expr", "a is in b", "RF401", "exclude", "is in", "`in`"),
    ("expr", "a not b", "RF401", "`not`", "not", "`is not`"),
    ("expr", "a and", "RF407", "after `and`", "and", "value"),
    ("expr", "a + * b", "RF407", "between `+` and `*`", "*", "before `*`"),
    ("expr", "let a = 3", "RF401", "begins a statement", "let", "`do`"),
    ("expr", "", "RF411", "nothing", "", "value"),
    ("block", "# todo", "RF411", "nothing", "# todo", "`skip`"),
    ("type", "0-20", "RF407", "not a range", "0-20", "0..20"),
    ("column", "set card", "RF401", "`card` after `set`", "card", "`of`"),
    ("pattern", "set power", "RF408", "attribute", "power", "set thing.attribute"),
    ("block", "move a b", "RF407", "`to` is missing", "b", "to b"),
]  # fmt: skip


@pytest.mark.parametrize("row", TABLE, ids=[f"{row[0]}: {row[1][:40]}" for row in TABLE])
def test_messages(row: tuple[str, str, str, str, str, str]) -> None:
    start, text, code, message, under, help = row
    source = source_text(text, line=20, column=5)
    (diagnostic,) = _diagnostics(start, text)
    assert diagnostic.code == code
    assert message in diagnostic.message
    assert underlined(source, diagnostic.span) == under
    assert help in (diagnostic.help or "")


def _diagnostics(start: str, text: str) -> tuple[Diagnostic, ...]:
    report = Report()
    assert PARSERS[start](source_text(text, line=20, column=5), report) is None
    return report.diagnostics


EXAMPLES = [(entry, *example) for entry in explain.HINTS for example in entry.examples]


@pytest.mark.parametrize(
    ("entry", "start", "text"),
    EXAMPLES,
    ids=[f"{entry.explain.__name__}: {text}" for entry, _, text in EXAMPLES],
)
def test_each_example_is_explained_by_its_own_hint(
    entry: Hint, start: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_hint = _diagnostics(start, text)
    monkeypatch.setattr(explain, "HINTS", [other for other in explain.HINTS if other is not entry])
    assert _diagnostics(start, text) != with_hint


@pytest.mark.parametrize(("start", "text", "code"), [(row[0], row[1], row[2]) for row in TABLE])
def test_messages_keep_the_style(start: str, text: str, code: str) -> None:
    (diagnostic,) = _diagnostics(start, text)
    for words in (diagnostic.message, diagnostic.help or "x"):
        assert not words.endswith(".") and not words[0].isupper()


def test_one_mistake_of_a_text_does_not_hide_those_of_another() -> None:
    report = Report()
    text_parser.parse_expr(source_text("a ==", line=1), report)
    text_parser.parse_expr(source_text("b !=", line=2), report)
    assert [d.span.line for d in report] == [1, 2]
