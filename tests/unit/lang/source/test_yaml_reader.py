"""YAML text -> nodes: values, places, complaints."""

import time

import pytest
import yaml

from ruleforge.lang.source import MappingNode, ScalarNode, SequenceNode, read_yaml, yaml_reader
from ruleforge.lang.source.tree import SourceNode
from ruleforge.support.diagnostics import Report


@pytest.fixture(params=["C", "Python"], autouse=True)
def loader(request, monkeypatch):
    """Everything holds for both parsers that come with PyYAML."""
    if request.param == "Python":
        monkeypatch.setattr(yaml_reader, "_LOADER", yaml.SafeLoader)


def read(text: str) -> tuple[MappingNode | None, list[tuple[str, int, int]]]:
    report = Report()
    file = read_yaml(text, "f.yaml", report)
    return (file.root if file else None), [(d.code, d.span.line, d.span.column) for d in report]


def good(text: str) -> MappingNode:
    root, diagnostics = read(text)
    assert diagnostics == []
    assert root is not None
    return root


def scalar(text: str, key: str = "k") -> ScalarNode:
    node = good(text).get(key)
    assert isinstance(node, ScalarNode)
    return node


def origin(text: str, key: str = "k"):
    found = scalar(text, key).origin
    assert found is not None
    return found


def test_values_keep_their_kind():
    root = good('a: word\nb: 12\nc: -3\nd: true\ne: ~\nf: ""\ng: "12"\nh:\ni: 1..9\nj: [0, x]\n')
    assert root.data == {
        "a": "word",
        "b": 12,
        "c": -3,
        "d": True,
        "e": None,
        "f": "",
        "g": "12",
        "h": None,
        "i": "1..9",
        "j": [0, "x"],
    }


def test_every_value_keeps_its_place():
    root = good("a:\n  b: [one, {c: two}]\n  d:\n    - e: three\n")

    def places(node: SourceNode):
        yield str(node.span).removeprefix("f.yaml:")
        if isinstance(node, MappingNode):
            for entry in node:
                yield str(entry.key.span).removeprefix("f.yaml:")
                yield from places(entry.value)
        if isinstance(node, SequenceNode):
            for item in node.items:
                yield from places(item)

    assert list(places(root)) == [
        "1:1", "1:1", "2:3", "2:3", "2:6", "2:7", "2:12", "2:13", "2:16", "3:3", "4:5", "4:7", "4:7", "4:10",
    ]  # fmt: skip


def test_a_block_ends_with_its_last_value():
    a = good("a:\n  b: one\n\n# far away\nc: 2\n").get("a")
    assert a is not None
    assert (a.span.end_line, a.span.end_column) == (2, 9)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("k: x = y\n", {1: (1, 4)}),
        ("k: 'x = y'\n", {1: (1, 5)}),
        ("k: |\n  one\n    two\n", {1: (2, 3), 2: (3, 3)}),
        ("k: |  # why\n\n  one\n", {2: (3, 3)}),
        ("k: |2\n    one\n  two\n", {1: (2, 3), 2: (3, 3)}),
        ("k: |-\n  one\n  two", {1: (2, 3), 2: (3, 3)}),
        ("k: |+\n  one\n\n", {1: (2, 3)}),
        ("a:\n- k: |\n    one\n", {1: (3, 5)}),
        ("k: |\r\n  one\r\n  two\r\n", {1: (2, 3), 2: (3, 3)}),
        ("k: |\n  é名 one\n  two\n", {1: (2, 3), 2: (3, 3)}),
    ],
)
def test_each_line_of_a_text_knows_where_it_begins(text, lines):
    root = good(text)
    inner = root.get("k")
    if inner is None:
        listed = root.get("a")
        assert isinstance(listed, SequenceNode)
        item = listed.items[0]
        assert isinstance(item, MappingNode)
        inner = item.get("k")
    assert isinstance(inner, ScalarNode)
    assert inner.origin is not None
    for line, place in lines.items():
        assert inner.origin.starts[line - 1] == place


def test_words_inside_a_text_are_found_in_the_file():
    text = "k: |\n  if true:\n    one\n  two\n"
    found = origin(text)
    span = found.span_at(2, 3, 2, 6)
    assert (span.line, span.column, span.end_column) == (3, 5, 8)
    assert text.splitlines()[2][4:7] == "one"


def test_a_plain_text_over_several_lines_is_followed():
    found = origin("k: in cells\n     where free\n   by rank\nz: 1\n")
    assert found.text == "in cells where free by rank"
    for word, place in {"in": (1, 4), "where": (2, 6), "free": (2, 12), "rank": (3, 7)}.items():
        column = found.text.index(word) + 1
        span = found.span_at(1, column, 1, column + len(word))
        assert (span.line, span.column) == place
        assert span.end_column == place[1] + len(word)


@pytest.mark.parametrize("text", ["k: >\n  one\n  two\n", "k: 'one\n  two'\n", "k: one\n\n  two\n"])
def test_texts_that_cannot_be_followed_say_so(text):
    assert scalar(text).origin is None


