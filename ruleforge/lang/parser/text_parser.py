"""Parses a SourceText; reports its first mistake. A text that fails is parsed again with reserved words as names."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser.depth import depth_of, loops_of
from ruleforge.lang.parser.grammar import lexer, table, terminals
from ruleforge.lang.parser.lines import Lines, Word
from ruleforge.lang.parser.parse_failure import Trouble
from ruleforge.lang.parser.syntax_problem import Problem
from ruleforge.lang.parser.tables import Unexpected, Unreadable
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.diagnostics import Report
from ruleforge.support.resources import never_names

MAX_LENGTH = 100_000
MAX_DEPTH = 100
MAX_LOOPS = 24


def parse_block(text: SourceText, report: Report) -> n.Block | None:
    """Statements, as under `do`, `setup`, `end` and `stuck`."""
    block: n.Block | None = parse_text("block", text, report)
    return block


def parse_expr(text: SourceText, report: Report) -> n.Expr | None:
    """One expression, as under `is`, `when`, `needs` and `sees`."""
    expr: n.Expr | None = parse_text("expr", text, report)
    return expr


def parse_picked(text: SourceText, report: Report, name: str) -> n.Binder | n.Several | None:
    """A binder, or a set as a choice, whose name is the key above it, as under `choose`."""
    picked: n.Binder | n.Several | None = parse_text("picked", text, report)
    if isinstance(picked, n.Several):
        return replace(picked, binder=replace(picked.binder, name=name))
    return picked and replace(picked, name=name)


def parse_binder(text: SourceText, report: Report) -> n.Binder | None:
    """A binder with its name, as under `each`."""
    binder: n.Binder | None = parse_text("binder", text, report)
    return binder


def parse_column(text: SourceText, report: Report) -> n.ColumnType | None:
    """The type, indices and start value of an attribute, as under `has`."""
    column: n.ColumnType | None = parse_text("column", text, report)
    return column


def parse_type(text: SourceText, report: Report) -> n.Type | None:
    """A type, as under `facts`, `takes` and `of`."""
    type_: n.Type | None = parse_text("type", text, report)
    return type_


def parse_pattern(text: SourceText, report: Report) -> n.Pattern | None:
    """The trigger of a rule: an event, a change, a move, the start or end of a phase."""
    pattern: n.Pattern | None = parse_text("pattern", text, report)
    return pattern


def parse_text(start: str, text: SourceText, report: Report) -> Any:
    """A text of any start symbol."""
    try:
        return _read(start, text)
    except Problem as problem:
        report.add(problem.code, problem.message, problem.span, problem.help, problem.notes, problem.fix)
        return None


def _read(start: str, text: SourceText) -> n.Node:
    if len(text.text) > MAX_LENGTH:
        raise Problem(
            "RF409",
            f"this text has more than {MAX_LENGTH} characters",
            text.span,
            "split it into events and formulas",
        )
    tree = _tree(start, text)
    _not_too_deep(start, text, tree)
    return tree


def _tree(start: str, text: SourceText) -> n.Node:
    words = Lines(text, lexer().tokens(text.text), lines_matter=start == "block")
    reading = table().begin(start)
    before: list[Word] = []
    result: Any = None
    try:
        for word in words:
            result = reading.take(word)
            before.append(word)
    except Unexpected as problem:
        result = read_with_names(Trouble(start, text, word, tuple(before), problem.expected))
        if isinstance(result, Trouble):
            from ruleforge.lang.parser.hints.explain import explain  # needed for diagnostics only

            raise explain(result) from None
    except Unreadable as problem:
        from ruleforge.lang.parser.hints.signs import explain_character  # needed for diagnostics only

        raise explain_character(text, problem.offset, start) from None
    return result  # type: ignore[no-any-return]


def _not_too_deep(start: str, text: SourceText, tree: n.Node) -> None:
    if depth_of(tree) > MAX_DEPTH:
        raise Problem(
            "RF409",
            f"this is nested more than {MAX_DEPTH} levels deep",
            text.span,
            "name parts with `let` or with formulas; sum over a selection instead of writing many `+`",
        )
    if start == "block" and loops_of(tree) > MAX_LOOPS:
        raise Problem(
            "RF409",
            f"more than {MAX_LOOPS} loops lie in one another",
            text.span,
            "give the inner ones to an event of their own",
        )


# A text that failed is parsed again with words of the language as names, where they can be nothing else. `to`
# is a word in `move x to y`, and a name in `go(to)`. The first parse takes all words as words. Texts without
# such names are therefore parsed once, and their diagnostics come from that parse.


def read_with_names(met: Trouble) -> n.Node | Trouble:
    """The tree; or the trouble that was met, the second time where the text itself makes a name of that word."""
    reading = table().begin(met.start)
    before: list[Word] = []
    result: n.Node | None = None
    try:
        tokens = lexer().tokens(met.source.text)
        words = [*Lines(met.source, tokens, lines_matter=met.start == "block")]
        if not any(_may_be_name(word) for word in words):
            return met
        for word, following in pairwise([*words, words[-1]]):
            is_word = not _may_be_name(word) or any(
                reading.fit(word.type, type) for type in _types(following)
            )
            word = word if is_word else replace(word, type="NAME")
            result = reading.take(word)
            before.append(word)
    except Unexpected as problem:
        again = Trouble(met.start, met.source, word, tuple(before), problem.expected)
        return again if _is_given(met.word, words) else met
    except (Unreadable, Problem):
        return met
    return met if result is None else result


def _is_given(name: Word, words: list[Word]) -> bool:
    """Is a name given here: `for to in ...`, `let to = ...`?"""
    pairs = pairwise(words)
    return _may_be_name(name) and any(
        (a.text == name.text and b.type == "IN") or (a.type == "LET" and b.text == name.text)
        for a, b in pairs
    )


def _may_be_name(word: Word) -> bool:
    return word.type in terminals() and word.text not in never_names()


def _types(word: Word) -> tuple[str, ...]:
    return (word.type, "NAME") if _may_be_name(word) else (word.type,)
