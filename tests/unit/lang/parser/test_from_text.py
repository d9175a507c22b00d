"""Each construct of the effect language, from text to tree, with exact spans."""

from __future__ import annotations

import time

import pytest

from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser import text_parser
from ruleforge.lang.parser.depth import children
from ruleforge.support.diagnostics import NOWHERE, Report, Span
from tests.unit.lang.parser.texts import source_text, underlined


def name(id: str) -> n.Name:
    return n.Name(NOWHERE, id)


def number(value: int) -> n.Number:
    return n.Number(NOWHERE, value)


def binder(id: str, source: str) -> n.Binder:
    return n.Binder(NOWHERE, id, name(source))


def compare(left: n.Expr, op: str, right: n.Expr) -> n.Comparison:
    return n.Comparison(NOWHERE, left, ((op, right),))


def block(*statements: n.Statement) -> n.Block:
    return n.Block(NOWHERE, statements)


def call(id: str, *arguments: n.Expr) -> n.Call:
    return n.Call(NOWHERE, id, arguments)


def attribute(of: str, id: str) -> n.Attribute:
    return n.Attribute(NOWHERE, name(of), id)


SKIP = block(n.Skip(NOWHERE))
A, B, C, D = (name(letter) for letter in "abcd")

EXPRESSIONS: list[tuple[str, n.Expr]] = [
    ("17", number(17)),
    ("007", number(7)),
    ("2147483647", number(2**31 - 1)),
    ("true", n.Bool(NOWHERE, True)),
    ("false", n.Bool(NOWHERE, False)),
    ("none", n.NoneLiteral(NOWHERE)),
    ("a", A),
    ("a.b", attribute("a", "b")),
    ("a.b.c", n.Attribute(NOWHERE, attribute("a", "b"), "c")),
    ("a.b[c, 1]", n.Attribute(NOWHERE, A, "b", (C, number(1)))),
    ("f(a).b", n.Attribute(NOWHERE, call("f", A), "b")),
    ("f()", call("f")),
    ("f(a, b)", call("f", A, B)),
    ("min(a, b)", call("min", A, B)),
    ("max(a, b, c)", call("max", A, B, C)),
    ("-a", n.Negative(NOWHERE, A)),
    ("a - -b", n.Arithmetic(NOWHERE, "-", A, n.Negative(NOWHERE, B))),
    ("a - b - c", n.Arithmetic(NOWHERE, "-", n.Arithmetic(NOWHERE, "-", A, B), C)),
    ("a - (b - c)", n.Arithmetic(NOWHERE, "-", A, n.Arithmetic(NOWHERE, "-", B, C))),
    ("a + b * c", n.Arithmetic(NOWHERE, "+", A, n.Arithmetic(NOWHERE, "*", B, C))),
    ("a // b % c", n.Arithmetic(NOWHERE, "%", n.Arithmetic(NOWHERE, "//", A, B), C)),
    ("a | b & c", n.Arithmetic(NOWHERE, "|", A, n.Arithmetic(NOWHERE, "&", B, C))),
    ("a is b", compare(A, "is", B)),
    ("a is not b", compare(A, "is not", B)),
    ("a in b", compare(A, "in", B)),
    ("a not in b", compare(A, "not in", B)),
    ("a has b", compare(A, "has", B)),
    ("1 <= a < 9", n.Comparison(NOWHERE, number(1), (("<=", A), ("<", number(9))))),
    ("a > b >= c", n.Comparison(NOWHERE, A, ((">", B), (">=", C)))),
    ("not a", n.Not(NOWHERE, A)),
    ("not a is b", n.Not(NOWHERE, compare(A, "is", B))),
    ("not not a", n.Not(NOWHERE, n.Not(NOWHERE, A))),
    ("not a and b", n.And(NOWHERE, (n.Not(NOWHERE, A), B))),
    ("a and b and c", n.And(NOWHERE, (A, B, C))),
    ("a or b and c or d", n.Or(NOWHERE, (A, n.And(NOWHERE, (B, C)), D))),
    ("a if b else c if d else a", n.Conditional(NOWHERE, A, B, n.Conditional(NOWHERE, C, D, A))),
    ("[]", n.SetLiteral(NOWHERE, ())),
    ("[a, b]", n.SetLiteral(NOWHERE, (A, B))),
    ("{a: b}", n.Table(NOWHERE, (n.Entry(NOWHERE, A, B),))),
    ("{a in b}", n.Selection(NOWHERE, binder("a", "b"))),
    ("count(a in b)", n.Aggregate(NOWHERE, "count", binder("a", "b"))),
    ("any(a in b)", n.Aggregate(NOWHERE, "any", binder("a", "b"))),
    ("first(a in b)", n.Aggregate(NOWHERE, "first", binder("a", "b"))),
    ("best(a in b)", n.Aggregate(NOWHERE, "best", binder("a", "b"))),
    ("sum(c for a in b)", n.Aggregate(NOWHERE, "sum", binder("a", "b"), C)),
    ("all(c for a in b)", n.Aggregate(NOWHERE, "all", binder("a", "b"), C)),
    ("min(c for a in b)", n.Aggregate(NOWHERE, "min", binder("a", "b"), C)),
    ("max(c for a in b)", n.Aggregate(NOWHERE, "max", binder("a", "b"), C)),
    ("linked(a, b, c in d)", n.Linked(NOWHERE, A, B, binder("c", "d"))),
    ("can(f(a))", n.Can(NOWHERE, call("f", A))),
    ("would(f(): a is b)", n.Would(NOWHERE, call("f"), compare(A, "is", B))),
    ("a\n  + b", n.Arithmetic(NOWHERE, "+", A, B)),
    ("a # why\n", A),
]


