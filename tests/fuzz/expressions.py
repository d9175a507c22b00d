"""Expressions of a wanted type over a world and what is in scope, drawn by Hypothesis; the plainest come first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from hypothesis import strategies as st

from tests.fuzz.world import Type, World, maybe, number, set_of, thing

T = TypeVar("T")
Scope = dict[str, Type]
Way = Callable[[], str | None]


class Expressions:
    """Each method gives the text of an expression; None where the world has nothing of the kind."""

    def __init__(self, draw: st.DrawFn, world: World) -> None:
        self._draw = draw
        self.world = world
        self._count = 0

    # --- drawing ---

    def pick(self, options: Sequence[T]) -> T:
        return options[self.upto(len(options) - 1)]

    def upto(self, most: int) -> int:
        return self._draw(st.integers(0, most)) if most > 0 else 0

    def often(self, percent: int) -> bool:
        """Shrinks to no."""
        return self._draw(st.integers(0, 99)) >= 100 - percent

    def fresh(self, stem: str = "x") -> str:
        self._count += 1
        return f"{stem}{self._count}"

    def one_of(self, plain: Way, ways: Sequence[Way]) -> str | None:
        """One of the ways if it leads anywhere, else the plain one."""
        at = self.upto(len(ways))
        found = ways[at - 1]() if at else None
        return plain() if found is None else found

    # --- by type ---

    def of(self, type: Type, scope: Scope, depth: int) -> str | None:
        match type:
            case ("number", int(), int()):
                return self.number(scope, depth)
            case ("thing", str() as kind):
                return self.thing(kind, scope, depth)
            case ("maybe", str() as kind):
                return self.maybe(kind, scope, depth)
            case ("set", str() as kind):
                return self.set(kind, scope, depth)
        return self.flag(scope, depth)

    def local(self, scope: Scope, *types: str, kind: str | None = None) -> str | None:
        fitting = [
            name for name, type in scope.items() if type[0] in types and (kind is None or type[1] == kind)
        ]
        return self.pick(fitting) if fitting else None

    def number(self, scope: Scope, depth: int) -> str | None:
        if depth <= 0:
            return self.one_of(self._literal, [lambda: self.local(scope, "number"), self._named])
        pair = lambda: (self.number(scope, depth - 1), self.number(scope, depth - 1))  # noqa: E731
        return self.one_of(
            self._literal,
            [
                lambda: self.local(scope, "number"),
                lambda: self.column("number", scope, depth),
                lambda: "({} {} {})".format(*self._around(self.pick(["+", "-", "*"]), pair())),
                lambda: self._aggregate(["count"], scope, depth),
                lambda: self._folded(["sum", "min", "max"], self.number, scope, depth),
                lambda: self.call("number", scope, depth),
                lambda: "({} if {} else {})".format(
                    *self._around(self.flag(scope, depth - 1) or "true", pair())
                ),
                lambda: "{}({}, {})".format(self.pick(["min", "max"]), *pair()),
                lambda: f"abs({self.number(scope, depth - 1)})",
                lambda: "({} {} {})".format(*self._around(self.pick(["//", "%"]), pair())),
                lambda: f"clamp({self.number(scope, depth - 1)}, 0, 9)",
                lambda: self._number_of(scope, depth),
                lambda: self._would(scope, depth),
                lambda: self._distance(scope, depth),
                lambda: f"-{self.number(scope, 0)}",
            ],
        )

    def flag(self, scope: Scope, depth: int) -> str | None:
        if depth <= 0:
            return self.one_of(lambda: "true", [lambda: "false", lambda: self.local(scope, "flag")])
        return self.one_of(
            lambda: "true",
            [
                lambda: self._compared(scope, depth),
                lambda: self._same_thing(scope, depth),
                lambda: self._member(scope, depth),
                lambda: self.column("flag", scope, depth),
                lambda: self._aggregate(["any"], scope, depth),
                lambda: self._folded(["all"], self.flag, scope, depth),
                lambda: f"not ({self.flag(scope, depth - 1)})",
                lambda: f"({self.flag(scope, depth - 1)} and {self.flag(scope, depth - 1)})",
                lambda: f"({self.flag(scope, depth - 1)} or {self.flag(scope, depth - 1)})",
                lambda: self.call("flag", scope, depth),
                lambda: self._can(scope, depth),
                lambda: self._has(scope, depth),
                lambda: f"twins({self.thing('card', scope, 0)}, {self.thing('card', scope, depth - 1)})",
                lambda: self.local(scope, "flag"),
                lambda: "false",
            ],
        )

    def thing(self, kind: str, scope: Scope, depth: int) -> str | None:
        names = self.world.kinds[kind].things
        plain = lambda: self.local(scope, "thing", kind=kind) or (self.pick(names) if names else None)  # noqa: E731
        ways: list[Way] = [lambda: self.pick(names) if names else None]
        if kind == "player" and "me" in scope:
            ways += [lambda: "me"]
            if self.world.players == 2:
                ways += [lambda: "opponent"]
        if depth > 0:
            ways += [
                lambda: self.column("thing", scope, depth, kind),
                lambda: f"next({self.thing(kind, scope, depth - 1)})" if kind == "player" else None,
            ]
        return self.one_of(plain, ways)

    def maybe(self, kind: str, scope: Scope, depth: int) -> str | None:
        ways: list[Way] = [
            lambda: self.local(scope, "maybe", kind=kind),
            lambda: self.thing(kind, scope, depth - 1),
            lambda: "none",
        ]
        if depth > 0:
            ways += [
                lambda: self.column("maybe", scope, depth, kind),
                lambda: self._first(kind, scope, depth),
                lambda: self._content(kind, scope, depth, single=True),
                lambda: self._step(kind, scope, depth),
                lambda: f"{self.set(kind, scope, depth - 1)}[{self.number(scope, depth - 1)}]",
                lambda: self._edge(kind, scope, depth),
            ]
        return self.one_of(lambda: self.thing(kind, scope, 0) or "none", ways)

    def set(self, kind: str, scope: Scope, depth: int) -> str | None:
        plural = lambda: f"{kind}s"  # noqa: E731
        if depth <= 0:
            return plural()
        return self.one_of(
            plural,
            [
                lambda: self._content(kind, scope, depth, single=False),
                lambda: self.column("set", scope, depth, kind),
                lambda: self._written_set(kind, scope, depth),
                lambda: "{" + self.binder(scope, depth, kind)[0] + "}",
                lambda: "({} {} {})".format(
                    *self._around(
                        self.pick(["|", "&", "-"]),
                        (self.set(kind, scope, depth - 1), self.set(kind, scope, depth - 1)),
                    )
                ),
                lambda: self.local(scope, "set", kind=kind),
                lambda: self._neighbours(kind, scope, depth),
                lambda: self._reached(kind, scope, depth),
                lambda: self.call("set", scope, depth, kind),
                lambda: f"best({self.binder(scope, depth, kind, by=True)[0]})",
            ],
        )

    # --- parts ---

    def _literal(self) -> str:
        return str(self._draw(st.integers(0, 9)))

    def _named(self) -> str | None:
        names = [*self.world.numbers, *(f"option.{name}" for name in self.world.options)]
        return self.pick(names) if names else None

    def _around(self, middle: str, pair: tuple[str | None, str | None]) -> tuple[str | None, str, str | None]:
        return pair[0], middle, pair[1]

    def column(self, type: str, scope: Scope, depth: int, kind: str | None = None) -> str | None:
        """A fact or an attribute of a thing that is at hand."""
        found = [c for c in self.world.columns(type) if kind is None or c[2][1] == kind]
        if not found:
            return None
        owner, name, _, per = self.pick(found)
        of = "game" if owner == "game" else self.thing(owner, scope, depth - 1)
        index = None if per is None else self.thing(per, scope, depth - 1)
        if of is None or (per is not None and index is None):
            return None
        return f"{of}.{name}" if per is None else f"{of}.{name}[{index}]"

    def call(self, type: str, scope: Scope, depth: int, kind: str | None = None) -> str | None:
        fitting = [
            (name, takes)
            for name, (takes, gives) in self.world.formulas.items()
            if gives[0] == type and (kind is None or gives[1] == kind)
        ]
        return self.called(*self.pick(fitting), scope, depth) if fitting else None

    def called(self, name: str, takes: list[Type], scope: Scope, depth: int) -> str | None:
        given = [self.of(type, scope, depth - 1) for type in takes]
        if None in given:
            return None
        return f"{name}({', '.join(str(one) for one in given)})"

    def binder(
        self, scope: Scope, depth: int, kind: str | None = None, by: bool = False, name: str | None = None
    ) -> tuple[str, Scope]:
        """A whole binder and what is in scope behind it."""
        kind = kind or self.pick(sorted(k for k in self.world.kinds if k != "game"))
        name = name or self.fresh()
        text = f"{name} in {self.set(kind, scope, depth - 1) or f'{kind}s'}"
        inner = {**scope, name: thing(kind)}
        if self.often(10):
            text += f" until {self.flag(inner, depth - 1)}"
        if self.often(50):
            text += f" where {self.flag(inner, depth - 1)}"
        if by or self.often(20):
            text += f" by {self.number(inner, depth - 1)}"
        return text, inner

    def range(self, scope: Scope, depth: int) -> str:
        low = self.upto(3)
        return f"{low}..{self.number(scope, depth - 1)}" if self.often(40) else f"{low}..{low + self.upto(4)}"

    def _aggregate(self, words: list[str], scope: Scope, depth: int) -> str:
        return f"{self.pick(words)}({self.binder(scope, depth)[0]})"

    def _folded(
        self, words: list[str], inside: Callable[[Scope, int], str | None], scope: Scope, depth: int
    ) -> str:
        binder, inner = self.binder(scope, depth)
        return f"{self.pick(words)}({inside(inner, depth - 1)} for {binder})"

    def _number_of(self, scope: Scope, depth: int) -> str | None:
        of = self.thing(self.pick(sorted(k for k in self.world.kinds if k != "game")), scope, depth - 1)
        return None if of is None else f"number({of})"

    def _first(self, kind: str, scope: Scope, depth: int) -> str:
        return f"first({self.binder(scope, depth, kind)[0]})"

    def _event(self, scope: Scope, depth: int) -> str | None:
        names = sorted(self.world.events)
        if not names:
            return None
        name = self.pick(names)
        return self.called(name, self.world.events[name], scope, depth)

    def _would(self, scope: Scope, depth: int) -> str | None:
        event = self._event(scope, depth)
        return None if event is None else f"would({event}: {self.number(scope, depth - 1)})"

    def _can(self, scope: Scope, depth: int) -> str | None:
        event = self._event(scope, depth)
        return None if event is None else f"can({event})"

    def _has(self, scope: Scope, depth: int) -> str | None:
        card = self.thing("card", scope, depth - 1) if self.world.keywords else None
        return None if card is None else f"{card} has {self.pick(self.world.keywords)}"

    def _compared(self, scope: Scope, depth: int) -> str:
        sign = self.pick(["<", "is", ">=", ">", "<=", "is not"])
        return f"({self.number(scope, depth - 1)} {sign} {self.number(scope, depth - 1)})"

    def _same_thing(self, scope: Scope, depth: int) -> str | None:
        kind = self.pick(sorted(k for k in self.world.kinds if k != "game"))
        sign = self.pick(["is", "is not"])
        return f"({self.maybe(kind, scope, depth - 1)} {sign} {self.maybe(kind, scope, depth - 1)})"

    def _member(self, scope: Scope, depth: int) -> str | None:
        kind = self.pick(sorted(k for k in self.world.kinds if k != "game"))
        one = self.thing(kind, scope, depth - 1)
        return (
            None
            if one is None
            else f"({one} {self.pick(['in', 'not in'])} {self.set(kind, scope, depth - 1)})"
        )

    def _written_set(self, kind: str, scope: Scope, depth: int) -> str:
        members = [self.thing(kind, scope, depth - 1) for _ in range(self.upto(3))]
        return f"[{', '.join(one for one in members if one is not None)}]"

    def container(self, place: str, scope: Scope, depth: int) -> str | None:
        """One container, as `move` and `shuffle` want it."""
        of = self.world.places[place].of
        if of is None:
            return place
        owner = self.thing(of, scope, depth - 1)
        return None if owner is None else f"{owner}.{place}"

    def _content(self, kind: str, scope: Scope, depth: int, single: bool) -> str | None:
        fitting = [p.name for p in self.world.places.values() if p.holds == kind and p.single == single]
        if not fitting:
            return None
        name = self.pick(fitting)
        return name if self.often(15) and not single else self.container(name, scope, depth)

    def _grid(self, kind: str) -> bool:
        return self.world.kinds[kind].grid

    def _step(self, kind: str, scope: Scope, depth: int) -> str | None:
        if not self._grid(kind):
            return None
        far = f", {self.number(scope, depth - 1)}" if self.often(30) else ""
        return f"step({self.thing(kind, scope, depth - 1)}, {self.pick(['northeast', 'east', 'west'])}{far})"

    def _edge(self, kind: str, scope: Scope, depth: int) -> str | None:
        if not self.world.kinds[kind].edges:
            return None
        second = self.thing("cell", scope, depth - 1) if self.often(50) else "east"
        return f"{kind}({self.thing('cell', scope, depth - 1)}, {second})"

    def _neighbours(self, kind: str, scope: Scope, depth: int) -> str | None:
        if not self._grid(kind):
            return None
        cell = self.thing(kind, scope, depth - 1)
        return f"ray({cell}, east)" if self.often(40) else f"neighbours({cell})"

    def _reached(self, kind: str, scope: Scope, depth: int) -> str | None:
        if not self._grid(kind):
            return None
        edges = next((k.name for k in self.world.kinds.values() if k.edges), None)
        across = f" across {self.binder(scope, depth, edges)[0]}" if edges and self.often(40) else ""
        return f"reached({self.set(kind, scope, depth - 1)}, {self.binder(scope, depth, kind)[0]}{across})"

    def _distance(self, scope: Scope, depth: int) -> str | None:
        if "cell" not in self.world.kinds or not self._grid("cell"):
            return None
        return f"distance({self.thing('cell', scope, depth - 1)}, {self.thing('cell', scope, depth - 1)})"

    def parameter(self) -> Type:
        kinds = [k for k in sorted(self.world.kinds) if k != "game" and self.world.kinds[k].things]
        return self.pick(
            [
                number(0, 9),
                thing("player"),
                thing(self.pick(kinds)),
                ("flag",),
                maybe("player"),
                set_of("gem"),
            ]
        )
