"""Kinds: their things, by name or by number; `boards.py` makes the things of boards."""

from __future__ import annotations

from types import MappingProxyType

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.constants import constant_number
from ruleforge.lang.checker.declare.base import Declaring
from ruleforge.lang.checker.declare.boards import Boards, copies_of, listed
from ruleforge.lang.checker.expressions.checker import Expressions
from ruleforge.lang.checker.geometry import DIRECTIONS
from ruleforge.lang.checker.symbols import Symbols
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.parser.grammar import terminals
from ruleforge.lang.source.error_nodes import ErrorNodes
from ruleforge.support.diagnostics import NOWHERE
from ruleforge.support.spelling import counted


class Kinds(Declaring):
    def __init__(self, ruleset: m.Ruleset, symbols: Symbols, expressions: Expressions) -> None:
        super().__init__(ruleset, symbols, expressions)
        self.boards = Boards(ruleset, symbols, expressions)

    def measure(self) -> None:
        """How many things there are of each kind whose things are named: known before anything is counted by it."""
        for kind in self.ruleset.kinds:
            if kind.pool is None and not self.symbols.error_nodes.damage(kind.span):
                most = self._most(kind)
                made = most <= self.symbols.ceilings.things
                self.symbols.sizes[kind.plural] = kind.id, len(self._things(kind)[0]) if made else most

    def declare(self) -> None:
        self._kinds()

    def _kinds(self) -> None:
        beheaded = self.symbols.error_nodes.damage(self.ruleset.span)
        self.symbols.two_players = self.ruleset.players == (2, 2) or beheaded
        for kind in sorted(self.ruleset.kinds, key=lambda k: k.id != "player"):
            self._kind(kind)
        self.boards.declare()
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
                "RF505", "`chance` rolls the dice and cannot be a player", span, "choose another name"
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
        if not self.symbols.error_nodes.may_hold("player"):
            help = "list the seats in `kinds: player: things:`"
            self.symbols.error("RF501", "the kind `player` is missing", self.ruleset.span, help)
            self.symbols.lost("players")
            self.symbols.error_nodes |= ErrorNodes(anything=True)  # it is hardly all that was lost
        self.add(t.Kind("player", "players", (), NOWHERE, seats=True))

    def _directions(self) -> list[str]:
        """All directions that the boards of this ruleset know."""
        used = {name for g in self.symbols.geometry.values() for name in g.steps}
        used |= {side for g in self.symbols.geometry.values() if g.border for side, _ in g.border.sides}
        return [d for d in DIRECTIONS if d in used] + sorted(used - set(DIRECTIONS))

    def _kind(self, kind: m.Kind) -> None:
        if self._room_for(kind):
            names, titles = self._things(kind)
        else:
            names, titles = [], {}
            self.symbols.room.refused.add(kind.id)
            self.symbols.error_nodes |= ErrorNodes(anything=True)
        if not names and self.symbols.error_nodes.damage(kind.span):
            self.symbols.error_nodes |= ErrorNodes(anything=True)
        made = {kind.id: (1, len(names))} if kind.pool is not None else _made(kind) if names else {}
        typed = t.Kind(
            kind.id,
            kind.plural,
            tuple(names),
            kind.span,
            MappingProxyType(titles),
            kind.id == "player",
            kind.pool is not None or bool(made),
            MappingProxyType({name: at.span for name, at in copies_of(kind)} if names else {}),
            MappingProxyType(made),
            _printed(kind, len(names)) if names else (),
        )
        self._alike(kind)
        if kind.things and self.boards.names(kind) is not None:
            self._on_board(kind, names)
        self.add(typed)

    def _on_board(self, kind: m.Kind, names: list[str]) -> None:
        """Merge the listed things of a board with the others, in the order of the board."""
        declared = {thing.id: thing for thing in kind.things}
        for name, thing in declared.items():
            if name not in names:
                what = f"thing of `{kind.id}`"
                self.symbols.unknown(what, name, thing.span, names)
            elif thing.copies != 1 or thing.pool is not None:
                message = f"`{name}` is made by the board, so there are no copies of it"
                self.symbols.error("RF304", message, thing.span, "leave out `copies` and `pool`")
        bare = ((name, m.Thing(name, kind.span)) for name in names)
        self.symbols.room.boards[kind.id] = tuple(declared.get(name, thing) for name, thing in bare)

    def _room_for(self, kind: m.Kind) -> bool:
        """Count the things of a kind before they are made; steps and neighbours of a board go with them."""
        room, span, count = self.symbols.room, kind.span, self._most(kind)
        if not room.room_for_things(count, f"`{kind.id}`", span):
            return False
        return room.room_for_table(self.boards.entries(kind), f"`{kind.id}`", span)

    def _most(self, kind: m.Kind) -> int:
        """How many things there are at most: cells left out of a board are counted."""
        most = self.boards.most(kind)
        if most is not None:
            return most
        if kind.pool is not None:
            node = self.expr(kind.pool)
            return (constant_number(node, self.symbols) if node else None) or 0
        return sum(thing.copies for thing in kind.things) + (kind.count or 0)

    def _things(self, kind: m.Kind) -> tuple[list[str], dict[str, str]]:
        if kind.id == "game":
            return ["game"], {}
        made = self.boards.names(kind)
        if made is not None:
            return made, {}
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
        return listed(kind), {name: thing.title or thing.id for name, thing in copies_of(kind)}

    def _alike(self, kind: m.Kind) -> None:
        """Warn of things that people cannot tell apart by their titles; those of a product are named in one place."""
        first: dict[str, m.Thing] = {}
        made: list[tuple[m.Thing, m.Thing]] = []
        for thing in (thing for thing in kind.things if thing.title is not None):
            assert thing.title is not None
            earlier = first.setdefault(thing.title.casefold(), thing)
            if earlier is not thing and thing.span == earlier.span:
                made.append((earlier, thing))
            elif earlier is not thing:
                message = f"`{thing.id}` has the same title as `{earlier.id}`"
                notes = (("that is declared", earlier.span),)
                self.symbols.report.add("RF721", message, thing.span, "give it another title", notes)
        if made:
            self._made_alike(kind, made)

    def _made_alike(self, kind: m.Kind, made: list[tuple[m.Thing, m.Thing]]) -> None:
        """One diagnostic, at the words that all of them are called by."""
        earlier, thing = made[0]
        more = f", and {counted(len(made) - 1, 'more thing')} with the title of another" if made[1:] else ""
        message = f"`{thing.id}` has the same title as `{earlier.id}`: `{thing.title}`{more}"
        declared = kind.called.text if kind.called else ""
        parts = [f"`{{{name}}}`" for name, _ in kind.product if f"{{{name}}}" not in declared]
        default_answers = f", such as {parts[0]}" if parts else ""
        help = f"name all parts that tell them apart{default_answers}; for things that are all alike use `copies`"
        self.symbols.report.add("RF721", message, kind.called.span if kind.called else kind.span, help)


def _printed(kind: m.Kind, size: int) -> tuple[int, ...]:
    """For each thing the number of the first one printed alike; things that are only counted are all alike."""
    if kind.pool is not None or (kind.count and not kind.things):
        return (1,) * size
    if all(thing.copies == 1 for thing in kind.things):
        return ()
    found: list[int] = []
    for thing in kind.things:
        found += [len(found) + 1] * thing.copies
    return (*found, *range(len(found) + 1, size + 1))


def _made(kind: m.Kind) -> dict[str, tuple[int, int]]:
    """The things that are made in play, with the numbers of their first and last copy."""
    found, count = {}, 0
    for thing in kind.things:
        if thing.pool is not None:
            found[thing.id] = (count + 1, count + thing.copies)
        count += thing.copies
    return found