@pytest.mark.parametrize(("text", "tree"), EXPRESSIONS, ids=[text for text, _ in EXPRESSIONS])
def test_expressions(text: str, tree: n.Expr) -> None:
    report = Report()
    assert text_parser.parse_expr(source_text(text), report) == tree
    assert not list(report)


STATEMENTS: list[tuple[str, n.Statement]] = [
    ("let a = b", n.Let(NOWHERE, "a", B)),
    ("let a = roll 3d6", n.Let(NOWHERE, "a", n.RollDice(NOWHERE, 3, 6))),
    ("let a = roll 0..b", n.Let(NOWHERE, "a", n.RollRange(NOWHERE, n.Range(NOWHERE, number(0), B)))),
    ("a.b = random(c in d)",
     n.Assign(NOWHERE, attribute("a", "b"), "=", n.RandomPick(NOWHERE, binder("c", "d")))),
    ("a = b", n.Assign(NOWHERE, A, "=", B)),
    ("a.b += 1", n.Assign(NOWHERE, attribute("a", "b"), "+=", number(1))),
    ("a.b -= 1", n.Assign(NOWHERE, attribute("a", "b"), "-=", number(1))),
    ("f(a)", n.Do(NOWHERE, call("f", A))),
    ("move a to b", n.Move(NOWHERE, A, B)),
    ("move a to b at top", n.Move(NOWHERE, A, B, "top")),
    ("move a to b at bottom", n.Move(NOWHERE, A, B, "bottom")),
    ("shuffle a", n.Shuffle(NOWHERE, A)),
    ("finish a", n.Finish(NOWHERE, "a")),
    ("finish a for b", n.Finish(NOWHERE, "a", B)),
    ("return", n.Return(NOWHERE)),
    ("return a", n.Return(NOWHERE, A)),
    ("leave a", n.Leave(NOWHERE, "a")),
    ("skip", n.Skip(NOWHERE)),
    ("if a: skip", n.If(NOWHERE, ((A, SKIP),))),
    ("if a: skip\nelif b:\n  skip\nelse: skip", n.If(NOWHERE, ((A, SKIP), (B, SKIP)), SKIP)),
    ("for a in b: skip", n.For(NOWHERE, binder("a", "b"), SKIP)),
    ("for one a in b: skip", n.For(NOWHERE, binder("a", "b"), SKIP, True)),
    ("for one in b: skip", n.For(NOWHERE, binder("one", "b"), SKIP)),
    ("for one one in b: skip", n.For(NOWHERE, binder("one", "b"), SKIP, True)),
    ("repeat a: skip", n.Repeat(NOWHERE, A, None, SKIP)),
    ("repeat a while b: skip", n.Repeat(NOWHERE, A, B, SKIP)),
    ("a chooses b in c: skip", n.Choose(NOWHERE, A, False, (binder("b", "c"),), SKIP)),
    ("a.b chooses b in c, c in d:\n  skip\nelse: skip",
     n.Choose(NOWHERE, attribute("a", "b"), False, (binder("b", "c"), binder("c", "d")), SKIP, SKIP)),
    ("a may choose b in c: skip", n.Choose(NOWHERE, A, True, (binder("b", "c"),), SKIP)),
    ("a chooses up to 3 b in c: skip",
     n.Choose(NOWHERE, A, False, (n.Several(NOWHERE, "up to", number(3), binder("b", "c")),), SKIP)),
    ("a chooses exactly d b in c: skip",
     n.Choose(NOWHERE, A, False, (n.Several(NOWHERE, "exactly", D, binder("b", "c")),), SKIP)),
    ("a chooses any number of b in c: skip",
     n.Choose(NOWHERE, A, False, (n.Several(NOWHERE, "any number of", None, binder("b", "c")),), SKIP)),
    ("a chooses any number of b in c such that d: skip",
     n.Choose(NOWHERE, A, False, (n.Several(NOWHERE, "any number of", None, binder("b", "c"), D),), SKIP)),
    ("a picks:\n  b: skip\n  c if d:\n    skip",
     n.Picks(NOWHERE, A, (n.PickOption(NOWHERE, "b", None, SKIP), n.PickOption(NOWHERE, "c", D, SKIP)))),
    ("each a in b secretly chooses c in d: skip",
     n.Sealed(NOWHERE, binder("a", "b"), (binder("c", "d"),), SKIP)),
    ("together:\n  skip", n.Together(NOWHERE, SKIP)),
    ("pay 2 * a from b.c or d",
     n.Pay(NOWHERE, n.Arithmetic(NOWHERE, "*", number(2), A), (attribute("b", "c"), D))),
    ("proceed", n.Proceed(NOWHERE)),
    ("proceed with a = b, c = 1", n.Proceed(NOWHERE, (("a", B), ("c", number(1))))),
    ("remove a", n.Remove(NOWHERE, A)),
    ("show a to b", n.Show(NOWHERE, A, B)),
    ("offer a(b) to c", n.Offer(NOWHERE, call("a", B), C)),
    ("new a()", n.New(NOWHERE, "a")),
    ("let d = new a(b = c)", n.Let(NOWHERE, "d", n.New(NOWHERE, "a", (("b", C),)))),
]  # fmt: skip


