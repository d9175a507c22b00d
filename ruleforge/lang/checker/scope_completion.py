"""Completion in an unfinished text, from the scope of the checker."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.builtins import BUILTINS
from ruleforge.lang.checker.check_snippet import symbols_of, typed_text
from ruleforge.lang.checker.expected_types import expected
from ruleforge.lang.checker.expressions.checker import Expressions
from ruleforge.lang.checker.expressions.forms import ExpressionForms
from ruleforge.lang.checker.names import Uses
from ruleforge.lang.checker.scope import Scope
from ruleforge.lang.checker.statements.blocks import Frame
from ruleforge.lang.checker.statements.checker import Statements
from ruleforge.lang.checker.statements.choices import choices
from ruleforge.lang.checker.symbols import Symbols
from ruleforge.lang.checker.types import ERROR, SetT, ThingT, Type
from ruleforge.lang.checker.vocabulary import INSIDE, STATEMENTS, places_by_function
from ruleforge.lang.checker.walk import phases_of
from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser.depth import all_nodes
from ruleforge.lang.parser.text_parser import (
    parse_binder,
    parse_block,
    parse_expr,
    parse_pattern,
    parse_picked,
)
from ruleforge.support.diagnostics import Report
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import with_article

Form = Literal["block", "expr", "binder", "picked", "pattern"]

HERE = "what_is_typed_here"  # stands in for the word at the place; no definition has this name
_WORD = re.compile(r"[A-Za-z_]\w*\Z")
_OWNER = re.compile(r"([a-z0-9_]+)(?:\[[^\]]*\])?\.\w*\Z")
_BEHIND_A_DOT = re.compile(r"(?<!\.)\. *\Z")  # `1..most` is a range
_PATTERN_OF = re.compile(r"([a-z]\w*)\([\w, ]*\Z")  # `after: strike(from, to`
_NEW = re.compile(r"new (\w+)\((?:[^()]|\([^()]*\))*\Z")  # `new mark(owner`
_OPEN = {"(": ")", "[": "]"}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A word that fits, its sort, and a short description."""

    word: str
    what: str
    detail: str = ""


def begun_at(text: str, offset: int) -> str:
    """The part of a word that is typed already."""
    found = _WORD.search(text[:offset])
    return found[0] if found else ""


def suggestions(
    rules: t.Checked,
    text: str,
    offset: int,
    scope: Mapping[str, t.Variable],
    form: Form = "expr",
    for_questions: bool = False,
) -> list[Suggestion]:
    """Everything that may stand at a place of a text; what was begun there does not narrow it.

    `asked` is a text at a prompt, where a formula about one thing may be asked for behind a dot.
    """
    symbols = symbols_of(rules, Report())
    start = offset - len(begun_at(text, offset))
    found = _found(symbols, text[:start], text[offset:], scope, form)
    if _BEHIND_A_DOT.search(text[:start]):
        owner = found.owner if found.owner is not None else _guessed(symbols, text[:offset], found.scope)
        return [*_members(rules, symbols, owner), *(_question_words(rules, owner) if for_questions else ())]
    fitting = (
        name
        for name in names(rules)
        if found.wanted is not None and name.detail == with_article(found.wanted)
    )
    return [
        *(_parameters(rules, text[:start]) if form == "pattern" else _given(rules, symbols, text[:start])),
        *_locals(rules, found.scope),
        *fitting,
        *_statements(rules, text[:start], form),
        *names(rules),
        *(Suggestion(word, "word", about) for word, about in INSIDE.items()),
    ]


@dataclass(frozen=True, slots=True)
class _Found:
    scope: Mapping[str, t.Variable]
    owner: Type | None = None  # of what stands before the dot
    wanted: str | None = None  # the kind of what it is compared with


