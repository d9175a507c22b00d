"""Hover text for a position: type, text, clauses, modifiers, and the effect summary of a rule or action."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ruleforge.analysis.effects.report import what_it_does
from ruleforge.contracts.contract_reader import contract_of
from ruleforge.contracts.trial import summaries_of
from ruleforge.frontends.lsp.cursor_context import file_kind, path_at
from ruleforge.frontends.lsp.lookup import named_at, spoken_of
from ruleforge.frontends.lsp.symbols import CLAUSE, LOCAL, Place, Symbol
from ruleforge.frontends.lsp.word_help import column_words, of_word, place_words, short, signature
from ruleforge.frontends.lsp.workspace import View
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.vocabulary import made_of, places_by_function
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.schema.positions import words_at
from ruleforge.support.diagnostics import Span
from ruleforge.support.terminal_escape import in_markdown

SHOWN = 6  # names in one list


def hover(view: View, others: Sequence[View], path: Path, place: Place) -> tuple[str, Span] | None:
    """Markdown, and the stretch it is about; `others` are the views with packs."""
    found = named_at(view, path, place)
    if found is not None:
        symbol, span = found
        return "\n\n".join(_about(view, others, symbol)), span
    return _of_key(view, path, place) or of_word(view, path, place)


def _of_key(view: View, path: Path, place: Place) -> tuple[str, Span] | None:
    """The schema's text about a key."""
    text = view.contents.get(path, "")
    kind = file_kind(view, path)
    here = path_at(text, place)
    if kind is None or here is None or not here.is_key:
        return None
    words = words_at(kind, (*here.path, here.word))
    return (f"`{here.word}`\n\n{words}", here.span(str(path))) if words else None


def _about(view: View, others: Sequence[View], symbol: Symbol) -> Iterator[str]:
    checked = view.found.analysis.checked
    where = in_markdown(f"{Path(symbol.span.file).name}:{symbol.span.line}")
    if symbol.what == CLAUSE:
        yield _clause(view, symbol)
    elif symbol.what == LOCAL:
        yield f"```ruleforge\n{symbol.name}: {short(symbol.type) if symbol.type else '?'}\n```"
    elif checked is not None:
        head, kind = _head(checked, symbol)
        yield f"```ruleforge\n{head}\n```\n{kind}, {where}"
        yield from _board(checked, symbol)
        yield from _words(view, symbol)
        yield from _modified([view, *others], symbol)
    if symbol.what in ("rule", "action") and (lines := effect_lines(view, symbol)):
        yield "does\n" + "\n".join(f"- {in_markdown(line.strip())}" for line in lines)
    yield from _read_by(view, others, symbol)


def _clause(view: View, symbol: Symbol) -> str:
    clause = view.found.beside.clauses[symbol.name]
    section = f" ({in_markdown(clause.section)})" if clause.section else ""
    kind = f"*{in_markdown(clause.kind)}* " if clause.kind else ""
    return f"**{in_markdown(clause.id)}**{section}\n\n{kind}{in_markdown(clause.rule)}"


def _head(checked: t.Checked, symbol: Symbol) -> tuple[str, str]:
    """The line that declares something, in short, and what it is."""
    name, what = symbol.name, symbol.what
    match what:
        case "formula" if formula := checked.formulas.get(name):
            kind = "open formula" if formula.open else "formula"
            return signature(name, formula.parameters, short(formula.result)), kind
        case "event" if event := checked.events.get(name):
            result = "" if event.body is None or str(event.result) == "nothing" else short(event.result)
            return signature(name, event.parameters, result), "event"
        case "fact" | "attribute" if column := checked.columns.get((symbol.of, name)):
            return column_words(column), what
        case "place" if place := checked.places.get(name):
            return place_words(place), "place"
        case "kind" if kind_ := checked.kinds.get(name):
            return f"{name} ({kind_.plural}): {kind_.size} things", "pool" if kind_.pool else "kind"
        case "thing" if kind_ := checked.kinds.get(symbol.of):
            return "\n".join([f"{symbol.of} {name}", *_facts(checked, kind_, name)]), "thing"
        case "number" if name in checked.numbers:
            return f"{name} = {checked.numbers[name]}", "number"
        case "option" if option := checked.options.get(name):
            return f"option.{name}: {short(option.type)}", "option"
        case "keyword" if keyword := checked.keywords.get(name):
            head = signature(name, keyword.parameters) if keyword.parameters else name
            return f"{head} of {keyword.kind.plural}", "keyword"
    return (f"{symbol.of}.{name}" if symbol.of else name), what


def _board(checked: t.Checked, symbol: Symbol) -> Iterator[str]:
    """The form of a board, and the functions that find its things."""
    if symbol.what == "kind" and (made := made_of(checked, symbol.name)):
        yield made
        yield from (about for name, about in places_by_function(checked) if name == symbol.name)


def _facts(checked: t.Checked, kind: t.Kind, thing: str) -> Iterator[str]:
    """The facts of a thing, as far as they say something."""
    number = next((n for n, name in enumerate(kind.things) if name in (thing, f"{thing}_1")), None)
    for column in checked.columns.values():
        if column.kind is kind and column.constant and number is not None:
            for path, value in zip(column.paths, column.printed(number + 1), strict=False):
                if value:
                    yield f"  {path}: {_value(checked, column, value)}"