@pytest.mark.parametrize(("text", "tree"), STATEMENTS, ids=[text for text, _ in STATEMENTS])
def test_statements(text: str, tree: n.Statement) -> None:
    report = Report()
    assert text_parser.parse_block(source_text(text), report) == block(tree)
    assert not list(report)


def test_binders() -> None:
    report = Report()
    text = "x in 1..a until x is 3 where x > 2 by -x then b"
    tree = text_parser.parse_binder(source_text(text), report)
    assert tree == n.Binder(
        NOWHERE,
        "x",
        n.Range(NOWHERE, number(1), A),
        compare(name("x"), "is", number(3)),
        compare(name("x"), ">", number(2)),
        (n.Negative(NOWHERE, name("x")), B),
    )
    assert text_parser.parse_picked(source_text("in a where b"), report, "x") == n.Binder(
        NOWHERE, "x", A, where=B
    )
    assert not list(report)


COLUMNS: list[tuple[str, n.ColumnType]] = [
    ("0..20", n.ColumnType(NOWHERE, n.NumberType(NOWHERE, number(0), number(20)))),
    ("-a..b + 1 = 3", n.ColumnType(
        NOWHERE,
        n.NumberType(NOWHERE, n.Negative(NOWHERE, A), n.Arithmetic(NOWHERE, "+", B, number(1))),
        (),
        number(3),
    )),
    ("flag = true", n.ColumnType(NOWHERE, n.FlagType(NOWHERE), (), n.Bool(NOWHERE, True))),
    ("card", n.ColumnType(NOWHERE, n.KindType(NOWHERE, "card"))),
    ("card or none per a per b", n.ColumnType(NOWHERE, n.KindType(NOWHERE, "card", True), ("a", "b"))),
    ("set of card", n.ColumnType(NOWHERE, n.SetType(NOWHERE, "card"))),
]  # fmt: skip


@pytest.mark.parametrize(("text", "tree"), COLUMNS, ids=[text for text, _ in COLUMNS])
def test_columns_and_types(text: str, tree: n.ColumnType) -> None:
    report = Report()
    assert text_parser.parse_column(source_text(text), report) == tree
    if not tree.per and tree.start is None:
        assert text_parser.parse_type(source_text(text), report) == tree.type
    assert not list(report)


PATTERNS: list[tuple[str, n.Pattern]] = [
    ("discard(self)", n.EventPattern(NOWHERE, call("discard", name("self")))),
    ("set card.power", n.ChangePattern(NOWHERE, attribute("card", "power"))),
    ("move card", n.MovePattern(NOWHERE, "card")),
    ("move card from a to b.c", n.MovePattern(NOWHERE, "card", A, attribute("b", "c"))),
    ("start of turn", n.PhasePattern(NOWHERE, "start", "turn")),
    ("end of turn", n.PhasePattern(NOWHERE, "end", "turn")),
    ("start(a)", n.EventPattern(NOWHERE, call("start", A))),
]


@pytest.mark.parametrize(("text", "tree"), PATTERNS, ids=[text for text, _ in PATTERNS])
def test_patterns(text: str, tree: n.Pattern) -> None:
    report = Report()
    assert text_parser.parse_pattern(source_text(text), report) == tree
    assert not list(report)


