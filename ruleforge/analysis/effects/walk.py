"""Effects of packs -> what they change, write, emit, roll, ask and look at, through all the events that they call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ruleforge.analysis.effects.facts import Change, Emission, Occasion, Range
from ruleforge.analysis.effects.met import Env, Found, Where
from ruleforge.analysis.effects.moves import Moves
from ruleforge.analysis.effects.ranges import Ranges
from ruleforge.analysis.effects.values import NOTHING, Known, conjuncts, same
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.checker.walk import replaced
from ruleforge.support.diagnostics import Span

PLAYER = ThingT("player")


class Walk(Moves):
    """Walks blocks of packs."""

    def __init__(self, rules: t.Checked, ranges: Ranges, owner: Callable[[Span], str]) -> None:
        super().__init__(rules, ranges, owner)
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
                self.store(node, env, where, found)
            case t.Overwrite(what=what):
                self.change(found, where, Change("redefine", what, node.span, "set", path=where.path))
            case t.Roll() | t.RandomPick():
                self._chance(node, env, where, found)
            case t.Perform():
                self._perform(node, env, where, found)
            case t.Move():
                self.move(node, env, where, found)
            case t.Shuffle(place=place):
                found.occasions.append(Occasion("shuffle", node.span, place.name, where.sealed))
                if not self.owner(place.span):
                    self.shuffle(node, env, where, found)
            case t.Pay():
                self.pay(node, env, where, found)
            case t.New() | t.Remove():
                self._pooled(node, env, where, found)
            case t.Show():
                self.show(node, env, where, found)
            case t.If() | t.For() | t.Repeat() | t.Together():
                self._control(node, env, where, found)
            case t.Choose() | t.Pick() | t.Sealed():
                self._choice(node, env, where, found)
            case _:
                self._course(node, where, found)

    def _chance(self, node: t.Roll | t.RandomPick, env: Env, where: Where, found: Found) -> None:
        what = "roll" if isinstance(node, t.Roll) else "pick"
        found.occasions.append(Occasion(what, node.span, "", where.sealed))
        if isinstance(node, t.Roll):
            low, high = self.ranges.of(node.low, env), self.ranges.of(node.high, env)
            env[node.variable] = Known(Range(node.number * low.low, node.number * high.high))
        else:
            env[node.variable] = self.ranges.bound(node.binder, env)[node.binder.variable]

    def _pooled(self, node: t.New | t.Remove, env: Env, where: Where, found: Found) -> None:
        """A thing comes out of its pool, or goes back to it."""
        if isinstance(node, t.New):
            verb, name = "create", node.kind.name
            found.occasions.append(Occasion("new", node.span, name, where.sealed, where.conditions))
            if node.variable is not None:
                env[node.variable] = NOTHING
        else:
            verb, name = "remove", node.thing.type.kind if isinstance(node.thing.type, ThingT) else ""
            found.occasions.append(Occasion("remove", node.span, name, where.sealed))
        if name in self.rules.kinds and not self.owner(self.rules.kinds[name].span):
            names = (f"{verb} {name}", name)
            self.change(found, where, Change("create", names, node.span, path=where.path))

    def _course(self, node: t.Statement, where: Where, found: Found) -> None:
        """How the game goes on: its end, its phases, windows that open again, positions that count."""
        change: Change | None = None
        match node:
            case t.Remember(position=position) | t.Forget(position=position):
                if not self.owner(position.span):
                    change = Change("redefine", (position.name,), node.span)
            case t.Finish(ending=ending, winners=winners):
                if not self.owner(ending.span):
                    edge = "win" if winners is not None else "loss"
                    change = Change("end", (f"{ending.name}.{edge}", ending.name), node.span)
            case t.Leave(phase=phase):
                if not self._is_new_phase(phase):
                    change = Change("step", (f"leave {phase}",), node.span, touches=("flow", phase))
            case t.Offer(window=window):
                if not self.owner(window.span):
                    change = Change("again", (window.name,), node.span)
        if change is not None:
            self.change(found, where, replace(change, path=where.path))

    # --- blocks inside ---

    def _control(
        self, node: t.If | t.For | t.Repeat | t.Together, env: Env, where: Where, found: Found
    ) -> None:
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
                self.block(body, dict(env), replace(inner, counts=(*where.counts, times)), found)
            case t.Together(body=body):
                self.block(body, env, where, found)

    def _choice(self, node: t.Choose | t.Pick | t.Sealed, env: Env, where: Where, found: Found) -> None:
        found.occasions.append(Occasion("choice", node.span, "", where.sealed))
        match node:
            case t.Choose(binders=binders, body=body, otherwise=otherwise):
                chosen = replace(where, holds=(*where.holds, *_asked(binders)))
                self.block(body, self.binders(binders, env), chosen, found)
                self.block(otherwise, dict(env), where, found)
            case t.Pick(options=options):
                for _, _, body in options:
                    self.block(body, dict(env), where, found)
            case t.Sealed(each=each, binders=binders, body=body):
                self.block(body, self.binders(binders, self.ranges.bound(each, env)), where, found)

    def _loop(self, binder: t.Binder, body: t.Block, env: Env, where: Where, found: Found) -> None:
        inner = self.ranges.bound(binder, env)
        over_players = binder.variable.type == PLAYER
        often = 1 if over_players else self.ranges.size(binder, env)
        tests = (binder.where,) if binder.where is not None else ()
        around = replace(where, times=where.times * often, conditions=(*where.conditions, *tests))
        if isinstance(binder.source, t.Interval):
            around = replace(around, counts=(*where.counts, binder.source))
        self.block(body, inner, replace(around, holds=(*where.holds, *_of_the_one(binder, where))), found)

    def binders(self, binders: tuple[t.Binder | t.Several, ...], env: Env) -> Env:
        inner = dict(env)
        for binder in binders:
            if isinstance(binder, t.Several):
                inner = self.ranges.bound(binder.binder, inner)
                inner[binder.chosen] = replace(inner[binder.binder.variable], who=None)
            else:
                inner = self.ranges.bound(binder, inner)
        return inner

    # --- calls ---

    def _perform(self, node: t.Perform, env: Env, where: Where, found: Found) -> None:
        event = node.event
        known = tuple(self.ranges.known(argument, env) for argument in node.arguments)
        players = tuple(
            self.ranges.who(argument, env)
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
        self.change(found, where, replace(call, path=where.path))
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


def _of_the_one(binder: t.Binder, where: Where) -> tuple[t.Expr, ...]:
    """What is known of a source of one thing is known of what is found in it: `for p in s.occupant`."""
    if not isinstance(binder.source.type, ThingT):
        return ()
    use = t.Use(binder.span, binder.variable.type, binder.variable)
    known = conjuncts(*where.holds, *where.conditions)
    said = (replaced(test, lambda node: use if _says(node, binder.source) else None) for test in known)
    return tuple(new for new, test in zip(said, known, strict=True) if new is not test)


def _says(node: t.Expr, source: t.Expr) -> bool:
    """Is it the source, perhaps where it is known that something is there?"""
    return same(node.value if isinstance(node, t.Sure) else node, source)
