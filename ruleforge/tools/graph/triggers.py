"""The diagram of triggers: events and the rules that wait, replace, forbid, modify or stand."""

from __future__ import annotations

from ruleforge.analysis.effects.definitions import definitions
from ruleforge.analysis.effects.relations import Verb, relations_in
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import phases_of
from ruleforge.support.spelling import with_article
from ruleforge.tools.graph.diagram import Arrow, Box, Diagram, box_of, definition_box

_FORMS = {"after": "after", "instead": "instead of", "forbid": "forbids", "modify": "modifies"}


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
    """What a rule hangs on; of a kind that is a move of such a thing, or its keywords where they are modified."""
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
