"""The scene builder arranges a table as a scene: boards, panels of players and things, grids, and the question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ruleforge.backends.artifacts.info import GameInfo
from ruleforge.engine.presentation.observation import SeenBoard, SeenCell, SeenPlace, SeenValue, Table, Value
from ruleforge.engine.presentation.offers import named, prompt_of
from ruleforge.engine.presentation.scene import (
    Board,
    Border,
    Cell,
    Fact,
    Grid,
    GridRow,
    Panel,
    Point,
    Scene,
    Zone,
    standing,
)
from ruleforge.engine.presentation.titles import phases_around
from ruleforge.engine.presentation.tokens import Tokens

MOST_COLUMNS = 12
Seen = SeenValue | SeenPlace
GAME = ("", "game")


def arranged(table: Table, info: GameInfo, since: Table | None = None) -> Scene:
    """The scene of a table; what differs from an earlier table is marked as changed."""
    return _Arranging(table, info, since).scene()


def changes(table: Table, since: Table | None) -> frozenset[str]:
    """The paths whose values or things are not what they were."""
    if since is None:
        return frozenset()
    before: dict[str, object] = {seen.of.path: _content(seen) for seen in since}
    after: dict[str, object] = {seen.of.path: _content(seen) for seen in table}
    return frozenset(path for path in after.keys() | before.keys() if before.get(path) != after.get(path))


def _content(seen: Seen) -> object:
    return seen.value if isinstance(seen, SeenValue) else seen.things


class _Arranging:
    def __init__(self, table: Table, info: GameInfo, since: Table | None) -> None:
        self.table, self.info, self.look = table, info, info.look
        self.changed = changes(table, since)
        self.tokens = Tokens(table, info, self.changed, named(table.decision))
        self.names = self.tokens.names
        self.shown: set[str] = set()  # paths that are shown already
        self.lying = {(p.holds, t.name) for p in table.places for t in p.things}

    def scene(self) -> Scene:
        boards = tuple(self._boards())
        grids = tuple(self._grids())
        panels = (*self._players(), *self._things(), *self._game())
        on = standing(boards)
        outcome, decision = self.table.outcome, self.table.decision
        return Scene(
            self.info.title,
            self.table.seat,
            tuple((player, self.names.thing(player, "player")) for player in self.table.players),
            boards,
            panels,
            grids,
            prompt_of(decision, self.names, on) if decision is not None else None,
            self._ended() if outcome is not None else None,
            phases_around(self.info.phases, decision.kind) if decision is not None and decision.kind else (),
        )

    def _ended(self) -> str:
        outcome = self.table.outcome
        assert outcome is not None
        names = self.names.winners(outcome.winners, self.table.players)
        won = f"{' and '.join(names)} won" if names else "lost" if outcome.lost else "draw"
        return f"{won} ({self.names.action(outcome.reason)})"

    # --- boards ---

    def _boards(self) -> Iterator[Board]:
        drawn = {board.info.kind for board in self.table.boards if board.info.points}
        for board in self.table.boards:
            kind = board.info.kind
            is_container = kind in self.info.stands.values()
            if board.info.of not in drawn and (
                board.cells or self._may_hold(board) or kind in drawn or is_container
            ):
                yield self._board(board)
        if self.look.lanes is not None:
            yield self._lanes()

    def _may_hold(self, board: SeenBoard) -> bool:
        """Whether something may stand on the cells of a grid, though nothing of it is seen now."""
        return bool(board.info.cells) and any(
            key.startswith(f"{board.info.kind}.") for key in self.look.names
        )

    def _board(self, board: SeenBoard) -> Board:
        info = board.info
        known = {cell.name: self._cell(cell, info.kind) for cell in board.cells}
        self._stand(info.kind, known)
        at = info.cells or {(n, 1): name for n, name in enumerate(info.names, 1)}
        cells = {place: known.get(name) or Cell(name) for place, name in at.items()}
        self.shown |= {seen.of.path for cell in board.cells for seen in cell}
        rows = info.rows if info.cells else 1
        columns = info.columns if info.cells else len(info.names)
        near = None if info.cells else info.near
        title = self.info.titles.get(f"kind {info.kind}") or self.names.action(info.kind)
        lanes = {n: name.replace("_", " ") for n, name in enumerate(info.stretches, 1)} or None
        points = {place: info.points[name] for place, name in at.items()} if info.points else {}
        return Board(
            *(title, info.shape, columns, rows, cells, info.north_first, near, lanes, info.levels, points),
            self._borders(info.kind) if points else {},
        )

    def _stand(self, board: str, cells: dict[str, Cell]) -> None:
        """Adds the things that keep their cell in an attribute, if nothing on the board tells where they are."""
        there = {token.id for cell in cells.values() for token in cell.tokens}
        for value in self.table.values:
            of, name = value.of, value.value
            if self.info.stands.get(f"{of.kind}.{of.name}") != board or not isinstance(name, str):
                continue
            if self.look.is_small(of.kind, of.name) or of.thing in there:
                continue
            moved = of.path in self.changed
            token = replace(self.tokens.token(of.thing, of.kind, moved), face=(), holds=())
            cell = cells.get(name) or Cell(name, choices=named(self.table.decision, board).get(name, ()))
            cells[name] = replace(cell, tokens=(*cell.tokens, token))
            self.shown.add(of.path)

    def _borders(self, kind: str) -> dict[Point, Border]:
        """The edges and corners of a board, where they are."""
        found: dict[Point, Border] = {}
        for board in self.table.boards:
            if board.info.of == kind:
                known = {cell.name: self._cell(cell, board.info.kind) for cell in board.cells}
                self.shown |= {seen.of.path for cell in board.cells for seen in cell}
                for name, point in board.info.points.items():
                    found[point] = Border(known.get(name) or Cell(name), board.info.runs[name])
        return found

    def _cell(self, cell: SeenCell, kind: str) -> Cell:
        tokens = [t for place in cell.places for t in self.tokens.within(place)]
        tokens += [
            self.tokens.hidden(t, p.holds)
            for p in cell.places
            for t in p.things
            if self.tokens.is_bare(t, p.holds)
        ]
        counts: list[Fact] = []
        for value in cell.values:
            for name in _things_of(value.value):
                own = self.look.names.get(f"{kind}.{value.of.name}", "")
                token = self.tokens.token(name, own, value.of.path in self.changed)
                tokens.append(replace(token, face=(), holds=()))
            if isinstance(value.value, int) and value.value:
                label = "" if value.of.name == "x" else self.names.label(value.of.name, kind)
                counts.append(self._fact(value, label))
        for value in self.tokens.values_of(kind, cell.name):
            if value.of.index:
                self.shown.add(value.of.path)
                if value.value:
                    label = ", ".join(map(self.names.thing, value.of.index))
                    counts.append(replace(self._fact(value, label), of=value.of.index[-1]))
        touched = any(seen.of.path in self.changed for seen in cell)
        offered = named(self.table.decision, kind).get(cell.name, ())
        return Cell(cell.name, tuple(tokens), tuple(counts), touched, offered)

    def _lanes(self) -> Board:
        lanes = self.look.lanes
        assert lanes is not None
        numbers = {name: n for n, (name, _) in enumerate(lanes.lengths, 1)}
        cells: dict[tuple[int, ...], Cell] = {
            (numbers[name], step): Cell("") for name, length in lanes.lengths for step in range(length)
        }
        for kind, thing in self.tokens.owners():
            if kind == lanes.of:
                values = {v.of.name: v for v in self.tokens.values_of(kind, thing)}
                lane, at = values.get(lanes.lane), values.get(lanes.at)
                step = at.value if at else None
                place = (numbers.get(str(lane.value), 0), step) if lane and isinstance(step, int) else None
                if place in cells:
                    cell = cells[place]
                    token = replace(self.tokens.token(thing, kind), face=(), holds=())
                    cells[place] = replace(cell, tokens=(*cell.tokens, token))
        names = {n: self.names.thing(name, lanes.kind) for name, n in numbers.items()}
        title = self.names.action(lanes.kind)
        return Board(title, "rings", len(numbers), 1, cells, lanes=names)

    # --- what players have for each of a few things ---

    def _grids(self) -> Iterator[Grid]:
        families: dict[str, dict[str, dict[str, Seen]]] = {}  # name -> player -> index -> what is seen
        for seen in self.table:
            if seen.of.owner in self.table.players and len(seen.of.index) == 1:
                families.setdefault(seen.of.name, {}).setdefault(seen.of.owner, {})[seen.of.index[0]] = seen
        alike: dict[tuple[str, ...], list[str]] = {}
        for name, owners in families.items():
            heads = tuple(dict.fromkeys(index for row in owners.values() for index in row))
            if 1 < len(heads) <= MOST_COLUMNS and not _is_single_count(owners.values()):
                alike.setdefault(heads, []).append(name)
        for heads, names in alike.items():
            filled = [
                name
                for name in names
                if any(not _says_nothing(seen) for row in families[name].values() for seen in row.values())
            ]
            self.shown |= {
                s.of.path for name in names for row in families[name].values() for s in row.values()
            }
            rows = tuple(
                self._grid_row(player, name, heads, families[name][player])
                for player in self.table.players
                for name in filled  # for all players if for one: who has nothing there has that to be seen, too
                if player in families[name]
            )
            if rows:
                yield Grid(tuple(map(self.names.thing, heads)), rows)

    def _grid_row(self, player: str, name: str, heads: tuple[str, ...], seen: dict[str, Seen]) -> GridRow:
        cells = tuple(self._words(seen[h]) if h in seen and not _says_nothing(seen[h]) else "" for h in heads)
        label = self.names.label(name, "player")
        return GridRow(
            player, self.names.thing(player, "player"), label, cells, self.look.is_small("player", name)
        )

    # --- panels ---

    def _players(self) -> Iterator[Panel]:
        for player in self.table.players:
            sign = self.look.symbols.get(f"player.{player}", ())
            yield replace(self._panel("player", player), sign=sign)

    def _things(self) -> Iterator[Panel]:
        shared: dict[str, list[Fact]] = {}  # things with equal facts share a panel
        cells = {board.info.kind for board in self.table.boards}
        for kind, thing in self.tokens.owners():
            if kind in ("player", *GAME) or kind in cells:
                continue
            if (kind, thing) in self.lying and kind not in self.look.boxes:
                continue
            panel = self._panel(kind, thing, box=kind in self.look.boxes)
            values = [fact for fact in panel.facts if not fact.small]
            if panel.box or panel.zones or len(values) > 1:
                yield panel
            elif values:
                shared.setdefault(values[0].label, []).append(replace(values[0], label=panel.name))
        for label, facts in shared.items():
            yield Panel("", label, "", tuple(facts))

    def _game(self) -> Iterator[Panel]:
        facts = [f for kind in GAME for f in self._facts(kind, kind)]
        zones = [z for kind in GAME for z in self._zones(kind, kind)]
        if facts or zones:
            yield Panel("game", "", "", tuple(facts), tuple(zones))

    def _panel(self, kind: str, thing: str, box: bool = False) -> Panel:
        facts, zones = tuple(self._facts(kind, thing)), tuple(self._zones(kind, thing))
        if box:  # it is its own face
            facts = (*(Fact("", text, "") for text in self.look.printed.get(f"{kind}.{thing}", ())), *facts)
        name = self.names.thing(thing, kind)
        colour = self.tokens.colour(thing, kind)
        touched = any(f.changed for f in facts) or any(z.changed for z in zones)
        return Panel(thing, name, colour, facts, zones, box, touched)

    def _facts(self, kind: str, thing: str) -> Iterator[Fact]:
        shows = self.look.shows.get(kind)
        values = self.tokens.values_of(kind, thing)
        if shows is not None:
            order = {name: n for n, name in enumerate(shows)}
            values = sorted(values, key=lambda v: order.get(v.of.name, len(order)))
        before = ""
        for value in values:
            wanted = shows is not None and value.of.name in shows
            if value.of.path in self.shown or (_says_nothing(value) and not (wanted and value.value == 0)):
                continue
            if value.value is False or (value.value == 0 and kind not in ("player", *GAME) and not wanted):
                continue
            label = self.names.label(value.of.name, kind)
            if value.of.index:  # of what is counted for several things the name is said once
                label = "" if value.of.name == before else label
                label = f"{label} {', '.join(map(self.names.thing, value.of.index))}".lstrip()
            before = value.of.name
            fact = self._fact(value, label)
            yield replace(fact, small=fact.small or (shows is not None and not wanted))

    def _fact(self, value: SeenValue, label: str) -> Fact:
        of = value.of
        text = "" if value.value is True else self.names.value(value.value)
        text += self.tokens.up_to(of.kind, of.thing, of.name)
        return Fact(of.path, label, text, "", of.path in self.changed, self.look.is_small(of.kind, of.name))

    def _zones(self, kind: str, thing: str) -> Iterator[Zone]:
        for place in self.tokens.places_of(kind, thing):
            if place.of.path in self.shown or not place.things:
                continue
            label = self.names.label(place.of.name, kind)
            others = [index for index in place.of.index if index not in self.table.players]
            if others:
                label += f" {', '.join(map(self.names.thing, others))}"
            owner = next((index for index in place.of.index if index in self.table.players), "")
            if owner:
                label = f"{self.names.thing(owner, 'player')} {label}"
            hidden = self.tokens.bare(place)
            small = self.look.is_small(kind, place.of.name)
            changed = place.of.path in self.changed
            names_kind = self.names.kind(place.holds).casefold() in label.casefold()
            noun = "" if names_kind else self.names.kind(place.holds, hidden)
            tokens, in_order = self.tokens.within(place), self.tokens.in_order(place)
            yield Zone(place.of.path, label, owner, tokens, hidden, changed, small, noun, in_order)

    def _words(self, seen: Seen) -> str:
        if isinstance(seen, SeenValue):
            return "yes" if seen.value is True else self.names.value(seen.value)
        known = [token.name for token in self.tokens.within(seen)]
        hidden = self.tokens.bare(seen)
        return ", ".join([*known, *([f"{hidden} hidden"] if hidden else [])])


def _things_of(value: Value) -> Iterable[str]:
    if isinstance(value, str):
        return (value,)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else ()


def _is_single_count(rows: Iterable[dict[str, Seen]]) -> bool:
    """Whether it counts one and the same thing for every owner: then it needs no column."""
    values = [(index, seen) for row in rows for index, seen in row.items() if not _says_nothing(seen)]
    return len({index for index, _ in values}) == 1 and all(isinstance(seen, SeenValue) for _, seen in values)


def _says_nothing(seen: Seen) -> bool:
    """Flags that are not set, empty places and nothing at all; zeros of players and of the game do say something."""
    if isinstance(seen, SeenPlace):
        return not seen.things
    if seen.value is None or seen.value is False or seen.value == [] or seen.of.name == "exists":
        return True
    return seen.value == 0 and (bool(seen.of.index) or seen.of.kind not in ("player", *GAME))
