"""Rules -> how it is played: set-up, the order of a turn, what may be done, what follows, how it ends."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.frontends.handbook.book import Block, Item, Items, Plain, Rows, Section, Words
from ruleforge.frontends.handbook.naming import Packs, brought, called, cited, line, said, titled
from ruleforge.model import ruleset as m
from ruleforge.model.titles import pretty

_WINDOWS = {
    "one": "one action",
    "maybe": "one action, or none",
    "many": "actions, as many as wanted",
}


FLAG = "flag"


def options(rules: m.Ruleset, packs: Packs) -> Section:
    rows = tuple(
        (
            called(option, packs),
            " ".join((option.text or "").split()),
            _values(option),
            option.default.text if option.default else "",
        )
        for option in rules.options
    )
    return Section("Options", (Rows(("option", "", "values", "usually"), rows),) if rows else ())


def _values(option: m.Option) -> str:
    """What may be written for it; a flag is a word of the language, and its values are words for everybody."""
    if option.values:
        return ", ".join(option.values)
    return option.range.text if option.range and option.range.text.strip() != FLAG else "true, false"


def setting_up(rules: m.Ruleset, table: str) -> Section:
    blocks: list[Block] = [Plain("\n".join(text.text.strip() for text in rules.setup))] if rules.setup else []
    if table:
        blocks += [Words("The table when the first question is asked, as everybody sees it:"), Plain(table)]
    return Section("Set-up", tuple(blocks))


def turn(rules: m.Ruleset, packs: Packs) -> Section:
    return Section(
        "The order of play", (Items(tuple(_phase(rules, p, packs) for p in rules.flow), ordered=True),)
    )


def _phase(rules: m.Ruleset, phase: m.Phase, packs: Packs) -> Item:
    text = ". ".join(part.rstrip(".") for part in _of_phase(rules, phase) if part)
    below = tuple(_phase(rules, step, packs) for step in phase.steps)
    return Item(pretty(phase.title or phase.id) + brought(phase, packs), f"{text}." if text else "", below)


def _of_phase(rules: m.Ruleset, phase: m.Phase) -> Iterator[str]:
    if phase.each:
        yield f"For each {line(phase.each)}"
    if phase.when:
        yield f"Only if {line(phase.when)}"
    if phase.repeat:
        yield "Again and again" if phase.repeat.text == "true" else f"Again while {line(phase.repeat)}"
    yield " ".join((phase.text or "").split())
    offered = [titled(action) for action in rules.actions if phase.id in _occasions(action)]
    if offered:
        number = _WINDOWS.get(phase.window or "", "actions")
        yield f"To choose from ({number}): {', '.join(offered)}"
    if phase.cites:
        yield f"[{', '.join(phase.cites)}]"


def _occasions(action: m.Action) -> tuple[str, ...]:
    return tuple(text.text.partition("(")[0].strip() for text in action.during)


def actions(rules: m.Ruleset, packs: Packs) -> Section:
    own = [_action(action, packs) for action in rules.actions]
    carried = [_action(action, packs, titled(kind)) for kind in rules.kinds for action in kind.actions]
    return Section("Actions", (), (*own, *carried))


def _action(action: m.Action, packs: Packs, of: str = "") -> Section:
    points = tuple(Item(name, text) for name, text in _of_action(action))
    blocks = (*said(action), *([Items(points)] if points else []), *_effect(action.do), *cited(action))
    name = called(action, packs)
    return Section(f"{of}: {name}" if of else name, blocks)


def _of_action(action: m.Action) -> Iterator[tuple[str, str]]:
    if action.during:
        yield "during", ", ".join(pretty(name) for name in _occasions(action))
    for name, text in action.choose:
        yield f"choose {pretty(name)}", line(text)
    for text in action.needs:
        yield "only if", line(text)
    if action.limit:
        yield "at most", line(action.limit)
    if action.cost:
        yield "costs", line(action.cost)
    for text in action.holds:
        yield "afterwards holds", line(text)


def _effect(text: object) -> Iterator[Block]:
    if text is not None:
        yield Plain(str(getattr(text, "text", "")).rstrip())


def endings(rules: m.Ruleset, packs: Packs) -> Section:
    items = tuple(
        Item(called(ending, packs), " ".join(part for part in _of_ending(ending) if part))
        for ending in rules.endings
    )
    scores = (Words(f"The score of a player: {line(rules.scores)}."),) if rules.scores else ()
    return Section("How it ends", (Items(items), *scores) if items else scores)


def _of_ending(ending: m.Ending) -> Iterator[str]:
    yield " ".join((ending.text or "").split())
    if ending.when:
        yield f"When {line(ending.when)}."
    if ending.winners:
        yield f"It is won by {line(ending.winners)}."
    if ending.lost:
        yield "Who has not won then has lost."
    if ending.cites:
        yield f"[{', '.join(ending.cites)}]"
