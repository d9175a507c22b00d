"""Print and parse: any tree, printed and read again, is the same tree, and its text stays the same."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser import printer, text_parser
from ruleforge.lang.parser.grammar import RESERVED, terminals
from ruleforge.support.diagnostics import NOWHERE, Report
from tests.unit.lang.parser.texts import source_text

_SOME_NAMES = ("a", "b2", "index", "order_1", "iffy", "top", "number", "from", "start")

names = st.sampled_from(_SOME_NAMES) | st.from_regex(r"[a-z][a-z0-9_]{0,6}", fullmatch=True).filter(
    lambda word: word not in RESERVED
)


GENERATED: set[type[n.Node]] = set()


def several(items: st.SearchStrategy, least: int = 0, most: int = 3) -> st.SearchStrategy:
    return st.lists(items, min_size=least, max_size=most).map(tuple)


def node(kind: type[n.Node], *fields: st.SearchStrategy, **named: st.SearchStrategy) -> st.SearchStrategy:
    GENERATED.add(kind)
    return st.builds(kind, st.just(NOWHERE), *fields, **named)


def maybe(items: st.SearchStrategy) -> st.SearchStrategy:
    return st.none() | items


simple_exprs = st.one_of(
    node(n.Number, st.integers(0, 2**31 - 1)),
    node(n.Bool, st.booleans()),
    node(n.NoneLiteral),
    node(n.Name, names),
)


def binders_over(exprs: st.SearchStrategy) -> st.SearchStrategy:
    sources = exprs | node(n.Range, exprs, exprs)
    return node(n.Binder, names, sources, maybe(exprs), maybe(exprs), several(exprs, most=2))


def calls_over(exprs: st.SearchStrategy) -> st.SearchStrategy:
    return node(n.Call, names, several(exprs))


def larger_exprs(exprs: st.SearchStrategy) -> st.SearchStrategy:
    binders = binders_over(exprs)
    comparators = st.sampled_from(("is", "is not", "in", "not in", "has", "<", "<=", ">", ">="))
    return st.one_of(
        node(n.Attribute, exprs, names | st.sampled_from(sorted(RESERVED)), several(exprs, most=2)),
        calls_over(exprs),
        node(n.Call, st.sampled_from(("min", "max")), several(exprs, least=1)),
        node(n.Negative, exprs),
        node(n.Arithmetic, st.sampled_from(("+", "-", "*", "//", "%", "|", "&")), exprs, exprs),
        node(n.Comparison, exprs, several(st.tuples(comparators, exprs), least=1, most=2)),
        node(n.Not, exprs),
        node(n.And, several(exprs, least=2)),
        node(n.Or, several(exprs, least=2)),
        node(n.Conditional, exprs, exprs, exprs),
        node(n.SetLiteral, several(exprs)),
        node(n.Table, several(node(n.Entry, node(n.Name, names), exprs), least=1)),
        node(n.Selection, binders),
        node(n.Gathering, exprs, binders),
        node(n.Aggregate, st.sampled_from(("count", "any", "first", "best")), binders),
        node(n.Aggregate, st.sampled_from(("sum", "all", "min", "max")), binders, exprs),
        # brackets right behind an attribute are its index
        node(n.Nth, exprs.filter(lambda e: not isinstance(e, n.Attribute) or bool(e.index)), exprs),
        node(n.Linked, exprs, exprs, binders, maybe(binders)),
        node(n.Reached, exprs, binders, maybe(binders)),
        node(n.Can, calls_over(exprs)),
        node(n.Would, calls_over(exprs), exprs),
    )


exprs = st.recursive(simple_exprs, larger_exprs, max_leaves=8)
small = st.recursive(simple_exprs, larger_exprs, max_leaves=3)  # inside statements, which multiply them
binders = binders_over(small)
calls = calls_over(small)
given_values = several(st.tuples(names, small), most=2)
# `new` is a name too, so behind it only a plain name is a kind: `pay new from x` must not make a `from`.
plain_names = names.filter(lambda word: word not in set(terminals().values()))
news = node(n.New, plain_names, given_values)
values = st.one_of(
    small,
    node(n.RollDice, st.integers(1, 1000), st.integers(1, 1000)),
    node(n.RollRange, node(n.Range, small, small)),
    node(n.RandomPick, binders),
    news,
)
targets = node(n.Name, names) | node(n.Attribute, small, names, several(small, most=2))
questions = st.sampled_from(("", "Which card do you keep?", "One more: which # is it?"))
choices = st.one_of(
    st.builds(lambda binder, question: replace(binder, question=question), binders, questions),
    st.builds(lambda binder, usual: replace(binder, usual=usual), binders, small),
    node(n.Several, st.sampled_from(("up to", "exactly")), small, binders, st.none() | small, questions),
    node(n.Several, st.just("any number of"), st.none(), binders, st.none() | small),
)
event_calls = node(n.Call, names | st.sampled_from(("min", "max")), several(small, least=1))

simple_statements = st.one_of(
    node(n.Let, names, values, maybe(node(n.KindType, names, st.booleans()) | node(n.SetType, names))),
    node(n.Assign, targets, st.sampled_from(("=", "+=", "-=")), values),
    node(n.Do, calls | event_calls),
    node(n.Move, small, small, st.sampled_from((None, "top", "bottom"))),
    node(n.Shuffle, small),
    node(n.Finish, names, maybe(small)),
    node(n.Return, maybe(small)),
    node(n.Leave, names),
    node(n.Remember, plain_names),
    node(n.Forget, plain_names),
    node(n.Skip),
    node(n.Pay, small, several(small, least=1)),
    node(n.Proceed, given_values),
    node(n.Remove, small),
    node(n.Show, small, small),
    node(n.Offer, calls, small),
    news,
)


def larger_statements(statements: st.SearchStrategy) -> st.SearchStrategy:
    bodies = node(n.Block, several(statements, least=1, most=2))
    chosen = several(choices, least=1, most=2)
    return st.one_of(
        node(n.If, several(st.tuples(small, bodies), least=1, most=2), maybe(bodies)),
        node(n.For, binders, bodies, st.booleans()),
        node(n.For, binders, bodies, st.just(False), st.just(True)),
        node(n.Repeat, small, maybe(small), bodies),
        node(n.Choose, small, st.booleans(), chosen, bodies, maybe(bodies)),
        node(n.Picks, small, several(node(n.PickOption, names, maybe(small), bodies), least=1, most=2)),
        node(n.Sealed, binders, chosen, bodies),
        node(n.Together, bodies),
    )


statements = st.recursive(simple_statements, larger_statements, max_leaves=4)
blocks = node(n.Block, several(statements, least=1))
types = st.one_of(
    node(n.NumberType, exprs, exprs),
    node(n.FlagType),
    node(n.KindType, names, st.booleans()),
    node(n.SetType, names),
)
columns = node(n.ColumnType, types, several(names, most=2), maybe(small))
patterns = st.one_of(
    node(n.EventPattern, calls),
    node(n.ChangePattern, node(n.Attribute, small, names, several(small, most=2))),
    node(n.MovePattern, names, maybe(small), maybe(small)),
    node(n.PhasePattern, st.sampled_from(("start", "end")), names),
)

thorough = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _reread(parse, text: str):
    report = Report()
    tree = parse(source_text(text), report)
    assert not list(report), (text, list(report))
    return tree


@thorough
@given(exprs)
def test_expressions(tree: n.Expr) -> None:
    text = printer.print_expr(tree)
    again = _reread(text_parser.parse_expr, text)
    assert again == tree
    assert printer.print_expr(again) == text


@settings(thorough, max_examples=60)
@given(blocks)
def test_blocks(tree: n.Block) -> None:
    text = printer.print_block(tree)
    again = _reread(text_parser.parse_block, text)
    assert again == tree
    assert printer.print_block(again) == text


@thorough
@given(binders)
def test_binders(tree: n.Binder) -> None:
    text = printer.print_binder(tree)
    assert _reread(text_parser.parse_binder, text) == tree
    picked = printer.print_picked(tree)
    assert _reread(lambda source, report: text_parser.parse_picked(source, report, tree.name), picked) == tree


@thorough
@given(columns)
def test_columns_and_types(tree: n.ColumnType) -> None:
    assert _reread(text_parser.parse_column, printer.print_column(tree)) == tree
    assert _reread(text_parser.parse_type, printer.print_type(tree.type)) == tree.type


@thorough
@given(patterns)
def test_patterns(tree: n.Pattern) -> None:
    assert _reread(text_parser.parse_pattern, printer.print_pattern(tree)) == tree


@settings(max_examples=300, deadline=None)
@given(
    st.text(
        alphabet=st.sampled_from(list("ab1 .,:;()[]{}=+-*/<>|&%!'#\n\tA_é")) | st.characters(), max_size=40
    )
)
def test_any_text_gives_a_tree_or_one_diagnostic(text: str) -> None:
    for parse in (
        text_parser.parse_block,
        text_parser.parse_expr,
        text_parser.parse_column,
        text_parser.parse_pattern,
    ):
        report = Report()
        tree = parse(source_text(text), report)
        assert len(list(report)) == (1 if tree is None else 0)


_WORDS = [
    *sorted(RESERVED),
    "a",
    "me",
    "3",
    "2d6",
    "(",
    ")",
    "[",
    "]",
    "=",
    ":",
    ",",
    ".",
    "..",
    "\n",
    "\n  ",
    "is",
]


@settings(max_examples=600, deadline=None)
@example(["\n  ", "all", "\n", "all"])  # further left than the first line
@given(st.lists(st.sampled_from(_WORDS), max_size=14))
def test_any_words_give_a_tree_or_one_diagnostic(words: list[str]) -> None:
    for parse in (text_parser.parse_block, text_parser.parse_expr, text_parser.parse_type):
        report = Report()
        tree = parse(source_text(" ".join(words)), report)
        assert len(list(report)) == (1 if tree is None else 0)


def test_every_kind_of_node_is_generated() -> None:
    """A node type added to nodes.py must be added here as well."""
    larger_exprs(simple_exprs), larger_statements(simple_statements)  # recursive strategies are built lazily
    wanted = {kind for kind in vars(n).values() if isinstance(kind, type) and issubclass(kind, n.Node)}
    assert wanted - {n.Node} == GENERATED
