"""Blocks of statements over a world, drawn by Hypothesis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.fuzz.expressions import Expressions, Scope
from tests.fuzz.world import FLAG, Type, maybe, number, set_of, thing

Lines = list[str]


@dataclass(frozen=True)
class Around:
    """Where a block stands: what may be said in it."""

    gives: Type | None = None  # in an event that returns
    proceeds: tuple[str, ...] | None = None  # in a replacement, the names of the event's parameters
    asks: bool = True
    events: tuple[str, ...] = ()  # those that may be called
    leaves: tuple[str, ...] = ()


class Statements(Expressions):
    """Each method gives the lines of a statement, or none if the world lacks what it needs."""

    def block(self, scope: Scope, around: Around, depth: int = 2) -> str:
        return "\n".join(self.lines(scope, around, depth))

    def lines(self, scope: Scope, around: Around, depth: int) -> Lines:
        scope, found = dict(scope), []
        for _ in range(1 + self.upto(2)):
            found += self.statement(scope, around, depth)
        return found or ["skip"]

    def statement(self, scope: Scope, around: Around, depth: int) -> Lines:
        ways: list[Callable[[Scope, Around, int], Lines | None]] = [
            self._assign, self._let, self._call, self._move, self._finish, self._set_thing, self._set_set,
            self._show, self._new, self._remove, self._shuffle, self._proceed, self._return, self._leave,
        ]  # fmt: skip
        if depth > 0:
            ways += [self._if, self._for, self._repeat, self._together, self._for_maybe]
            if around.asks:
                ways += [
                    self._chooses,
                    self._picks,
                    self._roll,
                    self._random,
                    self._sealed,
                    self._offer,
                    self._pay,
                ]
                ways += [self._several]
        at = self.upto(len(ways))
        found = ways[at - 1](scope, around, depth) if at else None
        return found or ["skip"]

    def _suite(self, scope: Scope, around: Around, depth: int) -> Lines:
        return ["  " + line for line in self.lines(scope, around, depth - 1)]

    # --- plain ---

    def _target(self, type: str, scope: Scope) -> tuple[str, Type] | None:
        found = [
            (kind.name, name, t, per)
            for kind in self.world.kinds.values()
            for name, (t, per) in kind.has.items()
            if t[0] == type
        ]
        if not found:
            return None
        owner, name, t, per = self.pick(found)
        of = "game" if owner == "game" else self.thing(owner, scope, 1)
        index = None if per is None else self.thing(per, scope, 1)
        if of is None or (per is not None and index is None):
            return None
        return (f"{of}.{name}" if per is None else f"{of}.{name}[{index}]"), t

    def _assign(self, scope: Scope, around: Around, depth: int) -> Lines | None:
        kind = self.pick(["number", "number", "flag"])
        found = self._target(kind, scope)
        if found is None:
            return None
        target, type = found
        if kind == "flag":
            return [f"{target} = {self.flag(scope, 2)}"]
        sign = self.pick(["+=", "-=", "="])
        value = self.number(scope, 2)
        return [f"{target} {sign} {value if self.often(60) else f'clamp({value}, {type[1]}, {type[2]})'}"]

    def _set_thing(self, scope: Scope, around: Around, depth: int) -> Lines | None:
        found = self._target(self.pick(["thing", "maybe"]), scope)
        if found is None:
            return None
        value = self.of(found[1], scope, 2)
        return None if value is None else [f"{found[0]} = {value}"]

    def _set_set(self, scope: Scope, around: Around, depth: int) -> Lines | None:
        found = self._target("set", scope)
        return None if found is None else [f"{found[0]} = {self.of(found[1], scope, 2)}"]

    def _let(self, scope: Scope, around: Around, depth: int) -> Lines | None:
        type = self.pick([number(0, 9), FLAG, set_of("gem"), maybe("card"), thing("player")])
        value, name = self.of(type, scope, 2), self.fresh("v")
        if value is None or value == "none":
            return None
        scope[name] = type
        return [f"let {name} = {value}"]

    def _call(self, scope: Scope, around: Around, depth: int) -> Lines | None:
        if not around.events:
            return None
        name = self.pick(around.events)
        text = self.called(name, self.world.events[name], scope, 2)
        return None if text is None else [text]

    def _move(self, scope: Scope, around: Around, depth: int) -> Lines | None:
        if not self.world.places:
            return None
        place = self.world.places[self.pick(sorted(self.world.places))]
        to, what = self.container(place.name, scope, 2), self.thing(place.holds, scope, 1)
        if to is None or what is None:
            return None
        end = self.pick(["", " at top", " at bottom"]) if place.ordered else ""
        return [f"move {what} to {to}{end}"]

    def _shuffle(self, scope: Scope, around: Around, depth: int) -> Lines | None:
        ordered = [p.name for p in self.world.places.values() if p.ordered]
        to = self.container(self.pick(ordered), scope, 1) if ordered else None
        return None if to is None else [f"shuffle {to}"]

    def _finish(self, scope: Scope, around: Around, depth: int) -> Lines | None:
        if not self.often(30):
            return None
        who = self.pick(
            ["", f" for {self.thing('player', scope, 1)}", f" for {self.set('player', scope, 1)}"]
        )
        return [f"if {self.flag(scope, 2)}: finish {self.pick(self.world.endings)}{who}"]

    def _show(self, scope: Scope, around: Around, depth: int) -> Lines | None:
        what = self.pick([self.thing("card", scope, 1), self.set("card", scope, 1)])
        to = self.pick([self.thing("player", scope, 1), "players"])
        if self.often(40) and (part := self._part(scope)) is not None:
            what = part
        return None if what is None else [f"show {what} to {to}"]

    def _part(self, scope: Scope) -> str | None:
        """A fact of a card, or a test of one."""
        card, facts = self.thing("card", scope, 1), self.world.kinds["card"].facts
        told = [name for name, type in facts.items() if type[0] in ("number", "flag", "thing", "maybe")]
        if card is None or not told:
            return None
        name = self.pick(told)
        match facts[name]:
            case ("number", *_) if self.often(60) and (limit := self.number(scope, 1)):
                return f"{card}.{name} {self.pick(['<', '<=', 'is', '>'])} {limit}"
            case ("thing" | "maybe", kind) if self.often(60) and (other := self.thing(str(kind), scope, 1)):
                return f"{card}.{name} is {other}"
        return f"{card}.{name}"

    def _new(self, scope: Scope, around: Around, depth: int) -> Lines | None:
        card = self.world.kinds["card"]
        if card.made is not None and self.often(50):
            name = self.fresh("t")
            scope[name] = thing("card")
            return [f"let {name} = new {card.made}()"]
        if "token" not in self.world.kinds:
            return None
        name = self.fresh("t")
        scope[name] = thing("token")
        given = "strength = 1" if "strength" in self.world.kinds["token"].has and self.often(50) else ""
        return [f"let {name} = new token({given})"]

    def _remove(self, scope: Scope, around: Around, depth: int) -> Lines | None:
        if self.world.kinds["card"].made is not None and self.often(50):
            one = self.local(scope, "thing", kind="card")
            return [f"remove {one}"] if one else None
        if "token" not in self.world.kinds:
            return None
        one = self.local(scope, "thing", kind="token")
        return [f"remove {one}"] if one else ["for t0 in tokens: remove t0"]

    def _proceed(self, scope: Scope, around: Around, depth: int) -> Lines | None:
        if around.proceeds is None:
            return None
        numbers = [name for name in around.proceeds if scope.get(name, FLAG)[0] == "number"]
        if numbers and self.often(50):
            return [f"proceed with {self.pick(numbers)} = clamp({self.number(scope, 1)}, 0, 9)"]
        return ["proceed"]

    def _return(self, scope: Scope, around: Around, depth: int) -> Lines | None:
        if around.gives is None or depth > 1:
            return None
        return [f"return {self.of(around.gives, scope, 2)}"]

    def _leave(self, scope: Scope, around: Around, depth: int) -> Lines | None:
        return [f"leave {self.pick(around.leaves)}"] if around.leaves and self.often(30) else None

    # --- with a block ---

    def _if(self, scope: Scope, around: Around, depth: int) -> Lines:
        found = [f"if {self.flag(scope, 2)}:", *self._suite(scope, around, depth)]
        if self.often(20):
            found += [f"elif {self.flag(scope, 2)}:", *self._suite(scope, around, depth)]
        if self.often(30):
            found += ["else:", *self._suite(scope, around, depth)]
        return found

    def _for(self, scope: Scope, around: Around, depth: int) -> Lines:
        if self.often(20):
            name = self.fresh("k")
            return [
                f"for {name} in {self.range(scope, 1)}:",
                *self._suite({**scope, name: number(0, 9)}, around, depth),
            ]
        binder, inner = self.binder(scope, 2)
        return [f"for {binder}:", *self._suite(inner, around, depth)]

    def _for_maybe(self, scope: Scope, around: Around, depth: int) -> Lines | None:
        kind = self.pick(["card", "player", "gem"])
        source, name = self.maybe(kind, scope, 2), self.fresh()
        if source is None or source == "none":
            return None
        return [f"for {name} in {source}:", *self._suite({**scope, name: thing(kind)}, around, depth)]

    def _repeat(self, scope: Scope, around: Around, depth: int) -> Lines:
        times = self.number(scope, 1) if self.often(30) else str(self.upto(3))
        test = f" while {self.flag(scope, 1)}" if self.often(30) else ""
        return [f"repeat {times}{test}:", *self._suite(scope, around, depth)]

    def _together(self, scope: Scope, around: Around, depth: int) -> Lines:
        return ["together:", *self._suite(scope, around, depth)]

    def _chooses(self, scope: Scope, around: Around, depth: int) -> Lines:
        binder, inner = self.binder(scope, 2)
        who = self.thing("player", scope, 1)
        if self.often(25):
            name = self.fresh("k")
            binder, inner = f"{name} in {self.range(scope, 1)}", {**scope, name: number(0, 9)}
        if self.often(25):
            more, inner = self.binder(inner, 1)
            binder = f"{binder}, {more}"
        found = [
            f"{who} {self.pick(['chooses', 'may choose'])} {binder}:",
            *self._suite(inner, around, depth),
        ]
        return [*found, "else:", *self._suite(scope, around, depth)] if self.often(30) else found

    def _several(self, scope: Scope, around: Around, depth: int) -> Lines:
        kind = self.pick(["card", "gem", "player"])
        many = self.pick([f"up to {1 + self.upto(2)}", f"exactly {1 + self.upto(2)}", "any number of"])
        name = self.fresh("s")
        binder, _ = self.binder(scope, 1, kind, name=name)
        such = f" such that {self.flag({**scope, name: set_of(kind)}, 2)}" if self.often(30) else ""
        who = f"{self.thing('player', scope, 1)} {self.pick(['chooses', 'may choose'])}"
        body = self._suite({**scope, name: set_of(kind)}, around, depth)
        return [f"{who} {many} {binder}{such}:", *body]

    def _picks(self, scope: Scope, around: Around, depth: int) -> Lines:
        found = [f"{self.thing('player', scope, 1)} picks:"]
        for n in range(1 + self.upto(2)):
            test = f" if {self.flag(scope, 1)}" if self.often(40) else ""
            found += [f"  way_{n}{test}:", *("  " + line for line in self._suite(scope, around, depth))]
        return found

    def _sealed(self, scope: Scope, around: Around, depth: int) -> Lines:
        who, inner = self.binder(scope, 1, "player")
        what, innermost = self.binder(inner, 1)
        if self.often(30):
            name = self.fresh("k")
            what, innermost = f"{name} in {self.range(inner, 1)}", {**inner, name: number(0, 9)}
        return [f"each {who} secretly chooses {what}:", *self._suite(innermost, around, depth)]

    def _roll(self, scope: Scope, around: Around, depth: int) -> Lines:
        name = self.fresh("d")
        scope[name] = number(0, 9)
        return [f"let {name} = roll {self.pick(['1d6', '2d6', self.range(scope, 1)])}"]

    def _random(self, scope: Scope, around: Around, depth: int) -> Lines:
        kind, name = self.pick(["card", "gem", "player"]), self.fresh("r")
        scope[name] = maybe(kind)
        return [f"let {name} = random({self.binder(scope, 1, kind)[0]})"]

    def _offer(self, scope: Scope, around: Around, depth: int) -> Lines | None:
        if not self.world.windows:
            return None
        name = self.pick(sorted(self.world.windows))
        text = self.called(name, self.world.windows[name], scope, 1)
        return None if text is None else [f"offer {text} to {self.thing('player', scope, 1)}"]

    def _pay(self, scope: Scope, around: Around, depth: int) -> Lines | None:
        one, two = self._target("number", scope), self._target("number", scope)
        if one is None or two is None:
            return None
        return [f"pay {self.upto(3)} from {one[0]} or {two[0]}"]