@pytest.mark.parametrize("word", ["on", "off", "yes", "No", "y", "N", "TRUE"])
def test_switch_words(word):
    assert read(f"k: {word}\n")[1] == [("RF113", 1, 4)]
    assert read(f"{word}: 1\n")[1] == [("RF113", 1, 1)]
    assert read(f'k: "{word}"\n')[1] == []


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("010", "RF114"), ("0o17", "RF114"), ("0x1F", "RF114"), ("0b1", "RF114"), ("12:30", "RF114"),
        ("1_000", "RF114"), ("+3", "RF114"), ("1.5", "RF115"), (".inf", "RF115"), ("1e3", "RF115"),
        ("1.", "RF115"), (".nan", "RF115"), ("2001-01-01", "RF116"),
    ],
)  # fmt: skip
def test_odd_numbers_and_dates(word, code):
    assert read(f"k: {word}\n")[1] == [(code, 1, 4)]
    assert read(f"k: '{word}'\n")[1] == []


@pytest.mark.parametrize(
    "word", ["0", "-1", "1..9", "0..2 * size", "x1", "3d6", "a-b", "one", "1 + 2", "note"]
)
def test_ordinary_words_are_let_through(word):
    assert read(f"k: {word}\n")[1] == []


@pytest.mark.parametrize(
    ("text", "diagnostics"),
    [
        ("a: 1\nb: 2\na: 3\n", [("RF110", 3, 1)]),
        ("a: {b: 1, b: 2}\n", [("RF110", 1, 11)]),
        ("a: &x 1\nb: *x\n", [("RF111", 1, 4), ("RF111", 2, 4)]),
        ("a: !!str 1\n", [("RF112", 1, 4)]),
        ("a: !odd {b: 1}\n", [("RF112", 1, 4)]),
        ("<<: {a: 1}\n", [("RF117", 1, 1)]),
        ("? [a]\n: 1\n", [("RF117", 1, 3)]),
        ("a: 1\n---\nb: 2\n", [("RF118", 2, 1)]),
        ("- a\n", [("RF122", 1, 1)]),
        ("just words\n", [("RF122", 1, 1)]),
        ("# only\n", [("RF103", 1, 1)]),
        ("a: {b: f(x, y), c: 1}\n", [("RF123", 1, 8)]),
        ("a: [f(x, g(y, z)), c]\n", [("RF123", 1, 5)]),
    ],
)
def test_diagnostics(text, diagnostics):
    assert read(text)[1] == diagnostics


def test_a_text_cut_at_a_comma_is_put_together_again():
    root, _ = read("a: {b: f(x, y), c: [g(1, 2, 3), d], e: 1}\n")
    assert root is not None
    assert root.data == {"a": {"b": "f(x, y)", "c": ["g(1, 2, 3)", "d"], "e": 1}}


def test_a_bracket_in_prose_is_not_a_cut():
    assert read("a: {text: smile :), b: 1}\n")[1] == []
    assert read("a: {text: open ( only, b: 1}\n")[1] == []


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("a:\n\tb: 1\n", 2, 1, "a tab cannot be used to indent"),
        ("a: 1\n\tb: 2\n", 2, 1, "a tab cannot be used to indent"),
        ("do: if a: b\n", 1, 9, "cannot contain `: `"),
        ("a: {x: b[1]}\n", 1, 9, "`[` cannot stand inside"),
        ("a: {x: b\nc: 1\n", 1, 4, "the `{` opened here is not closed"),
        ("a: [b\nc: 1\n", 1, 4, "the `[` opened here is not closed"),
        ('a: "abc\nb: 1\n', 1, 4, "quotation mark"),
        ("a:\n  b: 1\n c: 2\n", 3, 2, "indentation"),
        ("a: @x\n", 1, 4, "cannot begin with `@`"),
        ("a: `x`\n", 1, 4, "cannot begin with ```"),
        ("a: - b\n", 1, 4, "list item"),
        ("a: 1\nfoo\nb: 2\n", 2, 1, "neither `key: value`"),
        ("a: & b\n", 1, 4, "cannot begin with `&`"),
        ("a: }\n", 1, 4, "not expected"),
    ],
)
def test_what_is_not_yaml_is_explained(text, line, column, words):
    report = Report()
    read_yaml(text, "f.yaml", report)
    (d,) = report
    assert d.code == "RF108"
    assert words in d.message
    assert (d.span.line, d.span.column) == (line, column)
    assert d.help


@pytest.mark.parametrize("opening", ["[", "{a: ", "- "])
def test_ten_thousand_levels_are_refused_at_once(opening):
    began = time.process_time()
    root, diagnostics = read("k:\n  " + opening * 10_000)
    assert root is None
    assert [code for code, _, _ in diagnostics] == ["RF107"]
    assert time.process_time() - began < 5


def test_a_hundred_levels_are_fine():
    good("k: " + "[" * 90 + "]" * 90 + "\n")


@pytest.mark.parametrize(
    ("text", "said", "place", "instead"),
    [
        ("a: 1\nb: [", "the `[` opened here is not closed", (2, 4), "]"),
        ("a: 1\nb:\n  c: {\n\n", "the `{` opened here is not closed", (3, 6), "}"),
        ("a: [1, 2]]", "`]` closes a bracket that was never opened", (1, 10), ""),
        ("a: (b: 1, c: 2)", "names with their values stand in braces", (1, 4), "{b: 1, c: 2}"),
        ("a:\n  b\n    c: 1", "a colon is missing after `b`", (2, 3), ":"),
        ("a:\n  b: c: d", "a plain text cannot contain `: `", (2, 7), '"c: d"'),
    ],
)
def test_brackets_and_colons_are_told_by_their_cause(text, said, place, instead):
    report = Report()
    read_yaml(text, "f.yaml", report)
    (d,) = report
    assert (d.message, (d.span.line, d.span.column)) == (said, place)
    assert [edit.text for edit in d.fix] == [instead]
