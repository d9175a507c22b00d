"""Walk the effects of packs, through all events that they call: changes, writes, emissions, chance,
questions, looks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ruleforge.analysis.effects.circumstances import Env, Found, Where
from ruleforge.analysis.effects.moves import Moves
from ruleforge.analysis.effects.ranges import Ranges
from ruleforge.analysis.effects.summary import Change, Emission, Occasion
from ruleforge.analysis.effects.values import NOTHING, Known, conjuncts, same
from ruleforge.analysis.intervals import Interval
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.checker.walk import phases_of, replaced
from ruleforge.support.diagnostics import NOWHERE, Span

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
        STATEMENTS[type(node)](self, node, env, where, found)

    def _nothing(self, node: t.Statement, env: Env, where: Where, found: Found) -> None:
        """It says how the effect itself goes on, and changes nothing."""

    def _assign(self, node: t.Assign, env: Env, where: Where, found: Found) -> None:
        known = self.ranges.known(node.value, env) if node.variable not in env else NOTHING
        env[node.variable] = known

    def _overwrite(self, node: t.Overwrite, env: Env, where: Where, found: Found) -> None:
        self.change(found, where, Change("redefine", node.what, node.span, "set", path=where.path))

    def _chance(self, node: t.Roll | t.RandomPick, env: Env, where: Where, found: Found) -> None:
        what = "roll" if isinstance(node, t.Roll) else "pick"
        found.occasions.append(Occasion(what, node.span, "", where.sealed))
        if isinstance(node, t.Roll):
            low, high = self.ranges.of(node.low, env), self.ranges.of(node.high, env)
            env[node.variable] = Known(Interval(node.number * low.low, node.number * high.high))
        else:
            env[node.variable] = self.ranges.bound(node.binder, env)[node.binder.variable]

    def _new(self, node: t.New, env: Env, where: Where, found: Found) -> None:
        """A thing comes out of its pool."""
        made = Occasion("new", node.span, node.kind.name, where.sealed, where.conditions)
        found.occasions.append(made)
        if node.variable is not None:
            env[node.variable] = NOTHING
        self._pooled("create", made, where, found)

    def _remove(self, node: t.Remove, env: Env, where: Where, found: Found) -> None:
        """A thing goes back to its pool."""
        kind = node.thing.type.kind if isinstance(node.thing.type, ThingT) else ""
        gone = Occasion("remove", node.span, kind, where.sealed)
        found.occasions.append(gone)
        self._pooled("remove", gone, where, found)

    def _pooled(self, verb: str, done: Occasion, where: Where, found: Found) -> None:
        kind = self.rules.kinds.get(done.about)
        if kind is not None and not self.owner(kind.span):
            names = (f"{verb} {kind.name}", kind.name)
            self.change(found, where, Change("create", names, done.span, path=where.path))

    # --- how the game goes on ---

    def _position(self, node: t.Remember | t.Forget, env: Env, where: Where, found: Found) -> None:
        self._course(node.position.span, Change("redefine", (node.position.name,), node.span), where, found)

    def _finish(self, node: t.Finish, env: Env, where: Where, found: Found) -> None:
        ending = node.ending
        edge = "win" if node.winners is not None else "loss"
        change = Change("end", (f"{ending.name}.{edge}", ending.name), node.span)
        self._course(ending.span, change, where, found)

    def _leave(self, node: t.Leave, env: Env, where: Where, found: Found) -> None:
        phase = next((p for p in phases_of(self.rules.flow) if p.name == node.phase), None)
        change = Change("step", (f"leave {node.phase}",), node.span, touches=("flow", node.phase))
        self._course(phase.span if phase is not None else NOWHERE, change, where, found)

    def _offer(self, node: t.Offer, env: Env, where: Where, found: Found) -> None:
        self._course(node.window.span, Change("again", (node.window.name,), node.span), where, found)

    def _course(self, declared: Span, change: Change, where: Where, found: Found) -> None:
        """Record a change of a definition of the core."""
        if not self.owner(declared):
            self.change(found, where, replace(change, path=where.path))

    # --- blocks inside ---

    def _if(self, node: t.If, env: Env, where: Where, found: Found) -> None:
        for test, body in node.branches:
            inner = replace(where, conditions=(*where.conditions, test))
            self.block(body, dict(env), inner, found)
        self.block(node.otherwise, dict(env), where, found)

    def _repeat(self, node: t.Repeat, env: Env, where: Where, found: Found) -> None:
        often = max(0, self.ranges.of(node.times, env).high)
        tests = (node.condition,) if node.condition is not None else ()
        inner = replace(where, times=where.times * often, conditions=(*where.conditions, *tests))
        self.block(node.body, dict(env), replace(inner, counts=(*where.counts, node.times)), found)

    def _together(self, node: t.Together, env: Env, where: Where, found: Found) -> None:
        self.block(node.body, env, where, found)

    def _choose(self, node: t.Choose, env: Env, where: Where, found: Found) -> None:
        found.occasions.append(Occasion("choice", node.span, "", where.sealed))
        chosen = replace(where, holds=(*where.holds, *_tests_of(node.binders)))
        self.block(node.body, self.binders(node.binders, env), chosen, found)
        self.block(node.otherwise, dict(env), where, found)

    def _pick(self, node: t.Pick, env: Env, where: Where, found: Found) -> None:
        found.occasions.append(Occasion("choice", node.span, "", where.sealed))
        for _, _, body in node.options:
            self.block(body, dict(env), where, found)

    def _secret(self, node: t.Sealed, env: Env, where: Where, found: Found) -> None:
        found.occasions.append(Occasion("choice", node.span, "", where.sealed))
        self.block(node.body, self.binders(node.binders, self.ranges.bound(node.each, env)), where, found)

    def _for(self, node: t.For, env: Env, where: Where, found: Found) -> None:
        binder = node.binder
        inner = self.ranges.bound(binder, env)
        over_players = binder.variable.type == PLAYER
        often = 1 if over_players else self.ranges.size(binder, env)
        tests = (binder.where,) if binder.where is not None else ()
        around = replace(where, times=where.times * often, conditions=(*where.conditions, *tests))
        if isinstance(binder.source, t.Interval):
            around = replace(around, counts=(*where.counts, binder.source))
        self.block(
            node.body, inner, replace(around, holds=(*where.holds, *_of_the_one(binder, where))), found
        )

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
        """Walk the body of a core event.

        Its changes are its own; its writes and emissions count at the call.
        """
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


STATEMENTS: dict[type[object], Callable[[Walk, Any, Env, Where, Found], None]] = {
    t.Assign: Walk._assign,
    t.Store: Walk.store,
    t.Overwrite: Walk._overwrite,
    t.Roll: Walk._chance,
    t.RandomPick: Walk._chance,
    t.Perform: Walk._perform,
    t.Move: Walk.move,
    t.Shuffle: Walk.shuffle,
    t.Finish: Walk._finish,
    t.Return: Walk._nothing,
    t.Remember: Walk._position,
    t.Forget: Walk._position,
    t.Leave: Walk._leave,
    t.If: Walk._if,
    t.For: Walk._for,
    t.Repeat: Walk._repeat,
    t.Choose: Walk._choose,
    t.Pick: Walk._pick,
    t.Sealed: Walk._secret,
    t.Together: Walk._together,
    t.Pay: Walk.pay,
    t.Proceed: Walk._nothing,
    t.New: Walk._new,
    t.Remove: Walk._remove,
    t.Show: Walk.show,
    t.Tell: Walk.show,
    t.Offer: Walk._offer,
}


def _tests_of(binders: tuple[t.Binder | t.Several, ...]) -> tuple[t.Expr, ...]:
    """The conditions of choices."""
    single = (b for b in binders if isinstance(b, t.Binder))
    return tuple(b.where for b in single if b.where is not None)


def _of_the_one(binder: t.Binder, where: Where) -> tuple[t.Expr, ...]:
    """The conditions on a source of one thing, applied to its member: `for p in s.occupant`."""
    if not isinstance(binder.source.type, ThingT):
        return ()
    use = t.Use(binder.span, binder.variable.type, binder.variable)
    known = conjuncts(*where.holds, *where.conditions)
    tests = (replaced(test, lambda node: use if _says(node, binder.source) else None) for test in known)
    return tuple(new for new, test in zip(tests, known, strict=True) if new is not test)


def _says(node: t.Expr, source: t.Expr) -> bool:
    """Whether a node is the source, perhaps under a check that it exists."""
    return same(node.value if isinstance(node, t.Sure) else node, source)
