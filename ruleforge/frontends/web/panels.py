"""Panels, zones and grids of a scene as HTML: players, boxes with cards, tables of values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ruleforge.engine.presentation.scene import Fact, Grid, Panel, Token, Zone
from ruleforge.frontends.web.boards import Players, classes, numbers, painted, words
from ruleforge.frontends.web.elements import Html, tag

SMALL = "small-print"  # shown when it is asked for


def panel_section(panel: Panel, players: Players, seat: str | None, decides: str) -> Html:
    """All that is said of a player, a thing or the game."""
    sign = panel.sign[0] if panel.sign and panel.sign[0] != panel.name else ""
    name = " ".join(filter(None, (sign, panel.name, "(you)" if panel.id and panel.id == seat else "")))
    roles = (
        "box" if panel.box else "",
        "mine" if panel.id == seat else "",
        "asked" if panel.id == decides else "",
    )
    head = [tag("h2", name, class_=painted(panel.of, players) or None)] if panel.name else []
    facts = [_fact(fact, players) for fact in panel.facts]
    body = [*([tag("p", facts, class_="facts")] if facts else []), *(_zone(z, players) for z in panel.zones)]
    small = all(fact.small for fact in panel.facts) and all(zone.small for zone in panel.zones)
    return tag(
        "section",
        head,
        body,
        class_=classes("panel", *roles, SMALL if small and not panel.name else ""),
        data_about=panel.id if panel.box else None,
        aria_current="true" if panel.id == decides else None,
    )


def _fact(fact: Fact, players: Players) -> Html:
    look = ("fact", "changed" if fact.changed else "", SMALL if fact.small else "", painted(fact.of, players))
    label = [tag("span", fact.label, class_="label")] if fact.label else []
    return tag("span", label, tag("b", fact.text) if fact.text else "", class_=classes(*look))


def _zone(zone: Zone, players: Players) -> Html:
    look = ("zone", "changed" if zone.changed else "", SMALL if zone.small else "")
    lying = [_thing(token, players, number) for token, number in _alike(zone)]
    if zone.hidden:
        text = f"{zone.hidden} hidden" if lying else f"{zone.hidden} {zone.noun}".rstrip()
        lying.append(tag("li", text, class_="thing back"))
    return tag("div", tag("h3", zone.label), tag("ul", lying), class_=classes(*look))


def _alike(zone: Zone) -> Iterable[tuple[Token, int]]:
    """Things that look alike and that the same choices name are counted, unless each stands where it lies."""
    if zone.in_order:
        return [(token, 1) for token in zone.tokens]
    found: dict[Token, list[Token]] = {}
    for token in zone.tokens:
        found.setdefault(replace(token, id=""), []).append(token)
    return [(same[0], len(same)) for same in found.values()]


def _thing(token: Token, players: Players, number: int = 1) -> Html:
    back = token.hidden
    signed = token.sign not in (token.letters, token.name) and not back
    name = tag("b", "hidden" if back else token.name)
    parts = [
        *([tag("span", token.sign, class_="sign")] if signed else []),
        name,
        *([tag("span", f"×{number}", class_="times")] if number > 1 else []),
        *([tag("span", ", ".join(token.face), class_="face")] if token.face else []),
        *([tag("ul", (_thing(inner, players) for inner in token.holds))] if token.holds else []),
    ]
    look = ("thing", "back" if back else "", "changed" if token.changed else "", painted(token.of, players))
    return tag(
        "li",
        parts,
        class_=classes(*look),
        data_choices=numbers(token.choices),
        data_about=token.id or None,
        title=words(token),
    )


def grid_table(grid: Grid, players: Players) -> Html:
    """The amounts that players have of a few things, as a table; an empty column is small print."""
    used = [any(row.cells[n] for row in grid.rows) for n in range(len(grid.heads))]
    heads = (
        tag("th", head, class_=_print(ok), scope="col") for head, ok in zip(grid.heads, used, strict=True)
    )
    rows = (
        tag(
            "tr",
            tag("th", f"{row.name} {row.label}", class_=painted(row.of, players) or None, scope="row"),
            _cells(row.cells, used),
            class_=SMALL if row.small else None,
        )
        for row in grid.rows
    )
    return tag("table", tag("tr", tag("td"), heads), rows, class_="grid")


def _cells(cells: Sequence[str], used: Sequence[bool]) -> list[Html]:
    return [tag("td", text or "·", class_=_print(ok)) for text, ok in zip(cells, used, strict=True)]


def _print(used: bool) -> str | None:
    return None if used else SMALL
