"""All mutants of a ruleset, in file order: those of effect texts and those of YAML values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ruleforge.lang.parser.parsed import ParsedText
from ruleforge.lang.source.tree import Entry, MappingNode, ScalarNode, SequenceNode, SourceFile, SourceNode
from ruleforge.project.pipeline import Analysis
from ruleforge.support.diagnostics import Span
from ruleforge.tools.mutation import effect_mutants
from ruleforge.tools.mutation.effect_mutants import Naming, words_of
from ruleforge.tools.mutation.mutant import CLAUSE, KEYWORD, NUMBER, Mutant

# Texts for people, and checks of the rules against expectations; no scenario could notice a change of them.
_FOR_PEOPLE = frozenset(
    (
        "text",
        "title",
        "cites",
        "tells",
        "hint",
        "plural",
        "symbol",
        "placeholder",
        "open",
        "openly",
        "ask",
        "look",
    )
)
_NO_RULES = frozenset(
    ("game", "pack", "layout", "invariants", "checks", "profiles", "heuristic", "limits", "options", "uses")
)
_DECLARES = frozenset(("has", "facts", "takes", "things", "type"))  # without it other names would be unknown


def mutants_of(analysis: Analysis, files: Iterable[SourceFile]) -> tuple[Mutant, ...]:
    """All changes of these files, which are among those of the analysis."""
    assert analysis.parsed is not None and analysis.checked is not None
    naming = Naming(analysis.checked)
    texts = list(analysis.parsed.texts.values())
    spans = frozenset(text.source.span for text in texts)
    found: set[Mutant] = set()
    for file in files:
        own = [text for text in texts if text.source.span.file == file.path]
        made = [m for text in own for m in _of_text(text, naming)] + list(changes_of(file, spans))
        places = definitions(file)
        found |= {replace(m, inside=_inside(m, places)) for m in made}
    return tuple(sorted(found))


def _of_text(text: ParsedText, naming: Naming) -> list[Mutant]:
    if not effect_mutants.is_rule(text.text):
        return []
    words = words_of(text.source)
    free = [word for i, word in enumerate(words) if i not in effect_mutants.promised(text.text, words)]
    return [*effect_mutants.changes_of(text.text, text.node), *naming.changes_of(free, text.source.span)]


def definitions(file: SourceFile) -> list[tuple[int, str]]:
    """The lines on which definitions begin, in their order, with their keys."""
    return sorted(
        (line, f"{section.name}.{name}") for section in file.root for line, name in _named(section.value)
    )


def _named(node: SourceNode) -> list[tuple[int, str]]:
    if isinstance(node, MappingNode):
        return [(entry.key.span.line, entry.name) for entry in node]
    if isinstance(node, SequenceNode):
        return [(item.span.line, str(number)) for number, item in enumerate(node.items, start=1)]
    return [(node.span.line, "")]


def _inside(mutant: Mutant, places: list[tuple[int, str]]) -> str:
    above = [name for line, name in places if line <= mutant.span.line]
    return above[-1].rstrip(".") if above else ""


# Mutants of YAML values: a changed number, flag or entry.


def changes_of(file: SourceFile, texts: frozenset[Span]) -> Iterator[Mutant]:
    """`texts` are the places of effect texts, which are changed elsewhere."""
    lines = file.content.split("\n")
    for section in file.root:
        if section.name not in _NO_RULES:
            yield from _inside_yaml(section.value, texts, lines, 1)


def _inside_yaml(node: SourceNode, texts: frozenset[Span], lines: list[str], depth: int) -> Iterator[Mutant]:
    match node:
        case ScalarNode() if node.span not in texts:
            yield from _scalar(node)
        case SequenceNode(items=items):
            for item in items:
                yield from _inside_yaml(item, texts, lines, depth + 1)
                if len(items) > 1 and (span := _item(node, item, lines)):
                    yield Mutant(span, "", CLAUSE)
        case MappingNode():
            for entry in node:
                if entry.name in _FOR_PEOPLE:
                    continue
                yield from _inside_yaml(entry.value, texts, lines, depth + 1)
                if depth > 1 and entry.name not in _DECLARES and (span := _entry(node, entry, lines)):
                    yield Mutant(span, "", CLAUSE)


def _scalar(node: ScalarNode) -> Iterator[Mutant]:
    if node.kind == "int":
        yield Mutant(node.span, str(int(node.text) + 1), NUMBER)
    elif node.kind == "bool":
        yield Mutant(node.span, "false" if node.text == "true" else "true", KEYWORD)


def _entry(inside: MappingNode, entry: Entry, lines: list[str]) -> Span | None:
    """All lines of an entry that has lines of its own."""
    key = entry.key.span
    if inside.flow or lines[key.line - 1][: key.column - 1].strip():
        return None
    last = key.line
    while last < len(lines) and _belongs(lines[last], key.column):
        last += 1
    while not lines[last - 1].strip():
        last -= 1
    return Span(key.file, key.line, 1, last, len(lines[last - 1]) + 1)


def _belongs(line: str, column: int) -> bool:
    """Is a line a part of the entry above it that begins in this column?"""
    indent = len(line) - len(line.lstrip())
    return not line.strip() or indent >= column or (indent == column - 1 and line.lstrip().startswith("- "))


def _item(inside: SequenceNode, item: SourceNode, lines: list[str]) -> Span | None:
    """An item of a list with the sign that parts it from the others."""
    span = item.span
    if span.line != span.end_line:
        return None
    line = lines[span.line - 1]
    if not inside.flow:
        start = line[: span.column - 1]
        return span._replace(column=1, end_column=len(line) + 1) if start.strip() == "-" else None
    behind = line[span.end_column - 1 :]
    if behind.startswith(", "):
        return span._replace(end_column=span.end_column + 2)
    return span._replace(column=span.column - 2) if line[: span.column - 1].endswith(", ") else None