def _value(checked: t.Checked, column: t.Column, value: int | tuple[int, ...]) -> str:
    kind = checked.kinds.get(getattr(column.type, "kind", ""))
    if isinstance(value, tuple):
        return f"[{', '.join(kind.things[n - 1] if kind else str(n) for n in value)}]"
    if kind is not None:
        return kind.things[value - 1]
    return "true" if short(column.type) == "flag" else str(value)


def _words(view: View, symbol: Symbol) -> Iterator[str]:
    """The author's own words, and the clauses that they come from."""
    definition = _definition(view, symbol)
    if definition is None:
        return
    if definition.text:
        yield in_markdown(definition.text.strip())
    clauses = view.found.beside.clauses
    cited = (f"{c} {clauses[c].rule}" if c in clauses else c for c in definition.cites)
    if definition.cites:
        yield "\n".join(f"- {in_markdown(clause)}" for clause in cited)


def _definition(view: View, symbol: Symbol) -> m.Named | None:
    parsed, ruleset = view.found.analysis.parsed, view.found.analysis.ruleset
    if parsed is None or ruleset is None:
        return None
    todo: list[object] = [ruleset]
    while todo:
        value = todo.pop()
        if isinstance(value, m.Named) and value.id == symbol.name and value.span[:2] == symbol.span[:2]:
            return value
        if isinstance(value, m.Named | m.Ruleset):
            inside = (getattr(value, name) for name in value.__dataclass_fields__)
            todo += [item for field in inside if isinstance(field, tuple) for item in field]
    return None


_VERBS = {"modify": "modified by", "after": "then", "instead": "replaced by", "forbid": "forbidden by"}


def _modified(views: Sequence[View], symbol: Symbol) -> Iterator[str]:
    """Rules that change a formula, or wait for an event or attribute; also those of packs."""
    groups: dict[str, dict[str, None]] = {}
    tables = (view.found.analysis.checked for view in views)
    for rule in (rule for rules in tables if rules for rule in rules.rules):
        if rule.pattern is not None and _is_about(rule.pattern.subject, symbol) and rule.form in _VERBS:
            change = f" ({rule.op})" if rule.op else ""
            groups.setdefault(_VERBS[rule.form], {}).setdefault(f"{rule.name}{change}")
    for lines, names in groups.items():
        yield f"*{lines}* {_some(list(names))}"


def _is_about(subject: object, symbol: Symbol) -> bool:
    match subject:
        case t.Formula(name=name):
            return (symbol.what, symbol.name) == ("formula", name)
        case t.Event(name=name):
            return (symbol.what, symbol.name) == ("event", name)
        case t.Column(name=name, kind=kind):
            return (symbol.what, symbol.of, symbol.name) == ("attribute", kind.name, name)
    return False


def _read_by(view: View, others: Sequence[View], symbol: Symbol) -> Iterator[str]:
    """The uses of a name: definitions by name, scenarios by number, packs by name."""
    if symbol.what == LOCAL:
        return
    home = view.root.core
    rules: dict[str, None] = {}
    scenarios: set[str] = set()
    packs: dict[str, None] = {}
    spans = spoken_of((view.index, *(other.index_of_pack for other in others)), symbol, declared=False)
    enclosing = _Enclosing(view)
    for span in spans:
        file = Path(span.file).absolute()
        parts = file.relative_to(home).parts if home in file.parents else ()
        if "scenarios" in parts:
            scenarios.add(span.file)
        elif "expansions" in parts:
            packs.setdefault(parts[1])
        elif name := enclosing.name(span):
            rules.setdefault(name)
    lines = [_some(list(rules))] if rules else []
    lines += [f"{len(scenarios)} scenario{'s' if len(scenarios) > 1 else ''}"] if scenarios else []
    if lines:
        yield f"*used by* {', '.join(lines)}"
    if packs:
        yield f"*packs* {_some(list(packs))}"


class _Enclosing:
    """Finds the definition around a position."""

    def __init__(self, view: View) -> None:
        self._texts: dict[str, list[tuple[Span, str]]] = {}
        parsed = view.found.analysis.parsed
        for text in parsed.texts.values() if parsed else ():
            name = getattr(text.text.definition, "id", "")
            self._texts.setdefault(text.source.span.file, []).append((text.source.span, name))

    def name(self, span: Span) -> str:
        for around, name in self._texts.get(span.file, ()):
            if around.line <= span.line <= around.end_line:
                return name
        return ""


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return in_markdown(", ".join(names[:SHOWN]) + more)


# The effect summary of a rule or action for hover: changes, events, dice, questions.


def effect_lines(view: View, symbol: Symbol) -> list[str]:
    """A line for each thing that a rule does; nothing of rules that cannot be played."""
    analysis = view.found.analysis
    if not analysis.complete:
        return []
    summaries = summaries_of(analysis, contract_of(analysis.path))
    here = symbol.span[:2]
    for effect in (*summaries.effects, *summaries.core):
        if effect.span[:2] == here:
            return [f"  {line}" for line in what_it_does(effect)]
    return []
