"""Effects of packs -> what they change, write, emit, roll, ask and look at, through all the events that they call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace

from ruleforge.check import typed as t
from ruleforge.check.types import NumberT, SetT, ThingT
from ruleforge.check.walk import replaced
from ruleforge.contracts.footprints.belonging import belongs, controller_of, written_out
from ruleforge.contracts.footprints.deltas import Deltas, consists_of
from ruleforge.contracts.footprints.facts import Change, Emission, Occasion, Range, Who, Write
from ruleforge.contracts.footprints.ranges import Ranges
from ruleforge.contracts.footprints.values import NOTHING, Known, conjuncts, same
from ruleforge.diagnostics import Span
from ruleforge.quick import dataclass

Env = dict[t.Variable, Known]
PLAYER = ThingT("player")


@dataclass
class Found:
    """What a walk has met so far."""

    changes: list[Change] = field(default_factory=list)
    writes: list[Write] = field(default_factory=list)
    emits: list[Emission] = field(default_factory=list)
    occasions: list[Occasion] = field(default_factory=list)
    calls: list[tuple[str, Span]] = field(default_factory=list)


@dataclass(frozen=True)
class Where:
    """The circumstances of a statement: inside which core event, how often, through which events, paid or not."""

    sealed: str = ""
    times: float = 1
    path: tuple[str, ...] = ()
    paid: bool = False
    beginning: bool = False  # a set-up: what it changes is how a game starts
    conditions: tuple[t.Expr, ...] = ()
    holds: tuple[
        t.Expr, ...
    ] = ()  # what is known to be true besides: conditions of the rule, of what was chosen
    uses: str = ""  # things of this kind are removed in the same block, so that they run out


MOST_NAMED = 64  # things that a move is told of one by one


class Walk:
    """Walks blocks of packs; `owner` says which pack a place belongs to, the empty text for the core."""

    def __init__(self, rules: t.Checked, ranges: Ranges, owner: Callable[[Span], str]) -> None:
        self.rules, self.ranges, self.owner = rules, ranges, owner
        self._sealed: dict[tuple[object, ...], Found] = {}

    def block(self, block: t.Block | None, env: Env, where: Where, found: Found) -> None:
        statements = block.statements if block else ()
        gone = next((s.thing.type for s in statements if isinstance(s, t.Remove)), None)
        inner = replace(where, uses=gone.kind) if isinstance(gone, ThingT) else where
        for statement in statements:
            self.statement(statement, env, inner, found)

    def statement(self, node: t.Statement, env: Env, where: Where, found: Found) -> None:
        match node:
            case t.Assign(variable=variable, value=value):
                env[variable] = self.ranges.known(value, env) if variable not in env else NOTHING
            case t.Store():
                self._store(node, env, where, found)
            case t.Overwrite(what=what):
                self._change(found, where, Change("redefine", what, node.span, "set", path=where.path))
            case t.Roll(variable=variable, number=number, low=low, high=high):
                low_, high_ = self.ranges.of(low, env), self.ranges.of(high, env)
                env[variable] = Known(Range(number * low_.low, number * high_.high))
                found.occasions.append(Occasion("roll", node.span, "", where.sealed))
            case t.RandomPick(variable=variable, binder=binder):
                inner = self.ranges.bound(binder, env)
                env[variable] = inner[binder.variable]
                found.occasions.append(Occasion("pick", node.span, "", where.sealed))
            case t.Perform():
                self._perform(node, env, where, found)
            case t.Move():
                self._move(node, env, where, found)
            case t.Shuffle(place=place):
                found.occasions.append(Occasion("shuffle", node.span, place.name, where.sealed))
                if not self.owner(place.span):
                    self._shuffle(node, env, where, found)
            case t.Remember(position=position) | t.Forget(position=position):
                if not self.owner(position.span):
                    self._change(
                        found, where, Change("redefine", (position.name,), node.span, path=where.path)
                    )
            case t.Finish(ending=ending, winners=winners):
                if not self.owner(ending.span):
                    edge = "win" if winners is not None else "loss"
                    names = (f"{ending.name}.{edge}", ending.name)
                    self._change(found, where, Change("end", names, node.span, path=where.path))
            case t.Leave(phase=phase):
                if not self._is_new_phase(phase):
                    leave = Change(
                        "step", (f"leave {phase}",), node.span, touches=("flow", phase), path=where.path
                    )
                    self._change(found, where, leave)
            case _:
                self._control(node, env, where, found)

    def _control(self, node: t.Statement, env: Env, where: Where, found: Found) -> None:
        match node:
            case t.If(branches=branches, otherwise=otherwise):
                for test, body in branches:
                    inner = replace(where, conditions=(*where.conditions, test))
                    self.block(body, dict(env), inner, found)
                self.block(otherwise, dict(env), where, found)
            case t.For(binder=binder, body=body):
                self._loop(binder, body, env, where, found)
            case t.Repeat(times=times, condition=condition, body=body):
                often = max(0, self.ranges.of(times, env).high)
                tests = (condition,) if condition is not None else ()
                inner = replace(where, times=where.times * often, conditions=(*where.conditions, *tests))
                self.block(body, dict(env), inner, found)
            case t.Choose(binders=binders, body=body, otherwise=otherwise):
                found.occasions.append(Occasion("choice", node.span, "", where.sealed))
                inner_env = self.binders(binders, env)
                self.block(body, inner_env, replace(where, holds=(*where.holds, *_asked(binders))), found)
                self.block(otherwise, dict(env), where, found)
            case t.Pick(options=options):
                found.occasions.append(Occasion("choice", node.span, "", where.sealed))
                for _, _, body in options:
                    self.block(body, dict(env), where, found)
            case t.Sealed(each=each, binders=binders, body=body):
                found.occasions.append(Occasion("choice", node.span, "", where.sealed))
                inner_env = self.binders(binders, self.ranges.bound(each, env))
                self.block(body, inner_env, where, found)
            case t.Together(body=body):
                self.block(body, env, where, found)
            case t.Pay():
                self._pay(node, env, where, found)
            case t.New(variable=variable, kind=kind):
                found.occasions.append(Occasion("new", node.span, kind.name, where.sealed, where.conditions))
                if variable is not None:
                    env[variable] = NOTHING
                if not self.owner(kind.span):
                    names = (f"create {kind.name}", kind.name)
                    self._change(found, where, Change("create", names, node.span, path=where.path))
            case t.Remove(thing=thing):
                kind_name = thing.type.kind if isinstance(thing.type, ThingT) else ""
                found.occasions.append(Occasion("remove", node.span, kind_name, where.sealed))
                if kind_name in self.rules.kinds and not self.owner(self.rules.kinds[kind_name].span):
                    names = (f"remove {kind_name}", kind_name)
                    self._change(found, where, Change("create", names, node.span, path=where.path))
            case t.Show(what=what):
                self._show(node, what, env, where, found)
            case t.Offer(window=window):
                if not self.owner(window.span):
                    self._change(found, where, Change("again", (window.name,), node.span, path=where.path))

    # --- changes ---

    def _change(self, found: Found, where: Where, change: Change) -> None:
        if where.sealed:
            return
        if where.beginning and change.kind in ("gain", "move", "create"):
            change = replace(change, kind="start")
        found.changes.append(replace(change, times=where.times))

    def _store(self, node: t.Store, env: Env, where: Where, found: Found) -> None:
        column = node.column
        who = self.ranges.who(node.of, env) if column.kind.name == "player" else None
        delta = Deltas(self.ranges, env, node).of(node.value) if isinstance(column.type, NumberT) else None
        amount = delta if delta is not None else self.ranges.of(node.value, env)
        ops = ["set"] if delta is None else _directions(delta)
        parts = [
            Write(column, op, amount, node.span, who, where.sealed, where.times, where.paid, where.conditions)
            for op in ops
        ]
        parts = [replace(part, uses=where.uses) for part in parts]
        found.writes += parts
        key = ("set", column.kind.name, column.name)
        of = (who,) if column.kind.name == "player" else ()
        things = (self.ranges.things(node.of, env),)
        found.emits += [Emission(key, of, node.span, where.sealed, where.times, op, things) for op in ops]
        if self.owner(column.span):
            return
        base = f"{column.kind.name}.{column.name}"
        for op in ops:
            own = consists_of(node.value, column, env)
            change = Change("gain", (f"{base}.{op}", base), node.span, op, amount, who, path=where.path)
            self._change(found, where, replace(change, made_of_itself=own, value=node.value))

    def _pay(self, node: t.Pay, env: Env, where: Where, found: Found) -> None:
        amount = self.ranges.of(node.amount, env)
        if amount.high <= 0:
            return
        several = len(node.pools) > 1
        for pool in node.pools:
            column = pool.column
            who = self.ranges.who(pool.of, env) if column.kind.name == "player" else None
            part = Range(-amount.high, 0 if several else -max(0, amount.low))
            found.writes.append(
                Write(column, "down", part, node.span, who, where.sealed, where.times, True, where.conditions)
            )
            key = ("set", column.kind.name, column.name)
            of = (who,) if column.kind.name == "player" else ()
            found.emits.append(Emission(key, of, node.span, where.sealed, where.times, "down"))
            if not self.owner(column.span):
                base = f"{column.kind.name}.{column.name}"
                change = Change("gain", (f"{base}.down", base), node.span, "down", part, who, path=where.path)
                self._change(found, where, change)

    def _move(self, node: t.Move, env: Env, where: Where, found: Found) -> None:
        kind, place = node.place.holds, node.place
        emission = Emission(("move", kind.name), (), node.span, where.sealed, where.times)
        found.emits.append(replace(emission, things=(self.ranges.things(node.thing, env),), into=place.name))
        if self.owner(kind.span):
            lies_in = self.ranges.lies_in(node.thing, env) or {
                p.name for p in self.rules.places.values() if p.holds is kind
            }
            moved = Occasion("move", node.span, kind.name, where.sealed, where.conditions)
            found.occasions.append(replace(moved, sources=tuple(sorted(lies_in)), into=place.name))
            return
        into = [f"{kind.name} into {place.name}"]
        if self.owner(place.span):
            into.append(f"{kind.name} into new")
        lies = self.ranges.lies_in(node.thing, env)
        holding = lies or {p.name for p in self.rules.places.values() if p.holds is kind}
        sources = [f"{kind.name} from {name}" for name in sorted(holding)]
        routes = [f"{source} into {place.name}" for source in sources]
        hosts = [f"{place.name} of {index.name}" for _, index in place.of]
        hosts += [f"new of {index.name}" for _, index in place.of if self.owner(place.span)]
        single = lies is not None and len(lies) == 1
        names = (*(routes if single else ()), *into, *(sources if single else ()), place.name, kind.name)
        touches = (
            *(sources if lies else ()),
            *routes,
            *hosts,
            *self._single_things(node, env, where, sources),
        )
        change = Change("move", names, node.span, who=self._whose(node.thing, env, where), path=where.path)
        goal = self.ranges.keeper(place, node.index, env) or self._named_after(node, env, where)
        lay = (next(iter(lies)), self.ranges.holder(node.thing, env)) if lies and single else None
        change = replace(change, touches=touches, goal=goal, lay=lay)
        self._change(found, where, replace(change, perhaps=() if lies else tuple(sources)))

    def _whose(self, thing: t.Expr, env: Env, where: Where) -> Who | None:
        """Whose a thing is: by how it was found, else by what is known to be true."""
        found = self.ranges.known(thing, env).of
        tests = (*where.holds, *where.conditions)
        return found or belongs(self.rules, thing, tests, lambda node: self.ranges.who(node, env))

    def _named_after(self, node: t.Move, env: Env, where: Where) -> Who | None:
        """`owner(p).hand`: the place is that of whoever the thing belongs to."""
        controller = controller_of(self.rules, node.thing)
        if controller is None or not any(same(written_out(part), controller) for part in node.index):
            return None
        return self._whose(node.thing, env, where)

    def _single_things(self, node: t.Move, env: Env, where: Where, sources: list[str]) -> list[str]:
        """The things that a move can be about: by name where they are few, and by name and source."""
        kind = node.place.holds
        things = self.ranges.things(node.thing, env) or self._asked_of(node.thing, where)
        if things is None:
            things = frozenset(range(1, kind.size + 1))
        if len(things) > MOST_NAMED:
            return []
        names = [f"{kind.name}.{kind.things[i - 1]}" for i in sorted(things)]
        ways = [source.partition(" ")[2] for source in sources]
        return [*(names if len(names) <= 3 else ()), *(f"{name} {way}" for name in names for way in ways)]

    def _asked_of(self, thing: t.Expr, where: Where) -> frozenset[int] | None:
        """The things that `square.piece` or the like can be, by what is asked of it."""
        stands = t.Variable("it", thing.type)
        use = t.Use(thing.span, thing.type, stands)
        tests = tuple(
            replaced(test, lambda node: use if same(node, thing) else None)
            for test in conjuncts(*where.holds, *where.conditions)
        )
        return self.ranges.fitting(stands, tests)

    def _shuffle(self, node: t.Shuffle, env: Env, where: Where, found: Found) -> None:
        place, keeper = node.place, self.ranges.keeper(node.place, node.index, env)
        names = (f"shuffle {place.name}", f"{place.holds.name} into {place.name}", place.name)
        change = Change("move", names, node.span, path=where.path, goal=keeper, lay=(place.name, keeper))
        self._change(found, where, change)

    def _show(self, node: t.Show, what: t.Expr, env: Env, where: Where, found: Found) -> None:
        kind = what.type.kind if isinstance(what.type, ThingT | SetT) else ""
        places = self.ranges.lies_in(what, env)
        known = places or frozenset(p.name for p in self.rules.places.values() if p.holds.name == kind)
        hidden = [name for name in sorted(known) if self.rules.places[name].hidden]
        found.occasions.append(Occasion("look", node.span, " ".join(hidden), where.sealed))
        ours = [name for name in hidden if not self.owner(self.rules.places[name].span)]
        if ours:
            lay = (ours[0], self.ranges.holder(what, env))
            change = Change("look", tuple(ours), node.span, path=where.path, lay=lay)
            self._change(found, where, replace(change, goal=self.ranges.who(node.to, env)))

    # --- calls ---

    def _perform(self, node: t.Perform, env: Env, where: Where, found: Found) -> None:
        event = node.event
        known = tuple(self.ranges.known(argument, env) for argument in node.arguments)
        players = tuple(
            self._player(argument, env)
            for argument, parameter in zip(node.arguments, event.parameters, strict=False)
            if isinstance(parameter.type, ThingT) and parameter.type.kind == "player"
        )
        emission = Emission(("event", event.name), players, node.span, where.sealed, where.times)
        found.emits.append(replace(emission, things=tuple(k.things for k in known)))
        found.calls.append((event.name, node.span))
        if node.into is not None:
            env[node.into] = NOTHING
        inner = dict(zip(event.parameters, known, strict=False))
        if self.owner(event.span) and not where.sealed:
            path = (*where.path, event.name)
            holds = (*where.holds, *event.needs)
            self.block(event.body, inner, replace(where, path=path, holds=holds), found)
            return
        amount = next((k.range for k in known if k.range is not None), None)
        call = Change("call", (event.name,), node.span, "", amount, players[0] if players else None)
        self._change(found, where, replace(call, path=where.path))
        self._inside(node, known, inner, where, found)

    def _inside(
        self, node: t.Perform, known: tuple[Known, ...], inner: Env, where: Where, found: Found
    ) -> None:
        """What a core event does is the core's business; what it writes and emits counts, at the place of the call."""
        event, sealed = node.event, where.sealed or node.event.name
        key = (event.name, known)
        done = self._sealed.get(key)
        if done is None:
            done = self._sealed[key] = Found()
            self.block(event.body, inner, Where(sealed=event.name), done)
        for write in done.writes:
            found.writes.append(
                replace(
                    write,
                    span=node.span,
                    sealed=sealed,
                    times=write.times * where.times,
                    paid=where.paid,
                    conditions=where.conditions,
                    uses=where.uses or write.uses,
                )
            )
        for emission in done.emits:
            times = emission.times * where.times
            found.emits.append(replace(emission, span=node.span, sealed=sealed, times=times))
        found.occasions += [replace(o, span=node.span, sealed=sealed) for o in done.occasions]
        found.calls += done.calls

    def _player(self, node: t.Expr, env: Env) -> Who | None:
        return self.ranges.who(node, env)

    # --- binders ---

    def binders(self, binders: tuple[t.Binder | t.Several, ...], env: Env) -> Env:
        inner = dict(env)
        for binder in binders:
            if isinstance(binder, t.Several):
                inner = self.ranges.bound(binder.binder, inner)
                inner[binder.chosen] = replace(inner[binder.binder.variable], who=None)
            else:
                inner = self.ranges.bound(binder, inner)
        return inner

    def _loop(self, binder: t.Binder, body: t.Block, env: Env, where: Where, found: Found) -> None:
        inner = self.ranges.bound(binder, env)
        over_players = binder.variable.type == PLAYER
        often = 1 if over_players else self.ranges.size(binder, env)
        tests = (binder.where,) if binder.where is not None else ()
        self.block(
            body,
            inner,
            replace(where, times=where.times * often, conditions=(*where.conditions, *tests)),
            found,
        )

    def _is_new_phase(self, name: str) -> bool:
        phases = list(self.rules.flow)
        for phase in phases:
            if phase.name == name:
                return bool(self.owner(phase.span))
            phases += phase.steps
        return False


def _asked(binders: tuple[t.Binder | t.Several, ...]) -> tuple[t.Expr, ...]:
    """What choices ask of what is chosen."""
    single = (b for b in binders if isinstance(b, t.Binder))
    return tuple(b.where for b in single if b.where is not None)


def _directions(delta: Range) -> list[str]:
    """The ways in which an attribute may go."""
    return [*(["up"] if delta.high > 0 else []), *(["down"] if delta.low < 0 else [])]
