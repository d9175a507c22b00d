"""Kinds: their things, and the boards that some of them form."""

from __future__ import annotations

from types import MappingProxyType

from ruleforge.check import outlines
from ruleforge.check import typed as t
from ruleforge.check.constants import constant_number
from ruleforge.check.declare.base import Declaring
from ruleforge.check.expressions import Expressions
from ruleforge.check.geometry import (
    DIRECTIONS,
    RING_DIRECTIONS,
    SHAPES,
    cell_name,
    cells_of,
    geometry_of,
    graph_of,
    lines_of,
    rings_of,
)
from ruleforge.check.symbols import Symbols
from ruleforge.check.types import NumberT, SetT, ThingT
from ruleforge.diagnostics import NOWHERE, Span
from ruleforge.dsl.words import terminals
from ruleforge.model import ruleset as m
from ruleforge.source.holes import Holes


class Kinds(Declaring):
    def __init__(self, ruleset: m.Ruleset, symbols: Symbols, expressions: Expressions) -> None:
        super().__init__(ruleset, symbols, expressions)
        self._cut: dict[Span, frozenset[str]] = {}  # cells that are left out, by grid

    def measure(self) -> None:
        """How many things there are of each kind whose things are named: known before anything is counted by it."""
        for kind in self.ruleset.kinds:
            if kind.pool is None and not self.symbols.holes.damage(kind.span):
                most = self._most(kind)
                made = most <= self.symbols.ceilings.things
                self.symbols.sizes[kind.plural] = kind.id, len(self._things(kind)[0]) if made else most

    def declare(self) -> None:
        self._kinds()

    def _kinds(self) -> None:
        beheaded = self.symbols.holes.damage(self.ruleset.span)
        self.symbols.two_players = self.ruleset.players == (2, 2) or beheaded
        for kind in sorted(self.ruleset.kinds, key=lambda k: k.id != "player"):
            self._kind(kind)
        if "player" not in self.symbols.kinds:
            self._no_players()
        elif not beheaded and self.symbols.kinds["player"].size < self.ruleset.players[1]:
            seats = self.symbols.kinds["player"]
            self.symbols.error(
                "RF508", f"{seats.size} seats for up to {self.ruleset.players[1]} players", seats.span
            )
        if "chance" in self.symbols.kinds["player"].things:
            span = self.symbols.kinds["player"].span
            self.symbols.error(
                "RF505", "`chance` is who decides dice, no player", span, "choose another name"
            )
        if "game" not in self.symbols.kinds:
            self.add(t.Kind("game", "games", ("game",), NOWHERE))
        directions = self._directions()
        if directions:
            self.add(t.Kind("direction", "directions", tuple(directions), NOWHERE))
        if self.ruleset.keywords:
            names = tuple(k.id for k in self.ruleset.keywords)
            self.add(t.Kind("keyword", "keywords", names, NOWHERE))

    def _no_players(self) -> None:
        """The language speaks of players everywhere, so there is such a kind even where it was forgotten."""
        if not self.symbols.holes.may_hold("player"):
            help = "list the seats in `kinds: player: things:`"
            self.symbols.error("RF501", "the kind `player` is missing", self.ruleset.span, help)
            self.symbols.lost("players")
        self.add(t.Kind("player", "players", (), NOWHERE, seats=True))

    def _directions(self) -> list[str]:
        """All directions that the boards of this ruleset know."""
        used = {name for g in self.symbols.geometry.values() for name in g.steps}
        known = [*DIRECTIONS, *RING_DIRECTIONS]
        return [d for d in known if d in used] + sorted(used - set(known))

    def _kind(self, kind: m.Kind) -> None:
        if self._room_for(kind):
            names, titles = self._things(kind)
        else:
            names, titles = [], {}
            self.symbols.room.refused.add(kind.id)
            self.symbols.holes |= Holes(anything=True)
        if not names and self.symbols.holes.damage(kind.span):
            self.symbols.holes |= Holes(anything=True)
        typed = t.Kind(
            kind.id,
            kind.plural,
            tuple(names),
            kind.span,
            MappingProxyType(titles),
            kind.id == "player",
            kind.pool is not None,
            MappingProxyType({name: thing.span for name, thing in _copies(kind)} if names else {}),
        )
        self._alike(kind)
        self.add(typed)
        if not names:
            return
        if kind.grid and kind.grid.shape in SHAPES:
            self._board(kind, kind.grid, typed)
        if kind.rings:
            self.symbols.geometry[kind.id] = rings_of(typed, kind.rings)
        if kind.graph:
            links = _links(kind.graph, frozenset(names))
            self.symbols.geometry[kind.id] = graph_of(typed, links, kind.graph.one_way)

    def _room_for(self, kind: m.Kind) -> bool:
        """Count the things of a kind before they are made; steps and neighbours of a board go with them."""
        room, span, count = self.symbols.room, kind.span, self._most(kind)
        steps = 0
        if kind.grid:
            steps = count * (len(SHAPES.get(kind.grid.shape, ())) * 2 + len(kind.grid.leaps))
        elif kind.rings:
            steps = count * 2 * len(RING_DIRECTIONS)
        elif kind.graph:
            steps = 2 * sum(len(others) for _, others in kind.graph.links)
        if not room.room_for_things(count, f"`{kind.id}`", span):
            return False
        return room.room_for_table(steps, f"`{kind.id}`", span)

    def _most(self, kind: m.Kind) -> int:
        """How many things there are at most: holes in a board are not left out."""
        if kind.grid:
            return kind.grid.columns * kind.grid.rows
        if kind.rings:
            return sum(kind.rings)
        if kind.pool is not None:
            node = self.expr(kind.pool)
            return (constant_number(node, self.symbols) if node else None) or 0
        return sum(thing.copies for thing in kind.things) + (kind.count or 0)

    def _things(self, kind: m.Kind) -> tuple[list[str], dict[str, str]]:
        if kind.id == "game":
            return ["game"], {}
        if kind.grid:
            cells = cells_of(kind.grid.columns, kind.grid.rows, self._outside(kind.grid))
            return [cell_name(c, r) for c, r in cells], {}
        if kind.rings:
            return [f"r{r}s{s}" for r, size in enumerate(kind.rings, start=1) for s in range(size)], {}
        if kind.graph:
            return [thing.id for thing in kind.things], {}
        if kind.pool is not None:
            if kind.id in terminals().values():
                self.symbols.error(
                    "RF505",
                    f"`new {kind.id}()` could not be read: `{kind.id}` is a word of the language",
                    kind.span,
                )
            node = self.expr(kind.pool)
            size = constant_number(node, self.symbols) if node else None
            return [f"{kind.id}_{i}" for i in range(1, (size or 0) + 1)], {}
        names: list[str] = []
        titles: dict[str, str] = {}
        for name, thing in _copies(kind):
            names.append(name)
            titles[name] = thing.title or thing.id
        names += [f"{kind.id}_{i}" for i in range(1, (kind.count or 0) + 1)]
        return names, titles

    def _outside(self, grid: m.Grid) -> frozenset[str]:
        """The cells that are left out; asked for twice, and worked out once."""
        if grid.span not in self._cut:
            self._cut[grid.span] = outlines.outside(grid, self.symbols)
        return self._cut[grid.span]

    def _alike(self, kind: m.Kind) -> None:
        """Warn of things that people cannot tell apart by their titles."""
        first: dict[str, m.Thing] = {}
        for thing in kind.things:
            if thing.title is not None:
                earlier = first.setdefault(thing.title.casefold(), thing)
                if earlier is not thing:
                    message = f"`{thing.id}` has the same title as `{earlier.id}`"
                    notes = (("that is declared", earlier.span),)
                    self.symbols.report.add("RF721", message, thing.span, "give it another title", notes)

    def _board(self, kind: m.Kind, grid: m.Grid, typed: t.Kind) -> None:
        cells = cells_of(grid.columns, grid.rows, self._outside(grid))
        holes = outlines.named(grid)
        everywhere = (
            {cell_name(c, r) for c, r in cells_of(grid.columns, grid.rows, frozenset())} if holes else set()
        )
        for hole in holes:
            if hole.text.strip() not in everywhere:
                self.symbols.unknown("cell", hole.text.strip(), hole.span, sorted(everywhere))
        if grid.shape == "hex" and grid.neighbours != "all":
            message, help = "hexagons have neighbours in all six directions", "leave out `neighbours`"
            self.symbols.error("RF502", message, grid.span, help)
        geometry = geometry_of(typed, grid, cells)
        self.symbols.geometry[kind.id] = geometry
        for name, length, span in kind.lines:
            most = len(cells) * (len(SHAPES[grid.shape]) // 2)
            if not self.symbols.room.room_for_table(2 * most * min(length, len(cells)), f"`{name}`", span):
                self.symbols.lost(name, f"{name}s")
                continue
            lines = lines_of(geometry, length)
            if not self.symbols.room.room_for_things(len(lines), f"`{name}`", span):
                self.symbols.lost(name, f"{name}s")
                continue
            names = [f"{name}_{i}" for i in range(1, len(lines) + 1)]
            line_kind = t.Kind(name, f"{name}s", tuple(names), span)
            self.add(line_kind)
            self.fact(line_kind, kind.plural, SetT(kind.id), lines)
            through: list[list[int]] = [[] for _ in cells]
            for number, line in enumerate(lines, 1):
                for cell in line:
                    through[cell - 1].append(number)
            self.fact(typed, f"{name}s", SetT(name), map(tuple, through))

    def facts_of_boards(self) -> None:
        for geometry in self.symbols.geometry.values():
            kind = geometry.kind
            first = [c for c, _ in geometry.cells]
            second = [r for _, r in geometry.cells]
            if geometry.shape == "rings":
                sizes = [sum(1 for r, _ in geometry.cells if r == ring) for ring in first]
                self.fact(kind, "ring", NumberT(1, geometry.columns), first)
                self.fact(kind, "sector", NumberT(0, geometry.rows - 1), second)
                self.fact(kind, "sectors", NumberT(1, geometry.rows), sizes)
            elif geometry.cells:
                self.fact(kind, "column", NumberT(1, geometry.columns), first)
                self.fact(kind, "row", NumberT(1, geometry.rows), second)
            for direction in geometry.steps:
                self.fact(kind, direction, ThingT(kind.name, True), geometry.steps[direction])


def _links(graph: m.Graph, there: frozenset[str]) -> dict[str, list[str]]:
    """The links between things that there are: a graph makes its things, so the others were complained about."""
    return {
        name: [other for text in others if (other := text.text.strip()) in there]
        for name, others in graph.links
        if name in there
    }


def _copies(kind: m.Kind) -> list[tuple[str, m.Thing]]:
    """The things that are listed, each copy with a name of its own."""
    return [
        (thing.id if thing.copies == 1 else f"{thing.id}_{copy}", thing)
        for thing in kind.things
        for copy in range(1, thing.copies + 1)
    ]
