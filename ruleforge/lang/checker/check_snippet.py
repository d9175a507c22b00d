"""Checks a text outside the rules: a query at a prompt, a path, a condition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.expressions.forms import ExpressionForms
from ruleforge.lang.checker.names import Uses
from ruleforge.lang.checker.scope import Scope
from ruleforge.lang.checker.statements.checker import Statements
from ruleforge.lang.checker.symbols import Head, Symbols
from ruleforge.lang.checker.types import Type
from ruleforge.lang.checker.walk import phases_of
from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser.parsed import Parsed
from ruleforge.lang.parser.text_parser import parse_block, parse_expr
from ruleforge.lang.source.error_nodes import NO_ERROR_NODES
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.diagnostics import Diagnostic, Report, Span
from ruleforge.support.records import dataclass

TYPED = "<typed>"


@dataclass(frozen=True, eq=False)
class CheckedText:
    """The tree, None if there is a mistake; and the locals it may use, by name."""

    tree: t.Expr | t.Block | None
    scope: Mapping[str, t.Variable]
    diagnostics: tuple[Diagnostic, ...]


def check_text(
    rules: t.Checked,
    text: str,
    kind: Literal["expr", "block"] = "expr",
    scope: Mapping[str, Type] | None = None,
) -> CheckedText:
    """Read and check a text against rules; things, formulas and all else have their names, `scope` adds locals."""
    report = Report()
    span, read, problems = _read(kind, text)
    report.include(*problems)
    locals_ = {name: t.Variable(name, type, span) for name, type in (scope or {}).items()}
    expressions = ExpressionForms(symbols_of(rules, report))
    known = Scope().bind(*locals_.values())
    tree: t.Expr | t.Block | None = None
    if isinstance(read, n.Block):
        tree = Statements(expressions).text(read, known)[0]
    elif read is not None:
        tree = expressions.check(read, known)
    expressions.symbols.tell_unknown()
    return CheckedText(None if report.has_errors else tree, MappingProxyType(locals_), report.diagnostics)


@lru_cache(maxsize=1024)  # what scenarios ask for is asked again after every edit, and in every position
def _read(kind: Literal["expr", "block"], text: str) -> tuple[Span, n.Expr | n.Block | None, Report]:
    source, report = typed_text(text), Report()
    read = parse_expr(source, report) if kind == "expr" else parse_block(source, report)
    return source.span, read, report


def uses_in(rules: t.Checked, source: SourceText) -> Uses:
    """The names that an expression in a file refers to, with their places."""
    quiet = Report()
    expressions = ExpressionForms(symbols_of(rules, quiet))
    expr = parse_expr(source, quiet)
    if expr is not None:
        expressions.check(expr, Scope())
    return expressions.symbols.uses


def typed_text(text: str) -> SourceText:
    lines = text.split("\n")
    span = Span(TYPED, 1, 1, len(lines), len(lines[-1]) + 1)
    return SourceText(text, span, tuple((number, 1) for number in range(1, len(lines) + 1)))


def symbols_of(rules: t.Checked, report: Report) -> Symbols:
    """The tables of finished rules, for one more text."""
    return replace(_tables(rules), report=report, uses=Uses(), shown=set(), _unknown=[])


@lru_cache(maxsize=4)  # a text adds nothing to the tables, and there are many texts
def _tables(rules: t.Checked) -> Symbols:
    symbols = Symbols(Report(), Parsed(MappingProxyType({})), NO_ERROR_NODES)
    for kind in rules.kinds.values():
        symbols.add_kind(kind)
    symbols.columns = dict(rules.columns)
    symbols.places = dict(rules.places)
    symbols.formulas, symbols.events = dict(rules.formulas), dict(rules.events)
    symbols.formula_heads = {f.name: Head(f.name, f.parameters, f.span) for f in rules.formulas.values()}
    symbols.event_heads = {e.name: Head(e.name, e.parameters, e.span) for e in rules.events.values()}
    symbols.endings, symbols.options = dict(rules.endings), dict(rules.options)
    symbols.numbers, symbols.geometry = dict(rules.numbers), dict(rules.geometry)
    symbols.keywords, symbols.windows = dict(rules.keywords), dict(rules.windows)
    symbols.positions = dict(rules.positions)
    symbols.phases = {phase.name: phase.span for phase in phases_of(rules.flow)}
    symbols.acting = {phase.name: None for phase in phases_of(rules.flow) if phase.window}
    for action in rules.actions.values():
        bearer, _, word = action.name.rpartition(".")
        symbols.offered.setdefault(word, []).append((bearer, action.during))
    symbols.two_players = rules.players == (2, 2)
    symbols.finished = True
    return symbols