def _found(symbols: Symbols, before: str, after: str, scope: Mapping[str, t.Variable], form: Form) -> _Found:
    """The scope at the place, from the first repair of the text that can be read."""
    for repaired in _repairs(before, after, form):
        expressions = ExpressionForms(symbols)
        symbols.uses = Uses()
        node = _read(repaired, form)
        if node is None:
            continue
        _check(node, expressions, Scope().bind(*scope.values()), form)
        place = len(before.split("\n")), len(before.rpartition("\n")[2]) + 1
        around = [
            (span, known)
            for spans in symbols.uses.scopes.values()
            for span, known in spans
            if (span.line, span.column) <= place < (span.end_line, span.end_column)
        ]
        inner = max(around, key=lambda found: found[0][1:3], default=None)
        known = inner[1] if inner else scope
        return _Found(known, _owner(node, expressions), _wanted(node, expressions))
    return _Found(scope)


def _repairs(before: str, after: str, form: Form) -> Iterator[str]:
    """The text with a name at the place: as it goes on, without the rest of the line, without all the rest."""
    rest = re.sub(r"\A\w*", "", after)
    yield before + HERE + rest
    later = rest.partition("\n")[2]
    closed = HERE + _closers(before)
    for end in ("", ": skip", " = 0", " is none: skip"):
        yield before + closed + end + ("\n" + later if later.strip() else "")
    for end in ("", ": skip", " = 0", f" in {HERE}: skip", " is none: skip"):
        yield before + closed + end
    if form == "block":
        yield before.rpartition("\n")[0] + "\n" + _indent(before) + f"let {HERE} = 0"


def _indent(before: str) -> str:
    line = before.rpartition("\n")[2]
    return line[: len(line) - len(line.lstrip(" "))]


def _closers(before: str) -> str:
    """The signs that close the open brackets."""
    stack: list[str] = []
    for sign in before:
        if sign in _OPEN:
            stack.append(_OPEN[sign])
        elif stack and sign == stack[-1]:
            stack.pop()
    return "".join(reversed(stack))


def _read(text: str, form: Form) -> n.Node | None:
    source, quiet = typed_text(text), Report()
    match form:
        case "block":
            return parse_block(source, quiet)
        case "binder":
            return parse_binder(source, quiet)
        case "picked":
            return parse_picked(source, quiet, HERE + "_")
        case "pattern":
            return parse_pattern(source, quiet)
    return parse_expr(source, quiet)


def _check(node: n.Node, expressions: Expressions, scope: Scope, form: Form) -> None:
    if isinstance(node, n.Block):
        Statements(expressions).text(node, scope, Frame(returns=True))
    elif isinstance(node, n.Binder):
        expressions.binder(node, scope)
    elif isinstance(node, n.Several):
        choices(expressions, (node,), scope)
    elif form == "expr":
        expressions.check(node, scope)  # type: ignore[arg-type]


def _owner(root: n.Node, expressions: Expressions) -> Type | None:
    """The type of what the unfinished member is looked for in."""
    for node in all_nodes(root):
        if isinstance(node, n.Attribute) and node.name == HERE:
            if isinstance(node.of, n.Name) and node.of.id == "option":
                return None
            return expressions.known_type(node.of)
    return None


def _wanted(root: n.Node, expressions: Expressions) -> str | None:
    """The kind of things that the unfinished name is compared with."""
    for node in all_nodes(root):
        if isinstance(node, n.Comparison):
            sides = (node.first, *(side for _, side in node.rest))
            if any(isinstance(side, n.Name) and side.id == HERE for side in sides):
                types = [expressions.known_type(side) for side in sides]
                return next((type_.kind for type_ in types if isinstance(type_, ThingT | SetT)), None)
    return None


def _guessed(symbols: Symbols, before: str, scope: Mapping[str, t.Variable]) -> Type | None:
    """The type of a plain name before the dot."""
    found = _OWNER.search(before)
    name = found[1] if found else ""
    if name in scope:
        return scope[name].type
    if name in symbols.things:
        return ThingT(symbols.things[name][0][0].name)
    if name in symbols.kinds:
        return ThingT(name)
    return SetT("option") if name == "option" else None


