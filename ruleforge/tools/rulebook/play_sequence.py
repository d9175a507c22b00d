"""Chapters about play: options, set-up, actions, order of play, endings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleforge.lang.model import ruleset as m
from ruleforge.lang.model.words import pretty
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.tools.rulebook.book import (
    FLAG,
    Block,
    Effect,
    Item,
    Items,
    Packs,
    Plain,
    Rows,
    Section,
    Words,
    brought,
    called,
    cited,
    description,
    line,
    plain,
    seen_by,
    titled,
)

_WINDOWS = {
    "one": "one action",
    "maybe": "one action, or none",
    "many": "actions, as many as wanted",
}


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
    """The possible values of an option; for a flag, `true` and `false`."""
    if option.values:
        return ", ".join(option.values)
    return option.range.text if option.range and option.range.text.strip() != FLAG else "true, false"


def setting_up(rules: m.Ruleset, table: str) -> Section:
    blocks: list[Block] = (
        [Effect("\n".join(text.text.strip() for text in rules.setup))] if rules.setup else []
    )
    if table:
        blocks += [Words("The table before the first choice, as a spectator sees it:"), Plain(table)]
    return Section("Set-up", tuple(blocks))


def turn(rules: m.Ruleset, packs: Packs) -> Section:
    return Section(
        "The order of play", (Items(tuple(_phase(rules, p, packs) for p in rules.flow), ordered=True),)
    )


def _phase(rules: m.Ruleset, phase: m.Phase, packs: Packs) -> Item:
    text = ". ".join(part.rstrip(".") for part in _of_phase(rules, phase) if part)
    steps = (_phase(rules, step, packs) for step in phase.steps)
    below = (
        *_moment("At the start", phase.do),
        *_moment("If no action is possible", phase.stuck),
        *steps,
        *_moment("At the end", phase.end),
    )
    code = ". ".join(_conditions(phase))
    return Item(occasion(phase) + brought(phase, packs), f"{text}." if text else "", below, code=code)


def _moment(name: str, effect: SourceText | None) -> Iterator[Item]:
    """An automatic effect: code in the line if it has only one."""
    if effect is not None:
        text = effect.text.rstrip()
        yield Item(name, effect=text) if "\n" in text else Item(name, code=line(effect))


def _of_phase(rules: m.Ruleset, phase: m.Phase) -> Iterator[str]:
    if phase.each and plain(phase.each).startswith("me in players"):
        yield "Each player in turn"
    if phase.repeat:
        yield "Repeated"
    yield " ".join((phase.text or "").split())
    offered = [titled(action) for action in all_actions(rules) if phase.id in occasions_of(action)]
    if offered:
        number = _WINDOWS.get(phase.window or "", "actions")
        yield f"Choose {number}: {', '.join(dict.fromkeys(offered))}"
    if phase.sees:
        yield f"The choice is {seen_by(phase.sees)}"
    if phase.cites:
        yield f"[{', '.join(phase.cites)}]"


def _conditions(phase: m.Phase) -> Iterator[str]:
    named = (
        ("For each", phase.each),
        ("Only if", phase.when),
        ("Repeated while", phase.repeat),
        ("Seen if", phase.sees),
    )
    yield from (f"{word} {line(text)}" for word, text in named if text)
    yield from (f"Afterwards this must be true: {line(text)}" for text in phase.holds)


def endings(rules: m.Ruleset, packs: Packs) -> Section:
    items = tuple(
        Item(
            called(ending, packs),
            " ".join(part for part in _of_ending(ending) if part),
            code=" ".join(_condition(ending)),
        )
        for ending in rules.endings
    )
    scores = (Item("Score of a player", code=line(rules.scores)),) if rules.scores else ()
    return Section("How it ends", (Items((*items, *scores)),) if items or scores else ())


def _of_ending(ending: m.Ending) -> Iterator[str]:
    yield " ".join((ending.text or "").split())
    if ending.lost:
        yield "All other players lose."
    if ending.cites:
        yield f"[{', '.join(ending.cites)}]"


def _condition(ending: m.Ending) -> Iterator[str]:
    if ending.when:
        at = f", at the {line(ending.at)}" if ending.at else ""
        yield f"When {line(ending.when)}{at}."
    if ending.winners:
        yield f"The winners: {line(ending.winners)}."


# Chapters about actions: occasion, choices, conditions and cost.


def all_actions(rules: m.Ruleset) -> Iterator[m.Action]:
    """All actions, also those of kinds, things and keywords."""
    yield from rules.actions
    for kind in rules.kinds:
        yield from kind.actions
        for thing in kind.things:
            yield from thing.actions
    for keyword in rules.keywords:
        yield from keyword.actions


def occasions_of(action: m.Action) -> tuple[str, ...]:
    return tuple(text.text.partition("(")[0].strip() for text in action.during)


def actions(rules: m.Ruleset, packs: Packs) -> Section:
    own = [_action(rules, action, packs) for action in rules.actions]
    carried = [_action(rules, action, packs, titled(kind)) for kind in rules.kinds for action in kind.actions]
    return Section("Actions", (), (*own, *carried))


def _action(rules: m.Ruleset, action: m.Action, packs: Packs, of: str = "") -> Section:
    points = tuple(points_of(action, occasions(rules)))
    blocks = (*description(action), *([Items(points)] if points else []), *_effect(action.do), *cited(action))
    name = called(action, packs)
    return Section(f"{of}: {name}" if of else name, blocks)


def occasion(phase: m.Phase | m.Window) -> str:
    return pretty(phase.title or phase.id)


def occasions(rules: m.Ruleset) -> dict[str, str]:
    """Names of phases and windows in the rulebook, by id."""
    found: list[m.Phase | m.Window] = [*rules.windows, *rules.flow]
    for one in found:  # grows by what is below
        found += one.steps if isinstance(one, m.Phase) else ()
    return {one.id: occasion(one) for one in found}


def points_of(action: m.Action, when: Mapping[str, str]) -> Iterator[Item]:
    """Occasion, choices, conditions and cost of an action; `when` are the names of occasions."""
    if action.during:
        yield Item("when", ", ".join(when.get(name, pretty(name)) for name in occasions_of(action)))
    for name, text in action.choose:
        yield Item(f"choose {pretty(name)}", code=line(text))
    for text in action.needs:
        yield Item("only if", code=line(text))
    if action.works:
        yield Item("works while", code=line(action.works))
    if action.limit:
        yield Item("at most", plain(action.limit))
    if action.cost:
        yield Item("costs", code=line(action.cost))
    if action.sees:
        yield Item("the choice is", seen_by(action.sees), code=line(action.sees))
    for text in action.holds:
        yield Item("must be true afterwards", code=line(text))


def _effect(text: SourceText | None) -> Iterator[Block]:
    if text is not None:
        yield Effect(text.text.rstrip())
