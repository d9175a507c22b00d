"""Canonical text: how each construct is printed, with no bracket too many."""

from __future__ import annotations

import pytest

from ruleforge.lang.parser import printer, text_parser
from ruleforge.support.diagnostics import Report
from tests.unit.lang.parser.texts import source_text

# (written, canonical)
EXPRESSIONS = [
    ("((a))", "a"),
    ("( a+b )*c", "(a + b) * c"),
    ("(a*b)+c", "a * b + c"),
    ("a-(b-c)", "a - (b - c)"),
    ("(a-b)-c", "a - b - c"),
    ("-(a+b)", "-(a + b)"),
    ("-(a.b)", "-a.b"),
    ("(-a).b", "(-a).b"),
    ("not (a is b)", "not a is b"),
    ("(not a) is b", "(not a) is b"),
    ("(a and b) or c", "a and b or c"),
    ("a and (b or c)", "a and (b or c)"),
    ("a and (b and c)", "a and (b and c)"),
    ("(a if b else c) if d else a", "(a if b else c) if d else a"),
    ("a if b else (c if d else a)", "a if b else c if d else a"),
    ("(a is b) is c", "(a is b) is c"),
    ("count( x in (cells) where(x.a) )", "count(x in cells where x.a)"),
    ("{x in (a if b else c)}", "{x in (a if b else c)}"),
    ("first(x in 1 .. n by -x then x.a)", "first(x in 1..n by -x then x.a)"),
    ("sum(x.a for x in [ a,b ])", "sum(x.a for x in [a, b])"),
    ("would( f( a ):a.b )", "would(f(a): a.b)"),
]


@pytest.mark.parametrize(("written", "canonical"), EXPRESSIONS)
def test_expressions(written: str, canonical: str) -> None:
    tree = text_parser.parse_expr(source_text(written), Report())
    assert tree is not None
    assert printer.print_expr(tree) == canonical


WRITTEN = """\
# remarks are not part of the tree
let x=roll 3d6; x += 1
if x>9: f(x); g()
elif x is 3:
      skip
else: finish won for [me]
for c in cells
    where c.disc is none: c.disc = me
me may choose a in b, up to 3 c in d: move a to c.e at top
else: leave turn
me picks:
  go if x > 2: return x
  stay: skip
each p in players secretly chooses c in p.hand: show c to p
together:
  pay 2 from me.a or me.b; new mark(owner = me)
repeat 3 while x < 3: proceed with n = (x)
"""

CANONICAL = """\
let x = roll 3d6
x += 1
if x > 9:
  f(x)
  g()
elif x is 3:
  skip
else:
  finish won for [me]
for c in cells where c.disc is none:
  c.disc = me
me may choose a in b, up to 3 c in d:
  move a to c.e at top
else:
  leave turn
me picks:
  go if x > 2:
    return x
  stay:
    skip
each p in players secretly chooses c in p.hand:
  show c to p
together:
  pay 2 from me.a or me.b
  new mark(owner = me)
repeat 3 while x < 3:
  proceed with n = x
"""


def test_blocks() -> None:
    report = Report()
    tree = text_parser.parse_block(source_text(WRITTEN), report)
    assert not list(report) and tree is not None
    text = printer.print_block(tree)
    assert text == CANONICAL
    assert text_parser.parse_block(source_text(text), report) == tree


@pytest.mark.parametrize("text", ["0..a + 1 per card = 3", "flag", "card or none", "set of card per a per b"])
def test_columns(text: str) -> None:
    tree = text_parser.parse_column(source_text(text), Report())
    assert tree is not None
    assert printer.print_column(tree) == text


@pytest.mark.parametrize("text", ["f(a)", "set a.b", "move a from b to c.d", "start of turn"])
def test_patterns(text: str) -> None:
    tree = text_parser.parse_pattern(source_text(text), Report())
    assert tree is not None
    assert printer.print_pattern(tree) == text