# --- lines and indentation -------------------------------------------------------------------------


def test_semicolons_join_statements() -> None:
    report = Report()
    tree = text_parser.parse_block(source_text("if a: f(); g()\nh(); skip"), report)
    assert tree == block(
        n.If(NOWHERE, ((A, block(n.Do(NOWHERE, call("f")), n.Do(NOWHERE, call("g")))),)),
        n.Do(NOWHERE, call("h")),
        n.Skip(NOWHERE),
    )


@pytest.mark.parametrize(
    "text",
    [
        "for x in a where b and c by d:\n  skip\n",
        "\n\n  # first a remark\n  for x in a where b and c by d:\n      skip",
        "for x in a # things\n    where b\n      and c\n    by d:\n  # indeed\n\n  skip\n# end",
        "for x in (\na\n) where b and c by d:\n\n     # deep\n  skip   ",
        "for x in a where b and c by d:\r\n  skip\r\n",
        "for  x\tin a where b and c by d : skip",
    ],
)
def test_layout_does_not_change_the_tree(text: str) -> None:
    report = Report()
    wanted = n.Binder(NOWHERE, "x", A, None, n.And(NOWHERE, (B, C)), (D,))
    assert text_parser.parse_block(source_text(text), report) == block(n.For(NOWHERE, wanted, SKIP))
    assert not list(report)


# --- spans -------------------------------------------------------------------------------------------


def test_spans_are_exact_in_the_file() -> None:
    text = (
        "let x = 1 + 2\n"
        + "if any(c in cells where c.disc is none):\n"
        + "  me.chips[c, 2] += (2 + y) * z\n"
        + "  me may choose d in heap(c)\n"
        + "      where d is x:\n"
        + "    f(d)\n"
        + "  else: finish full for [me]\n"
    )
    source = source_text(text, line=40, column=7)
    report = Report()
    tree = text_parser.parse_block(source, report)
    assert tree is not None and not list(report)
    seen = {type(node).__name__: underlined(source, node.span) for node in _walk(tree)}
    assert seen["Let"] == "let x = 1 + 2"
    assert seen["Aggregate"] == "any(c in cells where c.disc is none)"
    assert seen["Attribute"] == "me.chips[c, 2]"
    assert seen["Assign"] == "me.chips[c, 2] += (2 + y) * z"
    assert seen["Choose"] == (
        "me may choose d in heap(c)\n      where d is x:\n    f(d)\n  else: finish full for [me]"
    )
    assert seen["Finish"] == "finish full for [me]"
    assert seen["SetLiteral"] == "[me]"
    products = [node for node in _walk(tree) if isinstance(node, n.Arithmetic)]
    assert {underlined(source, node.span) for node in products} == {"1 + 2", "(2 + y) * z", "(2 + y)"}
    binders = [node for node in _walk(tree) if isinstance(node, n.Binder)]
    assert [underlined(source, node.span) for node in binders] == [
        "c in cells where c.disc is none",
        "d in heap(c)\n      where d is x",
    ]
    calls = [node for node in _walk(tree) if isinstance(node, n.Do)]
    assert [node.span for node in calls] == [Span("game.yaml", 45, 11, 45, 15)]


def _walk(node: n.Node) -> list[n.Node]:
    return [node, *(below for child in children(node) for below in _walk(child))]


# --- bad sizes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000 + "1" + ")" * 10_000,
        "(" * 10_000,
        "[" * 10_000,
        "f(" * 10_000,
        "not " * 10_000 + "a",
        "-" * 10_000 + "a",
        "a" + ".a" * 10_000,
        "1" + " + 1" * 10_000,
        "a if b else " * 5_000 + "a",
        "a " * 60_000,
    ],
    ids=lambda text: text[:12],
)
def test_deep_and_huge_texts_are_refused(text: str) -> None:
    report = Report()
    assert text_parser.parse_expr(source_text(text), report) is None
    (diagnostic,) = report
    assert diagnostic.code == "RF409"


def test_deep_blocks_are_refused() -> None:
    text = "\n".join("  " * level + "if a:" for level in range(200)) + "\n" + "  " * 200 + "skip"
    report = Report()
    assert text_parser.parse_block(source_text(text), report) is None
    assert [d.code for d in report] == ["RF409"]


def test_a_long_flat_block_is_read_quickly() -> None:
    text = "a.b += f(c)\n" * 2_000
    report = Report()
    began = time.process_time()
    tree = text_parser.parse_block(source_text(text), report)
    assert tree is not None and len(tree.statements) == 2_000
    assert time.process_time() - began < 5
