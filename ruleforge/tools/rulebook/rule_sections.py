"""Chapters about words and rules: keywords, events, formulas, rules, printed rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ruleforge.lang.model import ruleset as m
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.tools.rulebook.book import (
    Block,
    Effect,
    Item,
    Items,
    Packs,
    Section,
    called,
    cited,
    description,
    line,
    plain,
    titled,
)
from ruleforge.tools.rulebook.play_sequence import occasions, points_of


def keywords(rules: m.Ruleset, packs: Packs) -> Section:
    return Section("Keywords", (), tuple(_keyword(rules, keyword, packs) for keyword in rules.keywords))


def _keyword(rules: m.Ruleset, keyword: m.Keyword, packs: Packs) -> Section:
    bearers = [
        titled(thing)
        for kind in rules.kinds
        for thing in kind.things
        if any(text.text.partition("(")[0].strip() == keyword.id for text in thing.keywords)
    ]
    points = [Item("printed on", ", ".join(bearers))] if bearers else []
    points += [Item("works while", code=line(keyword.works))] if keyword.works else []
    on = (Items(tuple(points)),) if points else ()
    when = occasions(rules)
    carried = tuple(_definition(d, packs, when) for d in (*keyword.rules, *keyword.actions))
    return Section(called(keyword, packs), (*description(keyword), *on, *cited(keyword)), carried)


def glossary(rules: m.Ruleset, packs: Packs) -> Section:
    """Events, formulas, windows, positions and rules with their texts."""
    when = occasions(rules)

    def listed(title: str, definitions: Iterable[m.Named]) -> Section:
        return Section(title, (), tuple(_definition(each, packs, when) for each in definitions))

    sections = (
        listed("Events", rules.events),
        listed("Formulas", rules.formulas),
        listed("Windows", rules.windows),
        listed("Positions", rules.positions),
        listed("Standing and waiting rules", rules.rules),
        Section("Rules on components", (), tuple(_carried(rules, packs))),
    )
    return Section("Words and rules", (), tuple(s for s in sections if not s.is_empty))


def _carried(rules: m.Ruleset, packs: Packs) -> Iterator[Section]:
    when = occasions(rules)
    for kind in rules.kinds:
        carried: list[tuple[m.Named, m.Named]] = [(kind, rule) for rule in kind.rules]
        carried += [(thing, d) for thing in kind.things for d in (*thing.rules, *thing.actions)]
        for bearer, definition in carried:
            section = _definition(definition, packs, when)
            yield Section(f"{titled(bearer)}: {section.title}", section.blocks)


def _definition(definition: m.Named, packs: Packs, when: Mapping[str, str]) -> Section:
    points = tuple(_points(definition, when))
    effects = tuple(Effect(text.text.rstrip()) for text in _effects(definition))
    listed: tuple[Block, ...] = (Items(points),) if points else ()
    return Section(
        called(definition, packs), (*description(definition), *listed, *effects, *cited(definition))
    )


_FORMS = (("after", "after"), ("instead_of", "instead of"), ("forbid", "forbids"), ("modify", "changes"))


def _points(definition: m.Named, when: Mapping[str, str]) -> Iterator[Item]:
    for name, text in getattr(definition, "takes", ()):
        yield Item(f"of {name}", code=line(text))
    match definition:
        case m.Rule():
            forms = ((word, getattr(definition, field)) for field, word in _FORMS)
            yield from (Item(word, code=line(text)) for word, text in forms if text)
            yield from _of_rule(definition)
        case m.Event(needs=needs):
            yield from (Item("only if", code=line(text)) for text in needs)
        case m.Formula():
            yield from (Item(name, code=line(text)) for name, text in definition.lets)
            yield from _of_formula(definition)
        case m.Position(of=parts):
            yield Item("is", code=", ".join(map(line, parts)))
        case m.Action():
            yield from points_of(definition, when)


def _of_formula(formula: m.Formula) -> Iterator[Item]:
    named = (
        ("is", formula.value),
        ("each change is within", formula.each),
        ("all changes are within", formula.sum),
        ("kept within", formula.clamp),
        ("seen if", formula.sees),
    )
    yield from (Item(word, code=line(text)) for word, text in named if text)


def _of_rule(rule: m.Rule) -> Iterator[Item]:
    named = (
        ("whenever", rule.always),
        ("if", rule.when),
        ("works while", rule.works),
        ("costs", rule.cost),
        ("adds", rule.add),
        ("sets to", rule.set),
        ("takes away", rule.remove),
    )
    yield from (Item(word, code=line(text)) for word, text in named if text)
    if rule.limit:
        yield Item("at most", plain(rule.limit))
    if rule.may:
        who = line(rule.who) if rule.who else ""
        yield Item("optional", "" if who else "its controller decides", code=who)


def _effects(definition: m.Named) -> Iterator[SourceText]:
    text = getattr(definition, "do", None)
    if text is not None:
        yield text
