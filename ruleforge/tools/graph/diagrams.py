"""The diagrams of a game by name: phases, triggers, keywords, counters, components."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ruleforge.analysis.effects.definitions import definitions
from ruleforge.analysis.effects.relations import Verb, relations_in
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NumberT
from ruleforge.lang.checker.walk import phases_of
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.model.ruleset import Ruleset
from ruleforge.lang.model.words import pretty
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.spelling import with_article
from ruleforge.tools.graph.components import component_diagram
from ruleforge.tools.graph.diagram import Arrow, Box, Diagram, box_of, definition_box

SORTS = ("phases", "triggers", "keywords", "components", "counters")
_FORMS = {"after": "after", "instead": "instead of", "forbid": "forbids", "modify": "modifies"}


def diagram_of(ruleset: Ruleset, checked: t.Checked, sort: str) -> Diagram:
    match sort:
        case "phases":
            return phase_diagram(ruleset)
        case "triggers":
            return trigger_diagram(checked)
        case "keywords":
            return keyword_diagram(ruleset)
        case "components":
            return component_diagram(checked)
    return counter_diagram(checked)


# The diagram of counters: payments, gains, losses and marks of attributes.


def counter_diagram(rules: t.Checked) -> Diagram:
    """Numbers that rules change; what is paid leads to who is paid for."""
    boxes: dict[str, Box] = {}
    arrows: list[Arrow] = []
    for definition in definitions(rules):
        for verb, column in relations_in(rules, *definition.blocks):
            if verb in (Verb.WRITE, Verb.PAY) and isinstance(column, t.Column) and _counts(column):
                name = f"{column.kind.name}.{column.name}"
                doer, counter = definition_box(definition), Box(f"counter {name}", name, "counter")
                for each in (doer, counter):
                    boxes.setdefault(each.id, each)
                paid = verb is Verb.PAY
                arrows.append(Arrow(counter.id, doer.id, "pays") if paid else Arrow(doer.id, counter.id))
    return Diagram(f"{rules.title}: counters", tuple(boxes.values()), tuple(dict.fromkeys(arrows)))


def _counts(column: t.Column) -> bool:
    return isinstance(column.type, NumberT)


# The diagram of keywords: the things with a keyword, and included keywords.


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


# The diagram of triggers: events and the rules that wait, replace, forbid, modify or stand.


def trigger_diagram(rules: t.Checked) -> Diagram:
    """Rules, what they wait for, what they do, and who does what they wait for; the rest of the events is left out."""
    boxes: dict[str, Box] = {}
    arrows: list[Arrow] = []
    for rule in rules.rules:
        box = _add(boxes, box_of("rule", rule.name))
        if rule.pattern:
            subject = _add(boxes, _subject(rules, rule.pattern, rule.form))
            turned = rule.form in ("forbid", "modify")
            ends = (box.id, subject.id) if turned else (subject.id, box.id)
            arrows.append(Arrow(*ends, _FORMS.get(rule.form, ""), dotted=True))
    reached = set(boxes)
    for definition in definitions(rules):
        for verb, event in relations_in(rules, *definition.blocks):
            if verb is Verb.PERFORM and isinstance(event, t.Event):
                performed = box_of("event", event.name)
                if performed.id in reached or definition.sort == "rule":
                    doer = definition_box(definition)
                    arrows.append(Arrow(_add(boxes, doer).id, _add(boxes, performed).id))
    return Diagram(f"{rules.title}: triggers", tuple(boxes.values()), tuple(dict.fromkeys(arrows)))


def _add(boxes: dict[str, Box], box: Box) -> Box:
    return boxes.setdefault(box.id, box)


def _subject(rules: t.Checked, pattern: t.Pattern, form: str) -> Box:
    """The trigger of a rule; for a kind, the move of such a thing, or its keywords if they are modified."""
    match pattern.subject:
        case t.Event(name=name):
            return box_of("event", name)
        case t.Formula(name=name):
            return box_of("formula", name)
        case t.Column(name=name, kind=kind):
            return Box(f"counter {kind.name}.{name}", f"{kind.name}.{name}", "counter")
        case t.Kind(name=name) if form == "modify":
            return Box(f"keywords {name}", f"keywords of {with_article(name)}", "keyword")
        case t.Kind(name=name):
            return Box(f"kind {name}", f"{with_article(name)} moves", "place")
        case (moment, phase):
            titles = {p.name: p.title for p in phases_of(rules.flow)}
            return Box(f"{moment} {phase}", f"{moment} of {titles.get(phase) or phase}", "phase")


# The diagram of phases: the order of play, with the actions of each phase.


def phase_diagram(rules: m.Ruleset) -> Diagram:
    boxes = (
        *([Box("setup", "set-up", "phase")] if rules.setup else ()),
        *_phases(rules, rules.flow),
        *(_window(rules, window) for window in rules.windows),
    )
    return Diagram(f"{rules.title}: phases", boxes, tuple(_order(boxes[: len(boxes) - len(rules.windows)])))


def _phases(rules: m.Ruleset, phases: tuple[m.Phase, ...]) -> tuple[Box, ...]:
    return tuple(_phase(rules, phase) for phase in phases)


def _phase(rules: m.Ruleset, phase: m.Phase) -> Box:
    plain = box_of("phase", phase.id, phase.title or "")
    inside = (*_offered(rules, phase.id), *_phases(rules, phase.steps))
    return Box(plain.id, plain.label, "phase", tuple(_notes(phase)), inside)


def _notes(phase: m.Phase) -> Iterator[str]:
    if phase.when:
        yield f"when {_line(phase.when)}"
    if phase.each:
        yield f"for each {_line(phase.each)}"
    if phase.repeat:
        yield "again and again" if phase.repeat.text == "true" else f"while {_line(phase.repeat)}"


def _window(rules: m.Ruleset, window: m.Window) -> Box:
    plain = box_of("window", window.id, window.title or "")
    return Box(plain.id, plain.label, "window", ("opened by effects",), _offered(rules, window.id))


def _offered(rules: m.Ruleset, occasion: str) -> tuple[Box, ...]:
    """The actions of a phase or window, one box each; those of things and keywords by what carries them."""
    carried = [
        *(("", action) for action in rules.actions),
        *((bearer.title or bearer.id, action) for bearer in _bearers(rules) for action in bearer.actions),
    ]
    return tuple(
        Box(f"{occasion} offers {of} {action.id}", _named(of, action), "action")
        for of, action in carried
        if occasion in (_line(during).partition("(")[0] for during in action.during)
    )


def _bearers(rules: m.Ruleset) -> Iterator[m.Kind | m.Keyword | m.Thing]:
    for kind in rules.kinds:
        yield kind
        yield from kind.things
    yield from rules.keywords


def _named(of: str, action: m.Action) -> str:
    name = action.title or action.id.replace("_", " ")
    return f"{of}: {name}" if of else name


def _order(boxes: tuple[Box, ...]) -> Iterator[Arrow]:
    """One phase follows another, at every depth."""
    phases = [box for box in boxes if box.sort == "phase"]
    for one, following in pairwise(phases):
        yield Arrow(one.id, following.id)
    for box in phases:
        yield from _order(box.inside)


def _line(text: SourceText) -> str:
    return " ".join(text.text.split())
