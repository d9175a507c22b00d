"""The diagram of phases: the order of play, with the actions of each phase."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ruleforge.lang.model import ruleset as m
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.tools.graph.diagram import Arrow, Box, Diagram, box_of


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