def _members(rules: t.Checked, symbols: Symbols, owner: Type | None) -> Iterator[Suggestion]:
    """The names that may follow a dot; after an unknown type, all of them."""
    if owner == SetT("option"):
        yield from (Suggestion(o.name, "option", str(o.type)) for o in rules.options.values())
        return
    kinds = [owner.kind] if isinstance(owner, ThingT) else list(rules.kinds) if owner in (None, ERROR) else []
    for kind in kinds:
        for name in symbols.members(kind):
            column = rules.columns.get((kind, name))
            what = "place" if column is None else "fact" if column.constant else "attribute"
            yield Suggestion(name, what, str(column.type) if column else "")


def _question_words(rules: t.Checked, owner: Type | None) -> Iterator[Suggestion]:
    for formula in rules.formulas.values():
        if len(formula.parameters) == 1 and formula.parameters[0].type == owner:
            yield Suggestion(formula.name, "formula", str(formula.result))


def _locals(rules: t.Checked, scope: Mapping[str, t.Variable]) -> Iterator[Suggestion]:
    yield from (
        Suggestion(v.name, "local", str(v.type)) for v in scope.values() if not v.name.startswith(HERE)
    )
    if rules.players == (2, 2) and "me" in scope:
        yield Suggestion("opponent", "word", "the other of two players")


def _statements(rules: t.Checked, before: str, form: Form) -> Iterator[Suggestion]:
    """Words of the language, and what some of them are followed by."""
    line = before.rpartition("\n")[2].rpartition(";")[2].strip()
    following = expected(rules, line)
    if following is not None:
        yield from (Suggestion(*named) for named in following)
    elif form == "block" and (not line or line.endswith(":")):
        yield from (Suggestion(word, "word", about) for word, about in STATEMENTS.items())
    elif line:
        yield from (Suggestion(word, "word", about) for word, about in INSIDE.items())
    if form == "pattern":
        yield from (Suggestion(name, "kind") for name in rules.kinds)
        yield from (Suggestion(phase.name, "phase") for phase in phases_of(rules.flow))


def _parameters(rules: t.Checked, before: str) -> Iterator[Suggestion]:
    """The parameters of the event or formula of a pattern, which most rules name alike; or the thing itself."""
    found = _PATTERN_OF.search(before)
    called = (rules.events.get(found[1]) or rules.formulas.get(found[1])) if found else None
    if called is not None:
        yield from (Suggestion(p.name, "local", str(p.type)) for p in called.parameters)
        yield from (Suggestion(word, "local") for word in ("self", "me"))


def _given(rules: t.Checked, symbols: Symbols, before: str) -> Iterator[Suggestion]:
    """The attributes that something new is given."""
    found = _NEW.search(before)
    made = found[1] if found else ""
    kind = made if made in rules.kinds else symbols.things[made][0][0].name if made in symbols.things else ""
    columns = (c for c in rules.columns.values() if c.kind.name == kind and not c.constant)
    return (Suggestion(c.name, "attribute", str(c.type)) for c in columns)


def names(rules: t.Checked) -> Iterator[Suggestion]:
    """Every name that the checker knows."""
    for formula in rules.formulas.values():
        yield Suggestion(formula.name, "formula", str(formula.result))
    yield from (Suggestion(event.name, "event") for event in rules.events.values())
    yield from (Suggestion(name, "function", about) for name, (_, about) in BUILTINS.items())
    yield from (Suggestion(name, "function", about) for name, about in places_by_function(rules))
    for kind in rules.kinds.values():
        yield from (Suggestion(thing, "thing", with_article(kind.name)) for thing in kind.things)
        yield Suggestion(kind.plural, "kind", f"all of `{kind.name}`")
    yield from (Suggestion(place.name, "place") for place in rules.places.values())
    yield from (Suggestion(name, "number", str(value)) for name, value in rules.numbers.items())
    yield from (Suggestion(word, "word") for word in ("option", "game", "active"))
