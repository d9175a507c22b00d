"""All mutants of a ruleset, in file order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ruleforge.lang.parser.parsed import ParsedText
from ruleforge.lang.source.tree import MappingNode, SequenceNode, SourceFile, SourceNode
from ruleforge.project.pipeline import Analysis
from ruleforge.tools.mutation import effect_mutants, yaml_mutants
from ruleforge.tools.mutation.mutant import Mutant
from ruleforge.tools.mutation.name_mutants import Naming
from ruleforge.tools.mutation.tokens import words_of


def mutants_of(analysis: Analysis, files: Iterable[SourceFile]) -> tuple[Mutant, ...]:
    """All changes of these files, which are among those of the analysis."""
    assert analysis.parsed is not None and analysis.checked is not None
    naming = Naming(analysis.checked)
    texts = list(analysis.parsed.texts.values())
    spans = frozenset(text.source.span for text in texts)
    found: set[Mutant] = set()
    for file in files:
        own = [text for text in texts if text.source.span.file == file.path]
        made = [m for text in own for m in _of_text(text, naming)] + list(
            yaml_mutants.changes_of(file, spans)
        )
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
