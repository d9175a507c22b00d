"""The diagram of keywords: the things with a keyword, and included keywords."""

from __future__ import annotations

from ruleforge.lang.model import ruleset as m
from ruleforge.lang.model.words import pretty
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.tools.graph.diagram import Arrow, Box, Diagram


def keyword_diagram(rules: m.Ruleset) -> Diagram:
    keywords = {k.id: Box(f"keyword {k.id}", k.title or pretty(k.id), "keyword") for k in rules.keywords}
    bearing = [(kind, thing) for kind in rules.kinds for thing in kind.things if thing.keywords]
    things = [
        Box(f"{kind.id} {thing.id}", thing.title or pretty(thing.id), "thing") for kind, thing in bearing
    ]
    arrows = [
        Arrow(box.id, keywords[name].id, _numbers(text))
        for box, (_, thing) in zip(things, bearing, strict=True)
        for text in thing.keywords
        if (name := _name(text)) in keywords
    ]
    arrows += [
        Arrow(keywords[keyword.id].id, keywords[name].id, "includes", dotted=True)
        for keyword in rules.keywords
        for text in keyword.includes
        if (name := _name(text)) in keywords
    ]
    return Diagram(f"{rules.title}: keywords", (*things, *keywords.values()), tuple(arrows))


def _name(text: SourceText) -> str:
    return text.text.partition("(")[0].strip()


def _numbers(text: SourceText) -> str:
    return text.text.partition("(")[2].removesuffix(")").strip()
